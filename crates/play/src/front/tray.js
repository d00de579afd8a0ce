// The tiles in hand.
import { dialog } from "./dialog.js";
import { byId, el } from "./dom.js";
import { sortedBy } from "./finder.js";
import { orientation, sidesOf, spoken } from "./orientation.js";
import { faceOf, pictureOf, sideWith } from "./sheet.js";
import { edgeName } from "./spoken.js";
import { t } from "./words.js";

/** With more tiles, they are smaller and can be filtered. */
const MANY = 20;

/** The number of tiles that are shown at first, and that are added on request. */
const AT_ONCE = 60;

/** The tiles that are not on the board. */
export class Tray {
  /** `filtered` is called after another filter was chosen. */
  constructor(list, game, filtered) {
    this.list = list;
    this.game = game;
    this.filtered = filtered;
    this.buttons = new Map();
    this.rest = el("li", { class: "rest" }, el("button", { type: "button", onclick: () => this.showMore() }));
    this.list.replaceChildren();
    const isMany = game.tiles.length > MANY;
    this.list.classList.toggle("many", isMany);
    byId("filter").hidden = !isMany;
    this.offerFilters();
  }

  /** Offers filters: by the number of border sides, and by each edge. */
  offerFilters() {
    const { border, labels, tiles } = this.game;
    const all = [[t("filter-all"), () => true]];
    if (border !== undefined) {
      const borders = (tile) => tiles[tile].faces[0].edges.filter((label) => label === border).length;
      all.push([t("filter-corner"), (tile) => borders(tile) > 1]);
      all.push([t("filter-rim"), (tile) => borders(tile) === 1]);
      all.push([t("filter-inner"), (tile) => borders(tile) === 0]);
    }
    sortedBy([...labels.entries()], ([, { name }]) => name).forEach(([label, { name }]) => {
      const side = label === border ? undefined : sideWith(this.game, label);
      if (side) {
        all.push([edgeName(name), (tile) => tiles[tile].faces.some(({ edges }) => edges.includes(label)), side]);
      }
    });
    const looks = ([words, , side]) => [...(side ? [pictureOf(this.game, side)] : []), words];
    let chosen = all[0];
    this.showChosen = () => byId("filter-by").replaceChildren(el("span", { class: "unseen" }, `${t("filter")}: `), ...looks(chosen));
    const choose = (filter) => {
      chosen = filter;
      this.keep = chosen[1];
      this.most = AT_ONCE;
      this.showChosen();
    };
    choose(chosen);
    byId("filter-by").onclick = () => {
      const button = (filter) => el("button", { type: "button", "aria-pressed": String(filter === chosen) }, ...looks(filter));
      const buttons = all.map(button);
      const box = dialog(t("filter"), [el("div", { class: "filters" }, ...buttons)], null, null);
      buttons.forEach((button, index) =>
        button.addEventListener("click", () => {
          choose(all[index]);
          box.close();
          this.filtered();
        }),
      );
    };
  }

  /** Draws everything anew, for other pictures. */
  redraw() {
    this.buttons.clear();
    this.list.replaceChildren();
    this.showChosen();
  }

  showMore() {
    const first = this.most;
    this.most += AT_ONCE;
    this.again();
    this.list.children[first]?.firstChild.focus();
  }

  again() {
    this.draw(...this.last);
  }

  /** `fitting` maps the tiles that fit into the selected cell to their orientations; `null` if no cell is
   * selected. */
  draw(play, taken, fitting) {
    this.last = [play, taken, fitting];
    const kept = play.hand.filter((tile) => tile === taken || this.keep(tile));
    // Fitting tiles come first; a large tray then shows no others.
    const isLarge = this.list.classList.contains("many");
    const fits = fitting ? kept.filter((tile) => fitting.has(tile)) : [];
    const all = fitting && isLarge ? fits : fitting ? [...fits, ...kept.filter((tile) => !fitting.has(tile))] : kept;
    const hand = all.filter((tile, place) => place < this.most || tile === taken);
    const shown = new Set(hand);
    const before = this.list.contains(document.activeElement) ? document.activeElement : null;
    for (const [tile, button] of this.buttons) {
      if (!shown.has(tile)) {
        button.parentElement.remove();
        this.buttons.delete(tile);
      }
    }
    hand.forEach((tile, place) => {
      const button = this.buttons.get(tile) ?? this.button(tile);
      this.buttons.set(tile, button);
      const item = button.parentElement;
      if (this.list.children[place] !== item) {
        this.list.insertBefore(item, this.list.children[place] ?? null);
      }
      this.dress(button, tile, play.lies(tile), tile === taken, fitting ? fitting.has(tile) : null);
    });
    this.rest.firstChild.textContent = t("more-tiles", all.length - hand.length);
    if (all.length > hand.length) {
      this.list.append(this.rest);
    } else {
      this.rest.remove();
    }
    if (before && !before.isConnected) {
      [...this.buttons.values()][0]?.focus();
    }
    byId("tray-says").textContent = all.length === play.hand.length ? "" : t("shown-of", all.length, play.hand.length);
  }

  button(tile) {
    const button = el("button", { type: "button", "data-tile": tile });
    el("li", {}, button);
    return button;
  }

  dress(button, tile, lies, isTaken, fits) {
    const key = `${lies}/${isTaken}/${fits}`;
    if (button.dataset.key === key) {
      return;
    }
    button.dataset.key = key;
    const { face, rotation } = orientation(this.game.tiles[tile], lies);
    if (button.dataset.face !== String(face)) {
      button.dataset.face = face;
      button.replaceChildren(faceOf(this.game, tile, face));
    }
    button.firstChild.style.rotate = rotation === 0 ? "" : `${(-rotation * 360) / sidesOf(this.game.tiles[tile])}deg`;
    button.setAttribute("aria-label", spoken(this.game, tile, lies) + (fits ? `, ${t("fits-here")}` : ""));
    button.setAttribute("aria-pressed", isTaken);
    button.classList.toggle("fits", fits === true);
    button.classList.toggle("unfit", fits === false);
  }

  element(tile) {
    return this.buttons.get(tile);
  }
}
