// What the page says.
import { byId } from "./dom.js";

/** Says something; `kind` is `good` or `bad`. */
export function say(words, kind = "") {
  byId("status").textContent = words;
  byId("status").className = kind;
}

/** Says something to those who hear the page; it is not shown. */
export function announce(words) {
  byId("spoken").textContent = words;
}

/** Does something, and says what went wrong. */
export async function report(act) {
  try {
    await act();
  } catch (error) {
    if (error.name !== "AbortError") {
      say(error.message, "bad");
    }
  }
}
