// The rules of a puzzle: which sides match, and which tiles fit into a cell.
import { shown, sidesOf } from "./orientation.js";

/** Returns true if two labels match. */
function fit(game, one, other) {
  const { mate, fits } = game.labels[one];
  return fits ? fits.includes(other) : mate === other;
}

/** Judges the placed tiles: matching seams, broken seams, and wrong sides on the rim. */
export function judge(game, placed) {
  const shows = (cell, side) => shown(game.tiles[placed.get(cell).tile], placed.get(cell).lies)[side];
  const verdict = { fitting: [], broken: [], rim: [] };
  const meets = ([first, a, second, b], seam, must) => {
    if (!placed.has(first) || !placed.has(second)) {
      return;
    }
    const ends = [shows(first, a), shows(second, b)];
    if (fit(game, ...ends) && !ends.includes(game.border)) {
      verdict.fitting.push(seam);
    } else if (must) {
      verdict.broken.push(seam);
    }
  };
  for (const seam of game.seams) {
    meets(seam, seam, true);
  }
  for (const seam of game.loose) {
    meets(seam, seam, false);
  }
  if (game.border !== undefined) {
    for (const [cell, side] of game.rim) {
      if (placed.has(cell) && !fit(game, shows(cell, side), game.border)) {
        verdict.rim.push([cell, side]);
      }
    }
  }
  verdict.full = placed.size === game.cells.length;
  verdict.fits = verdict.full && verdict.broken.length === 0 && verdict.rim.length === 0;
  return verdict;
}

/** The label that each side of a cell must match, from a neighbour or the border; otherwise `null`. */
function asked(game, placed, cell) {
  const against = Array(game.cells[cell].sides).fill(null);
  const shows = (other, side) => shown(game.tiles[placed.get(other).tile], placed.get(other).lies)[side];
  for (const [first, a, second, b] of game.seams) {
    if (first === cell && placed.has(second) && second !== cell) {
      against[a] = shows(second, b);
    } else if (second === cell && placed.has(first) && first !== cell) {
      against[b] = shows(first, a);
    }
  }
  if (game.border !== undefined) {
    for (const [there, side] of game.rim) {
      if (there === cell) {
        against[side] = game.border;
      }
    }
  }
  return against;
}

/** The tiles that fit into a cell, each with its first fitting orientation: `[tile, lies]`. */
export function candidates(game, placed, cell, tiles) {
  const against = asked(game, placed, cell);
  const inside = game.border !== undefined && new Set(game.rim.filter(([there]) => there === cell).map(([, side]) => side));
  const fits = (tile, lies) => {
    const labels = shown(game.tiles[tile], lies);
    const isAsked = labels.every((label, side) => against[side] === null || fit(game, label, against[side]));
    // The border must not be inside.
    return isAsked && (!inside || labels.every((label, side) => label !== game.border || inside.has(side)));
  };
  return tiles.flatMap((tile) => {
    if (sidesOf(game.tiles[tile]) !== game.cells[cell].sides) {
      return [];
    }
    const lies = game.tiles[tile].looks.findIndex((look, lies) => look !== null && fits(tile, lies));
    return lies < 0 ? [] : [[tile, lies]];
  });
}

/** The sides of a cell that match, and those that do not. */
export function sidesAt({ fitting, broken, rim }, cell) {
  const at = (seams) => seams.flatMap(([a, s, b, u]) => [...(a === cell ? [s] : []), ...(b === cell ? [u] : [])]);
  return { fit: at(fitting), wrong: [...at(broken), ...rim.filter(([there]) => there === cell).map(([, side]) => side)] };
}
