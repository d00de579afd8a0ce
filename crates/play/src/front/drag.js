// Dragging a tile with mouse, finger or pen; a second finger or the wheel rotates it.
import { byId } from "./dom.js";
import { ghost } from "./board.js";

/** A pointer that moves less than this, in pixels, has not dragged. */
const STILL = 6;

/** The distance from an edge at which dragging scrolls, and the distance of each scroll step, in pixels. */
const EDGE = 36;
const SCROLL = 12;

/** The twist of two fingers that rotates a tile by one step, in degrees. */
const TWIST = 40;

/** Scrolls the board, the tray or the page if the point is near one of its edges. */
function scrollAt(x, y) {
  const near = (at, from, to) => (at < from + EDGE ? -SCROLL : at > to - EDGE ? SCROLL : 0);
  for (const id of ["board", "tray"]) {
    const { left, right, top, bottom } = byId(id).getBoundingClientRect();
    if (x >= left && x <= right && y >= top && y <= bottom) {
      byId(id).scrollBy(near(x, left, right), near(y, top, bottom));
    }
  }
  window.scrollBy(0, near(y, 0, window.innerHeight));
}

/** Follows the pointer that went down on `source`. `tile`, its `size` in
 * pixels and `lies()` define the dragged tile. Calls
 * `over(x, y)` when the pointer moves, `drop(x, y)` on release, `turn(steps)` on rotation, and
 * `end(wasDragged)` last. */
export function follow(event, source, { game, tile, size, lies, over, drop, turn, end }) {
  // With capture, this element receives all events of the pointer, even fast ones.
  source.setPointerCapture(event.pointerId);
  const first = event.pointerId;
  const from = [event.clientX, event.clientY];
  let at = from;
  let along = null;
  let scrolling = null;
  let second = null;
  const turned = (steps) => {
    turn(steps);
    along?.turn(steps);
  };
  const angle = ({ clientX, clientY }) => (Math.atan2(clientY - at[1], clientX - at[0]) * 180) / Math.PI;
  const move = (event) => {
    if (event.pointerId !== first) {
      return;
    }
    at = [event.clientX, event.clientY];
    if (!along && Math.hypot(at[0] - from[0], at[1] - from[1]) > STILL) {
      along = ghost(game, tile, lies(), size);
      scrolling = setInterval(() => scrollAt(...at), 30);
    }
    along?.move(...at);
    if (along) {
      over(...at);
    }
  };
  const another = {
    pointerdown: (event) => {
      if (event.pointerId !== first && second === null) {
        second = { id: event.pointerId, angle: angle(event), hasTurned: false };
      }
    },
    pointermove: (event) => {
      if (event.pointerId !== second?.id) {
        return;
      }
      const twist = ((angle(event) - second.angle + 540) % 360) - 180;
      if (Math.abs(twist) >= TWIST) {
        turned(twist > 0 ? -1 : 1);
        second = { ...second, angle: angle(event), hasTurned: true };
      }
    },
    pointerup: (event) => {
      if (event.pointerId === second?.id) {
        if (!second.hasTurned) {
          turned(-1);
        }
        second = null;
      }
    },
    wheel: (event) => {
      event.preventDefault();
      turned(event.deltaY > 0 ? -1 : 1);
    },
  };
  const finish = (event) => {
    if (event.pointerId !== first) {
      return;
    }
    for (const [name, hear] of own) {
      source.removeEventListener(name, hear);
    }
    for (const [name, hear] of Object.entries(another)) {
      document.removeEventListener(name, hear);
    }
    clearInterval(scrolling);
    along?.remove();
    over(null, null);
    if (along && event.type === "pointerup") {
      drop(event.clientX, event.clientY);
    }
    end(along !== null);
  };
  const own = [["pointermove", move], ["pointerup", finish], ["pointercancel", finish]];
  for (const [name, hear] of own) {
    source.addEventListener(name, hear);
  }
  for (const [name, hear] of Object.entries(another)) {
    document.addEventListener(name, hear, { passive: false });
  }
}

/** Animates a tile from one place to another. */
export function fly(game, tile, lies, from, to) {
  const image = ghost(game, tile, lies, to.width);
  const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
  image.move(...middle(to));
  image.from(middle(from), from.width / to.width);
}
