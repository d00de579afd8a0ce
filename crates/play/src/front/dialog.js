// Modal dialogs, and the menu of a small window.
import { byId, el } from "./dom.js";
import { t } from "./words.js";

/** A number field with its label. */
export function numberField(label, attributes) {
  const input = el("input", { type: "number", ...attributes });
  return { input, field: el("label", {}, `${label} `, input) };
}

/** The windows that are too small for the menu beside the board. */
const SMALL = matchMedia("(max-width: 46rem), (max-height: 30rem) and (min-aspect-ratio: 1)");

/** In a small window, makes a section a menu, which a button opens and each of its own buttons closes. */
export function asMenu(section) {
  const adapt = () => (section.popover = SMALL.matches ? "auto" : null);
  SMALL.addEventListener("change", adapt);
  adapt();
  section.addEventListener("click", ({ target }) => {
    if (SMALL.matches && target.closest("button")) {
      section.hidePopover();
    }
  });
}

/** Shows an element, which may be in a closed menu. */
export function reveal(element) {
  element.closest("[popover]:not(:popover-open)")?.showPopover();
  element.scrollIntoView({ block: "nearest" });
}

/** Opens a dialog with a form. `agree` receives a signal that aborts when the dialog closes; its errors
 * are shown. If `agreed` is `null`, the dialog can only be closed, by a button with the words `closed`. */
export function dialog(title, fields, agreed, agree, closed = t(agreed === null ? "close" : "cancel")) {
  const wrong = el("p", { class: "wrong", role: "alert" });
  const working = el("p", { role: "status", class: "details" });
  const yes = el("button", { type: "submit", class: "main", hidden: agreed === null }, agreed ?? "");
  const no = el("button", { type: "button" }, closed);
  const form = el("form", { novalidate: true }, el("h2", {}, title), ...fields, wrong, working, el("div", { class: "buttons" }, yes, no));
  const box = el("dialog", { "aria-label": title }, form);
  let stop = null;
  no.addEventListener("click", () => box.close());
  // Enter in a text field must not submit the form.
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input[type=text]")) {
      event.preventDefault();
      event.target.blur();
    }
  });
  // Before the action that may find the next error.
  for (const kind of ["input", "keydown", "click"]) {
    form.addEventListener(kind, () => (wrong.textContent = ""), { capture: true });
  }
  box.addEventListener("close", () => {
    stop?.abort();
    box.remove();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (agreed === null) {
      box.close();
      return;
    }
    stop = new AbortController();
    wrong.textContent = "";
    working.textContent = t("working", 0);
    yes.disabled = true;
    // Show the elapsed time, so that a long wait does not look like a failure.
    const began = Date.now();
    const clock = setInterval(() => {
      working.textContent = t("working", Math.round((Date.now() - began) / 1000));
    }, 1000);
    try {
      await agree(stop.signal);
      box.close();
    } catch (error) {
      if (error.name !== "AbortError") {
        wrong.textContent = error.message;
      }
    }
    clearInterval(clock);
    working.textContent = "";
    yes.disabled = false;
  });
  byId("dialogs").append(box);
  box.showModal();
  box.scrollTop = 0;
  return box;
}
