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

/** The photograph with the outlines of the cards, and corners to drag. */
class View {
  constructor(canvas) {
    this.canvas = canvas;
    const { width, height } = canvas;
    this.outline = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    this.corners = [[0.05, 0.05], [0.95, 0.05], [0.95, 0.95], [0.05, 0.95]].map(([x, y]) => [x * width, y * height]);
    const names = t("corners");
    this.handles = names.map((name, index) => this.handle(name, index));
    this.box = el("div", { class: "view" }, canvas, this.outline, ...this.handles);
    this.byHand(false);
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
        const [x, y] = this.corners[index];
        const step = STEP * this.canvas.width;
        this.put(index, x + dx * step, y + dy * step);
      }
    });
    return button;
  }

  put(index, x, y) {
    const { width, height } = this.canvas;
    this.corners[index] = [Math.min(width, Math.max(0, x)), Math.min(height, Math.max(0, y))];
    this.draw([this.corners]);
  }

  /** Switches between corners given by the user and the cards that were found. */
  byHand(isByHand) {
    this.isByHand = isByHand;
    for (const handle of this.handles) handle.hidden = !isByHand;
    this.draw(isByHand ? [this.corners] : (this.cards ?? []));
  }

  draw(quads) {
    const polygon = (quad) => svg("polygon", { points: quad.map((corner) => corner.join(",")).join(" ") });
    this.outline.replaceChildren(...quads.map(polygon));
    const { width, height } = this.canvas;
    this.handles.forEach((handle, index) => {
      handle.style.left = `${(100 * this.corners[index][0]) / width}%`;
      handle.style.top = `${(100 * this.corners[index][1]) / height}%`;
    });
  }
}

/** Reads a photograph, shows the reading, and opens it as a puzzle. */
function askPhoto(source, open, file) {
  const said = el("p", { role: "status", class: "said" });
  const place = el("div", { class: "review" });
  const shown = el("div", {});
  const number = (label, max) => numberField(label, { min: 1, max, placeholder: "?" });
  const [rows, columns, images] = [number(t("rows"), 20), number(t("columns"), 20), number(t("images"), 30)];
  const touching = el("input", { type: "checkbox", onchange: () => view?.byHand(touching.checked) });
  const again = el("button", { type: "button", onclick: () => read() }, t("read-again"));
  const hints = el("fieldset", {}, el("legend", {}, t("if-read-wrongly")), rows.field, columns.field, images.field,
    el("label", {}, touching, ` ${t("cards-touch")}`), again);
  let view = null;
  let correction = null;
  dialog(t("from-photo"), [shown, said, hints, place], t("play-these"), async () => {
    if (!correction) {
      throw new Error(t("nothing-read"));
    }
    // The page draws the cards, so their pictures are not used.
    const text = correction.yaml().replace(/^pictures: .*\n/m, "");
    await open(await source.game({ text }));
  });

  async function read() {
    again.disabled = true;
    said.textContent = t("reading");
    place.replaceChildren();
    correction = null;
    try {
      if (!view) {
        view = new View(await taken(file));
        shown.replaceChildren(view.box);
      }
      const value = ({ input }) => (input.value === "" ? null : Number(input.value));
      const size = value(rows) && value(columns) ? [value(rows), value(columns)] : null;
      const corners = touching.checked ? view.corners : null;
      const answer = await source.read({ canvas: view.canvas, size, images: value(images), corners });
      view.cards = answer.cards;
      view.byHand(touching.checked);
      if (!touching.checked) view.draw(answer.cards);
      correction = new Correction(answer.reading);
      const doubts = answer.reading.sides.filter(({ doubtful }) => doubtful).length;
      const { rows: down, cols } = answer.reading;
      said.textContent = t("was-read", down, cols, doubts, answer.solutions !== 0);
      review(place, correction, (text) => (said.textContent = text));
    } catch (error) {
      said.textContent = error.message;
    }
    again.disabled = false;
  }

  read();
}
