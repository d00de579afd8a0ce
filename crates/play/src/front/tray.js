// The tiles in hand.
import { el } from "./dom.js";
import { pictureOf } from "./board.js";
import { orientation, sidesOf, spoken } from "./orientation.js";

/** More tiles are shown smaller. */
const MANY = 20;

/** The tiles that do not lie on the board. `act(tile, key)` is called for each click and each key, and
 * `began(event, tile)` where a pointer goes down. */
export class Tray {
  constructor(list, game, act, began) {
    this.list = list;
    this.game = game;
    this.act = act;
    this.began = began;
    this.buttons = new Map();
    this.list.replaceChildren();
    this.list.classList.toggle("many", game.tiles.length > MANY);
  }

  draw(play, taken) {
    const hand = play.hand;
    const before = this.list.contains(document.activeElement) ? document.activeElement : null;
    for (const [tile, button] of this.buttons) {
      if (!hand.includes(tile)) {
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
      this.dress(button, tile, play.lies(tile), tile === taken);
    });
    if (before && !before.isConnected) {
      [...this.buttons.values()][0]?.focus();
    }
  }

  button(tile) {
    const button = el("button", { type: "button", "data-tile": tile }, el("img", { alt: "", draggable: "false" }));
    button.addEventListener("click", () => this.act(tile, "click"));
    button.addEventListener("pointerdown", (event) => this.began(event, tile));
    button.addEventListener("keydown", (event) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isPlain && event.key !== "Enter" && event.key !== " " && this.act(tile, event.key)) {
        event.preventDefault();
      }
    });
    el("li", {}, button);
    return button;
  }

  dress(button, tile, lies, isTaken) {
    const { face, rotation } = orientation(this.game.tiles[tile], lies);
    const image = button.firstChild;
    const url = pictureOf(this.game, tile, face);
    if (image.getAttribute("src") !== url) {
      image.setAttribute("src", url);
    }
    image.style.transform = `rotate(${(-rotation * 360) / sidesOf(this.game.tiles[tile])}deg)`;
    button.setAttribute("aria-label", spoken(this.game, tile, lies));
    button.setAttribute("aria-pressed", isTaken);
  }

  focus(tile) {
    (this.buttons.get(tile) ?? [...this.buttons.values()][0])?.focus();
  }
}
