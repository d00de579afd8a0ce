// Entering cards from a photograph: finding them, reading them, correcting the reading.
import { Correction } from "./correction.js";
import { dialog, numberField } from "./dialog.js";
import { el, svg } from "./dom.js";
import { review } from "./review.js";
import { t } from "./words.js";

/** The maximum side of a photograph that is sent, in pixels. */
const LARGEST = 2000;

/** The step by which an arrow key moves a corner, relative to the width of the photograph. */
const STEP = 0.005;

/** Loads a photograph in its orientation and scales it down if necessary. */
async function taken(file) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    throw new Error(t("no-picture", file.name));
  }
  const scale = Math.min(1, LARGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = el("canvas", { width: Math.round(bitmap.width * scale), height: Math.round(bitmap.height * scale) });
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas;
}

/** A field for choosing, dropping or pasting a photograph; `leave` closes the enclosing dialog. */
export function photoField(source, open, leave) {
  const choose = (file) => {
    leave();
    askPhoto(source, open, file);
  };
  const input = el("input", {
    type: "file",
    accept: "image/*",
    "aria-label": t("photo-of-cards"),
    onchange: () => input.files.length > 0 && choose(input.files[0]),
  });
  const field = el("fieldset", { class: "photo" }, el("legend", {}, t("from-photo")), input, t("drop-photo"));
  const pictureOf = (data) => [...(data?.files ?? [])].find(({ type }) => type.startsWith("image/"));
  field.addEventListener("dragover", (event) => event.preventDefault());
  field.addEventListener("drop", (event) => {
    event.preventDefault();
    const file = pictureOf(event.dataTransfer);
    if (file) choose(file);
  });
  const pasted = (event) => {
    if (!field.isConnected) {
      document.removeEventListener("paste", pasted);
      return;
    }
    const file = pictureOf(event.clipboardData);
    if (file) {
      event.preventDefault();
      document.removeEventListener("paste", pasted);
      choose(file);
    }
  };
  document.addEventListener("paste", pasted);
  return field;
}

/** The photograph with the outlines of the cards. The corners of the board, or of the chosen card, can be
 * dragged; `changed` is called when another card is chosen. */
class View {
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
    const { width, height } = canvas;
    this.outline = svg("svg", { viewBox: `0 0 ${width} ${height}` });
    this.board = square([width / 2, height / 2], 0.45 * width, 0.45 * height);
    /** The outlines of the cards, whether the user has changed them, and the index of the chosen one. */
    this.cards = [];
    this.isEdited = false;
    this.chosen = null;
    this.isBoard = false;
    this.handles = t("corners").map((name, index) => this.handle(name, index));
    this.box = el("div", { class: "view" }, canvas, this.outline, ...this.handles);
    this.draw();
  }

  /** The quadrilateral whose corners can be dragged. */
  get quad() {
    return this.isBoard ? this.board : this.chosen === null ? null : this.cards[this.chosen];
  }

  handle(name, index) {
    const button = el("button", { type: "button", class: "corner", "aria-label": name });
    const follow = ({ clientX, clientY }) => {
      const { left, top, width, height } = this.canvas.getBoundingClientRect();
      this.put(index, ((clientX - left) / width) * this.canvas.width, ((clientY - top) / height) * this.canvas.height);
    };
    button.addEventListener("pointerdown", ({ pointerId }) => button.setPointerCapture(pointerId));
    button.addEventListener("pointermove", (event) => button.hasPointerCapture(event.pointerId) && follow(event));
    button.addEventListener("keydown", (event) => {
      const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
      if (dx || dy) {
        event.preventDefault();
        const [x, y] = this.quad[index];
        const step = STEP * this.canvas.width;
        this.put(index, x + dx * step, y + dy * step);
      }
    });
    return button;
  }

  put(index, x, y) {
    const { width, height } = this.canvas;
    this.quad[index] = [Math.min(width, Math.max(0, x)), Math.min(height, Math.max(0, y))];
    this.isEdited ||= !this.isBoard;
    this.draw();
  }

  /** Shows the cards that were found. */
  found(cards) {
    [this.cards, this.isEdited, this.chosen] = [cards, false, null];
    this.draw();
  }

  /** Switches between the corners of the board and the cards. */
  asBoard(is) {
    [this.isBoard, this.chosen] = [is, null];
    this.draw();
  }

  choose(index) {
    this.chosen = index;
    this.draw();
  }

  /** Adds a card of the usual size in the middle, to be moved. */
  add() {
    const { width, height } = this.canvas;
    const side = this.cards.length > 0 ? Math.hypot(this.cards[0][1][0] - this.cards[0][0][0], this.cards[0][1][1] - this.cards[0][0][1]) : width / 5;
    this.cards.push(square([width / 2, height / 2], side / 2, side / 2));
    this.isEdited = true;
    this.choose(this.cards.length - 1);
  }

  /** Removes the chosen card. */
  remove() {
    this.cards.splice(this.chosen, 1);
    this.isEdited = true;
    this.choose(null);
  }

  draw() {
    const polygon = (quad, index) => {
      const choose = (event) => {
        if (event.type === "click" || event.key === "Enter") {
          event.preventDefault();
          this.choose(index);
        }
      };
      return svg("polygon", {
        points: quad.map((corner) => corner.join(",")).join(" "),
        ...(this.isBoard ? {} : { class: index === this.chosen ? "chosen" : "", role: "button", tabindex: 0, "aria-label": t("card", index + 1), onclick: choose, onkeydown: choose }),
      });
    };
    this.outline.replaceChildren(...(this.isBoard ? [this.board] : this.cards).map(polygon));
    const { width, height } = this.canvas;
    this.handles.forEach((handle, index) => {
      handle.hidden = this.quad === null;
      if (this.quad !== null) {
        handle.style.left = `${(100 * this.quad[index][0]) / width}%`;
        handle.style.top = `${(100 * this.quad[index][1]) / height}%`;
      }
    });
    this.changed();
  }
}

