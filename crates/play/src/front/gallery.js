// The start screen: games to continue, the user's puzzles, and those of the server.
import { fragment, isCode } from "./address.js";
import { byId, el } from "./dom.js";
import { matches, sortedBy } from "./finder.js";
import { icon } from "./icons.js";
import { ResultFilters, foundWords } from "./results.js";
import { boardWords } from "./spoken.js";
import * as storage from "./storage.js";
import { t } from "./words.js";

/** The maximum number of games offered to continue. */
const MOST_GAMES = 4;

/** The number of puzzles per request for difficulties. */
const AT_ONCE = 8;

/** Longer codes are not used in a request for a thumbnail. */
const LONGEST = 2000;

const DIFFICULTIES = ["easy", "medium", "hard"];

/** The results of solved games, by puzzle. */
function solvedGames() {
  return new Map(storage.games().flatMap(({ id, solved }) => (solved ? [[id, solved]] : [])));
}

/** A card that links to a puzzle, if there is an address. */
function card(href, picture, title, facts = "") {
  const inside = [picture, el("b", {}, title), el("span", { class: "facts" }, facts)];
  return href ? el("a", { class: "card", href }, ...inside) : el("div", { class: "card" }, ...inside);
}

export class Gallery {
  /** `doors` are the actions of the three main buttons: `{ play, enter, make }`. */
  constructor(source, doors) {
    this.source = source;
    this.puzzles = [];
    this.cards = new Map();
    this.solved = new Map();
    for (const [name, open] of Object.entries(doors)) {
      byId(`door-${name}`).addEventListener("click", open);
    }
    byId("find").addEventListener("input", () => this.draw());
    byId("sort").addEventListener("change", () => this.draw());
  }

  thumbnail(which) {
    const place = el("span", { class: "thumbnail" });
    this.source.draw(place, which);
    return place;
  }

  /** Loads the list of puzzles. */
  async load() {
    this.puzzles = await this.source.puzzles();
    const results = await this.source.results();
    if (results) {
      this.filters = new ResultFilters(this.puzzles, results, () => this.draw());
    }
  }

  named(name) {
    return this.puzzles.find((one) => one.name === name);
  }

  coded(code) {
    return this.puzzles.find((one) => one.code === code);
  }

  /** The next puzzle to play: the next unsolved one in the list; at first, an easy one. */
  after(name) {
    const all = this.sorted();
    const from = all.findIndex((one) => one.name === name);
    const order = [...all.slice(from + 1), ...all.slice(0, Math.max(from, 0))];
    const solved = solvedGames();
    const left = order.filter(({ code, text }) => text !== null && !solved.has(code));
    const easy = from < 0 ? left.find(({ difficulty, tiles }) => difficulty === "easy" && tiles === 9) : undefined;
    return easy ?? left[0] ?? order.find(({ text }) => text !== null) ?? null;
  }

  /** Shows the start screen. `last` names the puzzle that was open before, whose card gets the focus, or
   * is `null`. */
  show(last) {
    const canOpen = (code) => this.source.canSolve || this.coded(code);
    const games = storage.games().filter(({ id, solved, title, address, laid }) => !solved && title && address && laid > 0 && canOpen(id));
    this.fill("go-on", games.slice(0, MOST_GAMES).map((game) => this.gameCard(game)));
    this.fill("yours", storage.puzzles().filter(({ code }) => canOpen(code)).map((puzzle) => this.ownCard(puzzle)));
    this.solved = solvedGames();
    byId("listed").hidden = this.puzzles.length === 0;
    byId("door-play").hidden = this.puzzles.length === 0;
    byId("door-enter").hidden = byId("door-make").hidden = !this.source.canSolve;
    this.draw();
    if (last !== null) {
      (this.cards.get(last)?.firstChild ?? byId(this.source.canSolve ? "door-enter" : "door-play")).focus();
    }
    this.rate();
  }

  fill(id, cards) {
    byId(id).hidden = cards.length === 0;
    byId(`${id}-list`).replaceChildren(...cards);
  }

  sorted() {
    const rank = (one) => DIFFICULTIES.indexOf(one.difficulty) + 1 || 9;
    const keys = {
      title: (one) => one.title,
      size: (one) => one.tiles,
      difficulty: (one) => 1e6 * rank(one) + one.tiles,
      solutions: (one) => one.found.distinct,
    };
    return sortedBy(this.puzzles, keys[byId("sort").value]);
  }

  /** Draws the cards that match the search. */
  draw() {
    const search = byId("find").value;
    const text = (one) => [one.title, one.name, one.board, t(one.difficulty ?? "unrated")].join(" ");
    const found = this.sorted().filter((one) => matches(search, text(one)) && (this.filters?.passes(one) ?? true));
    const cards = found.map((one) => this.card(one));
    // Unchanged cards must keep the focus.
    if (cards.length !== byId("puzzles").children.length || cards.some((card, place) => byId("puzzles").children[place] !== card)) {
      byId("puzzles").replaceChildren(...cards);
    }
    byId("found").textContent = found.length < this.puzzles.length || search ? t("found-of", found.length, this.puzzles.length) : "";
  }

  /** The card of a listed puzzle, with the facts known so far. */
  card({ name, code, title, board, text, difficulty, found }) {
    if (!this.cards.has(name)) {
      // A file that is not a puzzle has no text.
      const link = text === null ? card(null, icon("cards"), title) : card(fragment({ code, name }, null), this.thumbnail({ name }), title);
      link.append(...[...(found?.faults ?? []), ...(found?.notes ?? [])].map((words) => el("span", { class: "facts wrong" }, words)));
      this.cards.set(name, el("li", { "data-name": name }, link));
    }
    const made = this.cards.get(name);
    const solved = this.solved.get(code);
    const facts = [boardWords(board), t(difficulty ?? "unrated"), found ? foundWords(found) : "", solved ? `✓ ${solved.time}` : ""];
    made.querySelector(".facts").textContent = facts.filter(Boolean).join(" · ");
    return made;
  }

  gameCard({ id, title, address, laid, cells, time }) {
    return this.keptCard(id, address, title, t("laid-of", laid, cells, time), () => storage.dropGame(id));
  }

  ownCard({ code, title, kind }) {
    return this.keptCard(code, fragment({ code }, null), title, t(`kind-${kind}`), () => storage.dropPuzzle(code));
  }

  /** The card of an item that this browser stores and can delete. */
  keptCard(code, href, title, facts, forget) {
    const words = t("drop", title);
    const drop = el("button", { type: "button", class: "quiet", "aria-label": words, title: words }, "✕");
    drop.addEventListener("click", () => {
      forget();
      this.show("");
    });
    const picture = isCode(code) && code.length < LONGEST ? this.thumbnail({ code }) : icon("cards");
    return el("li", {}, card(href, picture, title, facts), drop);
  }

  /** Requests difficulties in batches, until all puzzles are rated or another screen is shown. */
  async rate() {
    if (this.isRating) {
      return;
    }
    this.isRating = true;
    try {
      const unrated = this.sorted().filter(({ difficulty }) => difficulty === undefined);
      for (let from = 0; from < unrated.length && !byId("gallery").hidden; from += AT_ONCE) {
        const some = unrated.slice(from, from + AT_ONCE);
        const rated = await this.source.difficulties(some.map(({ name }) => name));
        some.forEach((one, index) => (one.difficulty = rated[index]));
        this.draw();
      }
    } catch {
      // Without them, the gallery shows no difficulties.
    }
    this.isRating = false;
  }
}
