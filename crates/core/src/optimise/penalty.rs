//! Extra constraints as penalties for arrangements that violate them.

use std::ops::ControlFlow;

use crate::problem::{CellSum, Formula, Problem};
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};

/// The penalty of a sum that exceeds its bound by 1, in broken seams.
const SUM_PENALTY: i64 = 3;

/// The extra constraints of a problem as penalties, computed from the amounts by which sums exceed
/// their bounds.
#[derive(Default)]
pub(super) struct Penalties {
    /// For each cell, the sums that it contributes to, each with the contribution of every value.
    by_cell: Vec<Vec<(usize, Vec<i64>)>>,
    bounds: Vec<i64>,
    /// The formulas that must hold, over indices of sums.
    formulas: Vec<Formula<usize>>,
}

impl Penalties {
    /// Converts the extra constraints of a problem. Breaks if the token stops the run.
    pub fn new(problem: &Problem, token: &CancelToken<'_>) -> Flow<Self> {
        let mut penalties =
            Penalties { by_cell: vec![Vec::new(); problem.board.size()], ..Penalties::default() };
        for sum in &problem.sums {
            let place = penalties.add_sum(problem, sum, token);
            penalties.formulas.push(Formula::Linear(place));
        }
        for formula in &problem.formulas {
            let over_places = formula.map(&mut |sum| penalties.add_sum(problem, sum, token));
            penalties.formulas.push(over_places);
        }
        token.poll()?;
        ControlFlow::Continue(penalties)
    }

    /// The units of work for computing the penalty of an arrangement.
    pub fn units(&self) -> usize {
        self.formulas.len() + self.bounds.len()
    }

    /// Adds a sum and returns its index. If the token stops the run, the sum stays incomplete.
    fn add_sum(
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

    /// The value of each sum minus its bound while all cells are empty.
    pub fn initial_excess(&self) -> Vec<i64> {
        self.bounds.iter().map(|bound| -bound).collect()
    }

    /// Adds the contribution of a value in a cell to `excess`, the values of the sums minus their
    /// bounds. `sign` is 1, or −1 to remove the contribution.
    pub fn count(&self, cell: usize, value: usize, sign: i64, excess: &mut [i64]) {
        for (sum, weights) in self.by_cell.get(cell).into_iter().flatten() {
            excess[*sum] += sign * weights[value];
        }
    }

    /// The total penalty in broken seams; 0 if no constraint is violated.
    pub fn weight(&self, excess: &[i64]) -> i64 {
        self.formulas.iter().map(|formula| weight(formula, excess)).sum()
    }
}

/// The penalty of a formula: for a sum, 3 plus the binary logarithm of the excess if it exceeds its
/// bound, otherwise 0; for "at least n of these parts", the sum of the n smallest penalties.
fn weight(formula: &Formula<usize>, excess: &[i64]) -> i64 {
    match formula {
        // The size of a violation guides the search; the logarithm keeps large weights from
        // outweighing seams.
        Formula::Linear(sum) => match excess[*sum] {
            excess if excess > 0 => SUM_PENALTY + i64::from(excess.unsigned_abs().ilog2()),
            _ => 0,
        },
        Formula::AtLeast(number, parts) => {
            let mut weights: Vec<i64> = parts.iter().map(|part| weight(part, excess)).collect();
            weights.sort_unstable();
            weights[..*number].iter().sum()
        }
    }
}
