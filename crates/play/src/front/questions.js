// Questions to the source: hints, counts, solutions, mistyped cards, recorded searches.
import { reveal } from "./dialog.js";
import { byId, el, shuffled } from "./dom.js";
import { MOST_SOLUTIONS } from "./solutions.js";
import { cellName, reasonWords, slipWords } from "./spoken.js";
import { say } from "./status.js";
import { t } from "./words.js";

/** The number of solutions from which one is drawn for given tiles. */
const MOST_TO_DEAL = 50;

/** The number of suspect cards listed, and of mistakes per card. */
const SUSPECTS = 5;
const SLIPS = 4;

/** Asks questions about the open puzzle, one at a time. `page` shows the answers. */
export class Questions {
  constructor(page) {
    this.page = page;
    this.busy = null;
    byId("stop").addEventListener("click", () => this.busy?.abort());
  }

  stop() {
    this.busy?.abort();
  }

  async ask(question, tell) {
    this.busy?.abort();
    const stop = new AbortController();
    this.busy = stop;
    byId("stop").hidden = false;
    const clock = setInterval(() => this.subject && this.tick(1), 1000);
    const heard = (line) => {
      if (stop.signal.aborted) {
        return;
      }
      if (!["progress", "solution"].includes(line.type)) {
        this.subject = null;
      }
      if (line.type === "waiting") {
        say(t("waiting"));
      } else {
        tell(line);
      }
    };
    try {
      await this.page.source.ask(this.page.which, question, heard, stop.signal);
    } catch (error) {
      if (error.name !== "AbortError") {
        say(error.message, "bad");
      } else if (this.busy === stop) {
        say(t("stopped"));
      }
    } finally {
      clearInterval(clock);
      if (this.busy === stop) {
        this.subject = null;
        this.busy = null;
        byId("stop").hidden = true;
      }
    }
  }

  /** Shows the subject of a search and the time, and returns a function that shows its progress. */
  search(words) {
    say(words);
    this.seconds = 0;
    this.subject = words;
    this.counted = "";
    return ({ found, nodes, filled }) => {
      this.counted = t("so-far", nodes, found, filled, this.page.game.cells.length);
      this.tick(0);
    };
  }

  /** Shows what is searched, for how long, and what is known. */
  tick(seconds) {
    this.seconds += seconds;
    say([this.subject, this.counted, this.seconds > 0 ? t("seconds", this.seconds) : ""].filter(Boolean).join(" "));
  }

  /** Asks the source whether the position is a solution, and calls `right` if so. */
  check(right) {
    this.ask({ check: { placed: this.page.play.asked() } }, ({ wrong }) => {
      if (wrong.length === 0) {
        right();
      } else {
        say(wrong.join("; "), "bad");
      }
    });
  }

  count() {
    this.page.solutions.close();
    const progress = this.search(t("counting"));
    const isEmpty = this.page.play.placed.size === 0;
    this.ask({ count: { placed: this.page.play.asked() } }, (line) => {
      if (line.type === "progress") {
        progress(line);
        return;
      }
      const { number, complete, turned } = line;
      if (number > 0) {
        say(t("yes-left", number, complete, turned), "good");
      } else if (complete) {
        say(t(isEmpty ? "unsolvable" : "none-left"), "bad");
        // A hint named them, and they are still marked.
        byId("remove-wrong").hidden = !this.page.table.advice.doubted;
        this.offerToExamine(isEmpty);
      } else {
        say(t("none-in-time"));
      }
    });
  }

  hint() {
    this.page.solutions.close();
    const progress = this.search(t("looking-for-hint"));
    const asked = this.page.play.asked();
    this.ask({ hint: { placed: asked } }, (line) => {
      const { game } = this.page;
      const give = {
        progress: () => progress(line),
        place: () => this.page.follow(line),
        "take-back": () => {
          const cells = line.indices.map((index) => asked[index][0]);
          this.page.advise({ doubted: cells });
          say(t("take-back", cells.map((cell) => cellName(game, cell))), "bad");
          byId("remove-wrong").hidden = false;
        },
        done: () => this.page.finish(),
        nothing: () => {
          say(t("unsolvable"), "bad");
          this.offerToExamine(true);
        },
        unknown: () => say(t("no-hint", reasonWords(line)), "bad"),
      };
      give[line.type]();
    });
  }

