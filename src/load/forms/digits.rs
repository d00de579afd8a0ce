//! Numbers without a frame, as in TetraVex: 0 is a digit like any other, and tiles are not turned.
//!
//! Files do not say whether 0 is the frame. If it is, the tiles are corners, edges and inner tiles
//! in the numbers that the board needs; where they are not, the other reading is tried.

use itertools::Itertools;

use crate::load::form::ReadOptions;
use crate::problem::Problem;
use crate::puzzle::{Assumption, Label};

/// The problem without a border and without turns, if its tiles make no frame and can match as they
/// are listed.
pub(super) fn unless_framed(problem: Problem, options: &ReadOptions) -> Problem {
    let border = problem.puzzle.border.filter(|_| options.border.is_none());
    let (Some(border), Some(size)) = (border, problem.board.rectangle()) else {
        return problem;
    };
    let is_filled = problem.uses_every_tile();
    if !is_filled || makes_frame(&problem, border) || !match_unturned(&problem, size) {
        return problem;
    }
    let mut assumed = problem.puzzle.assumed.clone();
    for fact in &mut assumed {
        match fact {
            Assumption::Border(border) => *border = None,
            Assumption::Rotations(may_turn) => *may_turn = false,
            Assumption::Order(_) | Assumption::Halves(_) => {}
        }
    }
    problem.with_rules(None, false).assuming(assumed)
}

/// Returns true if the tiles show the border on the sides that a frame needs. One tile may be
/// mistyped.
fn makes_frame(problem: &Problem, border: Label) -> bool {
    let mut cells = vec![[false; 4]; problem.board.size()];
    for &(cell, side) in problem.board.rim() {
        cells[cell][side] = true;
    }
    let needed = cells.into_iter().map(turned).counts();
    let tiles = problem.puzzle.tiles.iter();
    let shown = tiles.map(|tile| turned([0, 1, 2, 3].map(|side| tile.edges[side] == border)));
    let shown = shown.counts();
    let lacking = needed.iter().map(|(sides, number)| {
        number.saturating_sub(shown.get(sides).copied().unwrap_or_default())
    });
    lacking.sum::<usize>() <= 1
}

/// The sides in the rotation that comes first.
fn turned(mut sides: [bool; 4]) -> [bool; 4] {
    let rotations = [0; 4].map(|_| {
        sides.rotate_left(1);
        sides
    });
    rotations.into_iter().min().unwrap_or(sides)
}

/// Returns true if the tiles as they are listed have a pair of equal edges for every seam.
fn match_unturned(problem: &Problem, (rows, columns): (usize, usize)) -> bool {
    let pairs = |side: usize| -> usize {
        let shown =
            |side: usize| problem.puzzle.tiles.iter().map(move |tile| tile.edges[side]).counts();
        let opposite = shown(side + 2);
        let labels = shown(side).into_iter();
        let pairs = labels
            .map(|(label, number)| number.min(opposite.get(&label).copied().unwrap_or_default()));
        pairs.sum()
    };
    pairs(0) >= rows * (columns - 1) && pairs(1) >= (rows - 1) * columns
}
