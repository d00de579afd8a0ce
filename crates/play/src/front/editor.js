// Own cards: images, their halves from a palette, a card a cell.
import { el, svg } from "./dom.js";

const SIDES = ["right", "top", "left", "bottom"];
const TRIANGLES = ["100,0 100,100 50,50", "0,0 100,0 50,50", "0,0 0,100 50,50", "0,100 100,100 50,50"];
const MOST_SIDE = 10;

/** From the top on, clockwise, as one reads a card. */
const READING = [1, 0, 3, 2];

/** The names of edges that an image gives. */
function edges({ name, halves }) {
  return halves ? [`${name}+`, `${name}-`] : [name];
}

/** Names are written as JSON, which YAML reads as it stands. */
function yaml({ title, rows, columns, turns, cards }) {
  const tiles = cards.map((card, index) => `  "${index + 1}": ${JSON.stringify(card)}\n`);
  return [
    title ? `title: ${JSON.stringify(title)}\n` : "",
    `rows: ${rows}\ncols: ${columns}\n`,
    "order: counterclockwise-from-right\n",
    turns ? "" : "rotations: false\n",
    "tiles:\n",
    ...tiles,
  ].join("");
}

/** What is entered. `signs(names)` gives what stands for images. */
export class Editor {
  constructor(signs) {
    this.askSigns = signs;
    this.images = ["sun", "moon", "star", "sea"].map((name) => ({ name, halves: true }));
    this.rows = 3;
    this.columns = 3;
    this.turns = true;
    this.title = "";
    this.cards = [];
    this.chosen = { image: 0, half: 0 };
    this.drawn = { signs: [], offset: 0 };
    this.palette = el("div", { class: "halves", role: "radiogroup", "aria-label": "Edge to put on a side" });
    this.list = el("div", { class: "images" });
    this.sheet = el("div", { class: "cards", role: "group", "aria-label": "Cards" });
    this.resize();
  }

  /** The form, without its buttons. */
  fields() {
    const number = (label, key) => {
      const input = el("input", { type: "number", min: 1, max: MOST_SIDE, value: this[key], required: true });
      input.addEventListener("change", () => {
        this[key] = Math.min(MOST_SIDE, Math.max(1, Math.round(Number(input.value)) || 1));
        input.value = this[key];
        this.resize();
        this.drawCards();
      });
      return el("label", {}, `${label} `, input);
    };
    const title = el("input", { type: "text", maxlength: 200, value: this.title });
    title.addEventListener("input", () => (this.title = title.value));
    const turns = el("input", { type: "checkbox", checked: this.turns });
    turns.addEventListener("change", () => (this.turns = turns.checked));
    const add = el("button", { type: "button" }, "Add an image");
    add.addEventListener("click", () => {
      this.images.push({ name: this.newName(), halves: true });
      this.refresh();
    });
    return [
      el("fieldset", {}, el("legend", {}, "Puzzle"),
        el("label", {}, "Title ", title), number("Rows", "rows"), number("Columns", "columns"),
        el("label", {}, turns, " cards may be turned")),
      el("fieldset", {}, el("legend", {}, "Images"), this.list, add),
      el("fieldset", {}, el("legend", {}, "Choose an edge, then click the sides that show it; or press its number on a side"),
        this.palette),
      this.sheet,
    ];
  }

  newName() {
    for (let number = this.images.length + 1; ; number++) {
      if (this.images.every(({ name }) => name !== `image ${number}`)) {
        return `image ${number}`;
      }
    }
  }

  resize() {
    const number = this.rows * this.columns;
    this.cards = Array.from({ length: number }, (_, index) => this.cards[index] ?? [null, null, null, null]);
  }

  async refresh() {
    this.drawn = await this.askSigns(this.images.map(({ name }) => name));
    this.drawImages();
    this.drawPalette();
    this.drawCards();
  }

  drawImages() {
    const rows = this.images.map((image, index) => {
      const name = el("input", { type: "text", value: image.name, maxlength: 60, "aria-label": `Name of image ${index + 1}` });
      name.addEventListener("change", () => {
        image.name = name.value.trim() || this.newName();
        this.refresh();
      });
      const halves = el("input", { type: "checkbox", checked: image.halves });
      halves.addEventListener("change", () => {
        image.halves = halves.checked;
        this.dropHalves(index);
        this.refresh();
      });
      const remove = el("button", { type: "button", "aria-label": `Remove image ${image.name}`, disabled: this.images.length < 2 }, "✕");
      remove.addEventListener("click", () => {
        this.images.splice(index, 1);
        this.eachSide((side) => (side.image === index ? null : { ...side, image: side.image - (side.image > index ? 1 : 0) }));
        this.chosen = { image: 0, half: 0 };
        this.refresh();
      });
      return el("div", { class: "image" }, name, el("label", {}, halves, " in halves"), remove);
    });
    this.list.replaceChildren(...rows);
  }

  eachSide(change) {
    this.cards = this.cards.map((card) => card.map((side) => side && change(side)));
  }

