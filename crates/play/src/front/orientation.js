// Orientations of tiles. The index of an orientation is its rotation, in counter-clockwise steps, plus the
// number of sides if the back is up.
import { edgeName } from "./spoken.js";
import { t } from "./words.js";

/** The number of sides of a tile. */
export function sidesOf(tile) {
  return tile.faces[0].edges.length;
}

/** The face that is up, and the rotation. */
export function orientation(tile, number) {
  const sides = sidesOf(tile);
  return { face: Math.floor(number / sides), rotation: number % sides };
}

/** The labels of the sides, counter-clockwise from the right. */
export function shown(tile, number) {
  const sides = sidesOf(tile);
  const { face, rotation } = orientation(tile, number);
  const edges = tile.faces[face].edges;
  return edges.map((_, side) => edges[(side - rotation + sides) % sides]);
}

/** The orientation after a motion; both are indices. */
export function moved(number, motion, sides) {
  const [face, rotation] = [Math.floor(number / sides), number % sides];
  const [over, steps] = [Math.floor(motion / sides), motion % sides];
  return over
    ? (1 - face) * sides + ((sides - rotation + steps) % sides)
    : face * sides + ((rotation + steps) % sides);
}

/** The orientation after a number of counter-clockwise steps. */
export function turned(tile, number, steps) {
  const sides = sidesOf(tile);
  return moved(number, ((steps % sides) + sides) % sides, sides);
}

/** The orientation after turning over about the vertical axis; unchanged if the tile has no back. */
export function turnedOver(tile, number) {
  const sides = sidesOf(tile);
  return tile.faces.length < 2 ? number : moved(number, sides, sides);
}

/** Describes a tile for screen readers. */
export function spoken(game, index, number) {
  const tile = game.tiles[index];
  const names = shown(tile, number).map((label) => edgeName(game.labels[label].name));
  const { face, rotation } = orientation(tile, number);
  const edges = names.length === 4 ? names.map((name, side) => `${t("sides")[side]} ${name}`) : names;
  const up = tile.faces.length > 1 ? `, ${t(face ? "back-up" : "front-up")}` : "";
  return `${t("tile", tile.name)}${up}, ${t("rotation", rotation)}: ${edges.join(", ")}`;
}
