"use strict";
const body = document.querySelector("table.index tbody");
const rows = [...body.rows];
const [find, sort, shown] = ["find", "sort", "shown"].map(id => document.getElementById(id));
document.getElementById("tools").hidden = false;
const text = rows.map(row => row.textContent.toLowerCase());
find.addEventListener("input", () => {
  const words = find.value.toLowerCase().split(/\s+/);
  rows.forEach((row, i) => { row.hidden = !words.every(word => text[i].includes(word)); });
  shown.value = find.value && rows.filter(row => !row.hidden).length + " of " + rows.length;
});
const key = (row, column) => row.cells[column]?.dataset.key ?? "";
const isNumber = column => column > 1;
sort.addEventListener("change", () => {
  const column = Number(sort.value);
  const compare = (one, other) => {
    const [a, b] = [key(one, column), key(other, column)];
    if (!a || !b) return !a - !b;
    // Digits may be more than a number holds.
    return (isNumber(column) && a.length - b.length) || (a < b ? -1 : a > b ? 1 : 0);
  };
  body.append(...rows.slice().sort(compare));
});
