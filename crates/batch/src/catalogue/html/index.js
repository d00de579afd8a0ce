const body = document.querySelector("table.index tbody");
const rows = [...body.rows];
const [find, verdict, least, most, sort, shown] =
  ["find", "verdict", "least", "most", "sort", "shown"].map((id) => document.getElementById(id));
document.getElementById("tools").hidden = false;
const text = rows.map((row) => row.textContent);
const DISTINCT = 3;

/** What a cell is sorted by: what it begins with, where nothing else is said. */
const keyOf = (cell) => cell?.dataset.key ?? cell?.firstChild?.textContent;

/** Whether a row passes the filters; a count may have more digits than a number holds. */
function passes(row, i) {
  const digits = keyOf(row.cells[DISTINCT]);
  const distinct = digits ? BigInt(digits) : null;
  const above = (bound) => distinct !== null && distinct >= BigInt(bound);
  return matches(find.value, text[i])
    && (!verdict.value || row.dataset.verdict === verdict.value)
    && (!least.value || above(Math.ceil(least.value)))
    && (!most.value || distinct !== null && distinct <= BigInt(Math.floor(most.value)));
}

function filter() {
  rows.forEach((row, i) => (row.hidden = !passes(row, i)));
  const number = rows.filter((row) => !row.hidden).length;
  shown.value = number < rows.length ? `${number} of ${rows.length}` : "";
}
for (const field of [find, verdict, least, most]) {
  field.addEventListener("input", filter);
}
sort.addEventListener("change", () => {
  body.append(...sortedBy(rows, (row) => keyOf(row.cells[Number(sort.value)])));
});
