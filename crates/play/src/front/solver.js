// Answers from the solver inside the page, which runs in web workers.
import { bytesInside } from "./inside.js";
import { Offered } from "./offered.js";
import { Refusal } from "./source.js";
import { t } from "./words.js";

/** Long-running requests, for which others must not wait. */
const SEARCHES = ["fresh", "read", "answer"];

/** A worker with a queue of requests, answered one at a time. */
class WorkerQueue {
  /** `solver` is a promise of `{ module, script }`. */
  constructor(solver) {
    this.solver = solver;
    this.waiting = [];
    this.starting = null;
    this.worker = null;
  }

  async start() {
    const { module, script } = await this.solver;
    const worker = new Worker(script);
    // Ignore messages from a terminated worker.
    const hear = (said) => this.worker === worker && this.hear(said);
    worker.addEventListener("message", ({ data }) => hear(data));
    worker.addEventListener("error", () => hear({ broken: true }));
    worker.postMessage({ module });
    this.worker = worker;
  }

  /** Queues a job, `{ kind, body, heard }`; `heard` is the controller of a stream. */
  add(job) {
    this.waiting.push(job);
    if (this.waiting.length === 1) {
      this.ask();
    }
  }

  /** Sends the first job in the queue to the worker. */
  async ask() {
    const [job] = this.waiting;
    try {
      await (this.starting ??= this.start());
    } catch (error) {
      this.waiting.splice(0).forEach(({ heard }) => heard.error(error));
      return;
    }
    // The job may have been cancelled in the meantime.
    if (job && this.waiting[0] === job && !job.isAsked) {
      job.isAsked = true;
      this.worker.postMessage({ kind: job.kind, body: job.body });
    }
  }

  hear({ line, broken }) {
    if (line !== undefined) {
      this.waiting[0].heard.enqueue(line);
      return;
    }
    const { heard } = this.waiting.shift();
    if (broken) {
      this.end();
      heard.error(new Refusal({ message: t("solver-broke") }));
    } else {
      heard.close();
    }
    this.ask();
  }

  /** Cancels a job; a running one can only be stopped by terminating the worker. */
  drop(job) {
    if (!this.waiting.includes(job)) {
      return;
    }
    this.waiting = this.waiting.filter((other) => other !== job);
    if (job.isAsked) {
      this.end();
    }
    this.ask();
  }

  end() {
    this.worker.terminate();
    this.worker = this.starting = null;
  }
}

async function compiled() {
  const module = await WebAssembly.compile(await bytesInside("solver"));
  const [script] = WebAssembly.Module.customSections(module, "javascript");
  return { module, script: URL.createObjectURL(new Blob([script], { type: "text/javascript" })) };
}

/** The solver inside the page. */
export class Solver extends Offered {
  canSolve = true;

  constructor() {
    super();
    const module = compiled();
    // The error is reported to each request.
    module.catch(() => undefined);
    this.searches = new WorkerQueue(module);
    this.errands = new WorkerQueue(module);
  }

  async *texts(kind, body, signal) {
    const isSearch = SEARCHES.includes(kind) && !body.question?.check;
    const queue = isSearch ? this.searches : this.errands;
    signal?.throwIfAborted();
    const job = { kind, body: JSON.stringify(body) };
    const stream = new ReadableStream({ start: (heard) => (job.heard = heard) });
    const stop = () => {
      job.heard.error(signal.reason);
      queue.drop(job);
    };
    signal?.addEventListener("abort", stop);
    queue.add(job);
    const reader = stream.getReader();
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) {
          return;
        }
        yield value;
      }
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** The pixels of a photograph; the browser has already decoded them. */
  async photograph(canvas) {
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    const rgb = new Uint8Array(3 * width * height);
    for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
      // Blend transparent pixels with white.
      const alpha = data[from + 3];
      rgb[to] = (data[from] * alpha + 255 * (255 - alpha)) / 255;
      rgb[to + 1] = (data[from + 1] * alpha + 255 * (255 - alpha)) / 255;
      rgb[to + 2] = (data[from + 2] * alpha + 255 * (255 - alpha)) / 255;
    }
    const url = await new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result);
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(new Blob([rgb]));
    });
    return { pixels: { width, height, rgb: url.slice(url.indexOf(",") + 1) } };
  }
}
