// The playing time of a game, counted while its page is visible and it is not paused.
import { byId } from "./dom.js";
import { say } from "./status.js";

/** A stopwatch with its display, stopped at first. `keep` is called when the player interrupts a game. */
export class Clock {
  constructor(keep) {
    this.keep = keep;
    this.set(0);
    setInterval(() => this.show(), 500);
    document.addEventListener("visibilitychange", () => (document.hidden ? this.interrupt() : this.resume()));
  }

  /** Stops the clock and sets the time. */
  set(seconds) {
    this.before = seconds * 1000;
    this.since = null;
    this.wasRunning = false;
  }

  start() {
    this.since ??= Date.now();
  }

  stop() {
    this.before = this.milliseconds;
    this.since = null;
  }

  get milliseconds() {
    return this.before + (this.since === null ? 0 : Date.now() - this.since);
  }

  get seconds() {
    return Math.floor(this.milliseconds / 1000);
  }

  interrupt() {
    if (this.since !== null) {
      this.stop();
      this.wasRunning = true;
      this.keep();
    }
  }

  resume() {
    if (this.wasRunning && byId("go-on-playing").hidden) {
      this.start();
      this.wasRunning = false;
    }
  }

  /** Stops the clock and hides the board until the player goes on. */
  pause() {
    this.interrupt();
    say("");
    this.hideBoard(true);
    byId("go-on-playing").focus();
  }

  /** Shows the board again; returns true if it was hidden. */
  goOn() {
    const wasHidden = !byId("go-on-playing").hidden;
    this.hideBoard(false);
    this.resume();
    return wasHidden;
  }

  hideBoard(is) {
    byId("play").classList.toggle("paused", is);
    byId("go-on-playing").hidden = !is;
  }

  show() {
    byId("timer").textContent = String(this);
  }

  /** Formats the time as minutes and seconds. */
  toString() {
    return `${Math.floor(this.seconds / 60)}:${String(this.seconds % 60).padStart(2, "0")}`;
  }
}
