// The puzzles inside the page, some with their solutions.
import { valueInside } from "./inside.js";
import { Known } from "./known.js";
import { Refusal, Source } from "./source.js";
import { t } from "./words.js";

/** Puzzles with names, as on a server; without a solver, only stored answers are available. */
export class Offered extends Source {
  canSolve = false;

  async load() {
    const all = await valueInside("offered");
    this.byName = new Map(all.map((one) => [one.name, one]));
    this.canList = this.canSolve || all.length > 1;
    return this;
  }

  async *texts() {
    throw new Refusal({ message: t("no-solver") });
  }

  async puzzles() {
    return [...this.byName.values()];
  }

  async *difficulties(names) {
    yield* names.map((name) => this.byName.get(name).difficulty ?? null);
  }

  picture(name) {
    return this.byName.get(name)?.picture;
  }

  /** The results of batches, if the puzzles come from results. */
  async results() {
    return document.getElementById("of-results") ? valueInside("of-results") : null;
  }

  /** The puzzle as a text, because the solver does not know names. */
  reference({ name, text, code }) {
    return { text: text ?? code ?? this.byName.get(name).text };
  }

  async game(which, images, look) {
    const one = this.byName.get(which.name);
    return one?.game ? { game: one.game, text: one.text, warnings: [] } : super.game(this.reference(which), images, look);
  }

  async ask(which, question, tell, signal) {
    const one = this.byName.get(which.name);
    if (one?.known) {
      one.answers ??= new Known(one.game, one.known);
      if (!this.canSolve || one.answers.isSure(Object.keys(question)[0])) {
        return one.answers.ask(question, tell);
      }
    }
    return super.ask(this.reference(which), question, tell, signal);
  }
}
