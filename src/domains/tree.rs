//! What the depth-first search needs of a state: decide, propagate, choose a cell, undo.
//!
//! The search is written once and runs on hard and on relaxed states.

use std::ops::ControlFlow;

use super::words::Words;
use crate::problem::Problem;
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};

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

/// Domains under choices that can be taken back, whatever sizes they are compiled for.
pub(super) trait Tree {
    /// Begins a level: what happens from now on can be undone at once.
    fn mark(&mut self);

    /// Takes back everything since the last mark, which is used up.
    fn undo(&mut self);

    /// Leaves one value in a cell; what follows from it is not followed yet.
    fn decide(&mut self, cell: usize, value: usize) -> Result<(), Conflict>;

    /// Follows the consequences of all that has happened, of about so many cells.
    fn propagate(&mut self, cells: usize) -> Result<Propagation, Conflict>;

    /// Follows all consequences. `Break` where the token says so.
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

/// By cell, how often it ran out of values: one that fails often promises a small tree, as in
/// dom/wdeg (Boussemart and others, ECAI 2004).
#[derive(Clone)]
pub(super) struct Scores {
    failures: Vec<u32>,
    /// 1/√(1 + failures).
    ease: Vec<f32>,
}

impl Scores {
    /// No failures yet.
    pub fn new(cells: usize) -> Self {
        Scores { failures: vec![0; cells], ease: vec![1.0; cells] }
    }

    /// Notes that a cell ran out of values.
    pub fn fail(&mut self, cell: usize) {
        self.failures[cell] += 1;
        self.ease[cell] = 1.0 / (1.0 + self.failures[cell] as f32).sqrt();
    }

    /// 1 for a cell that never failed, less for others.
    #[inline(always)]
    pub fn ease(&self, cell: usize) -> f32 {
        self.ease[cell]
    }
}

/// These domains hold no solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conflict {
    /// No value is left for a cell.
    Cell(usize),
    /// A kind must be used more often than there are cells left for it, or a sum is too large.
    Elsewhere,
}

/// Domains that constraints cut down: those with hard seams and those with soft ones.
pub(super) trait DomainStore<const W: usize> {
    /// What a cell can still take.
    fn domain(&self, cell: usize) -> Words<W>;

    /// The cell keeps only these of its values, which are not all.
    fn keep(&mut self, cell: usize, values: &Words<W>) -> Result<(), Conflict>;

    /// The cell keeps only these of its values; says whether it held others.
    fn restrict(&mut self, cell: usize, values: &Words<W>) -> Result<bool, Conflict> {
        let is_less = *values != self.domain(cell);
        if is_less {
            self.keep(cell, values)?;
        }
        Ok(is_less)
    }
}
