// A window above the page that asks for something.
import { byId, el } from "./dom.js";

/** A dialog with a form. `agree` is called with it; what it throws is shown. */
export function dialog(title, fields, agreed, agree) {
  const wrong = el("p", { class: "wrong", role: "alert" });
  const working = el("p", { role: "status", class: "details" });
  const yes = el("button", { type: "submit", class: "main" }, agreed);
  const no = el("button", { type: "button" }, "Cancel");
  const form = el("form", { novalidate: true }, el("h2", {}, title), ...fields, wrong, working, el("div", { class: "buttons" }, yes, no));
  const box = el("dialog", { "aria-label": title }, form);
  let stop = null;
  no.addEventListener("click", () => box.close());
  box.addEventListener("close", () => {
    stop?.abort();
    box.remove();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    stop = new AbortController();
    wrong.textContent = "";
    working.textContent = "Working…";
    yes.disabled = true;
    // What takes longer than a moment shows that it goes on.
    const began = Date.now();
    const clock = setInterval(() => {
      working.textContent = `Working… ${Math.round((Date.now() - began) / 1000)} s; Cancel stops it.`;
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
