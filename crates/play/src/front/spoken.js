// Names of cells and sides in words.
import { everywhere, t } from "./words.js";

/** The title of a puzzle; the server calls a text without a name `entered`. */
export function titleOf(game) {
  return game.title === "entered" ? t("my-cards") : game.title;
}

/** The name of an edge; one that a program numbered is named in words. */
export function edgeName(name) {
  const [, number, half] = /^(?:img|c)(\d+)([+-]?)$/.exec(name) ?? [];
  return number === undefined ? name : [t("image", number), t("half-signs")[half]].filter(Boolean).join(" ");
}

/** A remark about a puzzle. */
export function remarkWords({ code, tile, message }) {
  const words = t("remarks")[code]?.(message) ?? message;
  // An image with one half is on many tiles.
  return tile === undefined || code === "one-half" ? words : t("of-tile", tile, words);
}

/** The foremost remarks about a puzzle: one of each sort, at most two, a proof that there is no solution first. */
export function foremost(remarks) {
  const isFirst = ({ code }, place) => remarks.findIndex((one) => one.code === code) === place;
  return remarks.filter(isFirst).sort(({ code }, other) => (other.code === "few-pairs") - (code === "few-pairs")).slice(0, 2);
}

/** Why a search ended without an answer. */
export function reasonWords({ code, why }) {
  return t("reasons")[code] ?? why;
}

/** Why a request is refused. */
export function refusalWords({ code, message }) {
  return t("refusals")[code] ?? message;
}

/** A mistake that may have been made on a card, as a question. */
export function slipWords({ kind, changes }) {
  const sides = changes.map(({ side, sides, is_back }) => {
    const name = sides === 4 ? t("sides")[side] : t("side", side + 1);
    return is_back ? t("of-back", name) : name;
  });
  const words = t("slips")[kind];
  return words ? words([...new Set(sides)]) : changes.map(({ typed, instead }, at) => t("slip", sides[at], typed, instead)).join("; ");
}

/** The description of a board with the words of a language: by a pattern with numbers, or as a whole. */
function described(board, patterns, names) {
  for (const [pattern, words] of patterns) {
    const [, ...numbers] = pattern.exec(board) ?? [];
    if (numbers.length > 0) {
      return words(...numbers);
    }
  }
  return names[board] ?? board;
}

/** The description of a board. */
export function boardWords(board) {
  return described(board, t("board-patterns"), t("boards"));
}

/** The descriptions of a board in all languages. */
export function boardNames(board) {
  const names = everywhere("boards");
  return everywhere("board-patterns").map((patterns, language) => described(board, patterns, names[language]));
}

/** The row and the place in it of a cell whose name is `r` and `c` with numbers. */
const IN_ROW = /^r(\d+)c(\d+)$/;

/** The name of a cell. */
export function cellName(game, cell) {
  const { name } = game.cells[cell];
  const [, row, column] = /^row (\d+), column (\d+)$/.exec(name) ?? [];
  if (row !== undefined) {
    return t("at", row, column);
  }
  const [, line] = IN_ROW.exec(name) ?? [];
  if (line !== undefined) {
    const place = game.cells.slice(0, cell + 1).filter((one) => one.name.startsWith(`r${line}c`)).length;
    return t("in-row", line, place);
  }
  const face = t("faces")[name];
  return /^\d+$/.test(name) ? t("face", name) : face ? t("on-face", face) : name;
}

/** What an empty cell shows: a name or number that the puzzle's author or the shape gives, if any. */
export function nameOnBoard(game, cell) {
  const { name } = game.cells[cell];
  return IN_ROW.test(name) ? "" : (t("faces")[name] ?? name);
}

/** The name of a side: left, right, above or below in an upright square cell; otherwise its number. */
export function sideName(game, cell, side) {
  const { sides, turn } = game.cells[cell];
  const quarters = Math.round(turn / 90);
  const isUpright = sides === 4 && Math.abs(turn - quarters * 90) < 1;
  return isUpright ? t("sides")[(((side + quarters) % 4) + 4) % 4] : t("side", side + 1);
}
