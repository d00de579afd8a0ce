// DOM helpers. Text is inserted as text: no function parses markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      node.addEventListener(name.slice(2), value);
    } else if (value === true) {
      node.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, value);
    }
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** Creates an HTML element; attributes that begin with `on` are listeners. */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Creates an SVG element. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** The element with this id. */
export function byId(id) {
  return document.getElementById(id);
}

/** Enables or disables a button; if a disabled one had the focus, `other` receives it. */
export function disable(id, isDisabled, other) {
  if (isDisabled && document.activeElement === byId(id)) {
    byId(other).focus();
  }
  byId(id).disabled = isDisabled;
}

/** A `data:` URL of an SVG document; as an image it can neither run scripts nor load resources. */
export function pictureUrl(text) {
  return "data:image/svg+xml," + encodeURIComponent(text);
}

/** A random permutation of a list. */
export function shuffled(list) {
  const all = [...list];
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all;
}
