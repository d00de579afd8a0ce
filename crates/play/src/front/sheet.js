// The picture of all faces of a puzzle's tiles: drawn once as a bitmap, of which every tile shows a part.
import { el, pictureUrl } from "./dom.js";

/** The longest sides of a face, of the bitmap for a board on the screen, and of the bitmap for zoomed and
 * printed boards; in pixels. */
const MOST_A_FACE = 400;
const ON_SCREEN = 1200;
const LARGEST = 3200;

/** Many small canvases that are drawn once cost less without the graphics card. */
const PLAIN = { willReadFrequently: true };

/** Draws the sheet of a game, which must be done before any of its tiles is shown. */
export async function drawSheet({ sheet, tiles }, most = Math.min(LARGEST, ON_SCREEN * devicePixelRatio)) {
  const image = new Image();
  image.src = pictureUrl(sheet.svg);
  await image.decode();
  const [width, height] = sheet.size;
  const scale = Math.min(MOST_A_FACE / (2 * tiles[0].faces[0].reach), most / Math.max(width, height));
  sheet.bitmap = el("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
  sheet.bitmap.getContext("2d", PLAIN).drawImage(image, 0, 0, sheet.bitmap.width, sheet.bitmap.height);
}

/** Draws the sheet again with more pixels, if it was not yet, for a board that is zoomed, saved or printed. */
export async function sharpen(game) {
  if (!game.sheet.isSharp) {
    game.sheet.isSharp = true;
    await drawSheet(game, LARGEST);
  }
}

/** The number of pixels per unit of the drawing. */
export function scaleOf({ bitmap, size }) {
  return bitmap.width / size[0];
}

/** Paints the face of a tile in rotation 0 around the origin of a canvas. */
export function paintFace(pen, game, tile, face) {
  const { corner, reach } = game.tiles[tile].faces[face];
  const part = [...corner, 2 * reach, 2 * reach].map((length) => length * scaleOf(game.sheet));
  pen.drawImage(game.sheet.bitmap, ...part, -reach, -reach, 2 * reach, 2 * reach);
}

/** A side that shows a label, as tile, face and side; `undefined` if no tile does. */
export function sideWith({ tiles }, label) {
  for (const [tile, { faces }] of tiles.entries()) {
    for (const [face, { edges }] of faces.entries()) {
      if (edges.includes(label)) {
        return { tile, face, side: edges.indexOf(label), sides: edges.length };
      }
    }
  }
}

/** Paints the part of a tile at a side: with the tile's middle at the origin, and the side on the right. What is
 * around the middle, such as the tile's number, is left out. */
export function paintSide(pen, game, { tile, face, side, sides }) {
  const apothem = 50 / Math.tan(Math.PI / sides);
  pen.save();
  pen.beginPath();
  const inner = 0.36;
  [[inner * apothem, -50 * inner], [apothem, -50], [apothem, 50], [inner * apothem, 50 * inner]].forEach((corner) => pen.lineTo(...corner));
  pen.clip();
  pen.rotate((side * 2 * Math.PI) / sides);
  paintFace(pen, game, tile, face);
  pen.restore();
}

/** The picture of a side, at the lower edge. */
export function pictureOf(game, place) {
  const made = el("canvas", { class: "edge", width: 120, height: 60 });
  const pen = made.getContext("2d", PLAIN);
  pen.setTransform(1.2, 0, 0, 1.2, 60, 60 - 60 / Math.tan(Math.PI / place.sides));
  pen.rotate(Math.PI / 2);
  paintSide(pen, game, place);
  return made;
}

/** The face of a tile in rotation 0, as an element whose size the style sheet sets. */
export function faceOf(game, tile, face) {
  const { reach } = game.tiles[tile].faces[face];
  const scale = scaleOf(game.sheet);
  const side = Math.round(2 * reach * scale);
  const made = el("canvas", { class: "face", width: side, height: side });
  made.style.setProperty("--units", (2 * reach) / 100);
  const pen = made.getContext("2d", PLAIN);
  pen.setTransform(scale, 0, 0, scale, side / 2, side / 2);
  paintFace(pen, game, tile, face);
  return made;
}
