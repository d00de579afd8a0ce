// Encodes a position in the letters of an address: one number per cell, in order, all with the same number of
// bits; six bits per letter, the highest first. The number is 0 for an empty cell; otherwise it is twice the
// index of the placement plus 1, plus 1 again if the tile is given. Trailing zeros are omitted.
import { sidesOf } from "./orientation.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The maximum number of orientations of a tile. */
function orientations(game) {
  return Math.max(...game.tiles.map(({ looks }) => looks.length));
}

function bitsOf(game) {
  return Math.ceil(Math.log2(1 + 2 * game.tiles.length * orientations(game)));
}

/** Encodes the placed tiles and the cells with given tiles. */
export function encoded(game, { placed, given }) {
  const [most, bits] = [orientations(game), bitsOf(game)];
  let binary = "";
  game.cells.forEach((_, cell) => {
    const there = placed.get(cell);
    const number = there ? 1 + 2 * (there.tile * most + there.lies) + (given.has(cell) ? 1 : 0) : 0;
    binary += number.toString(2).padStart(bits, "0");
  });
  const letters = (binary + "00000").match(/.{6}/g) ?? [];
  return letters.map((six) => LETTERS[parseInt(six, 2)]).join("").replace(/A+$/, "");
}

/** Decodes a position. Throws if it is not valid for this puzzle. */
export function decoded(game, text) {
  const [most, bits] = [orientations(game), bitsOf(game)];
  const all = bits * game.cells.length;
  const binary = [...text].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(6, "0")).join("");
  const isLetters = /^[\w-]*$/.test(text);
  if (!isLetters || /1/.test(binary.slice(all))) {
    throw new Error("a position of another puzzle");
  }
  const placed = new Map();
  const given = new Set();
  const used = new Set();
  game.cells.forEach(({ sides }, cell) => {
    const number = parseInt(binary.slice(cell * bits, (cell + 1) * bits).padEnd(bits, "0"), 2);
    if (number === 0) {
      return;
    }
    const placement = Math.floor((number - 1) / 2);
    const [tile, lies] = [Math.floor(placement / most), placement % most];
    const definition = game.tiles[tile];
    if (!definition || (definition.looks[lies] ?? null) === null || sidesOf(definition) !== sides || used.has(tile)) {
      throw new Error("a position of another puzzle");
    }
    used.add(tile);
    placed.set(cell, { tile, lies });
    if ((number - 1) % 2) {
      given.add(cell);
    }
  });
  return { placed, given };
}