  solve() {
    const { solutions } = this.page;
    solutions.open(this.page.game, this.page.table);
    const progress = this.search(t("solving"));
    this.ask({ solve: { most: MOST_SOLUTIONS } }, (line) => {
      if (line.type === "solution") {
        solutions.add(line.placed);
      } else if (line.type === "progress") {
        progress(line);
      } else {
        solutions.finish(line.sentence, this.page.which.name === undefined && this.page.source.canSolve);
        this.sayFound(solutions.all.length, line.complete);
      }
    });
  }

  sayFound(number, complete) {
    if (number > 0) {
      say(t(complete ? "found-all" : "found-some", number), "good");
    } else {
      say(t(complete ? "unsolvable" : "none-in-time"), complete ? "bad" : "");
      this.offerToExamine(complete);
    }
  }

  /** For a puzzle without a solution, offers to find mistyped cards and the closest arrangement, if the
   * source can. */
  offerToExamine(isUnsolvable) {
    byId("doctor").hidden = byId("closest").hidden = !(isUnsolvable && this.page.source.canSolve);
    byId("suspects").hidden = true;
  }

  examine() {
    this.search(t("examining"));
    this.ask({ doctor: {} }, (line) => {
      if (line.type === "unknown") {
        say(t("not-examined", reasonWords(line)), "bad");
        return;
      }
      const { game } = this.page;
      const item = (head, slips) => el("li", {}, el("b", {}, head), el("ul", {}, ...slips.slice(0, SLIPS).map((slip) => el("li", {}, slipWords(slip)))));
      const percent = (likelihood) => Math.round(100 * likelihood);
      const cards = line.cards.slice(0, SUSPECTS).map(({ tile, likelihood, slips }) =>
        item(t("card-likely", tile === null ? null : game.tiles[tile].name, percent(likelihood)), slips),
      );
      const other = cards.length > 0 ? [item(t("other-mistakes", percent(line.other)), [])] : [];
      byId("suspects").replaceChildren(...cards, ...other);
      byId("suspects").hidden = false;
      say(t(cards.length > 0 ? "suspects" : "no-suspects"));
      reveal(byId("suspects"));
    });
  }

  /** Places all tiles so that as few seams as possible are broken. */
  closest() {
    const progress = this.search(t("looking-for-closest"));
    this.ask({ best: {} }, (line) => {
      if (line.type === "progress") {
        progress(line);
      } else if (line.placed === null) {
        say(t("none-in-time"));
      } else {
        this.page.give(new Map(line.placed.map(([tile, lies], cell) => [cell, { tile, lies }])), []);
        window.scrollTo(0, 0);
        say(t("closest-found", line.broken, line.proven));
      }
    });
  }

  /** Starts a new game with some tiles of a solution given. */
  deal() {
    const most = Math.max(1, this.page.game.cells.length - 1);
    const number = /^\d+$/.test(byId("given").value) ? Number(byId("given").value) : most + 1;
    if (number === 0) {
      this.page.give(new Map());
      return;
    }
    if (number > most) {
      say(t("given-range", most), "bad");
      return;
    }
    const solutions = [];
    this.search(t("looking-for-solution"));
    this.ask({ solve: { most: MOST_TO_DEAL } }, (line) => {
      if (line.type === "solution") {
        solutions.push(line.placed);
      } else if (line.type === "solved" && solutions.length === 0) {
        this.sayFound(0, line.complete);
      } else if (line.type === "solved") {
        const [solution] = shuffled(solutions);
        const cells = shuffled(solution.keys()).slice(0, number);
        this.page.give(new Map(cells.map((cell) => [cell, { tile: solution[cell][0], lies: solution[cell][1] }])));
        say(t("tiles-given", number));
      }
    });
  }

  record() {
    const recordings = [];
    this.search(t("recording"));
    this.ask({ watch: {} }, (line) => {
      if (line.type === "recording") {
        recordings.push(line);
        this.page.watch.open(this.page.game, recordings);
        say(t("recorded"));
      } else {
        say(t("not-recorded", reasonWords(line)), "bad");
      }
    });
  }
}
