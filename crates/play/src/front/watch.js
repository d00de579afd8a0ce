// Two searches side by side, step by step.
import { byId, counted, el } from "./dom.js";
import { Picture } from "./board.js";

const WORDS = {
  spiral: "In a spiral, every tile in every rotation",
  propagate: "Propagation: what each cell can still take",
};

/** One search on a board of its own. */
class Screen {
  constructor(game, { engine, recording }) {
    this.recording = recording;
    this.picture = new Picture(game, WORDS[engine]);
    this.game = game;
    this.caption = el("figcaption");
    this.figure = el("figure", {}, el("h3", {}, WORDS[engine]), this.picture.svg, this.caption);
    this.rewind();
  }

  rewind() {
    this.next = 0;
    this.stack = [];
    this.found = 0;
    this.laid = 0;
    this.tries = null;
    this.draw("before the first step");
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
        return "took back";
      },
      found: () => {
        this.found += 1;
        return "found a solution";
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
    return `laid tile ${name} in ${this.game.cells[step.cell].name}${isDead ? ": nothing fits then" : ""}`;
  }

  draw(words) {
    const placed = new Map(
      this.stack.map(({ cell, placed: [tile, lies] }) => [cell, { tile, lies }]),
    );
    this.picture.show(placed);
    const last = this.stack.at(-1);
    // Where nothing fits there is nothing left to say of the cells.
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
    const parts = [`step ${this.next} of ${this.recording.steps.length}`, words];
    parts.push(counted(this.laid, "tile laid", "tiles laid"));
    if (this.tries !== null) {
      parts.push(counted(this.tries, "try", "tries"));
    }
    parts.push(counted(this.found, "solution", "solutions"));
    if (this.isDone) {
      parts.push(this.recording.complete ? "the end of the search" : "the search goes on, but is not shown");
    }
    this.caption.textContent = parts.join("; ");
  }
}

/** The screens and their buttons. */
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
    byId("speed").addEventListener("input", () => {
      byId("pace").value = this.pace();
      if (this.timer) {
        this.run();
      }
    });
  }

  /** Steps a second. */
  pace() {
    return 2 ** Number(byId("speed").value);
  }

  open(game, recordings) {
    this.pause();
    this.screens = recordings.map((one) => new Screen(game, one));
    byId("screens").replaceChildren(...this.screens.map(({ figure }) => figure));
    for (const id of ["run", "step", "rewind"]) {
      byId(id).disabled = this.screens.length === 0;
    }
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
    byId("run").textContent = "Pause";
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    byId("run").textContent = "Run";
  }
}
