// The board: a picture of what lies where, and the same with cells to act on.
import { el, pictureUrl, svg } from "./dom.js";
import { judge } from "./game.js";
import { orientation, sidesOf, spoken } from "./orientation.js";

const SIDE = 100;

/** Where the sides of a cell are, in units of the drawing. */
function geometry({ sides, x, y, turn }) {
  const step = 360 / sides;
  const apothem = SIDE / 2 / Math.tan(Math.PI / sides);
  const toward = (side) => {
    const angle = ((turn + side * step) * Math.PI) / 180;
    return [Math.cos(angle), -Math.sin(angle)];
  };
  const at = (side, along, inside) => {
    const [dx, dy] = toward(side);
    const out = apothem - inside;
    return [x + out * dx + along * dy, y + out * dy - along * dx];
  };
  return { at, step };
}

function points(cell, inset) {
  const { at } = geometry(cell);
  const shrink = 1 - inset / (SIDE / 2);
  const corners = Array.from({ length: Math.max(cell.sides, 3) }, (_, side) => {
    const [px, py] = at(side, -SIDE / 2, 0);
    return [cell.x + (px - cell.x) * shrink, cell.y + (py - cell.y) * shrink];
  });
  return corners.map((corner) => corner.map((n) => n.toFixed(1)).join(",")).join(" ");
}

/** The drawing of a tile as it lies in the file. */
export function pictureOf(game, tile, face) {
  const side = game.tiles[tile].faces[face];
  side.url ??= pictureUrl(side.picture);
  return side.url;
}

/** A picture of a board. */
export class Picture {
  constructor(game, label) {
    this.game = game;
    const [width, height] = game.size;
    this.ground = svg("g");
    this.marks = svg("g", { class: "mark", "aria-hidden": "true" });
    this.svg = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: this.role(), "aria-label": label });
    this.svg.append(this.ground, this.marks);
    this.cells = game.cells.map((cell, index) => this.cell(cell, index));
    this.ground.append(...this.cells.map(({ group }) => group));
  }

  role() {
    return "img";
  }

  cell(cell) {
    const group = svg("g", { class: "cell" });
    const ground = svg("polygon", { class: "ground", points: points(cell, 0) });
    const tile = svg("g");
    const ring = svg("polygon", { class: "ring", points: points(cell, 4) });
    group.append(ground, tile, ring);
    return { group, tile };
  }

  /** Draws a tile in a cell, or nothing. */
  put(cell, placed, forced = false) {
    const { tile } = this.cells[cell];
    tile.replaceChildren();
    if (!placed) {
      return;
    }
    const definition = this.game.tiles[placed.tile];
    const { face, rotation } = orientation(definition, placed.lies);
    const { x, y, turn } = this.game.cells[cell];
    const degrees = turn + (rotation * 360) / sidesOf(definition);
    const { reach } = definition.faces[face];
    const image = svg("image", {
      href: pictureOf(this.game, placed.tile, face),
      x: -reach,
      y: -reach,
      width: 2 * reach,
      height: 2 * reach,
      transform: `translate(${x} ${y}) rotate(${-degrees})`,
      class: forced ? "forced" : null,
    });
    tile.append(image);
  }

  /** Writes in a cell. */
  write(cell, text) {
    const { x, y } = this.game.cells[cell];
    const words = svg("text", { x, y });
    words.textContent = text;
    // About as wide as the cell, whatever it says.
    words.style.fontSize = `${Math.min(22, 130 / String(text).length)}px`;
    this.cells[cell].tile.replaceChildren(words);
  }

  /** Draws what lies, and which seams fit. */
  show(placed) {
    this.game.cells.forEach((_, cell) => this.put(cell, placed.get(cell)));
    const verdict = judge(this.game, placed);
    this.mark(verdict);
    return verdict;
  }

  mark({ fitting, broken, rim }) {
    const lines = fitting.flatMap((seam) => this.places(seam).flatMap((side) => this.line(side)));
    const crosses = broken.flatMap((seam) => this.places(seam)).concat(rim).map((side) => this.cross(side));
    this.marks.replaceChildren(...this.numbers(), ...lines, ...crosses);
  }

  /** Where a seam is seen: at one side, or at both where it is cut apart. */
  places([first, a, second, b]) {
    const is = ([c, s, d, t]) => c === first && s === a && d === second && t === b;
    const isCut = this.game.cuts.some((cut) => is(cut) || is([cut[2], cut[3], cut[0], cut[1]]));
    return isCut ? [[first, a], [second, b]] : [[first, a]];
  }

  line([cell, side]) {
    const { at } = geometry(this.game.cells[cell]);
    const [[x1, y1], [x2, y2]] = [at(side, -38, 0), at(side, 38, 0)];
    return ["fit-edge", "fit"].map((kind) => svg("line", { class: kind, x1, y1, x2, y2 }));
  }

  cross([cell, side]) {
    const [x, y] = geometry(this.game.cells[cell]).at(side, 0, 0);
    const cross = svg("g", { class: "misfit", transform: `translate(${x} ${y})` });
    cross.append(svg("circle", { r: 11 }), svg("path", { d: "M-6 -6L6 6M6 -6L-6 6" }));
    return cross;
  }

  /** The numbers of sides that touch though they are drawn apart. */
  numbers() {
    return this.game.cuts.flatMap(([first, a, second, b], number) =>
      [[first, a], [second, b]].map(([cell, side]) => {
        const [x, y] = geometry(this.game.cells[cell]).at(side, -38, 9);
        const text = svg("text", { x, y });
        text.textContent = number + 1;
        return text;
      }),
    );
  }
}

