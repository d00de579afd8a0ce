const body = document.querySelector("table.index tbody");
const rows = [...body.rows];
const [find, sort, shown] = ["find", "sort", "shown"].map((id) => document.getElementById(id));
document.getElementById("tools").hidden = false;
const text = rows.map((row) => row.textContent);
find.addEventListener("input", () => {
  rows.forEach((row, i) => (row.hidden = !matches(find.value, text[i])));
  shown.value = find.value && `${rows.filter((row) => !row.hidden).length} of ${rows.length}`;
});
sort.addEventListener("change", () => {
  body.append(...sortedBy(rows, (row) => row.cells[Number(sort.value)]?.dataset.key));
});
