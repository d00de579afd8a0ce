//! Domains of the cells: propagation and branching over finite domains.
//!
//! - **Variables and values.** A cell is a variable; its domain is a set of oriented kinds.
//!   [`Domains::first`] applies the rules that concern a single cell.
//! - **Propagation** maintains arc consistency at the seams with sets of labels: a cell keeps the
//!   values that show, on each side, a label that its neighbour can still match. A kind without
//!   copies is removed from all domains; linear constraints use bounds propagation. `reduce` runs
//!   to the fixpoint; in a search only cells with few values propagate (see [`Split`]).
//! - **Symmetry.** [`break_symmetry`] keeps one placement per orbit, of the rarest tile or in a
//!   cell that every symmetry fixes.
//! - **Branching** selects the cell with the fewest values, weighted by its past failures and its
//!   neighbours' domains, similar to dom/wdeg. There is one branch per value.
//! - **Trail.** A cell is saved before its first change on a decision level; backtracking restores
//!   it.
//!
//! There are no restarts and no learnt no-goods: all solutions are required, so the whole tree must
//! be searched, and its parts must not depend on the thread that searches them.
//!
//! Each step preserves every solution (symmetry breaking: up to the group). `bit_tables` holds the
//! tables as bits, `state` the domains and their trail, `vectors` the innermost operations, `split`
//! the search, `sizes` the sizes for which it is compiled. This folder does not depend on puzzle
//! files or on the use of solutions.

mod bit_tables;
pub mod counting;
mod frontier;
mod labels;
mod reduce;
mod relaxed;
mod sizes;
mod split;
mod state;
mod sums;
mod symmetry;
mod tree;
mod vectors;
mod words;

pub use self::frontier::{Frontier, Roots};
pub use self::reduce::{NothingFitsError, reduce, reduce_under};
pub use self::split::{Decision, NodeDomains, Observer, Probes, Split};
pub(crate) use self::symmetry::break_symmetry_under;
#[cfg(feature = "milp")]
pub(crate) use self::symmetry::reduced_branches;
pub use self::symmetry::{Rarest, SymmetryBranch, break_symmetry, break_symmetry_at_first_cell};
use crate::problem::{CellSum, Problem};
use crate::puzzle::ValueSet;

/// The domain of each cell, and bounds on the number of copies of each kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domains {
    /// The set of values of each cell, in the order of the cells.
    pub cells: Vec<ValueSet>,
    /// The bounds for each kind.
    pub uses: Vec<Uses>,
}

/// Bounds on the number of copies of a kind in a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uses {
    /// The minimum.
    pub least: usize,
    /// The maximum.
    pub most: usize,
}

impl Domains {
    /// The initial domains. A cell keeps the values that its rules allow
    /// ([`Tables::cell_domain`](crate::tables::Tables::cell_domain)), that a
    /// [confined](Problem::confined) problem allows there, and that no single sum excludes. A kind
    /// is used at most as often as it has copies, and exactly as often if every tile must be used.
    pub fn first(problem: &Problem) -> Domains {
        let uses = problem.kinds.kinds.iter().map(|kind| Uses {
            least: if problem.uses_every_tile() { kind.copies } else { 0 },
            most: kind.copies,
        });
        let cells =
            (0..problem.board.size()).map(|cell| problem.tables().cell_domain(cell).clone());
        let mut domains = Domains { cells: cells.collect(), uses: uses.collect() };
        for (cell, allowed) in
            domains.cells.iter_mut().zip(problem.within.iter().flat_map(|w| w.iter()))
        {
            cell.keep(allowed);
        }
        domains.enforce_sums(&problem.sums);
        domains
    }

    /// Removes values with which a sum exceeds its bound even if all its other cells contribute
    /// their minimum. Repeats this to the fixpoint, for at most 64 rounds; the search finds the
    /// rest. If a sum cannot be satisfied, the domains of its cells become empty, or all domains if
    /// it has no cells.
    fn enforce_sums(&mut self, sums: &[CellSum<ValueSet>]) {
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

    /// Returns true if every assignment from these domains satisfies all sums and there are no
    /// formulas, so that neither needs a check. [Lazy](crate::problem::Constraint::is_lazy)
    /// constraints are not considered.
    pub fn imply_constraints(&self, problem: &Problem) -> bool {
        problem.formulas.is_empty()
            && problem.sums.iter().all(|sum| sum.range(&self.cells).1 <= sum.bound)
    }

    /// The total number of values in all domains.
    pub fn placements(&self) -> usize {
        self.cells.iter().map(ValueSet::len).sum()
    }

    /// The tiles that no cell can contain, by index in the puzzle, ascending.
    pub fn unplaceable_tiles(&self, problem: &Problem) -> Vec<usize> {
        let fits_no_cell = |&tile: &usize| {
            let kind = &problem.kinds.kinds[problem.kinds.of_tile[tile]];
            let mut values = kind.values.clone();
            values.all(|value| self.cells.iter().all(|cell| !cell.contains(value)))
        };
        (0..problem.puzzle.tiles.len()).filter(fits_no_cell).collect()
    }
}
