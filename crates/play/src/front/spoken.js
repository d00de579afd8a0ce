// Names of cells and sides, as they are said.
import { t } from "./words.js";

/** What a puzzle is called; the server calls a text without a name `entered`. */
export function titleOf(game) {
  return game.title === "entered" ? t("my-cards") : game.title;
}

/** What a board is called. */
export function boardWords(board) {
  const [, rows, columns] = /^(\d+) × (\d+) grid$/.exec(board) ?? [];
  const [, cells] = /^board of (\d+) cells$/.exec(board) ?? [];
  return rows ? t("grid", rows, columns) : cells ? t("board-of-cells", cells) : (t("boards")[board] ?? board);
}

/** A cell's name. */
export function cellName(game, cell) {
  if (game.rows === undefined) {
    return game.cells[cell].name;
  }
  const [, row, column] = /^row (\d+), column (\d+)$/.exec(game.cells[cell].name) ?? [];
  return row === undefined ? game.cells[cell].name : t("at", row, column);
}

/** A side of a cell: left, right, above, below where it has four and lies upright; else its number. */
export function sideName(game, cell, side) {
  const { sides, turn } = game.cells[cell];
  const quarters = Math.round(turn / 90);
  const isUpright = sides === 4 && Math.abs(turn - quarters * 90) < 1;
  return isUpright ? t("sides")[(((side + quarters) % 4) + 4) % 4] : t("side", side + 1);
}
