// The editor's fields besides the sides of cards: title, board, images.
import { numberField } from "./dialog.js";
import { el } from "./dom.js";
import { SHAPES } from "./shapes.js";
import { t } from "./words.js";

const MOST_SIDE = 10;

/** The fields for title and board. */
export function settings(editor) {
  const { state } = editor;
  const number = (label, key) => {
    const { input, field } = numberField(label, { min: 1, max: MOST_SIDE, value: state[key] });
    input.addEventListener("change", () => {
      const value = Math.min(MOST_SIDE, Math.max(1, Math.round(Number(input.value)) || 1));
      input.value = value;
      editor.change((next) => (next[key] = value));
    });
    return field;
  };
  const title = el("input", { type: "text", maxlength: 200, value: state.title });
  title.addEventListener("change", () => editor.change((next) => (next.title = title.value.trim())));
  const shape = el("select", { "aria-label": t("board") }, ...SHAPES.map(({ name }) => el("option", { value: name, selected: name === state.shape }, t("shapes")[name])));
  shape.addEventListener("change", () => editor.change((next) => (next.shape = shape.value)));
  const turns = el("input", { type: "checkbox", checked: state.turns });
  turns.addEventListener("change", () => editor.change((next) => (next.turns = turns.checked)));
  const sizes = editor.shape.isSized ? [number(t("rows"), "rows"), number(t("columns"), "columns")] : [];
  return [
    el("label", {}, `${t("title")} `, title),
    el("label", {}, `${t("board")} `, shape),
    ...sizes,
    el("label", {}, turns, ` ${t("may-turn")}`),
  ];
}

/** The fields for images: their names, and whether they have halves. */
export function images(editor) {
  return editor.state.images.map((image, index) => {
    const name = el("input", { type: "text", value: image.name, maxlength: 60, "aria-label": t("image-name", index + 1) });
    name.addEventListener("change", () => {
      name.value = name.value.trim() || editor.newName();
      editor.change((next) => (next.images[index].name = name.value));
    });
    const halves = el("input", { type: "checkbox", checked: image.halves });
    halves.addEventListener("change", () =>
      editor.change((next) => {
        next.images[index].halves = halves.checked;
        // A whole image has no second half.
        eachSide(next, (side) => (side.image === index ? { image: index, half: 0 } : side));
      }),
    );
    const remove = el("button", { type: "button", "aria-label": t("remove-image", image.name), disabled: editor.state.images.length < 2 }, "✕");
    remove.addEventListener("click", () =>
      editor.change((next) => {
        next.images.splice(index, 1);
        eachSide(next, (side) => (side.image === index ? null : { ...side, image: side.image - (side.image > index ? 1 : 0) }));
      }),
    );
    return el("div", { class: "image" }, name, el("label", {}, halves, ` ${t("in-halves-short")}`), remove);
  });
}

/** Changes every side that has an edge. */
function eachSide(state, change) {
  state.cards = state.cards.map((card) => card && card.map((side) => side && change(side)));
}
