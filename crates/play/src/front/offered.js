// The puzzles inside the page, some with their solutions.
import { el, pictureUrl } from "./dom.js";
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
    this.seen = new IntersectionObserver((all) => this.show(all), { rootMargin: "300px" });
    this.drawn = new Map();
    this.wanted = new Map();
    return this;
  }

  async *texts() {
    throw new Refusal({ message: t("no-solver") });
  }

  async puzzles() {
    return [...this.byName.values()];
  }

  async difficulties(names) {
    return names.map((name) => this.byName.get(name).difficulty ?? null);
  }

  /** The results of batches, if the puzzles come from results. */
  async results() {
    return document.getElementById("of-results") ? valueInside("of-results") : null;
  }

  /** The puzzle as a text, because the solver does not know names. */
  asText({ name, text }) {
    return { text: text ?? this.byName.get(name).text };
  }

  async game(which, images, look) {
    const one = this.byName.get(which.name);
    return one?.game ? { game: one.game, text: one.text, warnings: [] } : super.game(this.asText(which), images, look);
  }

  async ask(which, question, tell, signal) {
    const one = this.byName.get(which.name);
    if (one?.known) {
      one.answers ??= new Known(one.game, one.known);
      if (!this.canSolve || one.answers.isSure(Object.keys(question)[0])) {
        return one.answers.ask(question, tell);
      }
    }
    return super.ask(this.asText(which), question, tell, signal);
  }

  /** Draws the thumbnail of a puzzle, `{name}` or `{code}`, into an element when it becomes visible. */
  draw(place, which) {
    const picture = this.byName.get(which.name)?.picture;
    if (picture) {
      place.append(el("img", { alt: "", loading: "lazy", src: pictureUrl(picture) }));
    } else {
      this.wanted.set(place, which);
      this.seen.observe(place);
    }
  }

  show(all) {
    for (const { target, isIntersecting } of all) {
      if (isIntersecting) {
        this.seen.unobserve(target);
        this.thumbnail(this.wanted.get(target)).then((src) => target.append(el("img", { alt: "", src })), () => undefined);
        this.wanted.delete(target);
      }
    }
  }

  thumbnail({ name, code, theme = null }) {
    const key = name ?? code;
    if (!this.drawn.has(key)) {
      const drawn = this.first("thumbnail", { puzzle: this.asText({ name, text: code }), look: { theme } });
      this.drawn.set(key, drawn.then(({ svg }) => pictureUrl(svg)));
    }
    return this.drawn.get(key);
  }
}
