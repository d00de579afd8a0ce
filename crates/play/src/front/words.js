// The texts of the page, in the language of the browser.
import { DE } from "./de.js";
import { EN } from "./en.js";
import * as storage from "./storage.js";

const LANGUAGES = { en: EN, de: DE };

/** The chosen language, or the first available one of the browser's. */
function preferred() {
  const chosen = new URLSearchParams(location.search).get("lang");
  const wished = [chosen, storage.setting("language", null), ...(navigator.languages ?? [])].filter(Boolean).map((one) => one.slice(0, 2));
  return wished.find((one) => one in LANGUAGES) ?? "en";
}

/** The language of the page: two letters. */
export const language = preferred();

/** The text for a key, with arguments filled in. Throws if the key is unknown. */
export function t(key, ...rest) {
  const said = LANGUAGES[language][key] ?? EN[key];
  if (said === undefined) {
    throw new Error(`no words for ${key}`);
  }
  return typeof said === "function" ? said(...rest) : said;
}

/** The texts for a key in all languages. */
export function everywhere(key) {
  return Object.values(LANGUAGES).map((texts) => texts[key]);
}

/** Fills in the texts of a document: `data-words` is an element's text, `data-label` its accessible name. */
export function inWords(root) {
  document.documentElement.lang = language;
  for (const node of root.querySelectorAll("[data-words]")) {
    node.textContent = t(node.dataset.words);
  }
  for (const node of root.querySelectorAll("[data-placeholder]")) {
    node.placeholder = t(node.dataset.placeholder);
  }
  for (const node of root.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", t(node.dataset.label));
    if (node.matches("button")) {
      node.title = t(node.dataset.label);
    }
  }
}
