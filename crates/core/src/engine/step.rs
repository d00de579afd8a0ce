//! The steps of a search with a fixed cell order.

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::board::CellSide;
use crate::problem::{Arrangement, Placed, Problem};
use crate::puzzle::{Orientation, Puzzle};
use crate::runtime::limits::{CancelToken, Flow};

/// A neighbouring cell that an earlier step fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Neighbour {
    /// The side of this cell that touches it.
    pub side: usize,
    /// The index of the step that fills it.
    pub step: usize,
    /// Its side that touches this cell.
    pub its_side: usize,
}

/// A step that fills one cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FillStep {
    /// The cell.
    pub cell: usize,
    /// Its number of sides.
    pub sides: usize,
    /// The neighbours that earlier steps fill, sorted by side.
    pub neighbours: Vec<Neighbour>,
    /// The orientations to try. In the first step, one per orbit under the symmetries that fix the
    /// cell.
    pub orientations: Vec<Orientation>,
}

/// The arrangement with the given placements, one per step, sorted by cell.
pub(super) fn in_cell_order(
    steps: &[FillStep],
    placed: impl IntoIterator<Item = Placed>,
) -> Arrangement {
    let mut placed: Vec<(usize, Placed)> = steps.iter().map(|s| s.cell).zip(placed).collect();
    placed.sort_unstable_by_key(|(cell, _)| *cell);
    Arrangement(placed.into_iter().map(|(_, placed)| placed).collect())
}

/// The steps that fill `cells` in this order. Breaks if the token stops the run.
pub(super) fn steps(
    problem: &Problem,
    cells: &[usize],
    token: &CancelToken<'_>,
) -> Flow<Vec<FillStep>> {
    let beside = list_touching_sides(problem);
    let mut step_of = vec![None; problem.board.size()];
    let mut of_sides: HashMap<usize, Vec<Orientation>> = HashMap::new();
    let mut steps = Vec::new();
    for (index, &cell) in cells.iter().enumerate() {
        step_of[cell] = Some(index);
        let sides = problem.board.cells()[cell].sides;
        let orientations = of_sides.entry(sides);
        let orientations =
            orientations.or_insert_with(|| orientations_of(&problem.puzzle, sides).collect());
        let neighbour = |&(side, (other, its_side)): &(usize, CellSide)| {
            let step = step_of[other]?;
            Some(Neighbour { side, step, its_side })
        };
        steps.push(FillStep {
            cell,
            sides,
            neighbours: beside[cell].iter().filter_map(neighbour).collect(),
            orientations: match index {
                0 => one_of_each_orbit(problem, cell, orientations),
                _ => orientations.clone(),
            },
        });
        token.work(16)?;
    }
    ControlFlow::Continue(steps)
}

/// The number of copies of each tile, limited to the number of cells.
pub(super) fn copies(problem: &Problem) -> Vec<usize> {
    let cells = problem.board.size();
    problem.puzzle.tiles.iter().map(|tile| tile.copies.limited_to(cells)).collect()
}

/// The orientations allowed for tiles with `sides` sides: those of a two-sided tile if there is
/// one.
fn orientations_of(puzzle: &Puzzle, sides: usize) -> impl Iterator<Item = Orientation> + '_ {
    let fitting = (0..puzzle.tiles.len()).filter(move |&tile| puzzle.tiles[tile].sides() == sides);
    let most = fitting.max_by_key(|&tile| puzzle.tiles[tile].faces().count());
    most.into_iter().flat_map(|tile| puzzle.orientations(tile))
}

/// The sides of each cell that touch another cell, each with the touching side of that cell; sorted
/// by side.
fn list_touching_sides(problem: &Problem) -> Vec<Vec<(usize, CellSide)>> {
    let mut beside = vec![Vec::new(); problem.board.size()];
    for seam in problem.board.seams() {
        for (here, there) in [(seam.first, seam.second), (seam.second, seam.first)] {
            beside[here.0].push((here.1, there));
        }
    }
    for sides in &mut beside {
        sides.sort_unstable();
    }
    beside
}

/// One orientation per orbit under the symmetries that fix the cell.
fn one_of_each_orbit(
    problem: &Problem,
    cell: usize,
    orientations: &[Orientation],
) -> Vec<Orientation> {
    let sides = problem.board.cells()[cell].sides;
    let mut kept: Vec<Orientation> = Vec::new();
    for &orientation in orientations {
        let fixing = problem.group.iter().filter(|s| s.fixes(cell));
        let mut images = fixing.map(|s| orientation.then(s.motion[cell], sides));
        if !images.any(|image| kept.contains(&image)) {
            kept.push(orientation);
        }
    }
    kept
}
