// A game as it is played: which tile lies where, how, and what came before.
import { shown, turned, turnedOver } from "./orientation.js";

/** What lies fits so far: seams that do, seams and sides that do not. */
export function judge(game, placed) {
  const shows = (cell, side) => shown(game.tiles[placed.get(cell).tile], placed.get(cell).lies)[side];
  const verdict = { fitting: [], broken: [], rim: [] };
  const meets = ([first, a, second, b], seam, must) => {
    if (!placed.has(first) || !placed.has(second)) {
      return;
    }
    const label = shows(first, a);
    const fits = game.labels[label].mate === shows(second, b) && label !== game.border;
    if (fits) {
      verdict.fitting.push(seam);
    } else if (must) {
      verdict.broken.push(seam);
    }
  };
  for (const seam of game.seams) {
    meets(seam, seam, true);
  }
  for (const seam of game.loose) {
    meets(seam, seam, false);
  }
  if (game.border !== undefined) {
    for (const [cell, side] of game.rim) {
      if (placed.has(cell) && shows(cell, side) !== game.border) {
        verdict.rim.push([cell, side]);
      }
    }
  }
  verdict.full = placed.size === game.cells.length;
  verdict.fits = verdict.full && verdict.broken.length === 0 && verdict.rim.length === 0;
  return verdict;
}

/** Moves and what they made. */
export class Play {
  constructor(game) {
    this.game = game;
    this.start(new Map());
  }

  /** Begins with some tiles given, which stay. */
  start(given) {
    this.given = new Set(given.keys());
    this.now = { placed: new Map(given), lies: this.game.tiles.map(() => 0) };
    for (const { tile, lies } of given.values()) {
      this.now.lies[tile] = lies;
    }
    this.past = [];
    this.future = [];
  }

  get placed() {
    return this.now.placed;
  }

  /** Tiles that do not lie on the board. */
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

  /** Lays a tile from the hand or from another cell; what lay there changes places with it. Says why
   * not, if it can't. */
  lay(tile, cell) {
    const from = this.cellOf(tile);
    if (from === cell) {
      return null;
    }
    if (this.given.has(cell) || this.given.has(from)) {
      return "a tile that was given stays";
    }
    if (!this.fits(tile, cell)) {
      return "this tile has another number of sides than the cell";
    }
    const there = this.placed.get(cell);
    if (there && from !== undefined && !this.fits(there.tile, from)) {
      return "these tiles cannot change places";
    }
    this.change((next) => {
      next.placed.delete(from);
      if (there && from !== undefined) {
        next.placed.set(from, there);
      }
      next.placed.set(cell, { tile, lies: next.lies[tile] });
    });
    return null;
  }

  /** Takes the tile of a cell back. */
  takeBack(cell) {
    if (!this.placed.has(cell)) {
      return "nothing lies there";
    }
    if (this.given.has(cell)) {
      return "a tile that was given stays";
    }
    this.change((next) => next.placed.delete(cell));
    return null;
  }

  /** Turns a tile, wherever it is, by counter-clockwise steps. */
  turn(tile, steps) {
    if (!this.game.turns) {
      return "in this puzzle tiles may not be turned";
    }
    return this.moveIt(tile, (lies) => turned(this.game.tiles[tile], lies, steps));
  }

  turnOver(tile) {
    if (this.game.tiles[tile].faces.length < 2) {
      return "this tile has one face";
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
      return "a tile that was given stays as it lies";
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

  /** Lays a tile so, as a hint says. */
  follow(cell, tile, lies) {
    this.change((next) => {
      const from = this.cellOf(tile);
      next.placed.delete(from);
      next.lies[tile] = lies;
      next.placed.set(cell, { tile, lies });
    });
  }

  /** Takes all back but what was given. */
  clear() {
    this.change((next) => {
      for (const cell of [...next.placed.keys()]) {
        if (!this.given.has(cell)) {
          next.placed.delete(cell);
        }
      }
    });
  }

  change(make) {
    const next = { placed: new Map(this.now.placed), lies: [...this.now.lies] };
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

  /** What lies, as a question says it. */
  asked() {
    return [...this.placed].map(([cell, { tile, lies }]) => [cell, tile, lies]);
  }
}