  /** A whole image has no second half. */
  dropHalves(index) {
    this.eachSide((side) => (side.image === index ? { image: index, half: 0 } : side));
    this.chosen = { image: index, half: 0 };
  }

  /** Every edge there is, in the order of the palette. */
  all() {
    return this.images.flatMap((image, index) => edges(image).map((name, half) => ({ image: index, half, name })));
  }

  drawPalette() {
    const labels = this.all().map((edge, number) => {
      const isChosen = edge.image === this.chosen.image && edge.half === this.chosen.half;
      const input = el("input", { type: "radio", name: "edge", checked: isChosen, "aria-label": edge.name });
      input.addEventListener("change", () => (this.chosen = edge));
      const picture = svg("svg", { viewBox: "40 10 60 80", "aria-hidden": "true" });
      picture.append(svg("rect", { width: 100, height: 100, fill: "#fdfbf5" }), this.sign(edge, 0));
      return el("label", {}, picture, el("span", {}, `${number + 1}. ${edge.name}`), input);
    });
    this.palette.replaceChildren(...labels);
  }

  /** An edge on a side of a card of 100 units. */
  sign({ image, half }, side) {
    const drawn = this.drawn.signs[image];
    const isHalved = this.images[image].halves;
    const offset = isHalved ? (half ? -1 : 1) * this.drawn.offset : 0;
    const clip = svg("svg", { width: 100, height: 100, viewBox: "0 0 100 100" });
    clip.append(
      svg("path", {
        d: drawn.path,
        fill: half ? drawn.pale : drawn.strong,
        "fill-rule": "evenodd",
        stroke: "#222",
        "stroke-width": 1.6,
        transform: `rotate(${-90 * side} 50 50) translate(100 ${50 + offset})`,
        "pointer-events": "none",
      }),
    );
    return clip;
  }

  drawCards() {
    this.sheet.style.gridTemplateColumns = `repeat(${this.columns}, minmax(4.5rem, 9rem))`;
    const drawings = this.cards.map((_, card) => {
      const drawing = svg("svg", { viewBox: "-2 -2 104 104", role: "group", "aria-label": `Card ${card + 1}` });
      this.drawCard(drawing, card);
      return drawing;
    });
    this.sheet.replaceChildren(...drawings);
  }

  drawCard(drawing, card) {
    const parts = READING.map((side) => {
      const edge = this.cards[card][side];
      const name = edge ? edges(this.images[edge.image])[edge.half] : "nothing";
      const group = svg("g", { class: "side", role: "button", tabindex: 0, "aria-label": `Card ${card + 1}, ${SIDES[side]}: ${name}`, "data-side": `${card}-${side}` });
      group.append(svg("polygon", { class: "ground", points: TRIANGLES[side] }));
      if (edge) {
        group.append(this.sign(edge, side));
      }
      group.append(svg("polygon", { class: "ring", points: TRIANGLES[side] }));
      group.addEventListener("click", () => this.set(card, side, this.chosen));
      group.addEventListener("keydown", (event) => this.key(event, card, side));
      return group;
    });
    const name = svg("text", { class: "card-name", x: 50, y: 50, "aria-hidden": "true" });
    name.textContent = card + 1;
    drawing.replaceChildren(...parts, name);
  }

  key(event, card, side) {
    const numbered = this.all()[Number(event.key) - 1];
    if (event.key === "Enter" || event.key === " ") {
      this.set(card, side, this.chosen);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.set(card, side, null);
    } else if (numbered && event.key.length === 1) {
      this.set(card, side, numbered);
      this.leave(card, side);
    } else {
      return;
    }
    event.preventDefault();
  }

  set(card, side, edge) {
    this.cards[card][side] = edge && { image: edge.image, half: edge.half };
    const drawing = this.sheet.children[card];
    const hadFocus = drawing.contains(document.activeElement);
    this.drawCard(drawing, card);
    if (hadFocus) {
      this.focus(card, side);
    }
  }

  focus(card, side) {
    this.sheet.querySelector(`[data-side="${card}-${side}"]`)?.focus();
  }

  /** Goes on to the next side. */
  leave(card, side) {
    const place = READING.indexOf(side);
    const isLast = place === 3;
    this.focus(isLast ? card + 1 : card, READING[isLast ? 0 : place + 1]);
  }

  /** The text of a file with what is entered, and the images in the order of the palette. Throws where
   * something is missing. */
  text() {
    const names = this.images.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) {
      throw new Error(`two images are called ${twice}`);
    }
    const bare = this.cards.findIndex((card) => card.includes(null));
    if (bare >= 0) {
      const side = SIDES[this.cards[bare].indexOf(null)];
      throw new Error(`card ${bare + 1} shows nothing on its ${side} side`);
    }
    const cards = this.cards.map((card) => card.map(({ image, half }) => edges(this.images[image])[half]));
    return { text: yaml({ ...this, cards }), images: names };
  }
}
