// Searching, sorting and choosing puzzles of a list.
import { boardNames } from "./spoken.js";
import { everywhere } from "./words.js";

/** The ratings of puzzles, the easiest first. */
export const DIFFICULTIES = ["easy", "medium", "hard"];

/** The rating of a puzzle without a solution. */
export const IMPOSSIBLE = "impossible";

/** The sections of the list. */
export const KINDS = ["classic", "framed", "shapes", "solids", "large", "more"];

/** The number of puzzles to start with. */
const STARTERS = 6;

/** The text of a puzzle that a search looks in: its names, board and difficulty in all languages. */
export function searchText({ title, name, board, kind, difficulty }) {
  const size = board.replaceAll(" × ", "x");
  return [title, name, size, ...boardNames(board), ...everywhere(`${kind}-search`), ...(difficulty ? everywhere(difficulty) : [])].join(" ");
}

/** Returns true if a text contains every word of a search, in any order, ignoring case. */
export function matches(search, text) {
  const lower = text.toLowerCase();
  return search.toLowerCase().split(/\s+/).every((word) => lower.includes(word));
}

/** Sorts by keys: numbers by value, with any number of digits; texts alphabetically with numbers by value,
 * so that 2 comes before 10. Items without a key come last. */
export function sortedBy(list, keyOf) {
  const isNumber = (key) => /^\d+(\.\d+)?$/.test(key);
  const compare = (one, other) => {
    const [a, b] = [one, other].map((item) => String(keyOf(item) ?? ""));
    if (!a || !b) {
      return !a - !b;
    }
    if (isNumber(a) && isNumber(b)) {
      const [whole, otherWhole] = [a, b].map((key) => key.split(".")[0]);
      return whole.length - otherWhole.length || (a < b ? -1 : a > b ? 1 : 0);
    }
    return a.localeCompare(b, undefined, { numeric: true, sensitivity: "base" });
  };
  return [...list].sort(compare);
}

/** The rank of a difficulty: 1 for easy puzzles, the greatest one for those that are not rated. */
export function rank({ difficulty }) {
  return DIFFICULTIES.indexOf(difficulty) + 1 || 9;
}

/** The puzzles to start with: of each kind in turn those with about nine tiles that look different, the easiest
 * first. */
export function starters(puzzles) {
  const isPlayable = ({ kind, text, board, difficulty }) =>
    kind !== "more" && kind !== "large" && text !== null && !board.startsWith("1 ×") && difficulty !== IMPOSSIBLE;
  const small = sortedBy(puzzles.filter(isPlayable), (one) => 100 * Math.abs(one.tiles - 9) + rank(one));
  const seen = new Set();
  const different = small.filter(({ kind, board }) => {
    const look = kind === "classic" ? kind : `${kind} ${board}`;
    return !seen.has(look) && seen.add(look);
  });
  const byKind = KINDS.map((name) => different.filter(({ kind }) => kind === name));
  const turns = Array.from({ length: STARTERS }, (_, turn) => byKind.flatMap((list) => list.slice(turn, turn + 1)));
  return turns.flat().slice(0, STARTERS);
}
