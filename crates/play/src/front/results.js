// The results of batches for the puzzles of a page: totals, a histogram, filters.
import { byId, el } from "./dom.js";
import { t } from "./words.js";

/** The bars of the histogram: each one's maximum number of distinct solutions, and its label. */
const BARS = [[0, "0"], [1, "1"], [3, "2–3"], [9, "4–9"], [99, "10–99"], [9_999, "100–9999"], [Infinity, "≥ 10000"]];

/** Describes the results of a puzzle for the gallery. */
export function foundWords({ status, distinct, shown }) {
  const isCounted = distinct !== null && distinct !== "0";
  return isCounted ? t("number-found", shown, distinct) : t("statuses")[status];
}

/** The number of puzzles in each bar. */
function histogram(puzzles) {
  const counts = puzzles.filter(({ found }) => found.complete && found.distinct !== null).map(({ found }) => Number(found.distinct));
  const numbers = BARS.map(([most], bar) => counts.filter((count) => count <= most && (bar === 0 || count > BARS[bar - 1][0])).length);
  return { numbers, largest: Math.max(...numbers) };
}

export class ResultFilters {
  /** Shows the results of all puzzles; `changed` is called when a filter changes. */
  constructor(puzzles, { totals, disagreements }, changed) {
    byId("totals").textContent = totals;
    byId("disagreements").replaceChildren(...disagreements.map((words) => el("p", { class: "wrong" }, words)));
    const { numbers, largest } = histogram(puzzles);
    byId("histogram").hidden = largest === 0;
    byId("bars").replaceChildren(...BARS.flatMap(([, words], bar) => [
      el("dt", {}, words),
      el("dd", {}, el("progress", { max: largest, value: numbers[bar], "aria-hidden": "true" }), ` ${numbers[bar]}`),
    ]));
    for (const [value, words] of Object.entries(t("statuses"))) {
      const number = puzzles.filter(({ found }) => found.status === value).length;
      byId("status-is").append(...(number > 0 ? [el("option", { value }, `${words} (${number})`)] : []));
    }
    // Difficulties are not measured for results.
    byId("sort").querySelector("[value=difficulty]").replaceWith(el("option", { value: "solutions" }, t("by-solutions")));
    byId("of-runs").hidden = byId("result-filters").hidden = false;
    for (const id of ["status-is", "least", "most"]) {
      byId(id).addEventListener("input", changed);
    }
  }

  passes({ found: { status, distinct } }) {
    const [wanted, least, most] = ["status-is", "least", "most"].map((id) => byId(id).value);
    const isCounted = distinct !== null;
    return (!wanted || status === wanted)
      && (!least || (isCounted && Number(distinct) >= Number(least)))
      && (!most || (isCounted && Number(distinct) <= Number(most)));
  }
}
