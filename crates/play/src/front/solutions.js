// Leafing through solutions.
import { byId, disable, el } from "./dom.js";
import { pictureOf } from "./picture.js";
import { spoken } from "./orientation.js";
import { t } from "./words.js";

/** Solutions that are leafed through. */
export const MOST_SOLUTIONS = 1000;

/** The solutions that were found, shown on the board of the table in place of the game. */
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

  /** Begins to collect for a game on a table. */
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

  /** All have come; a sentence says how they were found. Cards that were entered are compared with paper. */
  finish(sentence, isEntered) {
    byId("sentence").textContent = sentence;
    this.listCards();
    byId("read").open = isEntered;
    this.number();
  }

  /** Board and buttons, in view together. */
  show() {
    window.scrollTo(0, 0);
    byId("solutions").hidden = false;
    byId("play").classList.add("leafing");
    this.table.isShut = true;
  }

  /** The cards as they were read, for whoever compares them with paper. */
  listCards() {
    const items = this.game.tiles.map((tile, index) =>
      el("li", {}, el("img", { src: pictureOf(this.game, index, 0), alt: spoken(this.game, index, 0) })),
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

  /** A key while solutions are shown; whether it meant something. */
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

  /** Back to the game. */
  close() {
    if (!byId("solutions").hidden) {
      this.hide();
      this.closed();
    }
  }
}
