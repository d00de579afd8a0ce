// Answers from the server of the page.
import { Refusal, Source } from "./source.js";

const POST = { method: "POST", headers: { "Content-Type": "application/json" } };

/** Wider pictures are sent as JPEG, others losslessly. In pixels. */
const SMALL = 1000;

async function failure(response) {
  const text = await response.text();
  try {
    return new Refusal(JSON.parse(text));
  } catch {
    return new Refusal({ message: `the server answered with status ${response.status}` });
  }
}

/** A server as a source; no other code contacts it. */
export class Server extends Source {
  async request(path, body, signal) {
    let response;
    try {
      const how = body === undefined ? {} : { ...POST, body: JSON.stringify(body) };
      response = await fetch(path, { ...how, signal });
    } catch (error) {
      if (error.name === "AbortError") {
        throw error;
      }
      throw new Refusal({ message: "the server no longer responds" });
    }
    if (!response.ok) {
      throw await failure(response);
    }
    return response;
  }

  async *texts(kind, body, signal) {
    const response = await this.request(`api/${kind}`, body, signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) {
        return;
      }
      const parts = (rest + value).split("\n");
      rest = parts.pop();
      yield* parts;
    }
  }

  async photograph(canvas) {
    const kind = canvas.width > SMALL ? ["image/jpeg", 0.92] : ["image/png"];
    return { file: canvas.toDataURL(...kind).split(",")[1] };
  }
}
