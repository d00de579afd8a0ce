//! Extra constraints as penalties for arrangements that violate them.

use std::ops::ControlFlow;

use crate::problem::{CellSum, Formula, Problem};
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};

/// The penalty of a violated sum, in broken seams.
const SUM: i64 = 3;

/// Computes penalties from the amounts by which sums exceed their bounds.
#[derive(Default)]
pub(super) struct Penalties {
    /// The sums that each cell contributes to, with the contribution of each value.
    by_cell: Vec<Vec<(usize, Vec<i64>)>>,
    bounds: Vec<i64>,
    /// The formulas that must hold, over indices of sums.
    all: Vec<Formula<usize>>,
}

impl Penalties {
    /// Breaks if the token stops the run.
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

    /// Units of work for weighing an arrangement.
    pub fn units(&self) -> usize {
        self.all.len() + self.bounds.len()
    }

    /// Adds a sum and returns its index. Incomplete if the token stops the run.
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

    /// The difference of each sum to its bound while all cells are empty.
    pub fn initial_excess(&self) -> Vec<i64> {
        self.bounds.iter().map(|bound| -bound).collect()
    }

    /// Adds the contribution of a value in a cell to the sums; a `sign` of −1 removes it.
    pub fn count(&self, cell: usize, value: usize, sign: i64, excess: &mut [i64]) {
        for (sum, weights) in self.by_cell.get(cell).into_iter().flatten() {
            excess[*sum] += sign * weights[value];
        }
    }

    /// The total penalty; 0 if nothing is violated.
    pub fn weight(&self, excess: &[i64]) -> i64 {
        self.all.iter().map(|formula| weight(formula, excess)).sum()
    }
}

/// The penalty of a formula: of a violated sum, or of the required number of parts with the
/// smallest penalties.
fn weight(formula: &Formula<usize>, excess: &[i64]) -> i64 {
    match formula {
        // The size of a violation guides the search; the logarithm keeps large weights from
        // outweighing seams.
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
