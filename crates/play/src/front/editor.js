// The editor for cards: the user picks an edge for one side after another, from a palette or by keys.
import { el, svg } from "./dom.js";
import { images, settings } from "./editor_form.js";
import { cut, Palette } from "./palette.js";
import { readingOrder, shapeNamed, wedgesOf } from "./shapes.js";
import * as storage from "./storage.js";
import { t } from "./words.js";

const MOST_UNDONE = 500;

/** The names of the edges of an image. */
export function edges({ name, halves }) {
  return halves ? [`${name}+`, `${name}-`] : [name];
}

const FRESH = { shape: "grid", rows: 3, columns: 3, turns: true, title: "", cards: [] };

/** The editor and its state, which the browser stores. `signs(names)` provides the signs of images. */
export class Editor {
  constructor(signs) {
    this.askSigns = signs;
    this.past = [];
    this.state = { ...FRESH, images: t("figures").slice(0, 4).map((name) => ({ name, halves: true })), ...storage.draft() };
    this.sheet = el("div", { class: "cards", role: "group", "aria-label": t("cards") });
    this.palette = new Palette((edge) => this.paint(edge), () => this.undo());
    this.palette.buttons.append(el("button", { type: "button", onclick: () => this.clear() }, t("clear-cards")));
    this.settings = el("fieldset", {});
    this.list = el("div", { class: "images" });
    this.sheet.addEventListener("keydown", (event) => this.key(event));
    this.at = this.firstBare() ?? { card: 0, side: this.order[0] };
  }

  get shape() {
    return shapeNamed(this.state.shape);
  }

  get number() {
    return this.shape.number(this.state.rows, this.state.columns);
  }

  /** The sides in reading order. */
  get order() {
    return readingOrder(this.shape.sides);
  }

  /** A card; empty if not entered yet. Cards beyond the board are kept in case it grows again. */
  card(index) {
    const card = this.state.cards[index];
    return card?.length === this.shape.sides ? card : Array(this.shape.sides).fill(null);
  }

  /** The first side without an edge, in reading order; `undefined` if every card is complete. */
  firstBare() {
    const cards = Array.from({ length: this.number }, (_, card) => card);
    return cards.flatMap((card) => this.order.map((side) => ({ card, side }))).find(({ card, side }) => this.card(card)[side] === null);
  }

  /** The fields of the form, without the palette; `more` come before the cards. */
  fields(...more) {
    const add = el("button", { type: "button", onclick: () => this.change((next) => next.images.push({ name: this.newName(), halves: true })) }, t("add-image"));
    const what = el("details", {}, el("summary", {}, t("board-and-title")), this.settings);
    const images = el("details", {}, el("summary", {}, t("name-images")), el("fieldset", {}, this.list, add));
    return [el("div", { class: "what" }, what, images, ...more), this.sheet];
  }

  newName() {
    const { images } = this.state;
    const free = [...t("figures"), ...images.map((_, index) => t("image", index + 1)), t("image", images.length + 1)];
    return free.find((name) => images.every((image) => image.name !== name));
  }

  /** Changes and stores the state; the change can be undone. */
  change(make) {
    this.past = [...this.past, { state: this.state, at: this.at }].slice(-MOST_UNDONE);
    this.state = structuredClone(this.state);
    make(this.state);
    storage.keepDraft(this.state);
    return this.refresh();
  }

  undo() {
    const before = this.past.pop();
    if (before) {
      [this.state, this.at] = [before.state, { ...before.at }];
      storage.keepDraft(this.state);
      this.refresh(true);
      this.focus();
    }
  }

  clear() {
    this.change((next) => (next.cards = []));
    this.select(0, this.order[0]);
  }

  /** Draws the state; the form only if it has other fields or `isAnew`, because a new one takes the focus away. */
  async refresh(isAnew = false) {
    const names = this.state.images.map(({ name }) => name);
    if (this.drawnFor !== names.join("\n")) {
      this.signs = await this.askSigns(names);
      this.drawnFor = names.join("\n");
    }
    if (this.at.isPast) {
      this.at = this.firstBare() ?? this.at;
    }
    this.at.card = Math.min(this.at.card, this.number - 1);
    this.at.side = Math.min(this.at.side, this.shape.sides - 1);
    const form = `${this.state.shape}/${this.state.images.length}`;
    if (isAnew || this.form !== form) {
      this.form = form;
      this.settings.replaceChildren(...settings(this));
      this.list.replaceChildren(...images(this));
    }
    this.drawCards();
    this.drawPalette();
  }

  drawCards() {
    const hadFocus = this.sheet.contains(document.activeElement);
    const columns = this.shape.isSized ? this.state.columns : Math.min(4, this.number);
    this.sheet.style.gridTemplateColumns = `repeat(${columns}, minmax(3.2rem, 8rem))`;
    this.sheet.replaceChildren(...Array.from({ length: this.number }, (_, card) => this.drawCard(card)));
    if (hadFocus) {
      this.focus();
    }
  }

  drawCard(card) {
    const { reach, wedges, apothem } = wedgesOf(this.shape.sides);
    const shown = this.card(card);
    const parts = this.order.map((side) => {
      const edge = shown[side];
      const name = edge ? edges(this.state.images[edge.image])[edge.half] : t("nothing");
      const isHere = this.at.card === card && this.at.side === side;
      const group = svg("g", {
        class: `side${isHere ? " here" : ""}`, role: "button", tabindex: isHere ? 0 : -1,
        "aria-label": t("side-of", card + 1, this.sideName(side), name), "aria-current": isHere ? "true" : null, "data-side": `${card}-${side}`,
      });
      group.append(svg("polygon", { class: "ground", points: wedges[side].points }));
      if (edge) {
        group.append(svg("g", { transform: `rotate(${-wedges[side].angle}) translate(${apothem} 0)` }, cut(this.sign(edge))));
      }
      group.append(svg("polygon", { class: "ring", points: wedges[side].points }));
      group.addEventListener("click", () => this.select(card, side));
      return group;
    });
    const name = svg("text", { class: "card-name", x: 0, y: 0, "aria-hidden": "true" });
    name.textContent = card + 1;
    const size = reach + 2;
    return svg("svg", { viewBox: `${-size} ${-size} ${2 * size} ${2 * size}`, role: "group", "aria-label": t("card", card + 1) }, ...parts, name);
  }

