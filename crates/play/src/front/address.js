// The page's address: `#PUZZLE~POSITION`. The puzzle is a code that begins with `em1-`, or the name of a
// puzzle on the server; both parts are optional.

/** The delay before a position is written to the address, in milliseconds; browsers limit the rate of
 * changes. */
const REST = 300;

let timer = null;

/** Returns true if a text looks like the code of a puzzle. */
export function isCode(text) {
  return /^em\d+-/i.test(text);
}

/** Parses an address: `{ code }`, `{ name }` or `{}`, with the letters of a position or `null`. */
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

/** The address without a fragment. */
function bare() {
  return location.pathname + location.search;
}

/** The address with the fragment for a puzzle and a position. */
function at(puzzle, position) {
  const next = fragment(puzzle, position);
  return bare() + (next === "#" ? "" : next);
}

/** Adds the address of another puzzle to the browser's history. */
export function go(puzzle, position) {
  clearTimeout(timer);
  if (at(puzzle, position) !== bare() + location.hash) {
    history.pushState(null, "", at(puzzle, position));
  }
}

/** Replaces the address with that of the current position, after a delay or immediately. */
export function follow(puzzle, position, atOnce = false) {
  clearTimeout(timer);
  const write = () => history.replaceState(null, "", at(puzzle, position));
  if (atOnce) {
    write();
  } else {
    timer = setTimeout(write, REST);
  }
}

/** The full address, for sharing. */
export function link(puzzle, position) {
  return `${location.origin === "null" ? "" : location.origin}${bare()}${fragment(puzzle, position)}`;
}

/** Calls `act` when the user goes back or forward, or edits the address. */
export function onChange(act) {
  addEventListener("hashchange", () => {
    clearTimeout(timer);
    act();
  });
}
