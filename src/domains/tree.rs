//! The interface between the depth-first search and its state: decide, propagate, choose a cell,
//! undo.
//!
//! The search is implemented once and runs on hard and on relaxed states.

use std::ops::ControlFlow;

use super::words::Words;
use crate::problem::Problem;
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};

/// The amount of propagation between two polls.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stride {
    /// The number of cells.
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

/// Domains with a stack of decisions, independent of the sizes for which they are compiled.
pub(super) trait Tree {
    /// Starts a level, which [`undo`](Self::undo) reverts.
    fn mark(&mut self);

    /// Reverts all changes since the last mark and removes the mark.
    fn undo(&mut self);

    /// Restricts a cell to one value, without propagation.
    fn decide(&mut self, cell: usize, value: usize) -> Result<(), Conflict>;

    /// Propagates at most about `cells` cells.
    fn propagate(&mut self, cells: usize) -> Result<Propagation, Conflict>;

    /// Propagates to the fixpoint. Breaks if the token is cancelled.
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

    /// The number of placements in unfilled cells.
    fn placements(&self) -> usize;

    /// The value of each cell, if every cell is filled.
    fn values(&self) -> Option<Vec<usize>>;

    /// The domain of each cell.
    fn domains(&self) -> Vec<ValueSet>;

    /// The cell to branch on.
    fn best(&mut self, scores: &Scores) -> usize;
}

/// The number of failures of each cell: one that fails often promises a small tree, as in dom/wdeg
/// (Boussemart and others, ECAI 2004).
#[derive(Clone)]
pub(super) struct Scores {
    failures: Vec<u32>,
    /// 1/√(1 + failures).
    factors: Vec<f32>,
}

impl Scores {
    /// Creates scores without failures.
    pub fn new(cells: usize) -> Self {
        Scores { failures: vec![0; cells], factors: vec![1.0; cells] }
    }

    /// Records that a cell ran out of values.
    pub fn fail(&mut self, cell: usize) {
        self.failures[cell] += 1;
        self.factors[cell] = 1.0 / (1.0 + self.failures[cell] as f32).sqrt();
    }

    /// The factor for a cell's score: 1 if it never failed, otherwise less.
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
    /// A kind has fewer possible cells than copies that must be used, or a constraint is violated.
    Elsewhere,
}

/// Domains that constraints can restrict, with hard or soft seams.
pub(super) trait DomainStore<const W: usize> {
    /// The domain of a cell.
    fn domain(&self, cell: usize) -> Words<W>;

    /// Restricts a cell to `values`, which must not contain its whole domain.
    fn keep(&mut self, cell: usize, values: &Words<W>) -> Result<(), Conflict>;

    /// Restricts a cell to `values`; returns true if its domain changed.
    fn restrict(&mut self, cell: usize, values: &Words<W>) -> Result<bool, Conflict> {
        let is_less = *values != self.domain(cell);
        if is_less {
            self.keep(cell, values)?;
        }
        Ok(is_less)
    }
}
