//! The extra constraints as penalties: what an arrangement that breaks them weighs.

use std::ops::ControlFlow;

use crate::problem::{CellSum, Formula, Problem};
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};

/// What a broken sum weighs, in broken seams.
const SUM: i64 = 3;

/// What the extra constraints weigh, by what their sums are above their bounds.
#[derive(Default)]
pub(super) struct Penalties {
    /// By cell, the sums that it counts in, and what each value counts there.
    by_cell: Vec<Vec<(usize, Vec<i64>)>>,
    bounds: Vec<i64>,
    /// What must hold, over places of sums.
    all: Vec<Formula<usize>>,
}

impl Penalties {
    /// `Break` where the token says so.
    pub fn new(problem: &Problem, token: &CancelToken<'_>) -> Flow<Self> {
        let mut penalties =
            Penalties { by_cell: vec![Vec::new(); problem.board.size()], ..Penalties::default() };
        for sum in &problem.sums {
            let place = penalties.enter(problem, sum, token);
            penalties.all.push(Formula::Linear(place));
        }
        for formula in &problem.formulas {
            let over_places = formula.map(&mut |sum| penalties.enter(problem, sum, token));
            penalties.all.push(over_places);
        }
        token.poll()?;
        ControlFlow::Continue(penalties)
    }

    /// What it takes to weigh an arrangement, in units of work.
    pub fn units(&self) -> usize {
        self.all.len() + self.bounds.len()
    }

    /// Takes a sum in, unless the token breaks; its place.
    fn enter(
        &mut self,
        problem: &Problem,
        sum: &CellSum<ValueSet>,
        token: &CancelToken<'_>,
    ) -> usize {
        let index = self.bounds.len();
        self.bounds.push(sum.bound);
        for (cell, levels) in &sum.cells {
            if token.work(problem.kinds.values.len()).is_break() {
                break;
            }
            let mut weights = vec![0; problem.kinds.values.len()];
            for level in levels.iter() {
                for value in level.values.iter() {
                    weights[value] = level.coefficient;
                }
            }
            self.by_cell[*cell].push((index, weights));
        }
        index
    }

    /// By sum, what it is above its bound while no cell counts.
    pub fn excess_of_nothing(&self) -> Vec<i64> {
        self.bounds.iter().map(|bound| -bound).collect()
    }

    /// What a value counts in a cell enters the sums, or leaves them.
    pub fn count(&self, cell: usize, value: usize, sign: i64, excess: &mut [i64]) {
        for (sum, weights) in self.by_cell.get(cell).into_iter().flatten() {
            excess[*sum] += sign * weights[value];
        }
    }

    /// What all that is broken weighs; 0 where nothing is.
    pub fn weight(&self, excess: &[i64]) -> i64 {
        self.all.iter().map(|formula| weight(formula, excess)).sum()
    }
}

/// What a formula weighs: a sum above its bound, or so many parts, the lightest ones.
fn weight(formula: &Formula<usize>, excess: &[i64]) -> i64 {
    match formula {
        // By how much a sum is broken shows the way, but large weights must not drown the seams.
        Formula::Linear(sum) => match excess[*sum] {
            excess if excess > 0 => SUM + i64::from(excess.unsigned_abs().ilog2()),
            _ => 0,
        },
        Formula::AtLeast(number, parts) => {
            let mut weights: Vec<i64> = parts.iter().map(|part| weight(part, excess)).collect();
            weights.sort_unstable();
            weights[..*number].iter().sum()
        }
    }
}
