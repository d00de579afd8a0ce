// The address of what one sees: `#PUZZLE~POSITION`. The puzzle is a code that begins with `em1-`, or the
// name of one on the server; both may be missing.

/** How long a position stands before the address says it, as browsers take few changes a second. */
const REST = 300;

let timer = null;

/** Whether a text is the code of a puzzle, by its looks. */
export function isCode(text) {
  return /^em\d+-/i.test(text);
}

/** What an address names: `{ code }`, `{ name }` or `{}`, with the letters of a position or `null`. */
export function read(hash = location.hash) {
  const [puzzle, ...rest] = hash.replace(/^#/, "").split("~");
  const position = rest.length > 0 ? rest.join("~") : null;
  if (puzzle === "") {
    return { position };
  }
  if (isCode(puzzle)) {
    return { code: puzzle, position };
  }
  try {
    return { name: decodeURIComponent(puzzle), position };
  } catch {
    return { name: puzzle, position };
  }
}

/** The fragment for a puzzle and a position. */
export function fragment({ code, name }, position) {
  const puzzle = code ?? (name === undefined ? "" : encodeURIComponent(name));
  return `#${puzzle}${position ? `~${position}` : ""}`;
}

/** Where the page is without a fragment. */
function bare() {
  return location.pathname + location.search;
}

/** The address with this fragment. */
function at(puzzle, position) {
  const next = fragment(puzzle, position);
  return bare() + (next === "#" ? "" : next);
}

/** Names another puzzle, one step further in the browser's history. */
export function go(puzzle, position) {
  clearTimeout(timer);
  if (at(puzzle, position) !== bare() + location.hash) {
    history.pushState(null, "", at(puzzle, position));
  }
}

/** Names the position that is reached, in the same step of the history; soon, or at once. */
export function follow(puzzle, position, atOnce = false) {
  clearTimeout(timer);
  const write = () => history.replaceState(null, "", at(puzzle, position));
  if (atOnce) {
    write();
  } else {
    timer = setTimeout(write, REST);
  }
}

/** The whole address, as others can open it. */
export function link(puzzle, position) {
  return `${location.origin === "null" ? "" : location.origin}${bare()}${fragment(puzzle, position)}`;
}

/** Hears when somebody goes back or forth, or edits the address. */
export function onChange(act) {
  addEventListener("hashchange", () => {
    clearTimeout(timer);
    act();
  });
}
