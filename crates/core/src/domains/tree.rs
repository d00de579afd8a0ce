//! The interface between the depth-first search and its state: decide, propagate, choose a cell,
//! undo.
//!
//! The search is implemented once. It runs on states whose seams must match and on relaxed ones,
//! whose seams may break.

use std::ops::ControlFlow;

use super::words::Words;
use crate::problem::Problem;
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};

/// The amount of propagation between two polls.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stride {
    /// The number of cells to propagate.
    pub cells: usize,
}

impl Stride {
    /// The units of work in a stride: some milliseconds.
    const UNITS: usize = 1 << 20;

    /// Computes the stride from the cost of propagating a cell: the number of values, plus the
    /// words of one set of values per label.
    pub fn new(problem: &Problem) -> Stride {
        let values = problem.kinds.values.len();
        let sets = problem.puzzle.labels.len() * values.div_ceil(64);
        Stride { cells: Stride::UNITS / (values + sets).max(1) + 1 }
    }
}

/// The extent of propagation without a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Propagation {
    /// To the fixpoint.
    Fixpoint,
    /// As far as requested.
    Unfinished,
}

/// Domains with a stack of decision levels, independent of the sizes for which they are compiled.
pub(super) trait Tree {
    /// Starts a decision level.
    fn mark(&mut self);

    /// Reverts all changes since the last [`mark`](Self::mark) and removes that level.
    fn undo(&mut self);

    /// Restricts a cell to one value, without propagation. Fails if the value is not in the cell's
    /// domain.
    fn decide(&mut self, cell: usize, value: usize) -> Result<(), Conflict>;

    /// Propagates until the fixpoint, a conflict, which is the error, or about `cells` propagated
    /// cells.
    fn propagate(&mut self, cells: usize) -> Result<Propagation, Conflict>;

    /// Propagates to the fixpoint. Continues with the conflict as an error if there is one; breaks
    /// if the token is cancelled.
    fn propagate_all(
        &mut self,
        stride: Stride,
        token: &CancelToken<'_>,
    ) -> Flow<Result<(), Conflict>> {
        loop {
            match self.propagate(stride.cells) {
                Ok(Propagation::Fixpoint) => return ControlFlow::Continue(Ok(())),
                Ok(Propagation::Unfinished) => token.work(Stride::UNITS)?,
                Err(conflict) => return ControlFlow::Continue(Err(conflict)),
            }
        }
    }

    /// The number of cells without a tile.
    fn unfilled(&self) -> usize;

    /// The value of each cell; `None` unless every cell is filled.
    fn values(&self) -> Option<Vec<usize>>;

    /// The domain of each cell.
    fn domains(&self) -> Vec<ValueSet>;

    /// Chooses the unfilled cell to branch on.
    fn choose_cell(&mut self, scores: &Scores) -> usize;
}

/// The number of failures of each cell. A cell that fails often promises a small tree, as in
/// dom/wdeg (Boussemart and others, ECAI 2004).
#[derive(Clone)]
pub(super) struct Scores {
    failures: Vec<u32>,
    /// 1/√(1 + failures) for each cell.
    factors: Vec<f32>,
}

impl Scores {
    /// Creates scores for this number of cells, without failures.
    pub fn new(cells: usize) -> Self {
        Scores { failures: vec![0; cells], factors: vec![1.0; cells] }
    }

    /// Records that a cell ran out of values.
    pub fn record_failure(&mut self, cell: usize) {
        self.failures[cell] += 1;
        self.factors[cell] = 1.0 / (1.0 + self.failures[cell] as f32).sqrt();
    }

    /// The factor by which a cell's score is multiplied: 1 if it never failed, less after each
    /// failure.
    #[inline(always)]
    pub fn failure_factor(&self, cell: usize) -> f32 {
        self.factors[cell]
    }
}

/// The reason why domains contain no solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conflict {
    /// No value is left for a cell.
    Cell(usize),
    /// A kind has fewer possible cells than copies that must be used, or a constraint or the limit
    /// on broken seams is violated.
    Elsewhere,
}

/// Domains that constraints can restrict; seams may be required or may break.
pub(super) trait DomainStore<const W: usize> {
    /// The domain of a cell.
    fn domain(&self, cell: usize) -> Words<W>;

    /// Removes all values but `values` from a cell. Fails if none is left.
    fn keep(&mut self, cell: usize, values: &Words<W>) -> Result<(), Conflict>;

    /// Restricts a cell to `values`, a subset of its domain; returns true if the domain changed.
    /// Fails if no value is left.
    fn restrict(&mut self, cell: usize, values: &Words<W>) -> Result<bool, Conflict> {
        let is_less = *values != self.domain(cell);
        if is_less {
            self.keep(cell, values)?;
        }
        Ok(is_less)
    }
}
