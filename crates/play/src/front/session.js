// One puzzle being played: the table, the questions about it, its clock, and its stored state.
import { describe, firstWords } from "./about.js";
import * as address from "./address.js";
import { calm, celebrate, showResult } from "./celebration.js";
import { Clock } from "./clock.js";
import { byId, disable } from "./dom.js";
import { Play } from "./play.js";
import { decoded } from "./position.js";
import { Questions } from "./questions.js";
import { record } from "./daily.js";
import * as looks from "./looks.js";
import { Solutions } from "./solutions.js";
import * as sound from "./sound.js";
import { cellName, foremost, remarkWords, titleOf } from "./spoken.js";
import { announce, say } from "./status.js";
import * as storage from "./storage.js";
import { Table } from "./table.js";
import { Watch } from "./watch.js";
import { t } from "./words.js";
import { Zoom } from "./zoom.js";

export class Session {
  constructor(source) {
    this.source = source;
    this.watch = new Watch();
    this.zoom = new Zoom(byId("board"));
    this.table = new Table({ say, announce, changed: (verdict) => this.changed(verdict), pressed: () => this.solutions.close() });
    this.solutions = new Solutions(() => this.back());
    this.questions = new Questions(this);
    this.clock = new Clock(() => this.keep());
    this.puzzle = null;
  }

  /** Opens a puzzle as returned by the source, with its name on the server, if any, and what this browser
   * stores of it. `isStep` adds an entry to the browser's history. */
  open({ game, text, warnings, found }, name, position, isStep, own) {
    this.questions.stop();
    calm();
    this.own = own;
    this.game = game;
    game.title = titleOf(game);
    this.text = text;
    this.puzzle = { name, code: game.code };
    this.which = name === undefined ? { text } : { name };
    looks.show(own?.kind, this.source.canSolve && !game.sheet.svg.includes("<image"));
    this.clock.goOn();
    this.play = new Play(game);
    this.restore(position);
    describe(game, found);
    this.table.open(this.play);
    this.solutions.hide();
    this.watch.close();
    this.zoom.reset(game);
    this.table.marksAll = storage.setting("mistakes", false);
    const verdict = this.table.draw();
    this.shown(verdict);
    (isStep ? address.go : address.follow)(this.puzzle, this.play.position, true);
    say(this.welcome ?? (foremost(warnings).map(remarkWords).join("; ") || firstWords(this.play)));
    this.questions.offerToExamine(false);
    if (verdict.fits && this.solved) {
      this.clock.stop();
      showResult(this.solved, false);
    }
  }

  /** Returns true if an address names the open puzzle. */
  isOpen({ code, name }) {
    if (!this.puzzle) {
      return false;
    }
    return code ? code === this.game.code : name ? name === this.puzzle.name : !this.source.canList;
  }

  /** Closes the puzzle. */
  close() {
    if (this.puzzle && this.play.isTouched) {
      this.store();
    }
    this.questions.stop();
    this.solutions.hide();
    this.clock.stop();
    this.puzzle = null;
    announce("");
  }

  get id() {
    return this.game.code ?? this.puzzle.name ?? this.game.name;
  }

  /** Resets the counters of the game. */
  begin() {
    [this.solved, this.moves, this.hints] = [null, 0, 0];
    this.clock.set(0);
  }

  /** Restores the stored game, if any; then goes to the position in the address. */
  restore(position) {
    storage.dropOldGames();
    const kept = storage.game(this.id);
    this.begin();
    this.welcome = null;
    try {
      if (kept) {
        this.play.restore(kept.steps);
        [this.moves, this.hints, this.solved] = [kept.moves, kept.hints, kept.solved];
        this.clock.set(kept.seconds);
        this.welcome = this.play.placed.size > 0 && !kept.solved ? t("go-on-game", this.clock) : null;
      }
    } catch {
      // It is not a game of this puzzle, so a new one starts.
    }
    if (position !== null && position !== this.play.position) {
      this.fromAddress(position);
    }
  }

  fromAddress(position) {
    try {
      const wanted = decoded(this.game, position);
      const hadGame = this.play.isTouched;
      this.play.goTo(wanted);
      this.welcome = t(hadGame ? "position-over-game" : "position-opened");
    } catch {
      this.welcome = t("bad-position");
    }
  }

  /** Goes to a position after the address was changed by hand or by Back. */
  goTo(position) {
    this.questions.stop();
    this.solutions.close();
    if (position !== null && position !== this.play.position) {
      this.fromAddress(position);
      this.shown(this.table.draw());
      say(this.welcome);
    }
    this.keep();
  }

