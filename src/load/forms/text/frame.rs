//! Decides whether 0 is the frame or an ordinary digit, as in TetraVex.
//!
//! Files do not say which. If 0 is the frame, the numbers of corner, edge and inner tiles are those
//! of the board. If it is a digit, tiles are not rotated and each seam needs a pair of equal edges.
//! Both tests depend on the order in which edges are listed.

use std::hash::Hash;
use std::iter::once;

use itertools::Itertools;

use crate::load::edge_order::EdgeOrder;
use crate::load::form::ReadOptions;
use crate::problem::Problem;
use crate::puzzle::{Assumption, Label, Puzzle, Tile};

/// Common orders, the most frequent first.
const ORDERS: [&str; 4] =
    ["clockwise-from-top", "clockwise-from-left", "top,left,right,bottom", "top,bottom,left,right"];

/// Finds the reading under which the tiles fit the board: with a frame, or without frame and
/// rotations. Tries the order in which the problem was read first, then the other orders. Returns
/// the problem with or without a frame, in its own order, if no reading fits.
pub(super) fn consistent(problem: Problem, options: &ReadOptions) -> Problem {
    let border = problem.puzzle.border.filter(|_| options.border.is_none());
    let (Some(border), Some(size)) = (border, problem.board.rectangle()) else {
        return problem;
    };
    if !problem.uses_every_tile() {
        return problem;
    }
    let order = problem.puzzle.assumed.iter().find_map(|fact| match fact {
        Assumption::Order(name) => EdgeOrder::parse(name).ok(),
        _ => None,
    });
    let others = ORDERS.iter().filter_map(|name| EdgeOrder::parse(name).ok());
    // A single row or column has too few seams to distinguish orders.
    let is_told = size.0.min(size.1) > 1;
    let others = others.filter(|other| is_told && order.is_some_and(|order| order != *other));
    let others = others.map(|other| reordered(&problem, order.unwrap_or_default(), other));
    let consistent = once(problem.clone()).chain(others).find_map(|reading| {
        // One tile of the frame may be mistyped.
        if missing_of_frame(&reading, border) <= 1 {
            Some(reading)
        } else {
            match_unturned(&reading, size).then(|| without_frame(reading, false))
        }
    });
    consistent.unwrap_or_else(|| {
        // If too many tiles of the frame are missing, no solution has a frame.
        let has_frame = missing_of_frame(&problem, border) * 2 <= problem.board.size();
        let may_turn = problem.puzzle.may_turn;
        if has_frame { problem } else { without_frame(problem, may_turn) }
    })
}

/// The problem without the assumed border, in which tiles may be rotated if `may_turn`. The
/// recorded assumptions are updated.
fn without_frame(problem: Problem, may_turn: bool) -> Problem {
    let mut assumed = problem.puzzle.assumed.clone();
    for fact in &mut assumed {
        match fact {
            Assumption::Border(border) => *border = None,
            Assumption::Rotations(assumed) => *assumed = may_turn,
            Assumption::Order(_) | Assumption::Halves(_) => {}
        }
    }
    problem.with_rules(None, may_turn).with_assumed(assumed)
}

/// The problem with its edges interpreted in another order.
fn reordered(problem: &Problem, order: EdgeOrder, other: EdgeOrder) -> Problem {
    let mut puzzle: Puzzle = problem.puzzle.clone();
    for tile in &mut puzzle.tiles {
        tile.edges = other.normalise(&order.listed(&tile.edges));
    }
    for fact in &mut puzzle.assumed {
        if let Assumption::Order(name) = fact {
            *name = other.name();
        }
    }
    Problem::new(puzzle, problem.board.clone()).unwrap_or_else(|_| problem.clone())
}

/// The number of cells that remain if as many as possible get a tile of their own that shows the
/// border on exactly their rim sides, up to rotation. Cells inside the board need a tile without
/// the border.
fn missing_of_frame(problem: &Problem, border: Label) -> usize {
    let mut cells = vec![[false; 4]; problem.board.size()];
    for &(cell, side) in problem.board.rim() {
        cells[cell][side] = true;
    }
    let shown = |tile: &Tile| rotated([0, 1, 2, 3].map(|side| tile.edges[side] == border));
    let shown = problem.puzzle.tiles.iter().map(shown);
    problem.board.size() - in_common(cells.into_iter().map(rotated), shown)
}

/// The canonical rotation of the sides: the smallest one.
fn rotated(mut sides: [bool; 4]) -> [bool; 4] {
    let rotations = [0; 4].map(|_| {
        sides.rotate_left(1);
        sides
    });
    rotations.into_iter().min().unwrap_or(sides)
}

/// Returns true if the tiles, without rotations, have a pair of equal edges for every seam.
fn match_unturned(problem: &Problem, (rows, columns): (usize, usize)) -> bool {
    let shown = |side: usize| problem.puzzle.tiles.iter().map(move |tile| tile.edges[side]);
    in_common(shown(0), shown(2)) >= rows * (columns - 1)
        && in_common(shown(1), shown(3)) >= (rows - 1) * columns
}

/// The largest number of pairs of equal items, one from each iterator.
fn in_common<T: Eq + Hash>(
    items: impl Iterator<Item = T>,
    others: impl Iterator<Item = T>,
) -> usize {
    let others = others.counts();
    let pairs = items
        .counts()
        .into_iter()
        .map(|(item, number)| others.get(&item).copied().unwrap_or_default().min(number));
    pairs.sum()
}
