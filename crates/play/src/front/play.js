// The state of a game: the placement of each tile, and the history.
import { turned, turnedOver } from "./orientation.js";
import { decoded, encoded } from "./position.js";
import { t } from "./words.js";

/** The number of undo and redo steps that are stored with a game. */
const MOST_KEPT = 300;

/** A game with its history. */
export class Play {
  constructor(game) {
    this.game = game;
    this.now = { placed: new Map(), lies: game.tiles.map(() => 0), given: new Set() };
    this.past = [];
    this.future = [];
  }

  get placed() {
    return this.now.placed;
  }

  get given() {
    return this.now.given;
  }

  /** Returns true if there is anything worth storing. */
  get isTouched() {
    return this.past.length > 0 || this.future.length > 0 || this.placed.size > 0;
  }

  /** The tiles that are not on the board. */
  get hand() {
    const used = new Set([...this.placed.values()].map(({ tile }) => tile));
    return this.game.tiles.map((_, tile) => tile).filter((tile) => !used.has(tile));
  }

  lies(tile) {
    return this.now.lies[tile];
  }

  cellOf(tile) {
    return [...this.placed].find(([, there]) => there.tile === tile)?.[0];
  }

  fits(tile, cell) {
    return this.game.tiles[tile].faces[0].edges.length === this.game.cells[cell].sides;
  }

  /** The reason why a tile cannot be placed in a cell; `null` if it can. */
  refusal(tile, cell) {
    const from = this.cellOf(tile);
    const there = this.placed.get(cell);
    if (this.given.has(cell) || this.given.has(from)) {
      return t("given-stays");
    }
    if (!this.fits(tile, cell)) {
      return t("other-sides");
    }
    return there && from !== undefined && !this.fits(there.tile, from) ? t("no-exchange") : null;
  }

  /** Places a tile from the hand or from another cell; a tile already there swaps places with it. Returns
   * the reason if it cannot be placed. */
  lay(tile, cell, lies = this.lies(tile)) {
    const from = this.cellOf(tile);
    if (from === cell) {
      return null;
    }
    const why = this.refusal(tile, cell);
    if (why === null) {
      const there = this.placed.get(cell);
      this.change((next) => {
        next.placed.delete(from);
        if (there && from !== undefined) {
          next.placed.set(from, there);
        }
        next.lies[tile] = lies;
        next.placed.set(cell, { tile, lies });
      });
    }
    return why;
  }

  /** Takes the tile of a cell back to the hand. */
  takeBack(cell) {
    if (!this.placed.has(cell)) {
      return t("nothing-there");
    }
    if (this.given.has(cell)) {
      return t("given-stays");
    }
    this.change((next) => next.placed.delete(cell));
    return null;
  }

  /** Takes the tiles of several cells back to the hand, except given ones. */
  takeBackAll(cells) {
    this.change((next) => cells.filter((cell) => !this.given.has(cell)).forEach((cell) => next.placed.delete(cell)));
    return null;
  }

  /** Rotates a tile, on the board or in the hand, by counter-clockwise steps. */
  turn(tile, steps) {
    if (!this.game.turns) {
      return t("no-turns");
    }
    return this.moveIt(tile, (lies) => turned(this.game.tiles[tile], lies, steps));
  }

  turnOver(tile) {
    if (this.game.tiles[tile].faces.length < 2) {
      return t("one-face");
    }
    return this.moveIt(tile, (lies) => {
      const over = turnedOver(this.game.tiles[tile], lies);
      const sides = this.game.tiles[tile].faces[0].edges.length;
      return this.game.turns ? over : over - (over % sides);
    });
  }

  moveIt(tile, move) {
    const cell = this.cellOf(tile);
    if (this.given.has(cell)) {
      return t("given-lies");
    }
    this.change((next) => {
      const lies = move(next.lies[tile]);
      next.lies[tile] = lies;
      if (cell !== undefined) {
        next.placed.set(cell, { tile, lies });
      }
    });
    return null;
  }

  /** Places a tile in an orientation, as in a hint. */
  follow(cell, tile, lies) {
    this.change((next) => {
      next.placed.delete(this.cellOf(tile));
      next.lies[tile] = lies;
      next.placed.set(cell, { tile, lies });
    });
  }

  /** Takes back all tiles except given ones. */
  clear() {
    this.takeBackAll([...this.placed.keys()]);
  }

  /** Replaces the position: `placed`, and the cells whose tiles are given. */
  goTo({ placed, given }) {
    this.change((next) => {
      next.placed = new Map(placed);
      next.given = new Set(given);
      for (const { tile, lies } of placed.values()) {
        next.lies[tile] = lies;
      }
    });
  }

  change(make) {
    const { placed, lies, given } = this.now;
    const next = { placed: new Map(placed), lies: [...lies], given: new Set(given) };
    make(next);
    this.past.push(this.now);
    this.future = [];
    this.now = next;
  }

  undo() {
    this.step(this.past, this.future);
  }

  redo() {
    this.step(this.future, this.past);
  }

  step(from, to) {
    const then = from.pop();
    if (then) {
      to.push(this.now);
      this.now = then;
    }
  }

  /** The placed tiles in the form of a question. */
  asked() {
    return [...this.placed].map(([cell, { tile, lies }]) => [cell, tile, lies]);
  }

  /** A state in the form in which it is stored: the letters of its position, and the orientation of every
   * tile. States are immutable, so the result is cached. */
  written(state) {
    state.written ??= [encoded(this.game, state), state.lies.map((lies) => lies.toString(36)).join("")];
    return state.written;
  }

  /** The position in the letters of an address. */
  get position() {
    return this.written(this.now)[0];
  }

  /** The game in the form in which it is stored. */
  kept() {
    const all = (states) => states.slice(-MOST_KEPT).map((state) => this.written(state));
    return { now: this.written(this.now), past: all(this.past), future: all(this.future) };
  }

  /** Restores a stored game. Throws if it belongs to another puzzle. */
  restore({ now, past, future }) {
    const one = ([position, lies]) => {
      const numbers = [...lies].map((letter) => parseInt(letter, 36));
      const isWhole = numbers.length === this.game.tiles.length && numbers.every((lies, tile) => lies < this.game.tiles[tile].looks.length);
      if (!isWhole) {
        throw new Error("a game of another puzzle");
      }
      return { ...decoded(this.game, position), lies: numbers };
    };
    const states = [one(now), past.map(one), future.map(one)];
    [this.now, this.past, this.future] = states;
  }
}
