// Answers from the server that the page came from.

/** What the server or the file could not answer. */
export class Refusal extends Error {
  constructor({ type, message, line, column, help }) {
    const place = line === undefined ? "" : `line ${line}, column ${column}: `;
    super(place + message + (help ? `\n${help}` : ""));
    /** Whether the server has said so, and not the page itself. */
    this.isAnswer = type === "error";
  }
}

const POST = { method: "POST", headers: { "Content-Type": "application/json" } };

async function failure(response) {
  const text = await response.text();
  try {
    return new Refusal(JSON.parse(text));
  } catch {
    return new Refusal({ message: `the server answers ${response.status}` });
  }
}

async function* lines(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) {
      const line = JSON.parse(part);
      if (line.type === "error") {
        throw new Refusal(line);
      }
      yield line;
    }
  }
}

/** A server; everything else of the page asks it alone. */
export class Server {
  /** It looks for mistyped cards, too. */
  canExamine = true;

  /** It has puzzles to choose from, and others open its addresses. */
  canList = true;

  async request(path, body, signal) {
    let response;
    try {
      const how = body === undefined ? {} : { ...POST, body: JSON.stringify(body) };
      response = await fetch(path, { ...how, signal });
    } catch (error) {
      if (error.name === "AbortError") {
        throw error;
      }
      throw new Refusal({ message: "the server does not answer any more" });
    }
    if (!response.ok) {
      throw await failure(response);
    }
    return response;
  }

  async first(path, body, signal) {
    for await (const line of lines(await this.request(path, body, signal))) {
      return line;
    }
    throw new Refusal({ message: "the server says nothing" });
  }

  /** The puzzles: `{ name, code, title, board, tiles }`. */
  async puzzles() {
    return (await this.first("api/puzzles")).puzzles;
  }

  /** How hard puzzles are, by their names: `easy`, `medium`, `hard`, or `null` where that is not known. */
  async difficulties(names) {
    return (await this.first("api/difficulties", { names })).difficulties;
  }

  /** A QR code of a text: its dark squares as a path, and its size with the quiet zone. */
  async code(text) {
    return this.first("api/qr", { text });
  }

  /** A puzzle to play; `which` is `{name}` or `{text}`. */
  async game(which, images = []) {
    return this.first("api/game", { puzzle: which, images });
  }

  async fresh(wish, signal) {
    return this.first("api/fresh", wish, signal);
  }

  /** What a photograph shows, and where. */
  async read(photograph, signal) {
    return this.first("api/read", photograph, signal);
  }

  /** What stands for images, by their names. */
  async signs(images) {
    const response = await this.request("api/signs", { images });
    return response.json();
  }

  /** Answers a question about a puzzle, part by part. */
  async ask(which, question, tell, signal) {
    const response = await this.request("api/answer", { puzzle: which, question }, signal);
    for await (const line of lines(response)) {
      tell(line);
    }
  }
}
