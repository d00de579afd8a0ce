// The rules of a puzzle: which sides match, and which tiles fit into a cell.
import { shown, sidesOf } from "./orientation.js";

/** Returns true if two labels match. */
export function fit(game, one, other) {
  const { mate, fits } = game.labels[one];
  return fits ? fits.includes(other) : mate === other;
}

/** Judges the placed tiles: the seams that match, those that are broken, and the wrong sides on the rim, as
 * elements of the game's lists; for each cell, the sides that match (`fit`) and do not (`wrong`). */
export function judge(game, placed) {
  const shows = new Map([...placed].map(([cell, { tile, lies }]) => [cell, shown(game.tiles[tile], lies)]));
  const verdict = { fitting: [], broken: [], rim: [], fit: new Map(), wrong: new Map() };
  const note = (sides, cell, side) => sides.set(cell, [...(sides.get(cell) ?? []), side]);
  const meets = (seam, must) => {
    const [first, a, second, b] = seam;
    const ends = [shows.get(first)?.[a], shows.get(second)?.[b]];
    if (ends.includes(undefined)) {
      return;
    }
    const fits = fit(game, ...ends) && !ends.includes(game.border);
    if (fits || must) {
      verdict[fits ? "fitting" : "broken"].push(seam);
      note(verdict[fits ? "fit" : "wrong"], first, a);
      note(verdict[fits ? "fit" : "wrong"], second, b);
    }
  };
  for (const seam of game.seams) {
    meets(seam, true);
  }
  for (const seam of game.loose) {
    meets(seam, false);
  }
  if (game.border !== undefined) {
    for (const side of game.rim) {
      const label = shows.get(side[0])?.[side[1]];
      if (label !== undefined && !fit(game, label, game.border)) {
        verdict.rim.push(side);
        note(verdict.wrong, ...side);
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
