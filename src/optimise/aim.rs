//! The objectives: the maximum number of matching seams (`--best`), or the extreme value of an
//! expression (`--maximize` and `--minimize`).

use std::sync::Arc;

use crate::enumerate::solution::broken_seams;
use crate::problem::constraints::{CostLimit, Expression, cost};
use crate::problem::{Arrangement, Problem};

/// The kind of an objective, for output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The number of matching seams is maximised, out of this total.
    Seams(usize),
    /// An expression is maximised.
    Largest,
    /// An expression is minimised. The objective is its negation.
    Smallest,
    /// The total weight of violated soft constraints is minimised. The objective is its negation.
    Cost,
}

impl Goal {
    /// Converts a value of the objective to the value shown to the user: a minimised expression
    /// changes its sign back.
    pub fn own(self, value: i64) -> i64 {
        match self {
            Goal::Smallest | Goal::Cost => -value,
            Goal::Seams(_) | Goal::Largest => value,
        }
    }
}

/// An objective, whose value is maximised.
pub trait Aim {
    /// The kind of the objective.
    fn goal(&self) -> Goal;

    /// The problem whose solutions are the feasible arrangements with at least this value.
    fn reaching(&self, value: i64) -> Problem;

    /// The value of an arrangement, which must be feasible.
    fn value(&self, arrangement: &Arrangement) -> i64;

    /// A lower and an upper bound on the values of all feasible arrangements.
    fn range(&self) -> (i64, i64);

    /// The value that the next search should try to reach: above `reached`, the value of the
    /// incumbent, and at most `bound`, the proven upper bound. The default is the middle, so the
    /// number of searches is logarithmic in the range.
    fn next(&self, reached: i64, bound: i64) -> i64 {
        reached + (bound - reached + 1) / 2
    }

    /// The objective as a [`Fit`], for which heuristic methods exist; `None` for all others.
    fn as_fit(&self) -> Option<&Fit<'_>> {
        None
    }
}

/// The objective that maximises the number of matching seams among those that
/// [count](crate::board::Board::counted). Tiles, border and extra constraints remain hard
/// constraints.
#[derive(Debug, Clone)]
pub struct Fit<'a> {
    pub(super) problem: &'a Problem,
    pub(super) seed: u64,
    pub(super) start: Option<Arrangement>,
}

impl<'a> Fit<'a> {
    /// Creates the objective for a problem, with seed 0 and no initial arrangement.
    pub fn new(problem: &'a Problem) -> Self {
        Fit { problem, seed: 0, start: None }
    }

    /// Sets the random seed of the heuristics. With one thread, and a limit of steps rather than
    /// time, equal seeds give equal runs.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Self {
        Fit { seed, ..self }
    }

    /// Sets the initial arrangement. It must satisfy all rules except those on seams.
    #[must_use]
    pub fn starting_from(self, arrangement: Arrangement) -> Self {
        Fit { start: Some(arrangement), ..self }
    }

    /// The total number of seams that count.
    pub fn seams(&self) -> usize {
        self.problem.board.counted().count()
    }
}

impl Aim for Fit<'_> {
    fn goal(&self) -> Goal {
        Goal::Seams(self.seams())
    }

    /// The problem in which at most `seams() - value` seams may be broken.
    fn reaching(&self, value: i64) -> Problem {
        self.problem.breaking(usize::try_from(self.seams() as i64 - value).unwrap_or(0))
    }

    fn value(&self, arrangement: &Arrangement) -> i64 {
        (self.seams() - broken_seams(self.problem, arrangement).len()) as i64
    }

    /// The upper bound counts the pairs of matching edges: each matching seam uses up one.
    fn range(&self) -> (i64, i64) {
        let pairs = self.problem.puzzle.pairs_within(self.problem.board.size());
        (0, self.seams().min(pairs) as i64)
    }

    /// Always the bound: the fewer seams may break, the shorter the proof.
    fn next(&self, _reached: i64, bound: i64) -> i64 {
        bound
    }

    fn as_fit(&self) -> Option<&Fit<'_>> {
        Some(self)
    }
}

/// The objective that maximises or minimises a linear expression over the solutions of a problem.
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

    /// Minimises an expression, by maximising its negation.
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
}

/// The objective that minimises the total weight of violated soft constraints.
#[derive(Debug, Clone)]
pub struct SoftAim<'a> {
    problem: &'a Problem,
}

impl<'a> SoftAim<'a> {
    /// Creates the objective for the soft constraints of a problem.
    pub fn new(problem: &'a Problem) -> Self {
        SoftAim { problem }
    }
}

impl Aim for SoftAim<'_> {
    fn goal(&self) -> Goal {
        Goal::Cost
    }

    fn reaching(&self, value: i64) -> Problem {
        let soft = self.problem.soft_constraints().cloned().collect();
        let limit = CostLimit::new(soft, value.unsigned_abs());
        self.problem.clone().with_constraints(vec![Arc::new(limit)])
    }

    fn value(&self, arrangement: &Arrangement) -> i64 {
        let scene = (&self.problem.puzzle, &self.problem.board);
        let soft = self.problem.soft_constraints();
        -i64::try_from(cost(soft, scene, arrangement)).unwrap_or(i64::MAX)
    }

    fn range(&self) -> (i64, i64) {
        (-self.problem.soft_constraints().map(|soft| i64::from(soft.weight)).sum::<i64>(), 0)
    }
}
