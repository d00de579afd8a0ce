// The list of keys.
import { dialog } from "./dialog.js";
import { el } from "./dom.js";
import { t } from "./words.js";

/** Shows the effects of keys and gestures. */
export function showKeys() {
  const rows = t("key-list").map(([keys, words]) =>
    el("tr", {}, el("th", { scope: "row" }, ...keys.map((key) => el("kbd", {}, key))), el("td", {}, words)),
  );
  dialog(t("keys"), [el("table", { class: "key-list" }, el("tbody", {}, ...rows)), el("p", {}, t("gestures"))], null, null);
}
