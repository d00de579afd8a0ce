// The status line.
import { byId } from "./dom.js";

/** Shows a message; `kind` is `good` or `bad`. */
export function say(words, kind = "") {
  byId("status").textContent = words;
  byId("status").className = kind;
  // It belongs to one message.
  byId("remove-wrong").hidden = true;
}

/** Sends a message to screen readers only. */
export function announce(words) {
  byId("spoken").textContent = words;
}

/** Runs an action and shows its error. */
export async function report(act) {
  try {
    await act();
  } catch (error) {
    if (error.name !== "AbortError") {
      say(error.message, "bad");
    }
  }
}
