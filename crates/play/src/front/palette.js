// The palette of edges, each with its key and the number of uses.
import { el, svg } from "./dom.js";
import { t } from "./words.js";

/** The keys of the edges, in order. */
const KEYS = "123456789abcdefghijklmnopqrstuvwxyz";

/** Clips a figure to the card, whose side is at x = 0. */
export function cut(figure) {
  return svg("svg", { x: -60, y: -60, width: 60, height: 120, viewBox: "-60 -60 60 120" }, figure);
}

export class Palette {
  constructor(paint, undo) {
    this.paint = paint;
    this.where = el("p", { class: "details", "aria-live": "polite" });
    this.list = el("div", { class: "halves", role: "group", "aria-label": t("palette") });
    this.undo = el("button", { type: "button", onclick: undo }, t("undo"));
    this.none = el("button", { type: "button", onclick: () => paint(null) }, t("nothing"));
    const legend = el("p", { class: "details" }, t("palette-means"));
    this.buttons = el("div", { class: "buttons" }, this.undo, this.none);
    this.element = el("div", { class: "palette" }, this.where, this.list, legend, this.buttons);
    this.edges = [];
  }

  /** Draws the palette for a side. */
  draw(all, where, canUndo) {
    const hadFocus = [...this.list.children].indexOf(document.activeElement);
    this.edges = all.map(({ edge }) => edge);
    this.where.textContent = where;
    this.undo.disabled = !canUndo;
    const buttons = all.map(({ edge, number, isOdd, sign }, index) => {
      const picture = svg("svg", { viewBox: "-34 -34 40 68", "aria-hidden": "true" }, svg("rect", { x: -34, y: -34, width: 34, height: 68, fill: "#fdfbf5" }));
      picture.append(cut(sign));
      const words = t("edge-count", number, isOdd);
      const button = el("button", { type: "button", class: isOdd ? "odd" : null, title: words }, picture,
        el("span", {}, edge.name), el("span", { class: "unseen" }, `, ${words}`),
        el("small", { "aria-hidden": "true" }, `${KEYS[index] ?? ""} · ${number}${isOdd ? " !" : ""}`));
      button.addEventListener("click", () => this.paint(edge));
      return button;
    });
    this.list.replaceChildren(...buttons);
    buttons[hadFocus]?.focus({ preventScroll: true });
  }

  /** The edge for a key. */
  edgeOf(key) {
    return key.length === 1 ? (this.edges[KEYS.indexOf(key.toLowerCase())] ?? null) : null;
  }
}
