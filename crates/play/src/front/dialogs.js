// Dialogs for a new puzzle: random, or with the player's own cards.
import { dialog, numberField } from "./dialog.js";
import { el } from "./dom.js";
import { Editor } from "./editor.js";
import { photoField } from "./photo.js";
import { saveText } from "./saving.js";
import * as storage from "./storage.js";
import { t } from "./words.js";

/** Square sizes that need only one click. */
const PRESETS = [2, 3, 4, 5, 6, 8, 10];

function choice(label, checked) {
  const input = el("input", { type: "checkbox", checked });
  return { input, field: el("label", {}, input, ` ${label}`) };
}

/** The request for a random puzzle with one solution; `more` adds its size and other fields. */
export function randomWish(more) {
  const seed = Math.floor(Math.random() * 1e9);
  return { halves: true, unique: true, seed, title: t("puzzle-number", seed % 10_000), ...more };
}

/** Opens the dialog for a random puzzle. */
export function askFresh(source, open) {
  const rows = numberField(t("rows"), { min: 1, max: 10, value: 3 });
  const columns = numberField(t("columns"), { min: 1, max: 10, value: 3 });
  const images = numberField(t("images"), { min: 1, max: 100, placeholder: t("suited-images") });
  const halves = choice(t("in-halves"), true);
  const framed = choice(t("framed"), false);
  const unique = choice(t("one-solution"), true);
  const levels = ["", "easy", "medium", "hard"].map((level) => el("option", { value: level }, level ? t(level) : t("any")));
  const level = el("select", {}, ...levels);
  const presets = PRESETS.map((size) => {
    const preset = el("button", { type: "button" }, `${size} × ${size}`);
    preset.addEventListener("click", () => {
      [rows.input.value, columns.input.value, images.input.value] = [size, size, ""];
      preset.form.requestSubmit();
    });
    return preset;
  });
  const difficulty = el("label", {}, `${t("difficulty")} `, level);
  const sizes = el("div", { class: "buttons presets", role: "group", "aria-label": t("presets") }, ...presets);
  const fields = [rows, columns, images, halves, framed, unique].map(({ field }) => field);
  const group = el("fieldset", {}, el("legend", {}, t("or-as-you-like")), ...fields);
  dialog(t("new-random"), [difficulty, sizes, group], t("make-it"), async (signal) => {
    const whole = ({ input }, name) => {
      if (!/^\d{1,4}$/.test(input.value)) {
        throw new Error(t("number-expected", name));
      }
      return Number(input.value);
    };
    const wish = randomWish({
      rows: whole(rows, t("rows")),
      columns: whole(columns, t("columns")),
      images: images.input.value === "" ? null : whole(images, t("images")),
      halves: halves.input.checked,
      framed: framed.input.checked,
      unique: unique.input.checked,
      difficulty: level.value || null,
    });
    await open(await source.fresh(wish, signal));
  });
}

/** Asks whether to leave a puzzle that is not saved to a file: `save`, `leave` or `stay`. */
export function askLeave(title) {
  return new Promise((answer) => {
    const buttons = ["save", "leave"].map((value) => el("button", { type: "button", class: value === "save" ? "main" : null }, t(`${value}-own`)));
    const box = dialog(t("not-saved", title), [el("p", {}, t("kept-here")), el("div", { class: "buttons" }, ...buttons)], null, null, t("stay"));
    let chosen = "stay";
    ["save", "leave"].forEach((value, index) =>
      buttons[index].addEventListener("click", () => {
        chosen = value;
        box.close();
      }),
    );
    box.addEventListener("close", () => answer(chosen));
  });
}

/** Opens the dialog for entering cards. */
export async function askCards(source, open) {
  const editor = new Editor((names) => source.signs(names));
  await editor.refresh();
  const pasted = el("textarea", { "aria-label": t("pasted-text"), spellcheck: "false" });
  const paste = el("details", {}, el("summary", {}, t("paste")), pasted);
  const photo = photoField(source, open, () => box.close());
  const save = el("button", { type: "button" }, t("save"));
  save.addEventListener("click", () => {
    try {
      saveText({ name: editor.state.title || "my-cards", title: "" }, editor.text().text);
    } catch (error) {
      box.querySelector(".wrong").textContent = error.message;
    }
  });
  const scrolled = el("div", { class: "scrolled" }, photo, ...editor.fields(paste));
  editor.palette.buttons.append(save);
  const box = dialog(t("own-cards"), [scrolled, editor.palette.element], t("play-these"), async () => {
    const isPasted = pasted.value.trim() !== "";
    const { text, images } = isPasted ? { text: pasted.value, images: [] } : editor.text();
    const opened = await source.game({ text }, images);
    if (!isPasted) {
      storage.keepDraft(null);
    }
    await open(opened, images);
  });
  box.classList.add("editor");
  editor.focus();
}
