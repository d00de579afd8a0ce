// Searching and sorting a list of puzzles.

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
