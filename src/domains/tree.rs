//! What the depth-first search needs of a state: decide, propagate, choose a cell, undo.
//!
//! The search is written once and runs on hard and on relaxed states.

use std::ops::ControlFlow;

use super::scores::Scores;
use super::store::{Conflict, DomainStore};
use crate::board::CellId;
use crate::limits::CancelToken;
use crate::problem::Problem;
use crate::puzzle::{ValueId, ValueSet};

/// How far consequences are followed between two polls.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stride {
    /// The cells.
    pub cells: usize,
}

impl Stride {
    /// Units of work for all these cells: some milliseconds.
    const UNITS: usize = 1 << 20;

    /// The consequences of a cell take as long as it has values, and as there are sets of values,
    /// one for each label.
    pub fn new(problem: &Problem) -> Stride {
        let values = problem.kinds.values.len();
        let sets = problem.puzzle.labels.len() * values.div_ceil(64);
        Stride { cells: Stride::UNITS / (values + sets).max(1) + 1 }
    }
}

/// How far consequences were followed, where there was no conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Propagation {
    /// To the end.
    Fixpoint,
    /// As far as asked for.
    Unfinished,
}

/// Domains under choices that can be taken back.
pub(super) trait Tree<const W: usize>: DomainStore<W> {
    /// Where choices were at some time.
    type TrailPosition: Copy;

    /// Begins a level: what happens from now on can be undone at once.
    fn mark(&mut self) -> Self::TrailPosition;

    /// Takes back everything since the mark, which is used up.
    fn undo(&mut self, mark: Self::TrailPosition);

    /// Leaves one value in a cell; what follows from it is not followed yet.
    fn decide(&mut self, cell: CellId, value: ValueId) -> Result<(), Conflict>;

    /// Follows the consequences of all that has happened, of about so many cells.
    fn propagate(&mut self, cells: usize) -> Result<Propagation, Conflict>;

    /// Follows all consequences. `Break` where the token says so.
    fn propagate_all(
        &mut self,
        stride: Stride,
        token: &CancelToken<'_>,
    ) -> ControlFlow<(), Result<(), Conflict>> {
        loop {
            match self.propagate(stride.cells) {
                Ok(Propagation::Fixpoint) => return ControlFlow::Continue(Ok(())),
                Ok(Propagation::Unfinished) => token.work(Stride::UNITS)?,
                Err(conflict) => return ControlFlow::Continue(Err(conflict)),
            }
        }
    }

    /// Number of cells without a tile.
    fn unfilled(&self) -> usize;

    /// The number of placements in those.
    fn placements(&self) -> usize;

    /// One value a cell, where every cell is filled.
    fn values(&self) -> Option<Vec<usize>>;

    /// What every cell can still take.
    fn domains(&self) -> Vec<ValueSet>;

    /// The cell to branch on.
    fn best(&mut self, scores: &Scores) -> usize;
}
