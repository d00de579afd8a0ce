// A window above the page that asks for something.
import { byId, el } from "./dom.js";
import { t } from "./words.js";

/** A field for a number, with its label. */
export function numberField(label, attributes) {
  const input = el("input", { type: "number", ...attributes });
  return { input, field: el("label", {}, `${label} `, input) };
}

/** A dialog with a form. `agree` is called with a signal that ends with the dialog; what it throws is
 * shown. Where there is nothing to agree to, `agreed` is `null`, and the dialog is only closed. */
export function dialog(title, fields, agreed, agree) {
  const wrong = el("p", { class: "wrong", role: "alert" });
  const working = el("p", { role: "status", class: "details" });
  const yes = el("button", { type: "submit", class: "main", hidden: agreed === null }, agreed ?? "");
  const no = el("button", { type: "button" }, t(agreed === null ? "close" : "cancel"));
  const form = el("form", { novalidate: true }, el("h2", {}, title), ...fields, wrong, working, el("div", { class: "buttons" }, yes, no));
  const box = el("dialog", { "aria-label": title }, form);
  let stop = null;
  no.addEventListener("click", () => box.close());
  // Enter in a field of text is no agreement to the whole.
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input[type=text]")) {
      event.preventDefault();
      event.target.blur();
    }
  });
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
    // What takes longer than a moment shows that it goes on.
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
  return box;
}
