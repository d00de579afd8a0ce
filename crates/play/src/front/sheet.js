// The picture of all faces of a puzzle's tiles: drawn once as a bitmap, of which every tile shows a part.
import { el, pictureUrl } from "./dom.js";

/** The sides of a face and of the whole bitmap, at most, in pixels. */
const MOST_A_FACE = 400;
const MOST = 2000;

/** Draws the sheet of a game, which must be done before its tiles are shown. */
export async function drawSheet({ sheet, tiles }) {
  const image = new Image();
  image.src = pictureUrl(sheet.svg);
  await image.decode();
  const [width, height] = sheet.size;
  const scale = Math.min(MOST_A_FACE / (2 * tiles[0].faces[0].reach), MOST / Math.max(width, height));
  sheet.bitmap = el("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
  sheet.bitmap.getContext("2d").drawImage(image, 0, 0, sheet.bitmap.width, sheet.bitmap.height);
  const blob = await new Promise((resolve) => sheet.bitmap.toBlob(resolve, "image/png"));
  sheet.url = URL.createObjectURL(blob);
}

/** Frees the memory of a sheet. */
export function dropSheet({ sheet }) {
  URL.revokeObjectURL(sheet.url);
}

/** Paints the face of a tile in rotation 0 around the origin of a canvas. */
export function paintFace(pen, game, tile, face) {
  const { corner, reach } = game.tiles[tile].faces[face];
  const { bitmap, size } = game.sheet;
  const part = [...corner, 2 * reach, 2 * reach].map((length) => (length * bitmap.width) / size[0]);
  pen.drawImage(bitmap, ...part, -reach, -reach, 2 * reach, 2 * reach);
}

/** The face of a tile in rotation 0, as an element whose size the style sheet sets. */
export function faceOf(game, tile, face) {
  const { corner, reach } = game.tiles[tile].faces[face];
  const [width, height] = game.sheet.size;
  const made = el("i", { class: "face" });
  const side = 2 * reach;
  const share = (from, all) => (all > side ? (100 * from) / (all - side) : 0);
  made.style.background = `url(${game.sheet.url}) ${share(corner[0], width)}% ${share(corner[1], height)}% / ${(100 * width) / side}% ${(100 * height) / side}%`;
  return made;
}
