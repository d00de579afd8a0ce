// The board of a game: selectable cells, and marks for matching and broken seams.
import { svg } from "./dom.js";
import { judge } from "./game.js";
import { orientation, sidesOf, spoken } from "./orientation.js";
import { Picture } from "./picture.js";
import { faceOf } from "./sheet.js";
import { boardWords, cellName, nameOnBoard, sideName } from "./spoken.js";
import { t } from "./words.js";

const ARROWS = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A board whose cells can be selected. */
export class Board extends Picture {
  constructor(game) {
    super(game, t("board-of", boardWords(game.board)));
    this.here = 0;
    this.fitted = new Set();
    this.misfits = new Map();
    this.flashes = [];
    this.svg.setAttribute("aria-describedby", "keys-short");
  }

  get isGrid() {
    return this.game.rows !== undefined && this.game.cells.length === this.game.rows[0] * this.game.rows[1];
  }

  role() {
    return this.isGrid ? "grid" : "group";
  }

  /** Groups the cells of a grid in rows. */
  arrange() {
    if (!this.isGrid) {
      super.arrange();
      return;
    }
    const [rows, columns] = this.game.rows;
    for (let row = 0; row < rows; row++) {
      const inRow = this.cells.slice(row * columns, (row + 1) * columns);
      this.ground.append(svg("g", { role: "row" }, ...inRow.map(({ group }) => group)));
    }
  }

  cell(cell, index) {
    const made = super.cell(cell, index);
    const { group } = made;
    group.setAttribute("role", this.isGrid ? "gridcell" : "button");
    group.setAttribute("tabindex", index === 0 ? 0 : -1);
    group.dataset.cell = index;
    return made;
  }

  /** Makes a cell the only one that Tab reaches; arrow keys lead to the others. */
  move(cell) {
    this.ringed(cell);
    this.cells[this.here].group.setAttribute("tabindex", -1);
    this.here = cell;
    this.cells[cell].group.setAttribute("tabindex", 0);
  }

  focus(cell = this.here) {
    this.cells[cell].group.focus({ preventScroll: true });
  }

  /** Scrolls a zoomed or long board until a cell is visible. */
  reveal(cell) {
    this.cells[cell].group.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Follows an arrow key to the next cell; returns false for other keys. */
  follow(key) {
    const toward = ARROWS[key];
    const next = toward ? this.beside(this.here, toward) : null;
    if (next !== null) {
      this.focus(next);
    }
    return toward !== undefined;
  }

  /** The nearest cell in a direction. */
  beside(from, [dx, dy]) {
    const here = this.game.cells[from];
    let best = null;
    this.game.cells.forEach(({ x, y }, cell) => {
      const along = (x - here.x) * dx + (y - here.y) * dy;
      const aside = Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx);
      const far = along + 2 * aside;
      if (along > 1 && aside <= along * 1.8 && (best === null || far < best.far)) {
        best = { cell, far };
      }
    });
    return best?.cell ?? null;
  }

  /** Draws a game and returns the verdict on its position; marks it if `isMarked`. */
  draw(play, { taken = null, target = null, advice = {}, isMarked = false }) {
    const verdict = judge(this.game, play.placed);
    this.verdict = verdict;
    this.game.cells.forEach((_, cell) => {
      const placed = play.placed.get(cell);
      if (!placed && !this.game.rows) {
        this.write(cell, nameOnBoard(this.game, cell));
      } else {
        this.put(cell, placed);
      }
      this.dress(cell, placed, {
        wrong: verdict.wrong.get(cell) ?? [],
        pinned: play.given.has(cell),
        taken: placed !== undefined && placed.tile === taken,
        target: cell === target,
        advised: advice.placed === cell,
        doubted: advice.doubted?.includes(cell) ?? false,
      });
    });
    this.mark(verdict, isMarked);
    this.svg.classList.toggle("solved", verdict.fits);
    return verdict;
  }

  /** Sets the label and the classes of a cell, if they have changed. */
  dress(cell, placed, { wrong, ...states }) {
    const drawn = this.cells[cell];
    const key = JSON.stringify([placed?.tile, placed?.lies, wrong, states]);
    if (drawn.dressed === key) {
      return;
    }
    drawn.dressed = key;
    const words = [cellName(this.game, cell), placed ? spoken(this.game, placed.tile, placed.lies) : t("empty")];
    if (states.pinned) {
      words.push(t("given"));
    }
    if (wrong.length > 0) {
      words.push(t("does-not-fit", wrong.map((side) => sideName(this.game, cell, side))));
    }
    drawn.group.setAttribute("aria-label", words.join(", "));
    drawn.group.classList.toggle("movable", placed !== undefined && !states.pinned);
    for (const [name, is] of Object.entries(states)) {
      if (is) {
        this.ringed(cell);
      }
      drawn.group.classList.toggle(name, is);
    }
  }

  /** Marks broken seams, and those that match since the last change; no marks on a solved board. */
  mark({ fitting, broken, rim, fits }, isMarked) {
    const wrong = new Set(isMarked ? [...broken, ...rim] : []);
    for (const [side, marks] of this.misfits) {
      if (!wrong.has(side)) {
        marks.forEach((mark) => mark.remove());
        this.misfits.delete(side);
      }
    }
    for (const side of wrong) {
      if (!this.misfits.has(side)) {
        const places = side.length === 4 ? this.places(side) : [side];
        const marks = places.flatMap((place) => [this.line(place, "broken"), this.badge(place)]);
        this.misfits.set(side, marks);
        this.marks.append(...marks);
      }
    }
    const fresh = fitting.filter((seam) => !this.fitted.has(seam));
    if (fresh.length === 0 && fitting.length === this.fitted.size) {
      return;
    }
    this.fitted = new Set(fitting);
    this.flashes.forEach((line) => line.remove());
    const places = fits || !isMarked ? [] : fresh.flatMap((seam) => this.places(seam));
    this.flashes = places.map((side) => this.line(side, "fit"));
    this.marks.append(...this.flashes);
  }
}

/** A tile that follows the pointer. */
export function ghost(game, tile, lies, size) {
  const { face, rotation } = orientation(game.tiles[tile], lies);
  const image = faceOf(game, tile, face);
  image.classList.add("ghost");
  [image.style.width, image.style.height] = [`${size}px`, `${size}px`];
  let degrees = (-rotation * 360) / sidesOf(game.tiles[tile]);
  let at = [0, 0];
  const move = (x, y) => {
    at = [x, y];
    image.style.transform = `translate(${x - size / 2}px, ${y - size / 2}px) rotate(${degrees}deg)`;
  };
  const turn = (steps) => {
    degrees -= (steps * 360) / sidesOf(game.tiles[tile]);
    move(...at);
  };
  /** Animates the tile from another place to its current one, then removes it. */
  const from = ([x, y], scale) => {
    const start = `translate(${x - size / 2}px, ${y - size / 2}px) rotate(${degrees}deg) scale(${scale})`;
    const flight = image.animate([{ transform: start }, { transform: image.style.transform }], { duration: 170, easing: "ease-out" });
    flight.onfinish = () => image.remove();
    flight.oncancel = () => image.remove();
  };
  document.body.append(image);
  return { move, turn, from, remove: () => image.remove() };
}
