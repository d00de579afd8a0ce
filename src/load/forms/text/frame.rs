//! Finds the image of the frame, and decides whether 0 is the frame or an ordinary digit, as in
//! TetraVex.
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
use crate::puzzle::{Assumption, Label, list_rotations};

/// Other common orders than that in which a text is read by default, the most frequent first.
const OTHER_ORDERS: [&str; 3] =
    ["clockwise-from-left", "top,left,right,bottom", "top,bottom,left,right"];

/// Finds the reading under which the tiles fit the board: with a frame, or without frame and
/// rotations. The order in which the problem was read precedes the other orders unless one of them
/// has at least two more pairs. Returns the problem with or without a frame, in its own order, if no
/// reading fits.
pub(super) fn consistent(problem: Problem, options: &ReadOptions) -> Problem {
    let problem = if options.border.is_none() { framed(problem) } else { problem };
    let border = problem.puzzle.border.filter(|_| options.border.is_none());
    let size = problem.board.rectangle().filter(|_| problem.uses_every_tile());
    let (Some(border), Some(size)) = (border, size) else {
        return problem;
    };
    let mut assumed = problem.puzzle.assumed.iter();
    let is_order_open = assumed.any(|fact| matches!(fact, Assumption::Order(_)));
    // A single row or column has too few seams to distinguish orders.
    let others = OTHER_ORDERS.iter().filter(|_| is_order_open && size.0.min(size.1) > 1);
    let others = others.filter_map(|name| reordered(&problem, EdgeOrder::parse(name).ok()?));
    let has_whole_frame = |reading: &Problem| missing_of_frame(reading, border) == 0;
    // One tile of the frame may be mistyped.
    let has_frame = |reading: &Problem| missing_of_frame(reading, border) <= 1;
    if has_whole_frame(&problem) {
        return problem;
    }
    let readings = once(problem.clone()).chain(others).collect_vec();
    if let Some(framed) = readings.iter().find(|reading| has_whole_frame(reading)) {
        return framed.clone();
    }
    if has_frame(&problem) {
        return problem;
    }
    let has_halves = problem.puzzle.labels.halved_images() > 0;
    let pairs = |reading| if has_halves { None } else { pairs_unturned(reading, size) };
    let unturned = readings.iter().filter_map(|reading| Some((pairs(reading)?, reading)));
    let unturned = unturned.collect_vec();
    // Of readings with equally many pairs, the first.
    let most = unturned.iter().rev().max_by_key(|(pairs, _)| pairs);
    if let (Some(first), Some(most)) = (unturned.first(), most) {
        // In a wrong order, a board has enough pairs by chance, but rarely more of them.
        let (_, reading) = if most.0 >= first.0 + 2 { most } else { first };
        let reading = (*reading).clone();
        // The tiles of a framed board may be listed as they lie in a solution.
        return if has_frame(&reading) { reading } else { without_frame(reading, false) };
    }
    if let Some(framed) = readings.into_iter().skip(1).find(has_frame) {
        return framed;
    }
    // If too many tiles of the frame are missing, no solution has a frame. Among halves, 0 is then a
    // side that matches itself.
    let may_have_frame =
        !has_halves && missing_of_frame(&problem, border) * 2 <= problem.board.size();
    let may_turn = problem.puzzle.may_turn;
    if may_have_frame { problem } else { without_frame(problem, may_turn) }
}

/// The problem with a border, which is assumed, if the tiles show one whole image exactly as a frame.
/// Boards of fewer than three rows or columns are all frame, so that any image may be one.
fn framed(problem: Problem) -> Problem {
    let has_inside = problem.board.rectangle().is_some_and(|(rows, columns)| rows.min(columns) > 2);
    if problem.puzzle.border.is_some() || !has_inside || !problem.uses_every_tile() {
        return problem;
    }
    let labels = &problem.puzzle.labels;
    let uses = problem.puzzle.tiles.iter().flat_map(|tile| &tile.edges).counts();
    let may_be_rim = |label: &Label| {
        labels.is_known(*label)
            && labels.mate(*label) == *label
            && uses.get(label) == Some(&problem.board.rim().len())
    };
    let mut images = labels.all().filter(may_be_rim);
    let Some(border) = images.find(|&image| missing_of_frame(&problem, image) == 0) else {
        return problem;
    };
    let fact = Assumption::Border(Some(labels.name(border)));
    let assumed = problem.puzzle.assumed.iter().cloned().chain([fact]).collect();
    let may_turn = problem.puzzle.may_turn;
    problem.with_rules(Some(border), may_turn).with_assumed(assumed)
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

/// The problem with its edges, read clockwise from the top, interpreted in another order. `None` if
/// it is not a problem.
fn reordered(problem: &Problem, other: EdgeOrder) -> Option<Problem> {
    let mut puzzle = problem.puzzle.clone();
    for tile in &mut puzzle.tiles {
        tile.edges = other.normalise(&EdgeOrder::CLOCKWISE_FROM_TOP.listed(&tile.edges));
    }
    for fact in &mut puzzle.assumed {
        if let Assumption::Order(name) = fact {
            *name = other.name();
        }
    }
    Problem::new(puzzle, problem.board.clone()).ok()
}

/// The number of cells that remain if as many as possible get a tile of their own that shows the
/// border on exactly their rim sides, up to rotation. Cells inside the board need a tile without
/// the border.
fn missing_of_frame(problem: &Problem, border: Label) -> usize {
    let mut cells = vec![vec![false; 4]; problem.board.size()];
    for &(cell, side) in problem.board.rim() {
        cells[cell][side] = true;
    }
    let shown = problem.puzzle.tiles.iter().map(|tile| {
        let sides = tile.edges.iter().map(|edge| *edge == border).collect_vec();
        list_rotations(&sides).min()
    });
    problem.board.size() - in_common(cells.iter().map(|sides| list_rotations(sides).min()), shown)
}

/// The number of pairs of equal edges on opposite sides of the tiles without rotations; `None` if
/// some seam has no pair.
fn pairs_unturned(problem: &Problem, (rows, columns): (usize, usize)) -> Option<usize> {
    let shown = |side: usize| problem.puzzle.tiles.iter().map(move |tile| tile.edges[side]);
    let [beside, above] = [in_common(shown(0), shown(2)), in_common(shown(1), shown(3))];
    let has_enough = beside >= rows * (columns - 1) && above >= (rows - 1) * columns;
    has_enough.then_some(beside + above)
}

/// The largest number of pairs of equal items, one from each iterator.
fn in_common<T: Eq + Hash>(
    items: impl Iterator<Item = T>,
    others: impl Iterator<Item = T>,
) -> usize {
    let others = others.counts();
    let items = items.counts().into_iter();
    items.map(|(item, number)| number.min(others.get(&item).copied().unwrap_or(0))).sum()
}
