// Sources of answers: a server, or the solver in the page. Both have the same interface.
import { refusalWords } from "./spoken.js";
import { t } from "./words.js";

/** A request that could not be answered. */
export class Refusal extends Error {
  constructor({ type, code, message, line, column, help }) {
    const place = line === undefined ? "" : t("place-in-text", line, column);
    super(place + refusalWords({ code, message }) + (help ? `\n${help}` : ""));
    /** True if the source answered with an error; false if there was no answer. */
    this.isAnswer = type === "error";
  }
}

/** The interface of a source. Subclasses implement `texts(kind, body, signal)`, which yields the lines of
 * an answer as they arrive. */
export class Source {
  /** True if it can solve and generate puzzles, and find mistyped cards. */
  canSolve = true;

  /** True if it lists puzzles, and others can open its addresses. */
  canList = true;

  async *lines(kind, body, signal) {
    for await (const text of this.texts(kind, body, signal)) {
      const line = JSON.parse(text);
      if (line.type === "error") {
        throw new Refusal(line);
      }
      yield line;
    }
  }

  /** The first line of an answer, after the one that says that the request has to wait, if any. */
  async first(kind, body, signal) {
    for await (const line of this.lines(kind, body, signal)) {
      if (line.type !== "waiting") {
        return line;
      }
    }
    throw new Refusal({ message: "no answer was received" });
  }

  /** The puzzles: `{ name, code, title, board, tiles }`. */
  async puzzles() {
    return (await this.first("puzzles")).puzzles;
  }

  /** The results of batches, `{ totals, disagreements }`, if the puzzles come from results. */
  async results() {
    return null;
  }

  /** The difficulties of puzzles in the order of their names, at most 200: `easy`, `medium`, `hard`, or
   * `null` if unknown. */
  async *difficulties(names) {
    for await (const { type, difficulty } of this.lines("difficulties", { names })) {
      if (type === "difficulty") {
        yield difficulty;
      }
    }
  }

  /** A puzzle, `{name}`, `{code}` or `{text}`, as requests name it. */
  reference({ name, code, text }) {
    return name === undefined ? { text: text ?? code } : { name };
  }

  /** The thumbnail of a puzzle that the page contains, if any. */
  picture() {
    return undefined;
  }

  /** A QR code of a text: its dark squares as a path, and its size with the quiet zone. */
  async code(text) {
    return this.first("qr", { text });
  }

  /** Opens a puzzle to play; `which` is `{name}` or `{text}`, and a look `{ theme, names }`. */
  async game(which, images = [], look = {}) {
    return this.first("game", { puzzle: which, images, look });
  }

  async fresh(wish, signal) {
    return this.first("fresh", wish, signal);
  }

  /** Reads the cards in a photograph on a canvas. */
  async read({ canvas, ...known }, signal) {
    return this.first("read", { ...known, photo: await this.photograph(canvas) }, signal);
  }

  /** The signs of images, by name. */
  async signs(images) {
    return this.first("signs", { images });
  }

  /** Answers a question about a puzzle, part by part. */
  async ask(which, question, tell, signal) {
    for await (const line of this.lines("answer", { puzzle: which, question }, signal)) {
      tell(line);
    }
  }
}
