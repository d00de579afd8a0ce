// The boards for which cards can be entered, and the shapes of their cards.

const ends = (wrap) => (rows, columns) => `board: {grid: [${rows}, ${columns}], wrap: ${wrap}}\n`;
const solid = (name, cells, sides) => ({ name, sides, number: () => cells, text: () => `board: ${name}\n` });

/** The boards: name, sides per card, number of cards, and text in the puzzle file. */
export const SHAPES = [
  { name: "grid", sides: 4, isSized: true, number: (rows, columns) => rows * columns, text: (rows, columns) => `rows: ${rows}\ncols: ${columns}\n` },
  { name: "cylinder", sides: 4, isSized: true, number: (rows, columns) => rows * columns, text: ends("horizontal") },
  { name: "torus", sides: 4, isSized: true, number: (rows, columns) => rows * columns, text: ends("both") },
  { name: "hexagons", sides: 6, isSized: true, number: (rows, columns) => rows * columns, text: (rows, columns) => `board: {hexagons: [${rows}, ${columns}]}\n` },
  { name: "triangles", sides: 3, isSized: true, number: (rows, columns) => rows * columns, text: (rows, columns) => `board: {triangles: [${rows}, ${columns}]}\n` },
  solid("cube", 6, 4),
  solid("tetrahedron", 4, 3),
  solid("octahedron", 8, 3),
  solid("dodecahedron", 12, 5),
  solid("icosahedron", 20, 3),
];

export function shapeNamed(name) {
  return SHAPES.find((shape) => shape.name === name) ?? SHAPES[0];
}

const SIDE = 100;

/** The geometry of a card with this number of sides: `apothem`, `reach`, and for each side the angle in
 * degrees and the wedge. */
export function wedgesOf(sides) {
  const step = 360 / sides;
  const apothem = SIDE / 2 / Math.tan(Math.PI / sides);
  const corner = (angle) => {
    const radius = SIDE / 2 / Math.sin(Math.PI / sides);
    const radians = (angle * Math.PI) / 180;
    return `${(radius * Math.cos(radians)).toFixed(2)},${(-radius * Math.sin(radians)).toFixed(2)}`;
  };
  const wedges = Array.from({ length: sides }, (_, side) => {
    const angle = side * step + (sides === 3 ? 30 : 0);
    return { angle, points: `${corner(angle - step / 2)} ${corner(angle + step / 2)} 0,0` };
  });
  const reach = sides === 4 ? SIDE / 2 : SIDE / 2 / Math.sin(Math.PI / sides);
  return { apothem, reach, wedges };
}

/** The sides of a card in reading order: clockwise from the top one; of two top sides, from the right one. */
export function readingOrder(sides) {
  const heights = wedgesOf(sides).wedges.map(({ angle }) => Math.sin((angle * Math.PI) / 180));
  const highest = Math.max(...heights);
  const top = heights.findIndex((height) => height > highest - 1e-9);
  return heights.map((_, place) => (top - place + sides) % sides);
}
