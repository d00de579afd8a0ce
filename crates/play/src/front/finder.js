// Searching and sorting a list of puzzles.

/** Whether a text holds every word of a search, in any order, without regard to case. */
export function matches(search, text) {
  const lower = text.toLowerCase();
  return search.toLowerCase().split(/\s+/).every((word) => lower.includes(word));
}

/** Sorts by keys: numbers by size, though their digits may be more than a number holds; texts by letters
 * and the numbers in them, so that 2 comes before 10. What has no key comes last. */
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
