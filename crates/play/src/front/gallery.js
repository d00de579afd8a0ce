// The start screen: games to continue, the user's puzzles, and those of the server.
import { fragment, isCode } from "./address.js";
import * as daily from "./daily.js";
import { byId, el } from "./dom.js";
import { DIFFICULTIES, IMPOSSIBLE, KINDS, matches, rank, searchText, sortedBy, starters } from "./finder.js";
import { icon } from "./icons.js";
import { ResultFilters, foundWords } from "./results.js";
import { boardWords } from "./spoken.js";
import * as storage from "./storage.js";
import { Thumbnails } from "./thumbnails.js";
import { t } from "./words.js";

/** The maximum number of games offered to continue. */
const MOST_GAMES = 4;

/** The number of puzzles that are rated, and of ratings after which they are shown. */
const MOST_RATED = 200;
const AT_ONCE = 8;

/** Longer codes are not used in a request for a thumbnail. */
const LONGEST = 2000;

/** Shorter lists have neither sections nor chips. */
const FEW = 12;

/** A section of the list. Named ones show their first cards, and the others on request. */
function sectionOf(name) {
  const list = el("ul", { class: "cards-list" });
  if (name === "") {
    return el("section", {}, list);
  }
  if (name === "more") {
    return el("details", {}, el("summary", {}, t("kinds").more), list);
  }
  list.classList.add("first");
  const all = el("button", { type: "button", class: "quiet all", onclick: () => list.classList.remove("first") });
  return el("section", {}, el("h3", {}, t("kinds")[name]), list, all);
}

