// The table: board and tray, and the player's actions by pointer and keys.
import { Board } from "./board.js";
import { byId } from "./dom.js";
import { fly } from "./drag.js";
import { candidates } from "./game.js";
import { Pointer } from "./pointer.js";
import { cellName, sideName } from "./spoken.js";
import { Tray } from "./tray.js";
import { t } from "./words.js";

/** The table. `tell` has the callbacks `say(words, kind)`, `announce(words)`, `changed(verdict)` after
 * each move, and `pressed()` when a locked board is touched. */
export class Table {
  constructor(tell) {
    this.tell = tell;
    this.advice = {};
    this.byKeyboard = false;
    this.pointer = new Pointer(this);
    /** True if mistakes are marked at once; otherwise only when the player asks. */
    this.marksAll = false;
    this.isChecked = false;
    this.listen();
  }

  /** Listens to the board and the tray, which stay when another puzzle is opened. */
  listen() {
    const at = (event, name) => {
      const number = event.target.closest(`[data-${name}]`)?.dataset[name];
      return number === undefined ? null : Number(number);
    };
    const hear = (box, name, kinds) => {
      for (const [kind, act] of Object.entries(kinds)) {
        byId(box).addEventListener(kind, (event) => {
          const number = at(event, name);
          if (number !== null) {
            act(number, event);
          }
        });
      }
    };
    const isPlain = (event) => !event.ctrlKey && !event.metaKey && !event.altKey;
    const done = (event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    hear("board", "cell", {
      click: (cell) => this.atCell(cell, "click"),
      pointerdown: (cell, event) => this.pointer.pressCell(event, cell),
      focusin: (cell) => this.board.move(cell),
      keydown: (cell, event) => {
        if (isPlain(event) && (this.board.follow(event.key) || this.atCell(cell, event.key))) {
          done(event);
        }
      },
    });
    hear("tray", "tile", {
      click: (tile) => this.atTile(tile, "click"),
      pointerdown: (tile, event) => this.pointer.press(event, tile, event.target.closest("[data-tile]")),
      keydown: (tile, event) => {
        if (isPlain(event) && event.key !== "Enter" && event.key !== " " && this.atTile(tile, event.key)) {
          done(event);
        }
      },
    });
  }

  open(play) {
    this.play = play;
    this.game = play.game;
    this.isShut = false;
    this.rest();
    this.board = new Board(this.game);
    byId("board").replaceChildren(this.board.box);
    // A filter would hide the tiles that fit into the chosen cell.
    const filtered = () => {
      this.target = null;
      this.draw();
      this.tell.say("");
    };
    if (this.tray?.game === this.game) {
      this.tray.redraw();
    } else {
      this.tray = new Tray(byId("tray"), this.game, filtered);
    }
  }

  /** Clears the selection, except for a tile in hand that is to be kept. */
  rest(taken = null) {
    this.taken = taken;
    this.target = null;
    this.touched = null;
    this.advice = {};
    this.isChecked = false;
  }

  draw() {
    const hand = this.play.hand;
    const fitting = this.target === null ? null : new Map(candidates(this.game, this.play.placed, this.target, hand));
    this.tray.draw(this.play, this.taken, fitting);
    const verdict = this.board.draw(this.play, { ...this, isMarked: this.marksAll || this.isChecked });
    const tile = this.chosen();
    byId("over").disabled = tile !== null && this.game.tiles[tile].faces.length < 2;
    return verdict;
  }

  /** Shows a solution instead of the game. */
  showSolution(placed) {
    this.board.draw({ placed, given: new Set() }, { isMarked: true });
  }

  /** Makes a move, or shows why it is impossible. */
  move(make) {
    if (this.isShut) {
      this.tell.pressed();
    }
    this.advice = {};
    this.isChecked = false;
    this.tell.announce("");
    const why = make();
    const verdict = this.draw();
    if (why) {
      this.tell.say(why, "bad");
      return;
    }
    this.tell.say("");
    this.tell.changed(verdict);
  }

  take(tile) {
    this.taken = tile;
    this.target = null;
    this.draw();
  }

  /** Announces the new place of a tile, and how well it fits. */
  announce(cell) {
    const placed = this.play.placed.get(cell);
    if (!placed) {
      return;
    }
    const [fit, wrong] = ["fit", "wrong"].map((kind) => this.board.verdict[kind].get(cell) ?? []);
    const names = wrong.map((side) => sideName(this.game, cell, side));
    this.tell.announce(t("laid", this.game.tiles[placed.tile].name, cellName(this.game, cell), fit.length, fit.length + wrong.length, names));
  }

  /** Places a tile, with an animation unless it was dragged. */
  lay(tile, cell, { lies, isDragged = false } = {}) {
    const at = this.play.cellOf(tile);
    const source = at === undefined ? this.tray.element(tile) : this.board.cells[at].group;
    const isAnimated = !isDragged && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const from = isAnimated ? source?.getBoundingClientRect() : null;
    this.taken = null;
    this.target = null;
    this.touched = cell;
    this.move(() => this.play.lay(tile, cell, lies));
    if (this.play.placed.get(cell)?.tile === tile) {
      this.announce(cell);
      if (from) {
        fly(this.game, tile, this.play.lies(tile), from, this.board.cells[cell].group.getBoundingClientRect());
      }
    }
  }

  /** Rotates a tile by counter-clockwise steps. */
  turn(tile, steps) {
    this.move(() => this.play.turn(tile, steps));
    const cell = this.play.cellOf(tile);
    if (cell !== undefined) {
      this.announce(cell);
    }
  }

  /** Handles a click or a key on a tile in hand. */
  atTile(tile, key) {
    if (this.pointer.wasDragged) {
      return true;
    }
    if (key !== "click") {
      return this.atAny(tile, key);
    }
    if (this.target !== null) {
      const lies = new Map(candidates(this.game, this.play.placed, this.target, [tile])).get(tile);
      const cell = this.target;
      this.lay(tile, cell, { lies: this.game.turns ? lies : undefined });
      this.goOn(cell);
    } else if (this.taken === tile && this.game.turns) {
      this.turn(tile, -1);
    } else {
      this.take(this.taken === tile ? null : tile);
      this.tell.say(this.taken === null ? "" : t(this.game.turns ? "choose-cell-or-turn" : "choose-cell"));
      if (this.taken !== null) {
        this.goOn();
      }
    }
    return true;
  }

  /** With a keyboard, moves the focus to a cell; by default, to the first empty one. */
  goOn(cell = this.game.cells.findIndex((_, cell) => !this.play.placed.has(cell))) {
    if (this.byKeyboard) {
      this.board.focus(cell < 0 ? undefined : cell);
    }
  }

  /** Handles a click or a key on a cell. */
  atCell(cell, key) {
    if (this.pointer.wasDragged) {
      return true;
    }
    if (this.isShut) {
      return false;
    }
    const there = this.play.placed.get(cell);
    const isEnter = key === "Enter" || key === " ";
    if (key === "click" || isEnter) {
      this.choose(cell, there, isEnter);
      return true;
    }
    if (key === "Delete" || key === "Backspace") {
      this.touched = null;
      this.move(() => this.play.takeBack(cell));
      return true;
    }
    return there ? this.atAny(there.tile, key) : false;
  }

  choose(cell, there, isEnter) {
    if (this.taken !== null && this.taken !== there?.tile) {
      this.lay(this.taken, cell);
    } else if (!there) {
      this.target = this.target === cell ? null : cell;
      this.touched = null;
      this.draw();
      const number = this.target === null ? 0 : candidates(this.game, this.play.placed, cell, this.play.hand).length;
      this.tell.say(this.target === null ? "" : t("choose-tile", number));
    } else if (isEnter || !this.game.turns) {
      this.take(this.taken === there.tile ? null : there.tile);
      this.tell.say(this.taken === null ? "" : t("choose-other-cell"));
      this.touched = cell;
    } else {
      this.taken = null;
      this.touched = cell;
      this.turn(there.tile, -1);
    }
  }

  /** Handles keys that do not depend on where the tile is. */
  atAny(tile, key) {
    if (key.toLowerCase() === "r") {
      this.turn(tile, key === "R" ? 1 : -1);
    } else if (key.toLowerCase() === "f") {
      this.move(() => this.play.turnOver(tile));
    } else {
      return false;
    }
    return true;
  }

  chosen() {
    return this.taken ?? this.play.placed.get(this.touched)?.tile ?? null;
  }

  /** Applies an action to the selected tile. */
  withChosen(act) {
    const tile = this.chosen();
    if (tile === null) {
      this.tell.say(t("tile-first"));
    } else {
      act(tile);
    }
  }

  turnChosen(steps) {
    this.withChosen((tile) => this.turn(tile, steps));
  }

  turnOverChosen() {
    this.withChosen((tile) => this.move(() => this.play.turnOver(tile)));
  }

  backChosen() {
    this.withChosen((tile) => {
      const cell = this.play.cellOf(tile);
      this.taken = null;
      this.touched = null;
      if (cell === undefined) {
        this.draw();
        this.tell.say("");
      } else {
        this.move(() => this.play.takeBack(cell));
      }
    });
  }
}