/** A rectangle around a point, from its left upper corner clockwise. */
function square([x, y], across, down) {
  return [[x - across, y - down], [x + across, y - down], [x + across, y + down], [x - across, y + down]];
}

/** Reads a photograph, shows the reading, and opens it as a puzzle. */
function askPhoto(source, open, file) {
  const said = el("p", { role: "status", class: "said" });
  const place = el("div", { class: "review" });
  const shown = el("div", {});
  const number = (label, max) => numberField(label, { min: 1, max, placeholder: "?" });
  const [rows, columns, images] = [number(t("rows"), 20), number(t("columns"), 20), number(t("images"), 30)];
  const touching = el("input", { type: "checkbox", onchange: () => view?.asBoard(touching.checked) });
  const again = el("button", { type: "button", onclick: () => read() }, t("read-again"));
  const add = el("button", { type: "button", onclick: () => view.add() }, t("add-card"));
  const remove = el("button", { type: "button", onclick: () => view.remove() }, t("remove-card"));
  const hints = el("fieldset", {}, el("legend", {}, t("if-read-wrongly")), rows.field, columns.field, images.field,
    el("label", {}, touching, ` ${t("cards-touch")}`), add, remove, again, el("p", { class: "details" }, t("correct-cards")));
  const shownButtons = () => {
    add.hidden = !view || view.isBoard;
    remove.hidden = !view || view.chosen === null;
  };
  let view = null;
  let correction = null;
  const box = dialog(t("from-photo"), [shown, said, hints, place], t("play-these"), async () => {
    // The page draws the cards, so their pictures are not used.
    const text = correction.yaml().replace(/^pictures: .*\n/m, "");
    await open(await source.game({ text }));
  });

  const play = box.querySelector("button[type=submit]");
  shownButtons();

  async function read() {
    again.disabled = play.disabled = true;
    said.className = "said";
    said.textContent = t("reading");
    place.replaceChildren();
    correction = null;
    try {
      if (!view) {
        view = new View(await taken(file), () => view && shownButtons());
        shown.replaceChildren(view.box);
      }
      const value = ({ input }) => (input.value === "" ? null : Number(input.value));
      const size = value(rows) && value(columns) ? [value(rows), value(columns)] : null;
      const corners = touching.checked ? view.board : null;
      const cards = view.isEdited && !touching.checked ? view.cards : [];
      const answer = await source.read({ canvas: view.canvas, size, images: value(images), corners, cards });
      view.found(answer.cards);
      correction = new Correction(answer.reading);
      const doubts = answer.reading.sides.filter(({ doubtful }) => doubtful).length;
      const { rows: down, cols } = answer.reading;
      said.textContent = t("was-read", down, cols, doubts, answer.solutions !== 0);
      review(place, correction, (text) => (said.textContent = text));
      play.disabled = false;
    } catch (error) {
      said.className = "said wrong";
      said.textContent = error.message;
    }
    again.disabled = false;
    shownButtons();
  }

  read();
}