/** Opens the section of a card, so that the card can have the focus. */
function reveal(card) {
  const part = card.closest("#puzzles > *");
  part.open = true;
  part.querySelector("ul").classList.remove("first");
}

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
  /** `doors` are the actions of the main buttons: `{ play, enter, make }`; `play` gets a difficulty. */
  constructor(source, doors) {
    this.source = source;
    this.thumbnails = new Thumbnails(source);
    this.puzzles = [];
    this.cards = new Map();
    this.solved = new Map();
    this.parts = new Map();
    this.chips = [];
    for (const [name, open] of Object.entries(doors)) {
      byId(`door-${name}`).addEventListener("click", () => open());
    }
    for (const level of DIFFICULTIES) {
      byId(`play-${level}`).addEventListener("click", () => doors.play(level));
    }
    byId("find").addEventListener("input", () => this.draw());
    byId("find").addEventListener("focus", () => matchMedia("(max-width: 46rem)").matches && byId("find").scrollIntoView());
    byId("sort").addEventListener("change", () => this.draw());
  }

  /** Loads the list of puzzles. */
  async load() {
    this.puzzles = await this.source.puzzles();
    this.start = starters(this.sorted());
    const codes = new Set();
    for (const one of this.puzzles) {
      // A second file with the same puzzle.
      one.kind = one.code && codes.has(one.code) ? "more" : one.kind;
      codes.add(one.code);
    }
    this.offerChips();
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

  /** The next puzzle to play: the next unsolved one of the list that is as hard, or else any; at first, an easy one. */
  after(name) {
    const all = this.sorted();
    const from = all.findIndex((one) => one.name === name);
    const order = [...all.slice(from + 1), ...all.slice(0, Math.max(from, 0))];
    const solved = solvedGames();
    const left = order.filter(({ code, text, difficulty }) => text !== null && difficulty !== IMPOSSIBLE && !solved.has(code));
    const easy = from < 0 ? left.find(({ difficulty, tiles }) => difficulty === "easy" && tiles === 9) : undefined;
    const last = all[from];
    const alike = last && left.find(({ difficulty, kind }) => difficulty === last.difficulty && kind === last.kind);
    return easy ?? alike ?? left[0] ?? order.find(({ text }) => text !== null) ?? null;
  }

  /** Shows the start screen. `last` names the puzzle that was open before, whose card gets the focus, or
   * is `null`. */
  show(last) {
    const canOpen = (code) => this.source.canSolve || this.coded(code);
    const games = storage.games().filter(({ id, solved, title, address, laid }) => !solved && title && address && laid > 0 && canOpen(id));
    this.fill("go-on", games.slice(0, MOST_GAMES).map((game) => this.gameCard(game)));
    const own = storage.puzzles().filter(({ code, kind }) => kind !== "daily" && canOpen(code));
    this.fill("yours", own.map((puzzle) => this.ownCard(puzzle)));
    this.solved = solvedGames();
    byId("listed").hidden = this.puzzles.length === 0;
    const { canSolve } = this.source;
    byId("door-play").hidden = canSolve || this.puzzles.length === 0;
    byId("levels").hidden = byId("today").hidden = byId("door-enter").hidden = byId("door-make").hidden = !canSolve;
    this.showRecord();
    this.draw();
    if (last !== null) {
      const card = this.cards.get(last);
      if (card?.isConnected) {
        reveal(card);
      }
      (card?.firstChild ?? byId(canSolve ? "door-enter" : "door-play")).focus();
    }
    this.rate();
  }

  /** Shows today's puzzle, the streak and the best times. */
  showRecord() {
    const solved = daily.solvedToday();
    byId("today").querySelector(".facts").textContent = [daily.title(), solved ? `✓ ${solved.time}` : ""].filter(Boolean).join(" · ");
    const words = [daily.streak() > 1 ? t("streak", daily.streak()) : "", ...daily.bestTimes().map(([board, time]) => t("best-time", boardWords(board), time))];
    byId("record").textContent = words.filter(Boolean).join(" · ");
    byId("record").hidden = byId("record").textContent === "";
  }

  fill(id, cards) {
    byId(id).hidden = cards.length === 0;
    byId(`${id}-list`).replaceChildren(...cards);
  }

  sorted() {
    const keys = {
      kind: (one) => one.title,
      title: (one) => one.title,
      size: (one) => one.tiles,
      difficulty: (one) => 1e6 * rank(one) + one.tiles,
      solutions: (one) => one.found.distinct,
    };
    return sortedBy(this.puzzles, keys[byId("sort").value]);
  }

  /** Draws the cards that match the search and the chips: in sections, or in one list if they are sorted or
   * searched. */
  draw() {
    const search = byId("find").value;
    const chosen = this.chips.filter(({ button }) => button.getAttribute("aria-pressed") === "true");
    const groups = [...new Set(chosen.map(({ group }) => group))];
    // Of several chips of one group, any may apply.
    const passes = (one) => groups.every((group) => chosen.some((chip) => chip.group === group && chip.has(one)));
    const found = this.sorted().filter((one) => matches(search, searchText(one)) && passes(one) && (this.filters?.passes(one) ?? true));
    const isPlain = search === "" && chosen.length === 0 && byId("sort").value === "kind" && this.puzzles.length > FEW;
    const parts = isPlain ? this.sections(found) : [{ name: "", puzzles: found }];
    const drawn = parts.map(({ name, puzzles }) => this.section(name, puzzles.map((one) => this.card(one))));
    // Unchanged parts must keep the focus.
    const old = [...byId("puzzles").children];
    if (drawn.length !== old.length || drawn.some((part, place) => part !== old[place])) {
      byId("puzzles").replaceChildren(...drawn);
    }
    const isAll = isPlain || found.length === this.puzzles.length;
    byId("found").textContent = isAll ? "" : t(found.length === 0 ? "nothing-found" : "found-of", found.length, this.puzzles.length);
  }

  /** The puzzles by section; those to start with are chosen again once, when some difficulties are known. */
  sections(puzzles) {
    const rest = puzzles.filter((one) => !this.start.includes(one));
    const named = KINDS.map((name) => ({ name, puzzles: rest.filter(({ kind }) => kind === name) }));
    return [{ name: "start", puzzles: this.start }, ...named].filter((part) => part.puzzles.length > 0);
  }

  /** A section with a heading and these cards; the last one is closed at first. */
  section(name, cards) {
    const made = this.parts.get(name) ?? sectionOf(name);
    this.parts.set(name, made);
    const list = made.querySelector("ul");
    made.querySelector(".all")?.replaceChildren(t("all-of", cards.length));
    if (cards.length !== list.children.length || cards.some((card, place) => list.children[place] !== card)) {
      list.replaceChildren(...cards);
    }
    return made;
  }

  /** Offers chips for sizes and difficulties, of which several can be chosen. */
  offerChips() {
    const sizes = ["3 × 3", "4 × 4"].map((size) => ({ group: "size", words: size, has: ({ board }) => board === `${size} grid` }));
    const large = { group: "size", words: t("kinds").large, has: ({ kind }) => kind === "large" };
    const levels = DIFFICULTIES.map((level) => ({ group: "level", words: t(level), has: ({ difficulty }) => difficulty === level }));
    this.chips = [...sizes, large, ...levels].map((chip) => {
      const button = el("button", { type: "button", class: "chip", "aria-pressed": "false" }, chip.words);
      button.addEventListener("click", () => {
        button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") !== "true");
        this.draw();
      });
      return { ...chip, button };
    });
    byId("chips").replaceChildren(...this.chips.map(({ button }) => button));
    byId("chips").hidden = this.puzzles.length <= FEW;
  }

  /** The card of a listed puzzle, with the facts known so far. */
  card({ name, code, title, board, text, difficulty, found }) {
    if (!this.cards.has(name)) {
      // A file that is not a puzzle has no text.
      const link = text === null ? card(null, icon("cards"), title) : card(fragment({ code, name }, null), this.thumbnails.place({ name }), title);
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
    const theme = kind === "entered" ? "figures" : null;
    return this.keptCard(code, fragment({ code }, null), title, t(`kind-${kind}`), () => storage.dropPuzzle(code), theme);
  }

  /** The card of an item that this browser stores and can delete. */
  keptCard(code, href, title, facts, forget, theme = null) {
    const words = t("drop", title);
    const drop = el("button", { type: "button", class: "quiet" });
    const name = (shown, words) => Object.assign(drop, { textContent: shown, title: words, ariaLabel: words });
    name("✕", words);
    drop.addEventListener("click", () => {
      // The first click asks, because nothing brings the item back.
      if (drop.textContent === "✕") {
        name(t("drop-really"), t("drop-really"));
      } else {
        forget();
        this.show("");
      }
    });
    drop.addEventListener("blur", () => name("✕", words));
    const picture = isCode(code) && code.length < LONGEST ? this.thumbnails.place({ code, theme }) : icon("cards");
    return el("li", {}, card(href, picture, title, facts), drop);
  }

  /** Requests the difficulties of all puzzles, those of nine tiles first, until another screen is shown. */
  async rate() {
    if (this.isRating) {
      return;
    }
    this.isRating = true;
    try {
      const all = this.sorted().filter(({ difficulty }) => difficulty === undefined);
      const isFirst = all.length === this.puzzles.length;
      const unrated = sortedBy(all, ({ tiles }) => Math.abs(tiles - 9)).slice(0, MOST_RATED);
      if (unrated.length === 0) {
        return;
      }
      let index = 0;
      for await (const difficulty of this.source.difficulties(unrated.map(({ name }) => name))) {
        unrated[index++].difficulty = difficulty;
        if (byId("gallery").hidden) {
          break;
        }
        if (isFirst && index === AT_ONCE) {
          this.start = starters(this.sorted());
        }
        if (index % AT_ONCE === 0 || index === unrated.length) {
          this.draw();
        }
      }
    } catch {
      // Without them, the gallery shows no difficulties.
    } finally {
      this.isRating = false;
    }
  }
}
