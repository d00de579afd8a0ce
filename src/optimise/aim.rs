//! The objectives: as many matching seams as possible (`--best`), or the extreme of an expression
//! (`--maximize` and `--minimize`).

use std::sync::Arc;

use crate::enumerate::solution::broken_seams;
use crate::problem::constraints::Expression;
use crate::problem::{Arrangement, Problem};

/// What the values of an aim mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Fitting seams, of so many.
    Seams(usize),
    /// An expression that is to be large.
    Largest,
    /// An expression that is to be small: the values are its opposite.
    Smallest,
}

impl Goal {
    /// What people call a value of the aim.
    pub fn own(self, value: i64) -> i64 {
        match self {
            Goal::Smallest => -value,
            Goal::Seams(_) | Goal::Largest => value,
        }
    }
}

/// What is to be as large as possible.
pub trait Aim {
    /// What its values mean.
    fn goal(&self) -> Goal;

    /// The problem whose solutions reach a value.
    fn reaching(&self, value: i64) -> Problem;

    /// What an arrangement reaches.
    fn value(&self, arrangement: &Arrangement) -> i64;

    /// A value that whatever fits at all reaches, and one that nothing exceeds.
    fn range(&self) -> (i64, i64);

    /// Which value to try between what is reached and the bound.
    fn next(&self, reached: i64, bound: i64) -> i64;

    /// The aim as a number of fitting seams, for which there are methods that guess.
    fn as_fit(&self) -> Option<&Fit<'_>> {
        None
    }
}

/// The number of seams that fit, of those that [count](crate::board::Board::counted). Tiles, border
/// and extra constraints stay as they are.
#[derive(Debug, Clone)]
pub struct Fit<'a> {
    pub(super) problem: &'a Problem,
    pub(super) seed: u64,
    pub(super) start: Option<Arrangement>,
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

    fn as_fit(&self) -> Option<&Fit<'_>> {
        Some(self)
    }
}

/// A linear expression over the solutions of a problem.
#[derive(Debug, Clone)]
pub struct Linear<'a> {
    problem: &'a Problem,
    expression: Expression,
    is_least: bool,
}

impl<'a> Linear<'a> {
    /// The largest value.
    pub fn maximize(problem: &'a Problem, expression: Expression) -> Self {
        Linear { problem, expression, is_least: false }
    }

    /// The smallest value; as an aim, the largest one of its opposite.
    pub fn minimize(problem: &'a Problem, expression: Expression) -> Self {
        Linear { problem, expression: expression.negated(), is_least: true }
    }
}

impl Aim for Linear<'_> {
    fn goal(&self) -> Goal {
        if self.is_least { Goal::Smallest } else { Goal::Largest }
    }

    fn reaching(&self, value: i64) -> Problem {
        self.problem.clone().with_constraints(vec![Arc::new(self.expression.at_least(value))])
    }

    fn value(&self, arrangement: &Arrangement) -> i64 {
        self.expression.value(&self.problem.puzzle, arrangement)
    }

    fn range(&self) -> (i64, i64) {
        self.expression.range(&self.problem.puzzle, &self.problem.board)
    }

    /// Half of what is left: each search halves it again, whatever the weights.
    fn next(&self, reached: i64, bound: i64) -> i64 {
        reached + (bound - reached + 1) / 2
    }
}
