// Saving files: the puzzle, and a picture of the board.
import { dialog } from "./dialog.js";
import { byId, el } from "./dom.js";
import { orientation, sidesOf } from "./orientation.js";
import { faceOf, paintFace, sharpen } from "./sheet.js";
import { t } from "./words.js";

/** The maximum length of a picture's longer side and of a tile's side, in pixels. */
const LONGEST = 2400;
const MOST_A_TILE = 300;

function save(blob, name) {
  const url = URL.createObjectURL(blob);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function nameOf(game, ending) {
  const name = game.name === "entered" ? game.title : game.name;
  return `${name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80) || "puzzle"}.${ending}`;
}

export function saveText(game, text) {
  save(new Blob([text], { type: "application/yaml" }), nameOf(game, "yaml"));
}

/** Asks what to print: the board, or the tiles to cut out; then prints it. */
export function askPrint(game) {
  const print = async (isCutting) => {
    box.close();
    await sharpen(game);
    const faces = isCutting ? game.tiles.flatMap(({ faces }, tile) => faces.map((_, face) => faceOf(game, tile, face))) : [];
    byId("cut-outs").replaceChildren(...faces);
    document.body.classList.toggle("cutting", isCutting);
    addEventListener("afterprint", () => document.body.classList.remove("cutting"), { once: true });
    window.print();
  };
  const choices = [["print-board", false], ["print-tiles", true]].map(([words, isCutting]) =>
    el("button", { type: "button", id: words, onclick: () => print(isCutting) }, t(words)));
  const box = dialog(t("print"), [el("div", { class: "buttons" }, ...choices)], null, null);
  box.classList.add("small");
}

/** Saves the board as a PNG. */
export async function savePicture(game, placed, drawn) {
  await sharpen(game);
  const [width, height] = game.size;
  const scale = Math.min(LONGEST / Math.max(width, height), MOST_A_TILE / 100);
  const canvas = el("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  for (const ground of drawn.querySelectorAll(".ground")) {
    const corners = ground.getAttribute("points").split(" ").map((corner) => corner.split(",").map(Number));
    context.beginPath();
    corners.forEach(([x, y]) => context.lineTo(x, y));
    context.closePath();
    context.fillStyle = "#eee9dd";
    context.fill();
    context.strokeStyle = "#8a857b";
    context.stroke();
  }
  for (const [cell, { tile, lies }] of placed) {
    const definition = game.tiles[tile];
    const { face, rotation } = orientation(definition, lies);
    const { x, y, turn } = game.cells[cell];
    context.save();
    context.translate(x, y);
    context.rotate((-(turn + (rotation * 360) / sidesOf(definition)) * Math.PI) / 180);
    paintFace(context, game, tile, face);
    context.restore();
  }
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  save(blob, nameOf(game, "png"));
}
