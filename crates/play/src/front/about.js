// What the page says about the open puzzle.
import { byId, el } from "./dom.js";
import { boardWords } from "./spoken.js";
import * as storage from "./storage.js";
import { t } from "./words.js";

/** Where a puzzle comes from, if that is a name or a link rather than a file of a program. */
function sourceWords(source = "") {
  const [address] = /https?:\/\/\S+/.exec(source) ?? [];
  if (address) {
    return [" · ", el("a", { href: address, rel: "noreferrer" }, new URL(address).host)];
  }
  const [project] = /^[\w.-]+\/[\w.-]+/.exec(source) ?? [];
  const isMade = source === "" || /^(generated|edgematch )/.test(source);
  return isMade ? [] : [` · ${project ?? source}`];
}

/** Shows the title of a puzzle, its facts, and the results of a batch, if there are any; hides what it does
 * not need. */
export function describe(game, found) {
  byId("title").textContent = game.title;
  document.title = `${game.title} – edgematch`;
  const rules = game.plain ? [] : [t("also-asked", game.constraints)];
  const joined = game.cuts.length > 0 ? [t("joined-sides")] : [];
  byId("about").textContent = [boardWords(game.board), t("number-of-tiles", game.tiles.length), ...joined, ...rules].join(" · ");
  byId("about").append(...sourceWords(game.source));
  const runs = found ? [...found.faults, ...found.notes, ...found.runs] : [];
  byId("ran").hidden = runs.length === 0;
  byId("runs").replaceChildren(...runs.map((words) => el("li", {}, words)));
  // The board fits on a sheet of paper, and tiles to cut out have its size.
  const [width, height] = game.size;
  document.body.style.setProperty("--print", `${Math.min(50, 18000 / width, 25000 / height)}mm`);
  byId("given").max = Math.max(1, game.cells.length - 1);
  byId("over").hidden = game.tiles.every(({ faces }) => faces.length < 2);
  for (const id of ["turn", "unturn"]) {
    byId(id).hidden = !game.turns;
  }
}

/** What to do, for players who have not solved a puzzle yet. */
export function firstWords(play) {
  const isNew = !play.isTouched && !storage.games().some(({ solved }) => solved);
  return isNew ? t(matchMedia("(hover: none)").matches ? "how-to-play-touch" : "how-to-play") : "";
}
