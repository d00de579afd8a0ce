//! The objective of `--maximize` and `--minimize`: a weighted number of placements.

use std::sync::Arc;

use super::{Aim, Goal};
use crate::problem::constraints::Expression;
use crate::problem::{Arrangement, Problem};

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
