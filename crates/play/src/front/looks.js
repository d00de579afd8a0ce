// How tiles look: the theme of their pictures, and whether they show their numbers.
import { byId, el } from "./dom.js";
import { drawSheet } from "./sheet.js";
import * as storage from "./storage.js";
import { t } from "./words.js";

const THEMES = ["suited", "figures", "animals", "letters", "wedges"];

/** The look of a puzzle; `kind` says how it came to this browser. Entered cards show their numbers, because
 * the real ones have to be found again. */
export function look(kind) {
  const theme = storage.setting("theme", "suited");
  return { theme: theme === "suited" ? null : theme, names: storage.setting("numbers", kind === "entered") };
}

/** Offers the choices; `changed` is called after each change. */
export function listen(changed) {
  byId("theme").append(...THEMES.map((name) => el("option", { value: name }, t("themes")[name])));
  byId("theme").value = storage.setting("theme", "suited");
  byId("theme").addEventListener("change", ({ target }) => {
    storage.choose("theme", target.value);
    changed();
  });
  byId("numbers").addEventListener("change", ({ target }) => {
    storage.choose("numbers", target.checked);
    changed();
  });
}

/** Shows the choices for a puzzle; there are none without a solver, which draws the tiles. */
export function show(kind, canDraw) {
  byId("numbers").checked = look(kind).names;
  byId("themes").hidden = byId("with-numbers").hidden = !canDraw;
}

/** Draws the tiles of a session anew after a choice. */
export async function redress({ source, which, own, game, table, play, solutions }) {
  const drawn = await source.game(which, own?.images, look(own?.kind));
  await drawSheet(drawn.game);
  game.sheet = drawn.game.sheet;
  table.open(play);
  table.draw();
  solutions.again();
}
