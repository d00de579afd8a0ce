// Sharing a link to the current view: copied, or as a QR code.
import { link } from "./address.js";
import { dialog } from "./dialog.js";
import { el, svg } from "./dom.js";
import { say } from "./status.js";
import { t } from "./words.js";

/** Returns true if the page's address only works on this computer. */
function isLocal() {
  return ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname) || location.protocol === "file:";
}

async function copied(input) {
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    // The permission is missing, or the address is not secure.
    return document.execCommand("copy");
  }
}

/** Shares the result of a solved game as a text, with the device's own dialog or by the clipboard. */
export async function shareResult({ game, solved, puzzle }) {
  const text = `${game.title}: ${t("won", solved.time, solved.moves, solved.hints)}`;
  const url = isLocal() ? undefined : link(puzzle, "");
  if (navigator.share) {
    await navigator.share({ text, url });
  } else {
    await navigator.clipboard.writeText([text, url].filter(Boolean).join("\n"));
    say(t("copied"));
  }
}

/** Shows the link, with or without the position; that of a solved game would give the solution away. */
export function askShare(source, { whole, start, isSolved }) {
  const input = el("input", { type: "text", readonly: true, "aria-label": t("link") });
  const place = el("div", { class: "qr" });
  const said = el("p", { role: "status", class: "details" });
  const withPosition = el("input", { type: "checkbox", checked: !isSolved });
  const copy = el("button", { type: "button", class: "main", id: "copy" }, t("copy-link"));
  copy.addEventListener("click", async () => (said.textContent = t((await copied(input)) ? "copied" : "not-copied")));
  const draw = async () => {
    input.value = withPosition.checked ? whole : start;
    place.replaceChildren();
    if (!source.canSolve) {
      return;
    }
    try {
      const { path, size } = await source.code(input.value);
      place.replaceChildren(svg("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": t("qr-code"), "shape-rendering": "crispEdges" },
        svg("rect", { width: size, height: size, fill: "#fff" }), svg("path", { d: path, fill: "#000" })));
    } catch (error) {
      said.textContent = error.message;
    }
  };
  withPosition.addEventListener("change", draw);
  const warning = isLocal() ? el("p", { class: "details" }, t("link-is-local")) : null;
  const fields = [input, el("div", { class: "buttons" }, copy, el("label", {}, withPosition, ` ${t("with-position")}`)), place, said];
  draw();
  dialog(t("share"), [...(warning ? [warning] : []), ...fields], null, null).classList.add("small");
}
