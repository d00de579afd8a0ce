// A picture of a board with placed tiles.
import { pictureUrl, svg } from "./dom.js";
import { orientation, sidesOf } from "./orientation.js";
import { wedges } from "./wedges.js";

const SIDE = 100;

/** The geometry of a cell, in units of the drawing. */
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
  return { at };
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

/** The picture of a tile in rotation 0. */
export function pictureOf(game, tile, face) {
  const side = game.tiles[tile].faces[face];
  if (game.hasWedges) {
    side.wedges ??= pictureUrl(wedges(game, side.edges, side.reach));
    return side.wedges;
  }
  side.url ??= pictureUrl(side.picture);
  return side.url;
}

/** A picture of a board. */
export class Picture {
  constructor(game, label) {
    this.game = game;
    const [width, height] = game.size;
    this.ground = svg("g", { role: "presentation" });
    this.marks = svg("g", { class: "mark", "aria-hidden": "true" });
    const numbers = svg("g", { class: "mark", "aria-hidden": "true" }, ...this.numbers());
    this.svg = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: this.role(), "aria-label": label });
    this.svg.append(this.ground, numbers, this.marks);
    this.cells = game.cells.map((cell, index) => this.cell(cell, index));
    this.arrange();
  }

  role() {
    return "img";
  }

  arrange() {
    this.ground.append(...this.cells.map(({ group }) => group));
  }

  cell(cell) {
    const group = svg("g", { class: "cell" });
    const ground = svg("polygon", { class: "ground", points: points(cell, 0) });
    const tile = svg("g");
    const ring = svg("polygon", { class: "ring", points: points(cell, 4) });
    group.append(ground, tile, ring);
    return { group, tile, shown: "", image: null, angle: 0 };
  }

  /** Draws a tile in a cell, or clears the cell; does nothing if that is already shown. */
  put(cell, placed, forced = false) {
    const drawn = this.cells[cell];
    const key = placed ? `${placed.tile}/${placed.lies}/${forced}` : "";
    if (drawn.shown === key) {
      return;
    }
    drawn.shown = key;
    if (!placed) {
      drawn.tile.replaceChildren();
      drawn.image = null;
      return;
    }
    const definition = this.game.tiles[placed.tile];
    const { face, rotation } = orientation(definition, placed.lies);
    const { x, y, turn } = this.game.cells[cell];
    const url = pictureOf(this.game, placed.tile, face);
    const angle = -turn - (rotation * 360) / sidesOf(definition);
    if (drawn.image?.getAttribute("href") !== url) {
      const { reach } = definition.faces[face];
      drawn.image = svg("image", { href: url, x: -reach, y: -reach, width: 2 * reach, height: 2 * reach });
      drawn.tile.replaceChildren(drawn.image);
      drawn.angle = angle;
    }
    // Rotate in the shorter direction.
    drawn.angle = angle + 360 * Math.round((drawn.angle - angle) / 360);
    drawn.image.style.transform = `translate(${x}px, ${y}px) rotate(${drawn.angle}deg)`;
    drawn.image.classList.toggle("forced", forced);
  }

  /** Writes a text in a cell. */
  write(cell, text) {
    const drawn = this.cells[cell];
    if (drawn.shown === `"${text}"`) {
      return;
    }
    const { x, y } = this.game.cells[cell];
    const words = svg("text", { x, y });
    words.textContent = text;
    // Scale the text to about the width of the cell.
    words.style.fontSize = `${Math.min(22, 130 / String(text).length)}px`;
    drawn.tile.replaceChildren(words);
    drawn.image = null;
    drawn.shown = `"${text}"`;
  }

  /** Draws the placed tiles without marks. */
  show(placed) {
    this.game.cells.forEach((_, cell) => this.put(cell, placed.get(cell)));
    this.marks.replaceChildren();
  }

  /** The sides at which a seam is visible: one, or both if the seam is cut apart. */
  places([first, a, second, b]) {
    const is = ([c, s, d, t]) => c === first && s === a && d === second && t === b;
    const isCut = this.game.cuts.some((cut) => is(cut) || is([cut[2], cut[3], cut[0], cut[1]]));
    return isCut ? [[first, a], [second, b]] : [[first, a]];
  }

  /** A thin line along a side. */
  line([cell, side], kind) {
    const { at } = geometry(this.game.cells[cell]);
    const [[x1, y1], [x2, y2]] = [at(side, -44, 0), at(side, 44, 0)];
    return svg("line", { class: kind, x1, y1, x2, y2 });
  }

  /** A badge at the end of a side, next to the images that do not match. */
  badge([cell, side]) {
    const [x, y] = geometry(this.game.cells[cell]).at(side, -44, 0);
    const badge = svg("g", { class: "misfit", transform: `translate(${x} ${y})` });
    badge.append(svg("circle", { r: 7 }), svg("path", { d: "M-3 -3L3 3M3 -3L-3 3" }));
    return badge;
  }

  /** The numbers of sides that touch but are drawn apart. */
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
