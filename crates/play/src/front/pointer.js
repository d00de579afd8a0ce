// Mouse, finger and pen input on a table: dragging, and rotating by wheel and right button.
import { byId } from "./dom.js";
import { follow } from "./drag.js";

/** The wheel movement that rotates a tile by one step, in pixels. */
const NOTCH = 50;

/** The time for which a finger rests on a tile to move it, where a swipe scrolls; in milliseconds. */
const REST = 150;

export class Pointer {
  constructor(table) {
    this.table = table;
    this.wasDragged = false;
    this.wheel = 0;
    this.lit = null;
    byId("board").addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    byId("board").addEventListener("touchstart", ({ timeStamp }) => (this.touched = timeStamp), { passive: true });
    byId("board").addEventListener("touchmove", (event) => this.onSwipe(event), { passive: false });
    for (const id of ["board", "tray"]) {
      byId(id).addEventListener("contextmenu", (event) => this.onMenu(event));
    }
  }

  /** A finger on a tile moves it; elsewhere it scrolls. On a board with hidden parts it also scrolls on a tile,
   * unless it rested there first. `touch-action` has no effect inside an SVG. */
  onSwipe(event) {
    const scrolls = byId("board").matches(".zoomed, .before, .after") && event.timeStamp - this.touched < REST;
    if (event.cancelable && !scrolls && event.target.closest(".movable")) {
      event.preventDefault();
    }
  }

  get play() {
    return this.table.play;
  }

  get game() {
    return this.table.game;
  }

  /** The tile under an event, on the board or in the tray; `null` if there is none. */
  tileAt(event) {
    const cell = event.target.closest("[data-cell]")?.dataset.cell;
    const inHand = event.target.closest("[data-tile]")?.dataset.tile;
    const tile = cell === undefined ? Number(inHand ?? NaN) : this.play.placed.get(Number(cell))?.tile;
    return Number.isInteger(tile) ? tile : null;
  }

  onMenu(event) {
    const tile = this.play && !this.table.isShut ? this.tileAt(event) : null;
    if (tile === null) {
      return;
    }
    event.preventDefault();
    // A long touch starts a drag.
    if (event.pointerType !== "touch" && this.game.turns) {
      this.table.turn(tile, 1);
    }
  }

  onWheel(event) {
    const isPlain = !event.ctrlKey && !event.shiftKey && !byId("board").classList.contains("zoomed");
    const tile = this.play && !this.table.isShut && isPlain ? this.tileAt(event) : null;
    if (tile === null || !this.game.turns || this.play.given.has(this.play.cellOf(tile)) || event.defaultPrevented) {
      return;
    }
    event.preventDefault();
    this.wheel += event.deltaY;
    if (Math.abs(this.wheel) >= NOTCH) {
      this.table.turn(tile, this.wheel > 0 ? -1 : 1);
      this.wheel = 0;
    }
  }

  pressCell(event, cell) {
    const placed = this.table.isShut ? undefined : this.play.placed.get(cell);
    this.wasDragged = false;
    this.table.byKeyboard = false;
    if (placed && !this.play.given.has(cell)) {
      this.press(event, placed.tile, this.table.board.cells[cell].group);
    }
  }

  /** Starts dragging a tile with the pointer. */
  press(event, tile, source) {
    this.table.byKeyboard = false;
    this.wasDragged = false;
    if (event.button !== 0 || this.table.isShut || !event.isPrimary) {
      return;
    }
    byId("tray").classList.add("open");
    follow(event, source, {
      game: this.game,
      tile,
      size: this.table.board.sizeOf(tile),
      lies: () => this.play.lies(tile),
      turn: (steps) => this.game.turns && this.table.turn(tile, steps),
      over: (x, y) => this.light(tile, x, y),
      drop: (x, y) => this.drop(tile, x, y),
      end: (wasDragged) => {
        byId("tray").classList.remove("open", "would");
        this.wasDragged = wasDragged;
        // The click that follows a drag must be ignored.
        setTimeout(() => (this.wasDragged = false));
      },
    });
  }

  cellAt(x, y) {
    const under = x === null ? null : document.elementFromPoint(x, y);
    const cell = under?.closest("#board [data-cell]")?.dataset.cell;
    return { under, cell: cell === undefined ? null : Number(cell) };
  }

  /** Highlights the cell under the pointer if the tile may be placed there. */
  light(tile, x, y) {
    const { under, cell } = this.cellAt(x, y);
    const from = this.play.cellOf(tile);
    const would = cell !== null && cell !== from && this.play.refusal(tile, cell) === null;
    const lit = would ? this.table.board.cells[cell].group : null;
    if (lit !== this.lit) {
      this.lit?.classList.remove("would");
      if (lit) {
        this.table.board.ringed(cell);
        lit.classList.add("would");
      }
      this.lit = lit;
    }
    byId("tray").classList.toggle("would", Boolean(under?.closest("#tray")) && from !== undefined);
  }

  drop(tile, x, y) {
    const { cell } = this.cellAt(x, y);
    const from = this.play.cellOf(tile);
    if (cell !== null && cell !== from) {
      this.table.lay(tile, cell, { isDragged: true });
    } else if (cell === null && from !== undefined) {
      this.table.taken = null;
      this.table.touched = null;
      this.table.move(() => this.play.takeBack(from));
    }
  }
}
