// The tiles in hand.
import { byId, el } from "./dom.js";
import { orientation, sidesOf, spoken } from "./orientation.js";
import { pictureOf } from "./picture.js";
import { t } from "./words.js";

/** With more tiles, they are smaller and can be filtered. */
const MANY = 20;

/** The tiles that are not on the board. Calls `act(tile, key)` for each click and key, and `began(event,
 * tile)` when a pointer goes down. */
export class Tray {
  constructor(list, game, act, began) {
    this.list = list;
    this.game = game;
    this.act = act;
    this.began = began;
    this.buttons = new Map();
    this.keep = () => true;
    this.list.replaceChildren();
    const isMany = game.tiles.length > MANY;
    this.list.classList.toggle("many", isMany);
    byId("filter").hidden = !isMany;
    this.offerFilters();
  }

  /** Offers filters: by the number of border sides, and by each edge. */
  offerFilters() {
    const { border, labels, tiles } = this.game;
    const all = [["all", t("filter-all"), () => true]];
    if (border !== undefined) {
      const borders = (tile) => tiles[tile].faces[0].edges.filter((label) => label === border).length;
      all.push(["corner", t("filter-corner"), (tile) => borders(tile) > 1]);
      all.push(["rim", t("filter-rim"), (tile) => borders(tile) === 1]);
      all.push(["inner", t("filter-inner"), (tile) => borders(tile) === 0]);
    }
    labels.forEach(({ name }, label) => {
      if (label !== border) {
        all.push([`label-${label}`, t("filter-edge", name), (tile) => tiles[tile].faces.some(({ edges }) => edges.includes(label))]);
      }
    });
    const select = byId("filter-by");
    select.replaceChildren(...all.map(([value, words]) => el("option", { value }, words)));
    select.onchange = () => {
      this.keep = all.find(([value]) => value === select.value)[2];
      this.again();
    };
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
    const hand = fitting && isLarge ? fits : fitting ? [...fits, ...kept.filter((tile) => !fitting.has(tile))] : kept;
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
    if (before && !before.isConnected) {
      [...this.buttons.values()][0]?.focus();
    }
    byId("tray-says").textContent = hand.length === play.hand.length ? "" : t("shown-of", hand.length, play.hand.length);
  }

  button(tile) {
    const button = el("button", { type: "button", "data-tile": tile }, el("img", { alt: "", draggable: "false" }));
    button.addEventListener("click", () => this.act(tile, "click"));
    button.addEventListener("pointerdown", (event) => this.began(event, tile));
    button.addEventListener("keydown", (event) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isPlain && event.key !== "Enter" && event.key !== " " && this.act(tile, event.key)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
    el("li", {}, button);
    return button;
  }

  dress(button, tile, lies, isTaken, fits) {
    const key = `${lies}/${isTaken}/${fits}/${this.game.hasWedges ?? false}`;
    if (button.dataset.key === key) {
      return;
    }
    button.dataset.key = key;
    const { face, rotation } = orientation(this.game.tiles[tile], lies);
    const image = button.firstChild;
    const url = pictureOf(this.game, tile, face);
    if (image.getAttribute("src") !== url) {
      image.setAttribute("src", url);
    }
    image.style.transform = `rotate(${(-rotation * 360) / sidesOf(this.game.tiles[tile])}deg)`;
    button.setAttribute("aria-label", spoken(this.game, tile, lies) + (fits ? `, ${t("fits-here")}` : ""));
    button.setAttribute("aria-pressed", isTaken);
    button.classList.toggle("fits", fits === true);
    button.classList.toggle("unfit", fits === false);
  }

  element(tile) {
    return this.buttons.get(tile);
  }
}
