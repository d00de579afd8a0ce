// Two searches side by side, step by step.
import { byId, el } from "./dom.js";
import { Picture } from "./picture.js";
import { cellName } from "./spoken.js";
import { say } from "./status.js";
import * as storage from "./storage.js";
import { t } from "./words.js";

/** The default speed: the binary logarithm of the steps per second. */
const SPEED = 2;

/** One search on a separate board. */
class Screen {
  constructor(game, { engine, recording }) {
    this.recording = recording;
    this.picture = new Picture(game, t(`watch-${engine}`));
    this.game = game;
    this.caption = el("figcaption");
    const meaning = el("p", { class: "details" }, t(`watch-${engine}-means`));
    this.figure = el("figure", {}, el("h3", {}, t(`watch-${engine}`)), meaning, this.picture.box, this.caption);
    this.rewind();
  }

  rewind() {
    this.next = 0;
    this.stack = [];
    this.found = 0;
    this.laid = 0;
    this.tries = null;
    this.draw(t("watch-before"));
  }

  get isDone() {
    return this.next >= this.recording.steps.length;
  }

  step() {
    if (this.isDone) {
      return;
    }
    const step = this.recording.steps[this.next++];
    const words = {
      lay: () => this.lay(step),
      back: () => {
        this.stack.pop();
        return t("watch-back");
      },
      found: () => {
        this.found += 1;
        return t("watch-found");
      },
    }[step.do]();
    this.draw(words);
  }

  lay(step) {
    this.stack.push(step);
    this.laid += 1;
    this.tries = step.tries ?? null;
    const { name } = this.game.tiles[step.placed[0]];
    const isDead = this.recording.first.length > 0 && !step.left;
    return t("watch-laid", name, cellName(this.game, step.cell), isDead);
  }

  draw(words) {
    const placed = new Map(
      this.stack.map(({ cell, placed: [tile, lies] }) => [cell, { tile, lies }]),
    );
    this.picture.show(placed);
    const last = this.stack.at(-1);
    // After a conflict, the cells have no domains to show.
    const left = last ? (last.left ?? []) : this.recording.first;
    left.forEach((can, cell) => {
      if (placed.has(cell)) {
        return;
      }
      if (typeof can === "number") {
        this.picture.write(cell, String(can));
      } else {
        this.picture.put(cell, { tile: can[0], lies: can[1] }, true);
      }
    });
    const { steps, complete } = this.recording;
    const parts = [t("watch-step", this.next, steps.length), words, t("watch-counts", this.laid, this.tries, this.found)];
    if (this.isDone) {
      parts.push(t(complete ? "watch-end" : "watch-cut"));
    }
    this.caption.textContent = parts.join("; ");
  }
}

/** The boards and their buttons. */
export class Watch {
  constructor() {
    this.screens = [];
    this.timer = null;
    byId("run").addEventListener("click", () => (this.timer ? this.pause() : this.run()));
    byId("step").addEventListener("click", () => {
      this.pause();
      this.step();
    });
    byId("rewind").addEventListener("click", () => {
      this.pause();
      this.screens.forEach((screen) => screen.rewind());
    });
    byId("unwatch").addEventListener("click", () => {
      this.close();
      say("");
      byId("watch").focus({ preventScroll: true });
      window.scrollTo(0, 0);
    });
    byId("speed").value = storage.setting("speed", SPEED);
    byId("pace").value = this.pace();
    byId("speed").addEventListener("input", () => {
      byId("pace").value = this.pace();
      storage.choose("speed", Number(byId("speed").value));
      if (this.timer) {
        this.run();
      }
    });
  }

  /** The number of steps per second. */
  pace() {
    return 2 ** Number(byId("speed").value);
  }

  /** Shows recordings from the beginning and starts them. */
  open(game, recordings) {
    this.screens = recordings.map((one) => new Screen(game, one));
    byId("screens").replaceChildren(...this.screens.map(({ figure }) => figure));
    byId("searches").hidden = false;
    byId("searches").scrollIntoView({ block: "start" });
    this.run();
  }

  close() {
    this.pause();
    this.screens = [];
    byId("screens").replaceChildren();
    byId("searches").hidden = true;
  }

  step() {
    this.screens.forEach((screen) => screen.step());
    if (this.screens.every((screen) => screen.isDone)) {
      this.pause();
    }
  }

  run() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.step(), 1000 / this.pace());
    byId("run").textContent = t("pause");
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    byId("run").textContent = t("run");
  }
}
