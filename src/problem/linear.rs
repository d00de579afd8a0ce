//! Linear constraints over placements.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::arrangement::{Arrangement, Placed};

/// Tiles with their orientations, in whatever cell.
pub type TilePlacements = BTreeSet<Placed>;

/// Placements with one coefficient: these tiles in these cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The cells.
    pub cells: Vec<usize>,
    /// The tiles, with their orientations there.
    pub placements: Arc<TilePlacements>,
    /// The weight of each such placement.
    pub coefficient: i64,
}

/// Σ coefficient over the placements on the board ≤ bound: a pseudo-Boolean constraint. A placement
/// in several terms counts in each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearConstraint {
    /// What is counted.
    pub terms: Vec<Term>,
    /// The bound.
    pub bound: i64,
}

impl LinearConstraint {
    /// At most so many of the placements.
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

    /// At least so many of the placements.
    pub fn at_least(
        cells: &[usize],
        placements: &Arc<TilePlacements>,
        least: i64,
    ) -> LinearConstraint {
        LinearConstraint::at_most(cells, placements, least).negated()
    }

    /// Whether an arrangement obeys the sum.
    pub fn holds(&self, arrangement: &Arrangement) -> bool {
        let of_term = |term: &Term| {
            let counts = |&&cell: &&usize| term.placements.contains(&arrangement.0[cell]);
            term.coefficient * term.cells.iter().filter(counts).count() as i64
        };
        self.terms.iter().map(of_term).sum::<i64>() <= self.bound
    }

    /// What nothing obeys.
    pub(super) fn never() -> LinearConstraint {
        LinearConstraint { terms: Vec::new(), bound: -1 }
    }

    /// What holds if and only if this does not: more than the bound.
    pub fn denied(mut self) -> LinearConstraint {
        self.bound += 1;
        self.negated()
    }

    /// The sum with the other sign: at least what it was at most.
    pub fn negated(mut self) -> LinearConstraint {
        for term in &mut self.terms {
            term.coefficient = -term.coefficient;
        }
        self.bound = -self.bound;
        self
    }
}
