// Where answers come from: a server, or the solver beside the page. Both are asked in the same words.

/** What could not be answered. */
export class Refusal extends Error {
  constructor({ type, message, line, column, help }) {
    const place = line === undefined ? "" : `line ${line}, column ${column}: `;
    super(place + message + (help ? `\n${help}` : ""));
    /** Whether this is the answer, and not that there is none. */
    this.isAnswer = type === "error";
  }
}

/** What a source gives; one that is made of this has `texts(kind, body, signal)`, the lines of an answer
 * as they come. */
export class Source {
  /** It solves any puzzle, makes new ones, and looks for mistyped cards. */
  canSolve = true;

  /** It has puzzles to choose from, and others open its addresses. */
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

  async first(kind, body, signal) {
    for await (const line of this.lines(kind, body, signal)) {
      return line;
    }
    throw new Refusal({ message: "there is no answer" });
  }

  /** The puzzles: `{ name, code, title, board, tiles }`. */
  async puzzles() {
    return (await this.first("puzzles")).puzzles;
  }

  /** What batches found: `{ totals, disagreements }`, if the puzzles come from their results. */
  async results() {
    return null;
  }

  /** How hard puzzles are, by their names: `easy`, `medium`, `hard`, or `null` where that is not known. */
  async difficulties(names) {
    return (await this.first("difficulties", { names })).difficulties;
  }

  /** A QR code of a text: its dark squares as a path, and its size with the quiet zone. */
  async code(text) {
    return this.first("qr", { text });
  }

  /** A puzzle to play; `which` is `{name}` or `{text}`. */
  async game(which, images = []) {
    return this.first("game", { puzzle: which, images });
  }

  async fresh(wish, signal) {
    return this.first("fresh", wish, signal);
  }

  /** What a photograph on a canvas shows, and where. */
  async read({ canvas, ...known }, signal) {
    return this.first("read", { ...known, photo: await this.photograph(canvas) }, signal);
  }

  /** What stands for images, by their names. */
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