const ARROWS = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A board whose cells can be chosen. `act(cell, key)` is called for each click and each key, and
 * `began(event, cell)` where a pointer goes down. */
export class Board extends Picture {
  constructor(game, act, began) {
    super(game, `Board: ${game.board}`);
    this.act = act;
    this.began = began;
    this.here = 0;
    this.svg.setAttribute("aria-describedby", "keys");
    // A finger moves a tile, and scrolls the page elsewhere; `touch-action` is not heard inside an SVG.
    const keep = (event) => event.target.closest(".movable") && event.preventDefault();
    this.svg.addEventListener("touchmove", keep, { passive: false });
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  role() {
    return "group";
  }

  cell(cell, index) {
    const made = super.cell(cell, index);
    const { group } = made;
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", index === 0 ? 0 : -1);
    group.dataset.cell = index;
    group.addEventListener("click", () => this.act(index, "click"));
    group.addEventListener("pointerdown", (event) => this.began(event, index));
    group.addEventListener("focus", () => this.move(index));
    return made;
  }

  /** One cell is reached by Tab; arrows lead to the others. */
  move(cell) {
    this.cells[this.here].group.setAttribute("tabindex", -1);
    this.here = cell;
    this.cells[cell].group.setAttribute("tabindex", 0);
  }

  focus(cell = this.here) {
    this.cells[cell].group.focus();
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

  /** Draws a game. */
  draw(play, taken, advice) {
    const verdict = this.show(play.placed);
    const wrong = new Set(verdict.broken.flatMap(([a, , b]) => [a, b]).concat(verdict.rim.map(([c]) => c)));
    this.game.cells.forEach((cell, index) => {
      const { group, tile } = this.cells[index];
      const placed = play.placed.get(index);
      const words = [cell.name];
      if (!placed && !this.game.rows) {
        this.write(index, cell.name);
      }
      words.push(placed ? spoken(this.game, placed.tile, placed.lies) : "empty");
      if (play.given.has(index)) {
        words.push("given");
        tile.append(svg("circle", { class: "pin", cx: cell.x, cy: cell.y - 22, r: 6 }));
      }
      if (wrong.has(index)) {
        words.push("does not fit");
      }
      group.setAttribute("aria-label", words.join(", "));
      group.classList.toggle("movable", placed !== undefined && !play.given.has(index));
      group.classList.toggle("taken", placed !== undefined && placed.tile === taken);
      group.classList.toggle("advised", advice.placed === index);
      group.classList.toggle("doubted", advice.doubted?.includes(index) ?? false);
    });
    this.svg.classList.toggle("solved", verdict.fits);
    return verdict;
  }
}

/** A tile that follows the pointer. */
export function ghost(game, tile, lies, size) {
  const { face, rotation } = orientation(game.tiles[tile], lies);
  const image = el("img", { class: "ghost", src: pictureOf(game, tile, face), alt: "", width: size, height: size });
  const degrees = (-rotation * 360) / sidesOf(game.tiles[tile]);
  const move = (x, y) => {
    image.style.transform = `translate(${x - size / 2}px, ${y - size / 2}px) rotate(${degrees}deg)`;
  };
  document.body.append(image);
  return { move, remove: () => image.remove() };
}
