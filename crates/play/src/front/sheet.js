// The picture of all faces of a puzzle's tiles: drawn once as a bitmap, of which every tile shows a part.
import { el, pictureUrl } from "./dom.js";

/** The sides of a face and of the whole bitmap, at most, in pixels. */
const MOST_A_FACE = 400;
const MOST = 2000;

/** The sheet of all faces, and its address once it is encoded. */
let shown = {};

/** Draws the sheet of a game, which must be done before its board is shown. The tiles beside the board show the
 * encoded sheet, which is ready later. */
export async function drawSheet({ sheet, tiles }) {
  const image = new Image();
  image.src = pictureUrl(sheet.svg);
  await image.decode();
  const [width, height] = sheet.size;
  const scale = Math.min(MOST_A_FACE / (2 * tiles[0].faces[0].reach), MOST / Math.max(width, height));
  sheet.bitmap = el("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
  sheet.bitmap.getContext("2d").drawImage(image, 0, 0, sheet.bitmap.width, sheet.bitmap.height);
  sheet.encoded = new Promise((resolve) => sheet.bitmap.toBlob(resolve, "image/png"));
}

/** Shows a sheet in all faces, in place of the one before. */
export async function showSheet({ sheet }) {
  document.documentElement.style.removeProperty("--sheet");
  URL.revokeObjectURL(shown.url);
  shown = { sheet };
  const blob = await sheet.encoded;
  if (shown.sheet === sheet) {
    shown.url = URL.createObjectURL(blob);
    document.documentElement.style.setProperty("--sheet", `url(${shown.url})`);
  }
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
  made.style.background = `var(--sheet) ${share(corner[0], width)}% ${share(corner[1], height)}% / ${(100 * width) / side}% ${(100 * height) / side}%`;
  return made;
}
