// Browsing through solutions.
import { byId, disable, el } from "./dom.js";
import { faceOf } from "./sheet.js";
import { spoken } from "./orientation.js";
import { t } from "./words.js";

/** The maximum number of solutions to browse. */
export const MOST_SOLUTIONS = 1000;

/** The solutions found, shown on the board of the table instead of the game. */
export class Solutions {
  constructor(closed) {
    this.closed = closed;
    this.all = [];
    this.shown = null;
    const on = (id, act) => byId(id).addEventListener("click", act);
    on("first", () => this.leaf(0));
    on("previous", () => this.leaf(this.shown - 1));
    on("next", () => this.leaf(this.shown + 1));
    on("last", () => this.leaf(this.all.length - 1));
    on("close", () => this.close());
  }

  /** Starts collecting solutions for a game on a table. */
  open(game, table) {
    this.game = game;
    this.table = table;
    this.all = [];
  }

  add(placed) {
    this.all.push(placed);
    if (this.all.length === 1) {
      byId("sentence").textContent = "";
      this.show();
      this.leaf(0);
    } else {
      this.number();
    }
  }

  /** Ends the list with a summary. Entered cards are listed, for comparison with the real ones. */
  finish(sentence, isEntered) {
    byId("sentence").textContent = sentence;
    this.listCards();
    byId("read").hidden = !isEntered;
    this.number();
  }

  /** Shows the board and the buttons in one view. */
  show() {
    window.scrollTo(0, 0);
    const [box, below] = [byId("solutions"), byId("more").offsetTop];
    box.hidden = false;
    byId("play").classList.add("leafing");
    // What lies below stays where it is, so that a second click hits the same button.
    box.style.minHeight = "";
    box.style.minHeight = `${box.offsetHeight + below - byId("more").offsetTop}px`;
    this.table.isShut = true;
  }

  /** Shows the solution again on a table that was drawn anew. */
  again() {
    if (this.shown !== null) {
      this.listCards();
      this.table.isShut = true;
      this.leaf(this.shown);
    }
  }

  /** Lists the cards as read, for comparison with the real ones. */
  listCards() {
    const items = this.game.tiles.map((tile, index) =>
      el("li", { role: "img", "aria-label": spoken(this.game, index, 0) }, faceOf(this.game, index, 0)),
    );
    byId("cards").replaceChildren(...items);
  }

  leaf(index) {
    if (index < 0 || index >= this.all.length) {
      return;
    }
    this.shown = index;
    const placed = new Map(this.all[index].map(([tile, lies], cell) => [cell, { tile, lies }]));
    this.table.showSolution(placed);
    this.number();
  }

  /** Handles a key while solutions are shown; returns true if it had an effect. */
  key(key) {
    if (byId("solutions").hidden) {
      return false;
    }
    const steps = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (steps) {
      this.leaf(this.shown + steps);
    } else if (key === "Escape") {
      this.close();
    }
    return steps !== undefined || key === "Escape";
  }

  number() {
    const number = this.all.length;
    byId("leaf").hidden = number === 0;
    byId("which").textContent = number === 0 ? "" : t("which", this.shown + 1, number);
    for (const id of ["first", "previous"]) {
      disable(id, this.shown === 0, "next");
    }
    for (const id of ["next", "last"]) {
      disable(id, this.shown === number - 1, "previous");
    }
  }

  hide() {
    this.shown = null;
    byId("solutions").hidden = true;
    byId("play").classList.remove("leafing");
    if (this.table) {
      this.table.isShut = false;
    }
  }

  /** Returns to the game. */
  close() {
    if (!byId("solutions").hidden) {
      this.hide();
      this.closed();
    }
  }
}
