// The orientation of tiles. The number of an orientation is its rotation, in counter-clockwise steps, and the
// number of sides more where the back is up.
import { t } from "./words.js";

/** Sides of a tile. */
export function sidesOf(tile) {
  return tile.faces[0].edges.length;
}

/** The face that is up, and the rotation. */
export function orientation(tile, number) {
  const sides = sidesOf(tile);
  return { face: Math.floor(number / sides), rotation: number % sides };
}

/** What each side shows, counter-clockwise from the right: indices of labels. */
export function shown(tile, number) {
  const sides = sidesOf(tile);
  const { face, rotation } = orientation(tile, number);
  const edges = tile.faces[face].edges;
  return edges.map((_, side) => edges[(side - rotation + sides) % sides]);
}

/** How a tile lies that lay so and was moved then; both are numbers. */
export function moved(number, motion, sides) {
  const [face, rotation] = [Math.floor(number / sides), number % sides];
  const [over, steps] = [Math.floor(motion / sides), motion % sides];
  return over
    ? (1 - face) * sides + ((sides - rotation + steps) % sides)
    : face * sides + ((rotation + steps) % sides);
}

/** Turned by so many counter-clockwise steps. */
export function turned(tile, number, steps) {
  const sides = sidesOf(tile);
  return moved(number, ((steps % sides) + sides) % sides, sides);
}

/** Turned over about the vertical axis; the same where it has no back. */
export function turnedOver(tile, number) {
  const sides = sidesOf(tile);
  return tile.faces.length < 2 ? number : moved(number, sides, sides);
}

/** A tile in words, as a screen reader says it. */
export function spoken(game, index, number) {
  const tile = game.tiles[index];
  const names = shown(tile, number).map((label) => game.labels[label].name);
  const { face, rotation } = orientation(tile, number);
  const edges = names.length === 4 ? names.map((name, side) => `${t("sides")[side]} ${name}`) : names;
  const up = tile.faces.length > 1 ? `, ${t(face ? "back-up" : "front-up")}` : "";
  return `${t("tile", tile.name)}${up}, ${t("rotation", rotation)}: ${edges.join(", ")}`;
}
