// Data stored in the browser: games, puzzles, unfinished cards, settings. The page also works without
// storage.

const PREFIX = "edgematch/";
const GAME = `${PREFIX}game/`;

/** The maximum number of stored games, and of stored puzzles. */
const MOST_GAMES = 200;
const MOST_PUZZLES = 60;

let isFull = false;

/** Returns false if something could not be stored. */
export function keepsAll() {
  return !isFull;
}

function get(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function put(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function set(key, value) {
  // If the storage is full, delete the oldest games.
  while (!put(key, value)) {
    const oldest = games().at(-1);
    if (!oldest || GAME + oldest.id === key) {
      isFull = true;
      return;
    }
    dropGame(oldest.id);
  }
}

/** The stored games, the latest first. */
export function games() {
  let keys = [];
  try {
    keys = Object.keys(localStorage).filter((key) => key.startsWith(GAME));
  } catch {
    // The browser has no storage.
  }
  const all = keys.map((key) => ({ id: key.slice(GAME.length), ...get(key) }));
  return all.sort((a, b) => (b.when ?? 0) - (a.when ?? 0));
}

export function game(id) {
  return get(GAME + id);
}

export function keepGame(id, kept) {
  set(GAME + id, { ...kept, when: Date.now() });
}

/** Deletes the oldest games if there are too many. */
export function dropOldGames() {
  for (const { id } of games().slice(MOST_GAMES)) {
    dropGame(id);
  }
}

export function dropGame(id) {
  try {
    localStorage.removeItem(GAME + id);
  } catch {
    // The browser has no storage.
  }
}

/** Puzzles that exist only here: `{ code, text, images, title, kind, isSaved }`, the latest first. */
export function puzzles() {
  return get(`${PREFIX}puzzles`) ?? [];
}

export function keepPuzzle(puzzle) {
  const others = puzzles().filter(({ code }) => code !== puzzle.code);
  set(`${PREFIX}puzzles`, [puzzle, ...others].slice(0, MOST_PUZZLES));
}

export function dropPuzzle(code) {
  set(`${PREFIX}puzzles`, puzzles().filter((one) => one.code !== code));
  dropGame(code);
}

/** The unfinished content of the editor. */
export function draft() {
  return get(`${PREFIX}draft`);
}

export function keepDraft(draft) {
  set(`${PREFIX}draft`, draft);
}

/** A setting, or a default value. */
export function setting(name, otherwise) {
  return (get(`${PREFIX}settings`) ?? {})[name] ?? otherwise;
}

export function choose(name, value) {
  set(`${PREFIX}settings`, { ...get(`${PREFIX}settings`), [name]: value });
}
