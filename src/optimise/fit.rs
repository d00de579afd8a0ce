//! The objective of `--best`: as many matching seams as possible.

use std::ops::ControlFlow;

use super::portfolio::Portfolio;
use super::{Aim, Goal};
use crate::enumerate::solution::broken_seams;
use crate::problem::{Arrangement, Problem};
use crate::runtime::limits::{CancelToken, Flow};

/// The number of seams that fit, of those that [count](crate::board::Board::counted). Tiles, border
/// and extra constraints stay as they are.
#[derive(Debug, Clone)]
pub struct Fit<'a> {
    problem: &'a Problem,
    seed: u64,
    start: Option<Arrangement>,
}

impl<'a> Fit<'a> {
    /// The seams of a problem.
    pub fn new(problem: &'a Problem) -> Self {
        Fit { problem, seed: 0, start: None }
    }

    /// With another seed for what is drawn at random. On one thread, and limited by steps instead
    /// of time, a run with the same seed repeats itself.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Self {
        Fit { seed, ..self }
    }

    /// Begins with an arrangement, whose seams may break; all else it must obey.
    #[must_use]
    pub fn starting_from(self, arrangement: Arrangement) -> Self {
        Fit { start: Some(arrangement), ..self }
    }

    /// The seams that count.
    pub fn seams(&self) -> usize {
        self.problem.board.counted().count()
    }
}

impl Aim for Fit<'_> {
    fn goal(&self) -> Goal {
        Goal::Seams(self.seams())
    }

    fn reaching(&self, value: i64) -> Problem {
        self.problem.breaking(usize::try_from(self.seams() as i64 - value).unwrap_or(0))
    }

    fn value(&self, arrangement: &Arrangement) -> i64 {
        (self.seams() - broken_seams(self.problem, arrangement).len()) as i64
    }

    /// Each seam that fits takes a pair of edges.
    fn range(&self) -> (i64, i64) {
        let pairs = self.problem.puzzle.pairs_within(self.problem.board.size());
        (0, self.seams().min(pairs) as i64)
    }

    /// From the top: the fewer may break the sooner it is proven.
    fn next(&self, _reached: i64, bound: i64) -> i64 {
        bound
    }

    fn start(&self) -> Option<&Arrangement> {
        self.start.as_ref()
    }

    fn guesser(&self, token: &CancelToken<'_>) -> Flow<Option<Portfolio<'_>>> {
        let portfolio = Portfolio::new(self.problem, self.seed, self.start.as_ref(), token)?;
        ControlFlow::Continue(Some(portfolio))
    }
}