  /** Updates the display next to the board. */
  shown(verdict) {
    byId("fits").textContent = this.table.marksAll ? t("fits", verdict.fitting.length, this.game.seams.length) : "";
    disable("redo", this.play.future.length === 0, "undo");
    disable("undo", this.play.past.length === 0, "hint");
    this.clock.show();
  }

  /** Handles a move. */
  changed(verdict) {
    calm();
    this.clock.goOn();
    this.moves += 1;
    if (!this.solved) {
      this.clock.start();
    }
    this.shown(verdict);
    sound.play(verdict.fitting.length > (this.fitting ?? 0) ? "fit" : "lay");
    this.fitting = verdict.fitting.length;
    this.keep();
    if (verdict.fits) {
      this.finish();
    } else if (verdict.full && !this.table.marksAll) {
      say(t("not-solved"));
    }
  }

  /** Pauses the game, or goes on with it; a solved one cannot be paused. */
  pause() {
    if (this.clock.goOn()) {
      this.table.board.focus();
    } else if (!this.table.board.verdict.fits) {
      this.clock.pause();
    }
  }

  /** Marks the mistakes of the position until the next move. */
  check() {
    this.solutions.close();
    this.table.isChecked = true;
    const { broken, rim, fits, full, fitting } = this.table.draw();
    const wrong = broken.length + rim.length;
    if (fits) {
      this.finish();
    } else {
      const right = fitting.length > 0 ? t("all-fit") : t("nothing-touches");
      const words = wrong > 0 ? t("seams-broken", wrong) : full ? t("not-solved") : right;
      say(words, wrong > 0 ? "bad" : fitting.length > 0 ? "good" : "");
    }
  }

  markMistakes(are) {
    storage.choose("mistakes", are);
    this.table.marksAll = are;
    this.shown(this.table.draw());
  }

  /** Stores the game, and writes its position to the address. */
  keep() {
    address.follow(this.puzzle, this.play.position);
    this.store();
  }

  store() {
    storage.keepGame(this.id, {
      steps: this.play.kept(),
      moves: this.moves,
      hints: this.hints,
      seconds: this.clock.seconds,
      time: String(this.clock),
      solved: this.solved,
      title: this.game.title,
      address: this.source.canList ? address.fragment(this.puzzle, null) : null,
      laid: this.play.placed.size,
      cells: this.game.cells.length,
    });
  }

  finish() {
    this.questions.check(() => {
      this.clock.stop();
      if (!this.solved) {
        this.solved = { time: String(this.clock), moves: this.moves, hints: this.hints };
        const { seconds } = this.clock;
        this.isBest = record(this.game, { ...this.solved, seconds }, this.own?.kind === "daily");
      }
      this.keep();
      this.clock.show();
      say(t("solved", this.solved), "good");
      sound.play("solved");
      showResult(this.solved, this.isBest);
      celebrate(this.table.board);
    });
  }

  undo() {
    this.table.move(() => this.play.undo());
    announce(t("undone"));
  }

  redo() {
    this.table.move(() => this.play.redo());
    announce(t("redone"));
  }

  /** Takes back all tiles and starts a new game. */
  clear() {
    this.begin();
    this.table.rest();
    this.table.move(() => this.play.clear());
    say(t("cleared"));
  }

  rest() {
    this.table.rest();
    this.table.draw();
    say("");
  }

  /** Shows the game again after solutions were closed. */
  back() {
    this.shown(this.table.draw());
    say("");
    this.table.board.focus();
  }

  advise(advice) {
    this.table.rest(this.table.taken);
    this.table.advice = advice;
    this.table.draw();
    this.table.board.reveal(advice.placed ?? advice.doubted[0]);
  }

  /** Carries out a hint. */
  follow({ cell, placed: [tile, lies], forced, share }) {
    this.hints += 1;
    this.table.rest(this.table.taken === tile ? null : this.table.taken);
    this.table.move(() => this.play.follow(cell, tile, lies));
    if (!this.table.board.verdict.fits) {
      this.advise({ placed: cell });
      say(t("hint", this.game.tiles[tile].name, cellName(this.game, cell), forced, share ?? undefined), "good");
    }
  }

  /** Starts a game with some tiles placed, some of them given permanently; Undo restores the previous
   * game. */
  give(placed, given = placed.keys()) {
    this.solutions.close();
    this.table.rest();
    this.begin();
    this.table.move(() => this.play.goTo({ placed, given }));
  }

  /** Takes back the tiles that a hint called wrong. */
  removeDoubted() {
    const { doubted } = this.table.advice;
    this.table.move(() => this.play.takeBackAll(doubted ?? []));
  }
}
