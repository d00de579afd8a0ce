//! Linear constraints over placements.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::arrangement::{Arrangement, Placed};

/// A set of tiles in orientations, regardless of the cell.
pub type TilePlacements = BTreeSet<Placed>;

/// Placements with a common coefficient: each tile of a set, in its orientation, in each cell of a
/// list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The cells.
    pub cells: Vec<usize>,
    /// The tiles with their orientations.
    pub placements: Arc<TilePlacements>,
    /// The coefficient of each of these placements.
    pub coefficient: i64,
}

/// A pseudo-Boolean constraint: the sum of the coefficients of the placements in an arrangement is
/// at most a bound. A placement in several terms counts in each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearConstraint {
    /// The terms of the sum.
    pub terms: Vec<Term>,
    /// The bound.
    pub bound: i64,
}

impl LinearConstraint {
    /// Creates the constraint that at most `bound` of the placements in these cells occur.
    pub fn at_most(
        cells: &[usize],
        placements: &Arc<TilePlacements>,
        bound: i64,
    ) -> LinearConstraint {
        LinearConstraint {
            terms: vec![Term {
                cells: cells.to_vec(),
                placements: Arc::clone(placements),
                coefficient: 1,
            }],
            bound,
        }
    }

    /// Creates the constraint that at least `least` of the placements in these cells occur.
    pub fn at_least(
        cells: &[usize],
        placements: &Arc<TilePlacements>,
        least: i64,
    ) -> LinearConstraint {
        LinearConstraint::at_most(cells, placements, least).at_least_bound()
    }

    /// Returns true if an arrangement satisfies the constraint.
    pub fn holds(&self, arrangement: &Arrangement) -> bool {
        let of_term = |term: &Term| {
            let counts = |&&cell: &&usize| term.placements.contains(&arrangement.0[cell]);
            term.coefficient * term.cells.iter().filter(counts).count() as i64
        };
        self.terms.iter().map(of_term).sum::<i64>() <= self.bound
    }

    /// An unsatisfiable constraint.
    pub(super) fn never() -> LinearConstraint {
        LinearConstraint { terms: Vec::new(), bound: -1 }
    }

    /// The negation: the sum is more than the bound.
    pub fn negation(mut self) -> LinearConstraint {
        self.bound += 1;
        self.at_least_bound()
    }

    /// The constraint with the opposite inequality: the sum is at least the bound.
    pub fn at_least_bound(mut self) -> LinearConstraint {
        for term in &mut self.terms {
            term.coefficient = -term.coefficient;
        }
        self.bound = -self.bound;
        self
    }
}
