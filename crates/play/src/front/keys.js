// Keyboard shortcuts, and their list.
import { dialog } from "./dialog.js";
import { el } from "./dom.js";
import { t } from "./words.js";

/** Shows the effects of keys and gestures. */
export function showKeys() {
  const rows = t("key-list").map(([keys, words]) =>
    el("tr", {}, el("th", { scope: "row" }, ...keys.map((key) => el("kbd", {}, key))), el("td", {}, words)),
  );
  dialog(t("help"), [el("p", {}, t("rules")), el("p", {}, t("gestures")), el("table", { class: "key-list" }, el("tbody", {}, ...rows))], null, null);
}

/** Handles the shortcuts of a game that work anywhere on the page. */
export function handleKey(session, event) {
  session.table.byKeyboard = true;
  const isTyping = event.target.closest?.("input:not([type=checkbox], [type=range]), textarea, select, dialog");
  // An open menu has the keys, of which Escape closes it.
  if (isTyping || !session.puzzle || event.altKey || document.querySelector(":popover-open")) {
    return;
  }
  const key = event.key.toLowerCase();
  const isCommand = event.ctrlKey || event.metaKey;
  const acts = {
    h: () => session.questions.hint(),
    r: () => session.table.turnChosen(event.shiftKey ? 1 : -1),
    f: () => session.table.turnOverChosen(),
    c: () => session.check(),
    p: () => session.pause(),
    "?": () => showKeys(),
    escape: () => session.rest(),
  };
  if (isCommand && (key === "z" || key === "y")) {
    event.preventDefault();
    key === "y" || event.shiftKey ? session.redo() : session.undo();
  } else if (!isCommand && session.solutions.key(event.key)) {
    event.preventDefault();
  } else if (!isCommand && acts[key]) {
    event.preventDefault();
    if (key !== "p") {
      session.clock.goOn();
    }
    acts[key]();
  }
}
