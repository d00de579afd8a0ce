// The page: one puzzle at a time, played by hand or solved.
import { byId, counted, el, shuffled } from "./dom.js";
import { Board, ghost, pictureOf } from "./board.js";
import { Play } from "./game.js";
import { askCards, askFresh } from "./dialogs.js";
import { File } from "./file.js";
import { spoken } from "./orientation.js";
import { Server } from "./server.js";
import { Tray } from "./tray.js";
import { Watch } from "./watch.js";

/** Solutions that are leafed through. */
const MOST_SOLUTIONS = 1000;

/** Solutions among which one is drawn where some tiles are given. */
const MOST_TO_DEAL = 50;

/** Cards that may be mistyped, and mistakes of each, that are listed. */
const SUSPECTS = 5;
const SLIPS = 4;

/** A pointer that moves less far has not dragged. */
const STILL = 6;

class Page {
  constructor(source) {
    this.source = source;
    this.watch = new Watch();
    this.busy = null;
    this.listen();
    setInterval(() => this.tick(), 500);
  }

  listen() {
    const on = (id, act) => byId(id).addEventListener("click", act);
    on("undo", () => this.move(() => this.play.undo()));
    on("redo", () => this.move(() => this.play.redo()));
    on("clear", () => this.move(() => this.play.clear()));
    on("turn", () => this.turnChosen());
    on("back", () => this.backChosen());
    on("hint", () => this.hint());
    on("count", () => this.count());
    on("solve", () => this.solve());
    on("doctor", () => this.examine());
    on("stop", () => this.busy?.abort());
    on("deal", () => this.deal());
    on("watch", () => this.record());
    on("first", () => this.leaf(0));
    on("previous", () => this.leaf(this.shown - 1));
    on("next", () => this.leaf(this.shown + 1));
    on("last", () => this.leaf(this.solutions.length - 1));
    on("close", () => this.closeSolutions());
    on("fresh", () => askFresh(this.source, (opened) => this.open(opened, null)));
    on("enter", () => this.report(() => askCards(this.source, (opened) => this.open(opened, null))));
    on("save", () => this.save());
    byId("puzzles").addEventListener("change", (event) => this.choose(event.target.value));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Opens a puzzle: what the source said of it, and its name on the server if it has one. */
  open({ game, text, warnings }, name) {
    this.busy?.abort();
    this.game = game;
    this.text = text;
    this.which = name === null ? { text } : { name };
    this.taken = null;
    this.advice = {};
    this.solutions = [];
    this.started = null;
    this.stopped = null;
    this.hideSolutions();
    byId("title").textContent = game.title;
    document.title = `${game.title} – edgematch`;
    const rules = game.plain ? [] : [`also asked: ${game.constraints.join(", ")}`];
    const facts = [game.board, counted(game.tiles.length, "tile", "tiles"), ...rules, ...(game.source ? [game.source] : [])];
    byId("about").textContent = facts.join(" · ");
    byId("about").title = byId("about").textContent;
    byId("save").hidden = text === null;
    byId("nothing").hidden = true;
    byId("play").hidden = false;
    byId("given").max = Math.max(1, game.cells.length - 1);
    byId("turn").disabled = !game.turns;
    byId("over").hidden = game.tiles.every(({ faces }) => faces.length < 2);
    if (name === null) {
      byId("puzzles").value = "";
    }
    this.board = new Board(game, (cell, key) => this.atCell(cell, key), (event, cell) => this.pressCell(event, cell));
    byId("board").replaceChildren(this.board.svg);
    this.tray = new Tray(byId("tray"), game, (tile, key) => this.atTile(tile, key), (event, tile) => this.press(event, tile, event.currentTarget));
    this.watch.open(game, []);
    this.play = new Play(game);
    this.draw();
    this.tick();
    this.say(warnings.join("; "));
    this.offerToExamine(false);
  }

  async choose(name) {
    if (name === "") {
      return;
    }
    await this.report(async () => {
      const opened = await this.source.game({ name });
      // Another one may have been chosen meanwhile.
      if (byId("puzzles").value !== name) {
        return;
      }
      this.open(opened, name);
      history.replaceState(null, "", `#${encodeURIComponent(name)}`);
    });
  }

  /** Says something; `kind` is `good` or `bad`. */
  say(words, kind = "") {
    byId("status").textContent = words;
    byId("status").className = kind;
  }

  async report(act) {
    try {
      await act();
    } catch (error) {
      if (error.name !== "AbortError") {
        this.say(error.message, "bad");
      }
    }
  }

  draw() {
    if (this.shown !== null) {
      return null;
    }
    const verdict = this.board.draw(this.play, this.taken, this.advice);
    this.tray.draw(this.play, this.taken);
    const seams = this.game.seams.length;
    byId("fits").textContent = `${verdict.fitting.length} of ${counted(seams, "seam", "seams")} fit`;
    byId("undo").disabled = this.play.past.length === 0;
    byId("redo").disabled = this.play.future.length === 0;
    return verdict;
  }

  /** Makes a move, and sees whether it was the last one. */
  move(make) {
    if (this.shown !== null) {
      this.closeSolutions();
    }
    this.started ??= Date.now();
    this.advice = {};
    const why = make();
    const verdict = this.draw();
    if (why) {
      this.say(why, "bad");
      return;
    }
    this.say("");
    if (verdict.fits) {
      this.finish();
    } else {
      this.stopped = null;
    }
  }

  /** Whether it is solved, the puzzle itself decides. */
  finish() {
    this.stopped ??= Date.now();
    this.ask({ check: { placed: this.play.asked() } }, ({ wrong }) => {
      if (wrong.length === 0) {
        this.say(`Solved in ${this.time()}: every seam fits.`, "good");
      } else {
        this.say(wrong.join("; "), "bad");
      }
    });
  }

  time() {
    const seconds = this.started === null ? 0 : Math.floor(((this.stopped ?? Date.now()) - this.started) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  tick() {
    byId("timer").textContent = this.time();
  }

  take(tile) {
    this.taken = tile;
    this.draw();
  }

  /** A click or a key on a tile in hand. */
  atTile(tile, key) {
    if (this.wasDragged) {
      return true;
    }
    if (key === "click") {
      if (this.taken === tile && this.game.turns) {
        this.move(() => this.play.turn(tile, -1));
      } else {
        this.take(this.taken === tile ? null : tile);
        this.say(this.taken === null ? "" : "Now choose a cell; another click turns the tile.");
        // A keyboard goes on at the board.
        if (this.taken !== null && this.byKeyboard) {
          const empty = this.game.cells.findIndex((_, cell) => !this.play.placed.has(cell));
          this.board.focus(empty < 0 ? undefined : empty);
        }
      }
      return true;
    }
    return this.atAny(tile, key);
  }

  /** A click or a key on a cell. */
  atCell(cell, key) {
    if (this.wasDragged) {
      return true;
    }
    if (this.shown !== null) {
      this.closeSolutions();
      return true;
    }
    const there = this.play.placed.get(cell);
    const isEnter = key === "Enter" || key === " ";
    if (key === "click" || isEnter) {
      if (this.taken !== null && this.taken !== there?.tile) {
        const tile = this.taken;
        this.taken = null;
        this.move(() => this.play.lay(tile, cell));
      } else if (!there) {
        this.say("Choose a tile first.");
      } else if (isEnter) {
        this.take(this.taken === there.tile ? null : there.tile);
        this.say(this.taken === null ? "" : "Now choose another cell.");
      } else if (this.game.turns) {
        this.taken = null;
        this.move(() => this.play.turn(there.tile, -1));
      } else {
        this.take(there.tile);
      }
      this.touched = cell;
      return true;
    }
    if (key === "Delete" || key === "Backspace") {
      this.move(() => this.play.takeBack(cell));
      return true;
    }
    return there ? this.atAny(there.tile, key) : this.atAny(null, key);
  }

  /** Keys that mean the same wherever the tile is. */
  atAny(tile, key) {
    if (tile !== null && key.toLowerCase() === "r") {
      this.move(() => this.play.turn(tile, key === "R" ? 1 : -1));
    } else if (tile !== null && key.toLowerCase() === "f") {
      this.move(() => this.play.turnOver(tile));
    } else if (key.toLowerCase() === "h") {
      this.hint();
    } else {
      return false;
    }
    return true;
  }

  /** Keys of the whole page. */
  key(event) {
    this.byKeyboard = true;
    const isTyping = event.target.closest?.("input, textarea, select, dialog");
    if (isTyping || !this.play) {
      return;
    }
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
      event.preventDefault();
      const isRedo = key === "y" || event.shiftKey;
      this.move(() => (isRedo ? this.play.redo() : this.play.undo()));
    } else if (key === "escape" && this.taken !== null) {
      this.take(null);
      this.say("");
    }
  }

  chosen() {
    return this.taken ?? this.play.placed.get(this.touched)?.tile ?? null;
  }

  turnChosen() {
    const tile = this.chosen();
    if (tile === null) {
      this.say("Choose a tile first.");
    } else {
      this.move(() => this.play.turn(tile, -1));
    }
  }

  backChosen() {
    const tile = this.chosen();
    const cell = tile === null ? undefined : this.play.cellOf(tile);
    if (cell === undefined) {
      this.say("Choose a tile on the board first.");
    } else {
      this.taken = null;
      this.move(() => this.play.takeBack(cell));
    }
  }

  pressCell(event, cell) {
    const placed = this.shown === null ? this.play.placed.get(cell) : undefined;
    this.wasDragged = false;
    this.byKeyboard = false;
    if (placed && !this.play.given.has(cell)) {
      this.press(event, placed.tile, event.currentTarget);
    }
  }

  /** A tile goes along with the pointer until that is let go. */
  press(event, tile, source) {
    this.byKeyboard = false;
    this.wasDragged = false;
    if (event.button !== 0 || this.shown !== null) {
      return;
    }
    // However fast it moves, this element hears of it.
    source.setPointerCapture(event.pointerId);
    const from = [event.clientX, event.clientY];
    let along = null;
    const move = (event) => {
      const isFar = Math.hypot(event.clientX - from[0], event.clientY - from[1]) > STILL;
      if (!along && isFar) {
        along = ghost(this.game, tile, this.play.lies(tile), source.getBoundingClientRect().width);
        byId("tray").classList.add("target");
      }
      along?.move(event.clientX, event.clientY);
    };
    const end = (event) => {
      source.removeEventListener("pointermove", move);
      source.removeEventListener("pointerup", end);
      source.removeEventListener("pointercancel", end);
      byId("tray").classList.remove("target");
      if (along) {
        along.remove();
        this.wasDragged = true;
        // The click that follows belongs to the drag.
        setTimeout(() => (this.wasDragged = false));
        if (event.type === "pointerup") {
          this.drop(tile, event.clientX, event.clientY);
        }
      }
    };
    source.addEventListener("pointermove", move);
    source.addEventListener("pointerup", end);
    source.addEventListener("pointercancel", end);
  }

  drop(tile, x, y) {
    const under = document.elementFromPoint(x, y);
    const cell = under?.closest("[data-cell]")?.dataset.cell;
    this.taken = null;
    if (cell !== undefined) {
      this.touched = Number(cell);
      this.move(() => this.play.lay(tile, Number(cell)));
    } else if (this.play.cellOf(tile) !== undefined) {
      this.move(() => this.play.takeBack(this.play.cellOf(tile)));
    }
  }

  /** Asks the source; one question at a time. */
  async ask(question, tell) {
    this.busy?.abort();
    const stop = new AbortController();
    this.busy = stop;
    byId("stop").hidden = false;
    try {
      await this.source.ask(this.which, question, (line) => !stop.signal.aborted && tell(line), stop.signal);
    } catch (error) {
      if (error.name === "AbortError") {
        if (this.busy === stop) {
          this.say("Stopped.");
        }
      } else {
        this.say(error.message, "bad");
      }
    } finally {
      if (this.busy === stop) {
        this.busy = null;
        byId("stop").hidden = true;
      }
    }
  }

  search(words) {
    this.say(words);
    return ({ found, nodes }) => this.say(`${words} ${counted(nodes, "node", "nodes")}, ${found} found so far`);
  }

  count() {
    this.closeSolutions();
    const progress = this.search("Counting…");
    this.ask({ count: { placed: this.play.asked() } }, (line) => {
      if (line.type === "progress") {
        progress(line);
        return;
      }
      const { number, complete, turned } = line;
      const ways = counted(number, "solution", "solutions");
      const up = turned ? ", up to turns of the whole board" : "";
      if (number === 0) {
        const none = this.play.placed.size === 0 ? "This puzzle has no solution." : "No solution left.";
        const [words, kind] = complete ? [none, "bad"] : ["No solution found in time: there may be some.", ""];
        this.say(words, kind);
        this.offerToExamine(complete && this.play.placed.size === 0);
      } else {
        this.say(`Yes: ${complete ? "" : "at least "}${ways} left${up}.`, "good");
      }
    });
  }

  hint() {
    this.closeSolutions();
    this.search("Looking for a hint…");
    const asked = this.play.asked();
    this.ask({ hint: { placed: asked } }, (line) => {
      const give = {
        place: () => {
          const [tile, lies] = line.placed;
          const name = this.game.tiles[tile].name;
          this.move(() => this.play.follow(line.cell, tile, lies));
          this.advice = { placed: line.cell };
          const verdict = this.draw();
          const why = line.forced ? "nothing else leads to a solution there" : "a solution has it there";
          if (!verdict.fits) {
            this.say(`Hint: tile ${name} in ${this.game.cells[line.cell].name}; ${why}.`, "good");
          }
        },
        "take-back": () => {
          const cells = line.indices.map((index) => asked[index][0]);
          this.advice = { doubted: cells };
          this.draw();
          const names = cells.map((cell) => this.game.cells[cell].name).join("; ");
          this.say(`No solution left as it is. Take back what lies in ${names}.`, "bad");
        },
        done: () => this.finish(),
        nothing: () => {
          this.say("This puzzle has no solution.", "bad");
          this.offerToExamine(true);
        },
        unknown: () => this.say(`No hint: ${line.why}.`, "bad"),
      };
      give[line.type]();
      this.look();
    });
  }

  solve() {
    this.solutions = [];
    const progress = this.search("Solving…");
    this.ask({ solve: { most: MOST_SOLUTIONS } }, (line) => {
      if (line.type === "solution") {
        this.solutions.push(line.placed);
        if (this.solutions.length === 1) {
          byId("solutions").hidden = false;
          byId("sentence").textContent = "";
          this.leaf(0);
        } else {
          this.number();
        }
      } else if (line.type === "progress") {
        progress(line);
      } else {
        byId("solutions").hidden = false;
        byId("sentence").textContent = line.sentence;
        this.sayFound(this.solutions.length, line.complete);
        this.showCards();
        this.number();
      }
    });
  }

  sayFound(number, complete) {
    const found = counted(number, "solution", "solutions");
    if (number > 0) {
      this.say(complete ? `${found}, and no more.` : `At least ${found}.`, "good");
    } else {
      this.say(complete ? "This puzzle has no solution." : "No solution found in time.", "bad");
      this.offerToExamine(complete);
    }
  }

  /** The cards as they were read: of those that were entered here nobody else knows whether they are right. */
  showCards() {
    const isEntered = this.which.name === undefined;
    const cards = this.game.tiles.map((_, tile) => {
      const alt = spoken(this.game, tile, 0);
      return el("li", {}, el("img", { src: pictureOf(this.game, tile, 0), alt }));
    });
    byId("cards").replaceChildren(...cards);
    byId("read").open = isEntered && this.solutions.length > 0;
  }

  /** A card may be mistyped where there is no solution. */
  offerToExamine(hasNone) {
    byId("doctor").hidden = !hasNone || !this.source.canExamine;
    byId("suspects").hidden = true;
  }

  /** Lists the cards to compare. */
  examine() {
    this.search("Looking for the mistyped card…");
    this.ask({ doctor: {} }, (line) => {
      if (line.type === "unknown") {
        this.say(`Not examined: ${line.why}.`, "bad");
        return;
      }
      const { all, cards } = line;
      const none = all.length + cards.length === 0;
      this.say(none ? "No single mistake would give a solution." : "Changing any one of these gives a solution.");
      const item = (name, slips) => el("li", {}, el("b", {}, name), el("ul", {}, ...slips.map((slip) => el("li", {}, slip))));
      const items = cards.map(({ tile, likelihood, slips }) => {
        const share = `Card ${this.game.tiles[tile].name}, ${Math.round(100 * likelihood)} %`;
        return item(share, slips.slice(0, SLIPS));
      });
      const ofAll = all.length > 0 ? [item("All cards", all)] : [];
      byId("suspects").replaceChildren(...ofAll, ...items.slice(0, SUSPECTS));
      byId("suspects").hidden = none;
    });
  }

  /** Shows a solution in place of the game. */
  leaf(index) {
    if (index < 0 || index >= this.solutions.length) {
      return;
    }
    if (this.shown === null) {
      this.look();
    }
    this.shown = index;
    byId("play").classList.add("leafing");
    const placed = new Map(this.solutions[index].map(([tile, lies], cell) => [cell, { tile, lies }]));
    const given = new Set();
    this.board.draw({ placed, given }, null, {});
    this.number();
  }

  number() {
    const all = this.solutions.length;
    byId("leaf").hidden = all === 0;
    byId("which").textContent = all === 0 ? "" : `${this.shown + 1} of ${all}`;
    for (const id of ["first", "previous"]) {
      byId(id).disabled = this.shown === 0;
    }
    for (const id of ["next", "last"]) {
      byId(id).disabled = this.shown === all - 1;
    }
  }

  /** Brings the board into view, where it is not. */
  look() {
    byId("table").scrollIntoView({ block: "nearest" });
  }

  hideSolutions() {
    this.shown = null;
    byId("solutions").hidden = true;
    byId("play").classList.remove("leafing");
  }

  closeSolutions() {
    this.hideSolutions();
    this.draw();
    this.say("");
  }

  /** Begins anew with some tiles of a solution. */
  deal() {
    const most = Math.max(1, this.game.cells.length - 1);
    const number = /^\d+$/.test(byId("given").value) ? Number(byId("given").value) : 0;
    if (number < 1 || number > most) {
      this.say(`Tiles given: expected a whole number from 1 to ${most}.`, "bad");
      return;
    }
    const solutions = [];
    this.search("Looking for a solution…");
    this.ask({ solve: { most: MOST_TO_DEAL } }, (line) => {
      if (line.type === "solution") {
        solutions.push(line.placed);
      } else if (line.type === "solved" && solutions.length === 0) {
        this.sayFound(0, line.complete);
      } else if (line.type === "solved") {
        const [solution] = shuffled(solutions);
        const cells = shuffled(solution.keys()).slice(0, number);
        const given = cells.map((cell) => [cell, { tile: solution[cell][0], lies: solution[cell][1] }]);
        this.hideSolutions();
        this.look();
        this.taken = null;
        this.advice = {};
        this.started = Date.now();
        this.stopped = null;
        this.play.start(new Map(given));
        this.draw();
        this.say(`${counted(number, "tile is", "tiles are")} given. Go on.`);
      }
    });
  }

  record() {
    const recordings = [];
    this.search("Recording the searches…");
    this.ask({ watch: {} }, (line) => {
      if (line.type === "recording") {
        recordings.push(line);
        this.watch.open(this.game, recordings);
        this.say("Run or step through the searches below.");
      } else {
        this.say(`Not recorded: ${line.why}.`, "bad");
      }
    });
  }

  save() {
    const url = URL.createObjectURL(new Blob([this.text], { type: "application/yaml" }));
    const link = el("a", { href: url, download: `${this.game.name.replace(/[^\p{L}\p{N}._-]+/gu, "-")}.yaml` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  /** Lists the puzzles of a server, and opens the one that the address names, or the only one. */
  async list() {
    const names = await this.source.names();
    const list = byId("puzzles");
    list.replaceChildren(el("option", { value: "" }, "choose…"), ...names.map((name) => el("option", { value: name }, name)));
    byId("pick").hidden = names.length < 2;
    byId("fresh").hidden = false;
    byId("enter").hidden = false;
    byId("nothing").hidden = false;
    const written = (name) => [name, encodeURI(name), encodeURIComponent(name)];
    const isWanted = (name) => written(name).includes(location.hash.slice(1));
    const name = names.find(isWanted) ?? (names.length === 1 ? names[0] : "");
    list.value = name;
    await this.choose(name);
  }
}

async function begin() {
  const file = await File.open();
  const page = new Page(file ?? new Server());
  if (file) {
    page.open(await file.game(), null);
  } else {
    await page.report(() => page.list());
  }
}

begin();
