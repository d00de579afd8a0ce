// The playing time of a game, counted while its page is visible.

/** A stopwatch, stopped at first. */
export class Clock {
  constructor(seconds = 0) {
    this.before = seconds * 1000;
    this.since = null;
  }

  start() {
    this.since ??= Date.now();
  }

  stop() {
    this.before = this.milliseconds;
    this.since = null;
  }

  get runs() {
    return this.since !== null;
  }

  get milliseconds() {
    return this.before + (this.since === null ? 0 : Date.now() - this.since);
  }

  get seconds() {
    return Math.floor(this.milliseconds / 1000);
  }

  /** Formats the time as minutes and seconds. */
  toString() {
    return `${Math.floor(this.seconds / 60)}:${String(this.seconds % 60).padStart(2, "0")}`;
  }
}
