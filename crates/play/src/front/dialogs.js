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

/** A number of images with which a random puzzle has few solutions that are quickly counted. It solves:
 * number of arrangements × probability that all seams match ≈ 1, plus a margin. */
function usualImages(rows, columns, halves) {
  const cells = rows * columns;
  const seams = 2 * cells - rows - columns;
  let ways = (cells - 1) * Math.log(4);
  for (let tile = 2; tile <= cells; tile++) {
    ways += Math.log(tile);
  }
  const labels = seams === 0 ? 1 : Math.exp(ways / seams) * (1.1 + cells / 90);
  const most = seams + 2 * (rows + columns);
  return Math.min(most, Math.max(2, Math.round(halves ? labels / 2 : labels)));
}

/** Opens the dialog for a random puzzle. */
export function askFresh(source, open) {
  const rows = numberField(t("rows"), { min: 1, max: 10, value: 3 });
  const columns = numberField(t("columns"), { min: 1, max: 10, value: 3 });
  const images = numberField(t("images"), { min: 1, max: 100, value: 4 });
  const halves = choice(t("in-halves"), true);
  const unique = choice(t("one-solution"), true);
  const fields = [rows, columns, images, halves, unique].map(({ field }) => field);
  let isChosen = false;
  const propose = () => {
    if (!isChosen) {
      const [down, across] = [rows, columns].map(({ input }) => Math.min(10, Math.max(1, Number(input.value) || 1)));
      images.input.value = usualImages(down, across, halves.input.checked);
    }
  };
  images.input.addEventListener("input", () => (isChosen = true));
  for (const { input } of [rows, columns, halves]) {
    input.addEventListener("input", propose);
  }
  const presets = PRESETS.map((size) => {
    const preset = el("button", { type: "button" }, `${size} × ${size}`);
    preset.addEventListener("click", () => {
      [rows.input.value, columns.input.value, isChosen] = [size, size, false];
      propose();
      preset.form.requestSubmit();
    });
    return preset;
  });
  const sizes = el("div", { class: "buttons presets", role: "group", "aria-label": t("presets") }, ...presets);
  const group = el("fieldset", {}, el("legend", {}, t("or-as-you-like")), ...fields);
  dialog(t("new-random"), [sizes, group], t("make-it"), async (signal) => {
    const whole = ({ input }, name) => {
      if (!/^\d{1,4}$/.test(input.value)) {
        throw new Error(t("number-expected", name));
      }
      return Number(input.value);
    };
    const wish = {
      rows: whole(rows, t("rows")),
      columns: whole(columns, t("columns")),
      images: whole(images, t("images")),
      halves: halves.input.checked,
      unique: unique.input.checked,
      seed: Math.floor(Math.random() * 1e9),
    };
    open(await source.fresh(wish, signal));
  });
}

/** Asks whether to leave a puzzle that is not saved to a file: `save`, `leave` or `stay`. */
export function askLeave(title) {
  return new Promise((answer) => {
    const buttons = ["save", "leave"].map((value) => el("button", { type: "button", class: value === "save" ? "main" : null }, t(`${value}-own`)));
    const box = dialog(t("not-saved", title), [el("p", {}, t("kept-here")), el("div", { class: "buttons" }, ...buttons)], null, null);
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
  const wrong = el("span", { class: "wrong", role: "alert" });
  save.addEventListener("click", () => {
    wrong.textContent = "";
    try {
      saveText({ name: editor.state.title || "my-cards", title: "" }, editor.text().text);
    } catch (error) {
      wrong.textContent = error.message;
    }
  });
  const fields = [photo, ...editor.fields(), el("div", { class: "buttons" }, save, wrong), paste];
  const box = dialog(t("own-cards"), fields, t("play-these"), async () => {
    const isPasted = pasted.value.trim() !== "";
    const { text, images } = isPasted ? { text: pasted.value, images: [] } : editor.text();
    const opened = await source.game({ text }, images);
    if (!isPasted) {
      storage.keepDraft(null);
    }
    open(opened, images);
  });
  box.classList.add("editor");
  editor.focus();
}
