//! What each cell can still take: propagation and branching over finite domains.
//!
//! - **Variables and values.** A cell is a variable; its domain is a set of oriented kinds.
//!   [`Domains::first`] starts from the rules that concern one cell alone.
//! - **Propagation** keeps arc consistency at the seams by sets of labels: a cell keeps the values
//!   that show, on each side, a label that its neighbour can still match. A kind without copies
//!   leaves all domains; linear constraints filter by bounds. `reduce` runs to the fixpoint; a
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
//! `sizes` the sizes that it is compiled for. Nothing here knows how a puzzle was written or what
//! becomes of a solution.

mod bit_tables;
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
pub(crate) use self::reduce::reduce_under;
pub use self::reduce::{NothingFitsError, reduce};
pub use self::split::{Decision, Leaf, Observer, OnLeaf, Outlet, Probes, Split};
pub(crate) use self::symmetry::break_symmetry_under;
pub use self::symmetry::{Rarest, SymmetryBranch, break_symmetry, break_symmetry_at_first_cell};
use crate::problem::{CellSum, Problem};
use crate::puzzle::ValueSet;

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
        let cells = (0..problem.board.size()).map(|cell| problem.tables().alone(cell).clone());
        let mut domains = Domains { cells: cells.collect(), uses: uses.collect() };
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
