//! What each cell can still take: propagation and branching over finite domains.
//!
//! - **Variables and values.** A cell is a variable; its domain is a set of oriented kinds.
//!   [`Domains::first`] starts from the rules that concern one cell alone.
//! - **Propagation** keeps arc consistency at the seams by sets of labels: a cell keeps the values
//!   that show, on each side, a label that its neighbour can still match. A kind without copies
//!   leaves all domains; linear constraints filter by bounds. [`reduce`] runs to the fixpoint; a
//!   search lets only cells with few values propagate ([`Split`] says how few).
//! - **Symmetry.** [`break_symmetry`] keeps one placement per orbit, of the rarest tile or in a
//!   cell that every symmetry fixes.
//! - **Branching** takes the cell with the fewest values, weighed by its failures so far and by its
//!   neighbours' domains, a relative of dom/wdeg; one branch per value.
//! - **Trail.** A cell is saved once per decision level, before it changes; backtracking restores
//!   it.
//!
//! There are no restarts and no learnt no-goods: every solution is wanted, so the whole tree must
//! be searched, and its parts must not depend on the thread that searches them.
//!
//! Each step keeps every solution, symmetry breaking up to the group. `bit_tables` holds the tables
//! as bits, `state` the domains and their trail, `vectors` the innermost steps, `split` the search,
//! `widths` the sizes that it is compiled for. Nothing here knows how a puzzle was written or what
//! becomes of a solution.

mod bit_tables;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod few_sizes;
mod frontier;
mod labels;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod many_sizes;
mod reduce;
mod relaxed;
mod split;
mod state;
mod sums;
mod symmetry;
mod tree;
mod vectors;
mod words;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use self::few_sizes as sizes;
pub use self::frontier::{Frontier, Roots};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use self::many_sizes as sizes;
pub(crate) use self::reduce::reduce_under;
pub use self::reduce::{NothingFitsError, reduce};
pub use self::split::{Decision, Leaf, Observer, OnLeaf, Outlet, Probes, Split};
pub(crate) use self::symmetry::break_symmetry_under;
pub use self::symmetry::{Rarest, SymmetryBranch, break_symmetry, break_symmetry_at_first_cell};
use crate::problem::{CellSum, Problem};
use crate::puzzle::{Label, ValueSet};

/// The values that each cell can still take, and how many copies of each kind must and may be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domains {
    /// One set a cell, in the order of the cells.
    pub cells: Vec<ValueSet>,
    /// One range a kind.
    pub uses: Vec<Uses>,
}

/// How many copies of a kind a solution uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uses {
    /// At least so many.
    pub least: usize,
    /// At most so many.
    pub most: usize,
}

impl Domains {
    /// Every value whose sides fit the cell's, and one another where they touch, with the border
    /// image on the rim and nowhere else.
    pub fn first(problem: &Problem) -> Domains {
        let uses = problem.kinds.kinds.iter().map(|kind| Uses {
            least: if problem.uses_every_tile() { kind.count() } else { 0 },
            most: kind.count(),
        });
        let mut domains = Domains { cells: fitting_alone(problem), uses: uses.collect() };
        for (cell, allowed) in
            domains.cells.iter_mut().zip(problem.within.iter().flat_map(|w| w.iter()))
        {
            cell.keep(allowed);
        }
        domains.enforce(&problem.sums);
        domains
    }

