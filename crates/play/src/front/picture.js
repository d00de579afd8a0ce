// A picture of a board with placed tiles: a canvas for the tiles, below cells and marks as SVG.
import { el, svg } from "./dom.js";
import { fit } from "./game.js";
import { orientation, sidesOf } from "./orientation.js";
import { paintFace, paintSide, scaleOf, sharpen, sideWith } from "./sheet.js";

const SIDE = 100;

/** The longer side of the canvas, at most, in pixels. */
const MOST = 4096;

/** A board that is more times wider than high is long; its tiles have at least this side, in pixels. */
const LONG = 4;
const LEAST = 60;

/** Tiles that are enlarged more than this look blurred. */
const BLURRED = 1.25;

/** The duration of a turn, in milliseconds. */
const TURN = 150;

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

/** The corners of a cell, moved inwards. */
function corners(cell, inset) {
  const { at } = geometry(cell);
  const shrink = 1 - inset / (SIDE / 2);
  return Array.from({ length: Math.max(cell.sides, 3) }, (_, side) => {
    const [px, py] = at(side, -SIDE / 2, 0);
    return [cell.x + (px - cell.x) * shrink, cell.y + (py - cell.y) * shrink];
  });
}

function points(cell, inset) {
  return corners(cell, inset).map((corner) => corner.map((n) => n.toFixed(1)).join(",")).join(" ");
}

/** A picture of a board: `box` is the element to show. */
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
    // The style sheet lets the border shine through the ground of empty cells.
    this.border = game.border === undefined ? undefined : sideWith(game, game.labels.findIndex((_, label) => fit(game, label, game.border)));
    this.svg.classList.toggle("bordered", this.border !== undefined);
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.pen = this.canvas.getContext("2d");
    this.box = el("div", { class: game.rows ? "stage framed" : "stage" }, this.canvas, this.svg);
    this.box.style.setProperty("--ratio", width / height);
    this.box.style.setProperty("--units", width / SIDE);
    // A long row scrolls rather than shrinks.
    this.box.style.setProperty("--least", width > LONG * height ? `${(LEAST * width) / SIDE}px` : "0px");
    new ResizeObserver(() => this.fit()).observe(this.canvas);
  }

  role() {
    return "img";
  }

  arrange() {
    this.ground.append(...this.cells.map(({ group }) => group));
  }

  cell(cell) {
    const ground = svg("polygon", { class: "ground", points: points(cell, 0) });
    return { group: svg("g", { class: "cell empty" }, ground), shown: "", placed: null, ring: null, words: null };
  }

  /** Adds the ring of a cell, which most cells never show. */
  ringed(cell) {
    const drawn = this.cells[cell];
    if (drawn.ring === null) {
      drawn.ring = svg("polygon", { class: "ring", points: points(this.game.cells[cell], 4) });
      drawn.group.append(drawn.ring);
    }
  }

  /** Adjusts the resolution to the size on the screen. */
  fit() {
    const [width, height] = this.game.size;
    // In steps of a tenth, the squares of a grid begin and end at whole pixels.
    const wanted = Math.ceil((this.canvas.clientWidth * devicePixelRatio * 10) / width) / 10;
    const scale = Math.min(wanted, MOST / Math.max(width, height));
    if (scale > 0 && scale !== this.scale) {
      this.scale = scale;
      [this.canvas.width, this.canvas.height] = [Math.ceil(width * scale), Math.ceil(height * scale)];
      this.paintAll();
      if (scale > BLURRED * scaleOf(this.game.sheet)) {
        sharpen(this.game).then(() => this.paintAll());
      }
    }
  }

  paintAll() {
    this.game.cells.forEach((_, cell) => this.paint(cell));
  }

  /** Draws a tile in a cell, or clears the cell; does nothing if that is already shown. */
  put(cell, placed, forced = false) {
    const drawn = this.cells[cell];
    const key = placed ? `${placed.tile}/${placed.lies}/${forced}` : "";
    if (drawn.shown === key) {
      return;
    }
    const before = drawn.placed;
    drawn.shown = key;
    drawn.placed = placed ? { ...placed, forced } : null;
    drawn.words?.remove();
    drawn.words = null;
    drawn.group.classList.toggle("empty", !placed);
    if (before && placed && before.tile === placed.tile && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.turn(cell, this.angleOf(before));
    } else {
      this.paint(cell);
    }
  }

  /** The rotation of a placed tile in degrees, clockwise, relative to its cell. */
  angleOf({ tile, lies }) {
    const definition = this.game.tiles[tile];
    return (-orientation(definition, lies).rotation * 360) / sidesOf(definition);
  }

  /** Animates a tile from an angle to its own, in the shorter direction. */
  turn(cell, from) {
    const { placed } = this.cells[cell];
    const to = this.angleOf(placed);
    const way = ((to - from + 540) % 360) - 180;
    const began = performance.now();
    const step = () => {
      if (this.cells[cell].placed !== placed) {
        return;
      }
      const part = Math.min(1, (performance.now() - began) / TURN);
      this.paint(cell, to - way * (1 - part) ** 2);
      if (part < 1) {
        requestAnimationFrame(step);
      }
    };
    step();
  }

  /** Paints a cell of the canvas. */
  paint(cell, angle) {
    if (!this.scale) {
      return;
    }
    const { pen, scale } = this;
    const { placed } = this.cells[cell];
    const shape = this.game.cells[cell];
    pen.save();
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.beginPath();
    corners(shape, 0).forEach((corner) => pen.lineTo(...corner));
    pen.clip();
    pen.clearRect(0, 0, ...this.game.size);
    if (placed) {
      pen.translate(shape.x, shape.y);
      pen.rotate((((angle ?? this.angleOf(placed)) - shape.turn) * Math.PI) / 180);
      pen.globalAlpha = placed.forced ? 0.55 : 1;
      paintFace(pen, this.game, placed.tile, orientation(this.game.tiles[placed.tile], placed.lies).face);
    } else if (this.border) {
      this.paintBorder(cell);
    }
    pen.restore();
  }

  /** Paints what the sides of an empty cell along the rim must show. */
  paintBorder(cell) {
    const { pen } = this;
    const { sides, x, y, turn } = this.game.cells[cell];
    for (const [, side] of this.game.rim.filter(([there]) => there === cell)) {
      pen.save();
      pen.translate(x, y);
      pen.rotate((-(turn + (side * 360) / sides) * Math.PI) / 180);
      paintSide(pen, this.game, this.border);
      pen.restore();
    }
  }

  /** The size of a tile's picture on the screen, in pixels. */
  sizeOf(tile) {
    const { a } = this.svg.getScreenCTM();
    return 2 * this.game.tiles[tile].faces[0].reach * a;
  }

  /** Writes a text in a cell. */
  write(cell, text) {
    const drawn = this.cells[cell];
    if (drawn.shown === `"${text}"`) {
      return;
    }
    this.put(cell, null);
    const { x, y } = this.game.cells[cell];
    drawn.words = svg("text", { x, y });
    drawn.words.textContent = text;
    // Scale the text to about the width of the cell.
    drawn.words.style.fontSize = `${Math.min(22, 130 / String(text).length)}px`;
    drawn.group.append(drawn.words);
    drawn.shown = `"${text}"`;
  }

  /** Draws the placed tiles without marks. */
  show(placed) {
    this.game.cells.forEach((_, cell) => this.put(cell, placed.get(cell)));
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
