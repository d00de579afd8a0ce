// The result of a solved puzzle, and its celebration.
import { byId, el } from "./dom.js";
import { t } from "./words.js";

const PIECES = 36;
const COLOURS = ["#e69f00", "#0072b2", "#009e73", "#d55e00", "#56b4e9", "#cc79a7"];

/** Shows the result and whether it is the best time, and moves the focus to the next puzzle. */
export function showResult({ time, moves, hints }, isBest) {
  byId("won").hidden = false;
  byId("won-says").textContent = [t("won", time, moves, hints), ...(isBest ? [t("best")] : [])].join(" · ");
  byId("play").classList.add("finished");
  byId("next-puzzle").focus({ preventScroll: true });
}

/** Celebrates, unless the user prefers reduced motion. */
export function celebrate(board) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    return;
  }
  board.canvas.animate([{ scale: 1 }, { scale: 1.04 }, { scale: 1 }], { duration: 420 });
  const rain = el("div", { class: "rain", "aria-hidden": "true" });
  for (let piece = 0; piece < PIECES; piece++) {
    const paper = el("i");
    paper.style.cssText = `left:${Math.random() * 100}%;background:${COLOURS[piece % COLOURS.length]};animation-delay:${Math.random() * 0.8}s;animation-duration:${1.6 + Math.random()}s`;
    rain.append(paper);
  }
  document.body.append(rain);
  setTimeout(() => rain.remove(), 3600);
}

/** Ends the celebration. */
export function calm() {
  document.querySelector(".rain")?.remove();
  byId("won").hidden = true;
  byId("play").classList.remove("finished");
}
