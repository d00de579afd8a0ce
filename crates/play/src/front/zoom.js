// Zooming the board: by buttons, by the wheel with Ctrl, or by two fingers.
import { byId } from "./dom.js";

const MOST = 8;
const STEP = 1.4;

/** A hidden strip of the board up to this width is not worth a fade; in pixels. */
const MARGIN = 8;

/** Boards with at least this number of cells have zoom buttons. */
const MANY = 30;

export class Zoom {
  /** `box` is the scrolling container. */
  constructor(box) {
    this.box = box;
    this.scale = 1;
    byId("larger").addEventListener("click", () => this.to(this.scale * STEP));
    byId("smaller").addEventListener("click", () => this.to(this.scale / STEP));
    byId("whole").addEventListener("click", () => this.to(this.least));
    box.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    box.addEventListener("touchstart", (event) => this.onTouch(event), { passive: true });
    box.addEventListener("touchmove", (event) => this.onMove(event), { passive: false });
    box.addEventListener("scroll", () => this.fade(), { passive: true });
    new ResizeObserver(() => this.fit()).observe(box);
  }

  reset(game) {
    this.isLarge = game.cells.length >= MANY;
    this.to(1);
  }

  /** Shows the buttons of a board that is large or longer than the window. */
  fit() {
    const { least } = this;
    byId("zoom").hidden = !this.isLarge && least === 1;
    byId("smaller").disabled = byId("whole").disabled = this.scale <= least;
    this.fade();
  }

  /** The scale at which the whole width is visible: less than 1 for a long row. */
  get least() {
    const { clientWidth, scrollWidth } = this.box;
    return scrollWidth > clientWidth ? Math.min(1, (this.scale * clientWidth) / scrollWidth) : Math.min(1, this.scale);
  }

  /** Fades the sides beyond which there is more of the board. */
  fade() {
    const { scrollLeft, clientWidth, scrollWidth } = this.box;
    this.box.classList.toggle("before", scrollLeft > MARGIN);
    this.box.classList.toggle("after", scrollLeft + clientWidth < scrollWidth - MARGIN);
  }

  /** Zooms; the content at a point of the window stays there. */
  to(scale, [x, y] = this.middle()) {
    const { left, top } = this.box.getBoundingClientRect();
    const before = this.scale;
    this.scale = Math.min(MOST, Math.max(this.least, scale));
    this.box.style.setProperty("--zoom", this.scale);
    this.box.classList.toggle("zoomed", this.scale > 1);
    const factor = this.scale / before;
    this.box.scrollLeft = (this.box.scrollLeft + x - left) * factor - (x - left);
    this.box.scrollTop = (this.box.scrollTop + y - top) * factor - (y - top);
    this.fit();
  }

  middle() {
    const { left, top, width, height } = this.box.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  }

  onWheel(event) {
    if (event.ctrlKey) {
      event.preventDefault();
      this.to(this.scale * (event.deltaY < 0 ? 1.15 : 1 / 1.15), [event.clientX, event.clientY]);
    }
  }

  /** The distance and the midpoint of two fingers. */
  pinch({ touches: [one, other] }) {
    return {
      far: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
      at: [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2],
    };
  }

  onTouch(event) {
    this.from = event.touches.length === 2 ? { ...this.pinch(event), scale: this.scale } : null;
  }

  onMove(event) {
    if (event.touches.length === 2 && this.from && !document.querySelector(".ghost")) {
      event.preventDefault();
      const { far, at } = this.pinch(event);
      this.to((this.from.scale * far) / this.from.far, at);
    }
  }
}
