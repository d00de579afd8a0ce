// The board of a game: selectable cells, and marks for matching and broken seams.
import { el, svg } from "./dom.js";
import { judge, sidesAt } from "./game.js";
import { orientation, sidesOf, spoken } from "./orientation.js";
import { Picture, pictureOf } from "./picture.js";
import { boardWords, cellName, sideName } from "./spoken.js";
import { t } from "./words.js";

const ARROWS = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A board whose cells can be selected. Calls `act(cell, key)` for each click and key, and `began(event,
 * cell)` when a pointer goes down. */
export class Board extends Picture {
  constructor(game, act, began) {
    super(game, t("board-of", boardWords(game.board)));
    this.act = act;
    this.began = began;
    this.here = 0;
    this.fitted = new Set();
    this.svg.setAttribute("aria-describedby", "keys-short");
    // A finger on a tile moves it; elsewhere it scrolls. `touch-action` has no effect inside an SVG.
    const keep = (event) => event.target.closest(".movable") && event.preventDefault();
    this.svg.addEventListener("touchmove", keep, { passive: false });
    this.svg.addEventListener("keydown", (event) => this.key(event));
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
    group.addEventListener("click", () => this.act(index, "click"));
    group.addEventListener("pointerdown", (event) => this.began(event, index));
    group.addEventListener("focus", () => this.move(index));
    return made;
  }

  /** Makes a cell the only one that Tab reaches; arrow keys lead to the others. */
  move(cell) {
    this.cells[this.here].group.setAttribute("tabindex", -1);
    this.here = cell;
    this.cells[cell].group.setAttribute("tabindex", 0);
  }

  focus(cell = this.here) {
    this.cells[cell].group.focus({ preventScroll: true });
  }

  key(event) {
    const toward = ARROWS[event.key];
    if (toward) {
      event.preventDefault();
      const next = this.beside(this.here, toward);
      if (next !== null) {
        this.focus(next);
      }
      return;
    }
    if (!event.ctrlKey && !event.metaKey && !event.altKey && this.act(this.here, event.key)) {
      event.preventDefault();
      event.stopPropagation();
    }
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

  /** Draws a game and returns the verdict on its position. */
  draw(play, { taken = null, target = null, advice = {} }) {
    const verdict = judge(this.game, play.placed);
    this.verdict = verdict;
    this.game.cells.forEach((_, cell) => {
      const placed = play.placed.get(cell);
      if (!placed && !this.game.rows) {
        this.write(cell, this.game.cells[cell].name);
      } else {
        this.put(cell, placed);
      }
      this.dress(cell, play, verdict, { taken, target, advice });
    });
    this.mark(verdict);
    this.svg.classList.toggle("solved", verdict.fits);
    return verdict;
  }

  dress(cell, play, verdict, { taken, target, advice }) {
    const { group } = this.cells[cell];
    const placed = play.placed.get(cell);
    const isGiven = play.given.has(cell);
    const wrong = placed ? sidesAt(verdict, cell).wrong : [];
    const words = [cellName(this.game, cell), placed ? spoken(this.game, placed.tile, placed.lies) : t("empty")];
    if (isGiven) {
      words.push(t("given"));
    }
    if (wrong.length > 0) {
      words.push(t("does-not-fit", wrong.map((side) => sideName(this.game, cell, side))));
    }
    const label = words.join(", ");
    if (group.getAttribute("aria-label") !== label) {
      group.setAttribute("aria-label", label);
    }
    group.classList.toggle("movable", placed !== undefined && !isGiven);
    group.classList.toggle("pinned", isGiven);
    group.classList.toggle("taken", placed !== undefined && placed.tile === taken);
    group.classList.toggle("target", cell === target);
    group.classList.toggle("advised", advice.placed === cell);
    group.classList.toggle("doubted", advice.doubted?.includes(cell) ?? false);
  }

  /** Marks broken seams, and those that match since the last change; no marks on a solved board. */
  mark({ fitting, broken, rim, fits }) {
    const key = (seam) => seam.join();
    const state = [fitting, broken, rim].map((seams) => seams.map(key).join(" ")).join("|");
    if (state === this.marked) {
      return;
    }
    this.marked = state;
    const fresh = fits ? [] : fitting.filter((seam) => !this.fitted.has(key(seam)));
    this.fitted = new Set(fitting.map(key));
    const lines = fresh.flatMap((seam) => this.places(seam)).map((side) => this.line(side, "fit"));
    const wrong = broken.flatMap((seam) => this.places(seam)).concat(rim);
    this.marks.replaceChildren(...lines, ...wrong.flatMap((side) => [this.line(side, "broken"), this.badge(side)]));
  }
}

/** A tile that follows the pointer. */
export function ghost(game, tile, lies, size) {
  const { face, rotation } = orientation(game.tiles[tile], lies);
  const image = el("img", { class: "ghost", src: pictureOf(game, tile, face), alt: "", width: size, height: size });
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
