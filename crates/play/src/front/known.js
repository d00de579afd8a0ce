// Answers without a solver: the page contains the solutions, and answers are looked up among them.
import { judge } from "./game.js";
import { moved, sidesOf } from "./orientation.js";
import { t } from "./words.js";

/** The stored answers for one puzzle. */
export class Known {
  constructor(problem, known) {
    this.problem = problem;
    this.known = known;
  }

  /** Returns true if the stored answers to a kind of question are complete. */
  isSure(kind) {
    const { recordings, solved } = this.known;
    const sure = { solve: solved.complete, count: solved.complete, hint: solved.complete, check: true, watch: recordings.length > 0 };
    return sure[kind] ?? false;
  }

  ask(question, tell) {
    const [[kind, asked]] = Object.entries(question);
    const answers = {
      solve: () => this.solve(tell),
      count: () => tell(this.count(asked.placed)),
      hint: () => tell(this.hint(asked.placed)),
      check: () => tell(this.check(asked.placed)),
      watch: () => this.watch(tell),
    };
    answers[kind]();
  }

  solve(tell) {
    const { list, complete, sentence } = this.known.solved;
    if (list.length === 0 && !complete) {
      throw new Error(t("none-known"));
    }
    for (const placed of list) {
      tell({ type: "solution", placed });
    }
    tell({ type: "solved", complete, distinct: list.length, sentence });
  }

  watch(tell) {
    const { recordings } = this.known;
    recordings.forEach(tell);
    if (recordings.length === 0) {
      tell({ type: "unknown", why: t("none-recorded") });
    }
  }

  /** The value of a tile in an orientation: twins in the same orientation have the same value. */
  look(tile, lies) {
    return this.problem.tiles[tile].looks[lies];
  }

  /** The image of a value under a motion. */
  moved(look, motion) {
    this.standing ??= this.standIns();
    const [tile, lies] = this.standing.get(look);
    return this.look(tile, moved(lies, motion, sidesOf(this.problem.tiles[tile])));
  }

  /** For each value, the first tile that has it, and the orientation. */
  standIns() {
    const all = new Map();
    this.problem.tiles.forEach((tile, index) =>
      tile.looks.forEach((look, lies) => {
        if (look !== null && !all.has(look)) {
          all.set(look, [index, lies]);
        }
      }),
    );
    return all;
  }

  /** Every picture of a solution, one value per cell: all images under the symmetries, without duplicates. */
  *pictures() {
    for (const solution of this.known.solved.list) {
      const looks = solution.map(([tile, lies]) => this.look(tile, lies));
      const seen = new Set();
      for (const { to, by } of this.known.symmetries) {
        const picture = [];
        looks.forEach((look, cell) => {
          picture[to[cell]] = this.moved(look, by[cell]);
        });
        const key = picture.join();
        if (!seen.has(key)) {
          seen.add(key);
          yield picture;
        }
      }
    }
  }

  /** The pictures that contain all these placements. */
  matching(placed) {
    const looks = placed.map(([cell, tile, lies]) => [cell, this.look(tile, lies)]);
    const all = [];
    for (const picture of this.pictures()) {
      if (looks.every(([cell, look]) => picture[cell] === look)) {
        all.push(picture);
      }
    }
    return all;
  }

  count(placed) {
    const { list, complete } = this.known.solved;
    const turned = placed.length === 0 && this.known.symmetries.length > 1;
    const number = placed.length === 0 ? list.length : this.matching(placed).length;
    return { type: "count", number, complete, turned };
  }

  hint(placed) {
    const { list, complete } = this.known.solved;
    const matching = this.matching(placed);
    if (matching.length > 0) {
      return this.next(placed, matching);
    }
    if (!complete) {
      return { type: "unknown", why: t("not-all-known") };
    }
    if (list.length === 0) {
      return { type: "nothing" };
    }
    const without = (indices) => placed.filter((_, index) => !indices.includes(index));
    for (let index = placed.length - 1; index >= 0; index--) {
      if (this.matching(without([index])).length > 0) {
        return { type: "take-back", indices: [index] };
      }
    }
    const wrong = [];
    placed.forEach((_, index) => {
      const later = placed.map((_, i) => i).slice(index + 1);
      if (this.matching(without([...wrong, ...later])).length === 0) {
        wrong.push(index);
      }
    });
    return { type: "take-back", indices: wrong };
  }

  /** The cell with the fewest remaining values, and a tile with the first of them. */
  next(placed, matching) {
    const filled = new Set(placed.map(([cell]) => cell));
    const used = new Set(placed.map(([, tile]) => tile));
    const open = this.problem.cells.map((_, cell) => cell).filter((cell) => !filled.has(cell));
    if (open.length === 0) {
      return { type: "done" };
    }
    const looks = (cell) => new Set(matching.map((picture) => picture[cell]));
    const ranked = open.map((cell) => [cell, looks(cell).size]);
    const [cell, number] = ranked.reduce((best, one) => (one[1] < best[1] ? one : best));
    const look = matching[0][cell];
    const tile = this.problem.tiles.findIndex(
      (tile, index) => !used.has(index) && tile.looks.includes(look),
    );
    const lies = this.problem.tiles[tile].looks.indexOf(look);
    const { list, complete } = this.known.solved;
    const having = matching.filter((picture) => picture[cell] === look);
    const images = list.length === 1 ? [1, 1] : [having.length, matching.length];
    const share = complete ? images : null;
    // Only the stored solutions are known, so "forced" means that all matching ones agree.
    return { type: "place", cell, placed: [tile, lies], forced: number === 1, share };
  }

  check(placed) {
    const map = new Map(placed.map(([cell, tile, lies]) => [cell, { tile, lies }]));
    const { full, broken, rim, fits } = judge(this.problem, map);
    const wrong = [];
    if (!full) {
      wrong.push(t("cells-empty", this.problem.cells.length - map.size));
    } else if (!fits) {
      wrong.push(t("seams-broken", broken.length));
      if (rim.length) {
        wrong.push(t("rim-wrong", rim.length));
      }
    } else if (!this.problem.plain && this.matching(placed).length === 0) {
      wrong.push(t("rules-broken", this.problem.constraints, this.known.solved.complete));
    }
    return { type: "check", wrong };
  }
}
