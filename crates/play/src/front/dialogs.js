// What is asked of the player: a new puzzle, or one of their own.
import { dialog } from "./dialog.js";
import { el } from "./dom.js";
import { Editor } from "./editor.js";
import { photoField } from "./photo.js";

function number(label, min, max, value) {
  const input = el("input", { type: "number", min, max, value });
  return { input, field: el("label", {}, `${label} `, input) };
}

function choice(label, checked) {
  const input = el("input", { type: "checkbox", checked });
  return { input, field: el("label", {}, input, ` ${label}`) };
}

/** So many images that a random puzzle has few solutions and they are soon counted: where as many ways to
 * lay the tiles as there are all but one fail at some seam, and some more. */
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

/** Asks for a new random puzzle. */
export function askFresh(server, open) {
  const rows = number("Rows", 1, 10, 3);
  const columns = number("Columns", 1, 10, 3);
  const images = number("Images", 1, 100, 4);
  const halves = choice("images in halves", true);
  const unique = choice("one solution, up to turns of the board", true);
  const fields = [rows, columns, images, halves, unique].map(({ field }) => field);
  let isChosen = false;
  images.input.addEventListener("input", () => (isChosen = true));
  for (const { input } of [rows, columns, halves]) {
    input.addEventListener("input", () => {
      const [down, across] = [rows, columns].map(({ input }) => Math.min(10, Math.max(1, Number(input.value) || 1)));
      if (!isChosen) {
        images.input.value = usualImages(down, across, halves.input.checked);
      }
    });
  }
  const group = el("fieldset", {}, el("legend", {}, "What it is like"), ...fields);
  dialog("New random puzzle", [group], "Make it", async (signal) => {
    const whole = ({ input }, name) => {
      if (!/^\d{1,4}$/.test(input.value)) {
        throw new Error(`${name}: expected a number`);
      }
      return Number(input.value);
    };
    const wish = {
      rows: whole(rows, "rows"),
      columns: whole(columns, "columns"),
      images: whole(images, "images"),
      halves: halves.input.checked,
      unique: unique.input.checked,
      seed: Math.floor(Math.random() * 1e9),
    };
    open(await server.fresh(wish, signal));
  });
}

/** What was entered before is still there when the dialog opens again. */
let editor = null;

/** Asks for cards. */
export async function askCards(server, open) {
  editor ??= new Editor((names) => server.signs(names));
  await editor.refresh();
  const pasted = el("textarea", { "aria-label": "Text of a puzzle", spellcheck: "false" });
  const paste = el("details", {}, el("summary", {}, "Or paste a puzzle: YAML, another program's form, a code or a link"), pasted);
  const photo = photoField(server, open, () => box.close());
  const box = dialog("Enter your own cards", [photo, ...editor.fields(), paste], "Play these cards", async () => {
    const isPasted = pasted.value.trim() !== "";
    const { text, images } = isPasted ? { text: pasted.value, images: [] } : editor.text();
    open(await server.game({ text }, images));
  });
}
