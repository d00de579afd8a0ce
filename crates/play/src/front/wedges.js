// Tiles in the style that players of large framed boards prefer: a coloured wedge per edge, with a figure.

/** Well-distributed colours: hues a golden angle apart, in three lightnesses. */
function colour(number) {
  const lightness = [52, 36, 70][Math.floor(number / 8) % 3];
  return `hsl(${Math.round((number * 137.508) % 360)} 70% ${lightness}%)`;
}

const FIGURES = [
  "M0 -13L13 0L0 13L-13 0Z",
  "M-11 -11H11V11H-11Z",
  "M0 -13A13 13 0 1 1 0 13A13 13 0 1 1 0 -13Z",
  "M-4 -13H4V-4H13V4H4V13H-4V4H-13V-4H-4Z",
  "M0 -14L4 -4L14 0L4 4L0 14L-4 4L-14 0L-4 -4Z",
  "M-13 -6H13V6H-13Z",
  "M-6 -13H6V13H-6Z",
];

/** The index of the colour and figure of a label; both halves of an image share it. */
function motif(game, label) {
  const pair = Math.min(label, game.labels[label].mate);
  const order = game.labels.map((_, index) => index).filter((index) => index !== game.border && index <= game.labels[index].mate);
  return order.indexOf(pair);
}

/** Draws a face as an SVG document. */
export function wedges(game, edges, reach) {
  const sides = edges.length;
  const apothem = 50 / Math.tan(Math.PI / sides);
  const parts = edges.map((label, side) => {
    const wedge = `M0 0L${apothem} 50V-50Z`;
    const turn = `rotate(${(-side * 360) / sides})`;
    if (label === game.border) {
      return `<path d="${wedge}" transform="${turn}" fill="#8b8f96" stroke="#222"/>`;
    }
    if (game.labels[label].name === "?") {
      return `<g transform="${turn}"><path d="${wedge}" fill="#fff" stroke="#222"/><text x="${0.62 * apothem}" y="7" font-size="20" text-anchor="middle">?</text></g>`;
    }
    const number = motif(game, label);
    const isHalf = game.labels[label].mate !== label;
    const shift = isHalf ? (label < game.labels[label].mate ? 7 : -7) : 0;
    const figure = `<path d="${FIGURES[number % FIGURES.length]}" transform="translate(${apothem} ${shift})" fill="${colour(number * 5 + 3)}" stroke="#222"/>`;
    return `<g transform="${turn}" clip-path="url(#w)"><path d="${wedge}" fill="${colour(number)}" stroke="#222"/>${figure}</g>`;
  });
  const size = 2 * reach;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-reach} ${-reach} ${size} ${size}" width="${size}" height="${size}">` +
    `<clipPath id="w"><path d="M0 0L${apothem} 50V-50Z"/></clipPath>${parts.join("")}</svg>`
  );
}
