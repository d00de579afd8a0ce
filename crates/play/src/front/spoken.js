// Names of cells and sides in words.
import { t } from "./words.js";

/** The title of a puzzle; the server calls a text without a name `entered`. */
export function titleOf(game) {
  return game.title === "entered" ? t("my-cards") : game.title;
}

/** The description of a board. */
export function boardWords(board) {
  const [, rows, columns] = /^(\d+) × (\d+) grid$/.exec(board) ?? [];
  const [, cells] = /^board of (\d+) cells$/.exec(board) ?? [];
  return rows ? t("grid", rows, columns) : cells ? t("board-of-cells", cells) : (t("boards")[board] ?? board);
}

/** The name of a cell. */
export function cellName(game, cell) {
  if (game.rows === undefined) {
    return game.cells[cell].name;
  }
  const [, row, column] = /^row (\d+), column (\d+)$/.exec(game.cells[cell].name) ?? [];
  return row === undefined ? game.cells[cell].name : t("at", row, column);
}

/** The name of a side: left, right, above or below in an upright square cell; otherwise its number. */
export function sideName(game, cell, side) {
  const { sides, turn } = game.cells[cell];
  const quarters = Math.round(turn / 90);
  const isUpright = sides === 4 && Math.abs(turn - quarters * 90) < 1;
  return isUpright ? t("sides")[(((side + quarters) % 4) + 4) % 4] : t("side", side + 1);
}
