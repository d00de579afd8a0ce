// Icons for buttons: strokes in a square of 24 units.
import { svg } from "./dom.js";

const PATHS = {
  all: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z",
  undo: "M9 7L4 12l5 5M4 12h10a5 5 0 0 1 5 5v1",
  redo: "M15 7l5 5-5 5M20 12H10a5 5 0 0 0-5 5v1",
  left: "M5 4v5h5M5.6 9A8 8 0 1 1 4 14",
  right: "M19 4v5h-5M18.4 9A8 8 0 1 0 20 14",
  over: "M12 3v18M8 7l-5 5 5 5M16 7l5 5-5 5",
  back: "M12 3v11M7 9l5 5 5-5M4 20h16",
  hint: "M9 18h6M10 21h4M8.5 14.5a6 6 0 1 1 7 0c-.8.6-1 1.500-1 2.500h-5c0-1-.2-1.900-1-2.500z",
  share: "M12 15V3M8 7l4-4 4 4M5 12v8h14v-8",
  larger: "M12 5v14M5 12h14",
  smaller: "M5 12h14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  today: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4M12 13v4M10 15h4",
  check: "M4 12l5 5L20 6",
  menu: "M5 6h14M5 12h14M5 18h14",
  pause: "M8 5v14M16 5v14",
  keys: "M9 9a3 3 0 1 1 4 2.800c-.7.3-1 .8-1 1.700M12 17v.5M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z",
  play: "M7 4l13 8-13 8z",
  cards: "M4 7h10v13H4zM8 7V4h12v13h-6",
  make: "M12 3l2.500 6 6.500.5-5 4.200 1.600 6.300L12 16.500 6.400 20 8 13.700 3 9.500 9.500 9z",
};

/** The icon with a name. */
export function icon(name) {
  const path = svg("path", { d: PATHS[name] });
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, path);
}

/** Adds icons to all buttons with `data-icon`. */
export function withIcons(root) {
  for (const node of root.querySelectorAll("[data-icon]")) {
    node.prepend(icon(node.dataset.icon));
  }
}