    /// Takes out what alone breaks a sum, until nothing more is found, or for some rounds: what
    /// follows only after these, a search finds. Where nothing obeys a sum, its cells are left empty.
    fn enforce(&mut self, sums: &[CellSum<ValueSet>]) {
        const MOST_ROUNDS: usize = 64;
        for _ in 0..MOST_ROUNDS {
            let mut has_changed = false;
            for sum in sums {
                let least: Option<Vec<i64>> = sum
                    .cells
                    .iter()
                    .map(|(cell, levels)| {
                        let mut levels = levels.iter();
                        let least = levels.find(|level| level.values.meets(&self.cells[*cell]));
                        least.map(|level| level.coefficient)
                    })
                    .collect();
                let Some(least) = least else { continue };
                let slack = sum.bound - least.iter().sum::<i64>();
                if slack < 0 {
                    for (cell, domain) in self.cells.iter_mut().enumerate() {
                        let counts = sum.cells.iter().any(|(counting, _)| *counting == cell);
                        if counts || sum.cells.is_empty() {
                            domain.clear();
                        }
                    }
                    continue;
                }
                for ((cell, levels), least) in sum.cells.iter().zip(least) {
                    for level in levels.iter().filter(|l| l.coefficient - least > slack) {
                        has_changed |= level.values.meets(&self.cells[*cell]);
                        self.cells[*cell].remove_all(&level.values);
                    }
                }
            }
            if !has_changed {
                break;
            }
        }
    }

    /// Whether whatever these cells take obeys all extra constraints.
    pub fn imply_constraints(&self, problem: &Problem) -> bool {
        problem.formulas.is_empty()
            && problem.sums.iter().all(|sum| sum.range(&self.cells).1 <= sum.bound)
    }

    /// Number of placements left, over all cells.
    pub fn placements(&self) -> usize {
        self.cells.iter().map(ValueSet::len).sum()
    }

    /// The tiles that fit no cell, by their place in the puzzle.
    pub fn unplaceable_tiles(&self, problem: &Problem) -> Vec<usize> {
        let is_homeless = |&tile: &usize| {
            let kind = &problem.kinds.kinds[problem.kinds.of_tile[tile]];
            let mut values = kind.values.clone();
            values.all(|value| self.cells.iter().all(|cell| !cell.contains(value)))
        };
        (0..problem.puzzle.tiles.len()).filter(is_homeless).collect()
    }
}

/// By cell, the values whose sides are as many, fit one another where they touch, and are framed.
fn fitting_alone(problem: &Problem) -> Vec<ValueSet> {
    let values = &problem.kinds.values;
    let labels = &problem.puzzle.labels;
    let mut with_sides = vec![ValueSet::empty(values.len()); problem.board.most_sides() + 1];
    for (index, value) in values.iter().enumerate() {
        if let Some(alike) = with_sides.get_mut(value.edges.len()) {
            alike.insert(index);
        }
    }
    let of_board = problem.board.cells().iter();
    let mut cells: Vec<ValueSet> = of_board.map(|cell| with_sides[cell.sides].clone()).collect();
    for &[(cell, one), (_, other)] in problem.board.own_seams() {
        let fits = |&value: &usize| {
            let edges = &values[value].edges;
            labels.fit(edges[one], edges[other])
        };
        cells[cell] = ValueSet::from_values(values.len(), cells[cell].iter().filter(fits));
    }
    if let Some(border) = problem.puzzle.border {
        keep_framed(problem, border, &mut cells);
    }
    cells
}

/// Leaves the values that show the border on the rim, and nowhere else.
fn keep_framed(problem: &Problem, border: Label, cells: &mut [ValueSet]) {
    let values = &problem.kinds.values;
    // By side, the values that may lie with it inside, and on the rim.
    let mut inside = vec![ValueSet::empty(values.len()); problem.board.most_sides()];
    let mut on_rim = inside.clone();
    for (index, value) in values.iter().enumerate() {
        for ((inside, on_rim), &edge) in inside.iter_mut().zip(&mut on_rim).zip(&value.edges) {
            if edge != border {
                inside.insert(index);
            }
            if problem.puzzle.labels.fit(edge, border) {
                on_rim.insert(index);
            }
        }
    }
    let of_board = problem.board.cells().iter();
    let mut kept: Vec<Vec<&ValueSet>> =
        of_board.map(|cell| inside.iter().take(cell.sides).collect()).collect();
    for &(cell, side) in problem.board.rim() {
        kept[cell][side] = &on_rim[side];
    }
    for (cell, kept) in cells.iter_mut().zip(kept) {
        kept.into_iter().for_each(|kept| cell.keep(kept));
    }
}
