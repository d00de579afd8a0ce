// Thumbnails of puzzles, requested together when their places become visible.
import { el, pictureUrl } from "./dom.js";

/** The number of thumbnails in one request, and how near to the window they are drawn. */
const AT_ONCE = 40;
const NEAR = "300px";

export class Thumbnails {
  constructor(source) {
    this.source = source;
    this.wanted = new Map();
    this.drawn = new Map();
    this.seen = new IntersectionObserver((all) => this.show(all), { rootMargin: NEAR });
  }

  /** An element in which the thumbnail of a puzzle, `{name}` or `{code}`, appears; `theme` may replace the
   * suited one. */
  place({ name, code, theme = null }) {
    const place = el("span", { class: "thumbnail" });
    const picture = this.source.picture(name) ?? this.drawn.get(name ?? code);
    if (picture) {
      this.fill(place, picture);
    } else {
      this.wanted.set(place, { name, code, theme });
      this.seen.observe(place);
    }
    return place;
  }

  fill(place, svg) {
    place.append(el("img", { alt: "", src: pictureUrl(svg) }));
  }

  show(all) {
    const places = all.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
    places.forEach((place) => this.seen.unobserve(place));
    for (let from = 0; from < places.length; from += AT_ONCE) {
      // Without an answer, the places stay empty.
      this.draw(places.slice(from, from + AT_ONCE)).catch(() => undefined);
    }
  }

  async draw(places) {
    const all = places.map((place) => this.wanted.get(place));
    places.forEach((place) => this.wanted.delete(place));
    const thumbnails = all.map(({ name, code, theme }) => ({ puzzle: this.source.reference({ name, code }), look: { theme } }));
    let index = 0;
    for await (const { type, svg } of this.source.lines("thumbnails", { thumbnails })) {
      if (type === "thumbnail") {
        const { name, code } = all[index];
        if (svg) {
          this.drawn.set(name ?? code, svg);
          this.fill(places[index], svg);
        }
        index += 1;
      }
    }
  }
}
