//! The objectives: the maximum number of matching seams (`--best`), or the extreme value of an
//! expression (`--maximize` and `--minimize`).

use std::sync::Arc;

use crate::enumerate::solution::broken_seams;
use crate::problem::constraints::Expression;
use crate::problem::{Arrangement, Problem};

/// The meaning of an aim's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The number of fitting seams, out of this total.
    Seams(usize),
    /// An expression to be maximised.
    Largest,
    /// An expression to be minimised; the values are negated.
    Smallest,
}

impl Goal {
    /// Converts a value of the aim to the user's value.
    pub fn own(self, value: i64) -> i64 {
        match self {
            Goal::Smallest => -value,
            Goal::Seams(_) | Goal::Largest => value,
        }
    }
}

/// An objective to be maximised.
pub trait Aim {
    /// The meaning of its values.
    fn goal(&self) -> Goal;

    /// The problem whose solutions have at least this value.
    fn reaching(&self, value: i64) -> Problem;

    /// The value of an arrangement.
    fn value(&self, arrangement: &Arrangement) -> i64;

    /// A lower bound on the value of every solution, and an upper bound.
    fn range(&self) -> (i64, i64);

    /// The value to try next between the incumbent and the bound.
    fn next(&self, reached: i64, bound: i64) -> i64;

    /// The aim as a number of fitting seams, for which heuristic methods exist.
    fn as_fit(&self) -> Option<&Fit<'_>> {
        None
    }
}

/// The number of fitting seams among those that [count](crate::board::Board::counted). Tiles,
/// border and extra constraints remain hard constraints.
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

    /// Sets the random seed. With one thread, and a limit of steps rather than time, equal seeds
    /// give equal runs.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Self {
        Fit { seed, ..self }
    }

    /// Sets the initial arrangement. Its seams may be broken; it must satisfy everything else.
    #[must_use]
    pub fn starting_from(self, arrangement: Arrangement) -> Self {
        Fit { start: Some(arrangement), ..self }
    }

    /// The number of seams that count.
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

    /// Each fitting seam uses up a pair of edges.
    fn range(&self) -> (i64, i64) {
        let pairs = self.problem.puzzle.pairs_within(self.problem.board.size());
        (0, self.seams().min(pairs) as i64)
    }

    /// Starts at the bound: the fewer seams may break, the shorter the proof.
    fn next(&self, _reached: i64, bound: i64) -> i64 {
        bound
    }

    fn as_fit(&self) -> Option<&Fit<'_>> {
        Some(self)
    }
}

/// A linear expression over the solutions of a problem.
#[derive(Debug, Clone)]
pub struct LinearAim<'a> {
    problem: &'a Problem,
    expression: Expression,
    is_least: bool,
}

impl<'a> LinearAim<'a> {
    /// Maximises an expression.
    pub fn maximize(problem: &'a Problem, expression: Expression) -> Self {
        LinearAim { problem, expression, is_least: false }
    }

    /// Minimises an expression; as an aim, maximises its negation.
    pub fn minimize(problem: &'a Problem, expression: Expression) -> Self {
        LinearAim { problem, expression: expression.negate(), is_least: true }
    }
}

impl Aim for LinearAim<'_> {
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

    /// Bisects the remaining range, so the number of searches is independent of the weights.
    fn next(&self, reached: i64, bound: i64) -> i64 {
        reached + (bound - reached + 1) / 2
    }
}
