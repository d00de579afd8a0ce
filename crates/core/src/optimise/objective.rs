//! The value of each objective, and the problems whose solutions reach a value.

use std::sync::Arc;

use crate::enumerate::solution::broken_seams;
use crate::problem::constraints::{CostLimit, cost};
use crate::problem::{Arrangement, Objective, Problem};

/// The kind of an objective, for output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The number of matching seams is maximised, out of this total.
    Seams(usize),
    /// An expression is maximised.
    Largest,
    /// An expression is minimised.
    Smallest,
    /// The total weight of violated soft constraints is minimised.
    Cost,
}

impl Goal {
    /// Converts a value to the one shown to the user: a minimised quantity changes its sign back.
    pub fn own(self, value: i64) -> i64 {
        match self {
            Goal::Smallest | Goal::Cost => -value,
            Goal::Seams(_) | Goal::Largest => value,
        }
    }
}

/// Adds the cost of soft constraints as the last objective, unless it is one of them already or there
/// are no soft constraints.
pub fn with_cost(problem: &Problem, mut objectives: Vec<Objective>) -> Vec<Objective> {
    let has_cost = objectives.iter().any(|one| matches!(one, Objective::Cost));
    if !has_cost && problem.soft_constraints().next().is_some() {
        objectives.push(Objective::Cost);
    }
    objectives
}

/// The objectives of the file, with the cost of soft constraints.
pub fn own_objectives(problem: &Problem) -> Vec<Objective> {
    with_cost(problem, problem.objectives.list.clone())
}

/// The problem that every arrangement satisfies, whatever its values of the objectives. It
/// distinguishes tiles and orientations as the objectives do.
pub fn weakest(problem: &Problem, objectives: &[Objective]) -> Problem {
    let weaker = |before: Problem, objective: &Objective| {
        objective.reaching(&before, objective.range(&before).0)
    };
    objectives.iter().fold(problem.clone(), weaker)
}

/// Values are maximised: that of a minimised quantity is its negation.
impl Objective {
    /// The kind of the objective for this problem.
    pub fn goal(&self, problem: &Problem) -> Goal {
        match self {
            Objective::Seams => Goal::Seams(problem.board.counted().count()),
            Objective::Largest(_) => Goal::Largest,
            Objective::Smallest(_) => Goal::Smallest,
            Objective::Cost => Goal::Cost,
        }
    }

    /// The problem whose solutions are the feasible arrangements with at least this value.
    pub fn reaching(&self, problem: &Problem, value: i64) -> Problem {
        let expression = match self {
            Objective::Seams => {
                let seams = problem.board.counted().count() as i64;
                return problem.breaking(usize::try_from(seams - value).unwrap_or(0));
            }
            Objective::Cost => {
                let soft = problem.soft_constraints().cloned().collect();
                let limit = CostLimit::new(soft, value.unsigned_abs());
                return problem.clone().with_constraints(vec![Arc::new(limit)]);
            }
            Objective::Largest(expression) => expression.clone(),
            Objective::Smallest(expression) => expression.clone().negate(),
        };
        problem.clone().with_constraints(vec![Arc::new(expression.at_least(value))])
    }

    /// The value of a feasible arrangement.
    pub fn value(&self, problem: &Problem, arrangement: &Arrangement) -> i64 {
        match self {
            Objective::Seams => {
                let seams = problem.board.counted().count();
                (seams - broken_seams(problem, arrangement).len()) as i64
            }
            Objective::Largest(expression) => expression.value(&problem.puzzle, arrangement),
            Objective::Smallest(expression) => -expression.value(&problem.puzzle, arrangement),
            Objective::Cost => {
                let scene = (&problem.puzzle, &problem.board);
                let cost = cost(problem.soft_constraints(), scene, arrangement);
                -i64::try_from(cost).unwrap_or(i64::MAX)
            }
        }
    }

    /// A lower and an upper bound on the values of all feasible arrangements.
    pub fn range(&self, problem: &Problem) -> (i64, i64) {
        match self {
            // Each matching seam uses up a pair of matching edges.
            Objective::Seams => {
                let pairs = problem.puzzle.pairs_within(problem.board.size());
                (0, problem.board.counted().count().min(pairs) as i64)
            }
            Objective::Largest(expression) => expression.range(&problem.puzzle, &problem.board),
            Objective::Smallest(expression) => {
                let (least, most) = expression.range(&problem.puzzle, &problem.board);
                (-most, -least)
            }
            Objective::Cost => {
                (-problem.soft_constraints().map(|soft| i64::from(soft.weight)).sum::<i64>(), 0)
            }
        }
    }

    /// The value that the next search should try to reach: above `reached`, the value of the
    /// incumbent, and at most `bound`, the proven upper bound.
    pub(super) fn next(&self, reached: i64, bound: i64) -> i64 {
        match self {
            // The fewer seams may break, the shorter the proof.
            Objective::Seams => bound,
            // The middle makes the number of searches logarithmic in the range.
            _ => reached + (bound - reached + 1) / 2,
        }
    }
}