  sideName(side) {
    return this.shape.sides === 4 ? t("sides")[side] : t("side", side + 1);
  }

  /** The sign of an edge around the middle of a side on the right. */
  sign({ image, half }) {
    const { path, strong, pale } = this.signs.signs[image];
    const offset = this.state.images[image].halves ? (half ? -1 : 1) * this.signs.offset : 0;
    return svg("path", { d: path, fill: half ? pale : strong, "fill-rule": "evenodd", stroke: "#222", "stroke-width": 1.6, transform: `translate(0 ${offset})`, "pointer-events": "none" });
  }

  drawPalette() {
    const counts = new Map();
    for (let card = 0; card < this.number; card++) {
      for (const side of this.card(card).filter(Boolean)) {
        const key = `${side.image}/${side.half}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    const count = (image, half) => counts.get(`${image}/${half}`) ?? 0;
    const all = this.all().map((edge) => {
      const number = count(edge.image, edge.half);
      const isHalved = this.state.images[edge.image].halves;
      // No other card can match this edge yet.
      const isOdd = number > 0 && (isHalved ? count(edge.image, 1 - edge.half) === 0 : number === 1);
      return { edge, number, isOdd, sign: this.sign(edge) };
    });
    const where = this.firstBare() ? t("edge-for", this.at.card + 1, this.sideName(this.at.side)) : t("cards-complete");
    this.palette.draw(all, where, this.past.length > 0);
  }

  /** All edges, in the order of the palette. */
  all() {
    return this.state.images.flatMap((image, index) => edges(image).map((name, half) => ({ image: index, half, name })));
  }

  /** Sets the edge of the selected side and selects the next one; after the last one, the first that is missing.
   * If none is, further edges are ignored until the player selects a side. */
  paint(edge) {
    const { card, side, isPast } = this.at;
    if (edge && isPast) {
      return;
    }
    this.change((next) => {
      while (next.cards.length <= card) {
        next.cards.push(null);
      }
      const shown = [...this.card(card)];
      shown[side] = edge && { image: edge.image, half: edge.half };
      next.cards[card] = shown;
      if (card === this.number - 1 && side === this.order.at(-1)) {
        this.at = this.firstBare() ?? { card, side, isPast: true };
      } else {
        this.step(1);
      }
    });
  }

  /** Moves the selection by a number of sides in reading order, up to the first or last one. */
  step(steps) {
    const { order } = this;
    const last = this.number * order.length - 1;
    const now = this.at.card * order.length + order.indexOf(this.at.side);
    const next = Math.min(last, Math.max(0, now + steps));
    this.at = { card: Math.floor(next / order.length), side: order[next % order.length] };
  }

  select(card, side) {
    this.at = { card, side };
    this.drawCards();
    this.drawPalette();
    this.focus();
  }

  focus() {
    const here = this.sheet.querySelector(".here");
    here?.focus({ preventScroll: true });
    here?.closest("svg").scrollIntoView({ block: "nearest" });
  }

  key(event) {
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
    if (!isUndo && (event.ctrlKey || event.metaKey || event.altKey)) {
      return;
    }
    const edge = this.palette.edgeOf(event.key);
    const { sides } = this.shape;
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: sides, ArrowUp: -sides }[event.key];
    if (isUndo) {
      this.undo();
    } else if (edge) {
      this.paint(edge);
    } else if (steps) {
      this.step(steps);
      this.select(this.at.card, this.at.side);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      const isBare = this.card(this.at.card)[this.at.side] === null;
      if (isBare && event.key === "Backspace") {
        this.step(-1);
      }
      const { at } = this;
      this.paint(null);
      this.select(at.card, at.side);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The text of the puzzle file, and the images in the order of the palette. If an edge is missing,
   * selects it and throws. */
  text() {
    const names = this.state.images.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) {
      throw new Error(t("image-twice", twice));
    }
    const bare = this.firstBare();
    if (bare) {
      this.select(bare.card, bare.side);
      throw new Error(t("side-missing", bare.card + 1, this.sideName(bare.side)));
    }
    const cards = Array.from({ length: this.number }, (_, card) => this.card(card));
    const written = cards.map((card) => card.map(({ image, half }) => edges(this.state.images[image])[half]));
    return { text: yaml(this.state, this.shape, written), images: names };
  }
}

/** Writes the puzzle as YAML. Names are written as JSON strings, which are valid YAML. */
function yaml({ title, rows, columns, turns }, shape, cards) {
  const isSquare = shape.sides === 4;
  // Squares are written clockwise from the top; the state has them counter-clockwise from the right.
  const listed = (card) => (isSquare ? [1, 0, 3, 2].map((side) => card[side]) : card);
  const tiles = cards.map((card, index) => `  "${index + 1}": ${JSON.stringify(listed(card))}\n`);
  return [
    title ? `name: ${JSON.stringify(title)}\ntitle: ${JSON.stringify(title)}\n` : "",
    shape.text(rows, columns),
    isSquare ? "order: clockwise-from-top\n" : "",
    turns ? "" : "rotations: false\n",
    "tiles:\n",
    ...tiles,
  ].join("");
}
