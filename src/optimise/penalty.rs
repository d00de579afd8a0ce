//! The extra constraints as penalties: what an arrangement that breaks them weighs.

use crate::problem::{CellFormula, CellSum, Problem};
use crate::puzzle::ValueSet;

/// What a broken sum weighs, in broken seams.
const SUM: i64 = 3;

/// What the extra constraints weigh, by what their sums are above their bounds.
#[derive(Default)]
pub(super) struct Penalties {
    /// By cell, the sums that it counts in, and what each value counts there.
    by_cell: Vec<Vec<(usize, Vec<i64>)>>,
    bounds: Vec<i64>,
    all: Vec<Penalty>,
}

enum Penalty {
    /// The sum at this place, where it is above its bound.
    Sum(usize),
    /// So many of these, the lightest ones.
    AtLeast(usize, Vec<Penalty>),
}

impl Penalties {
    pub fn new(problem: &Problem) -> Self {
        let mut penalties = Penalties {
            by_cell: vec![Vec::new(); problem.board.size()],
            ..Penalties::default()
        };
        for sum in &problem.sums {
            let penalty = penalties.of_sum(problem, sum);
            penalties.all.push(penalty);
        }
        for formula in &problem.formulas {
            let penalty = penalties.of_formula(problem, formula);
            penalties.all.push(penalty);
        }
        penalties
    }

    fn of_sum(&mut self, problem: &Problem, sum: &CellSum<ValueSet>) -> Penalty {
        let index = self.bounds.len();
        self.bounds.push(sum.bound);
        for (cell, levels) in &sum.cells {
            let mut weights = vec![0; problem.kinds.values.len()];
            for level in levels.iter() {
                for value in level.values.iter() {
                    weights[value] = level.coefficient;
                }
            }
            self.by_cell[*cell].push((index, weights));
        }
        Penalty::Sum(index)
    }

    fn of_formula(&mut self, problem: &Problem, formula: &CellFormula<ValueSet>) -> Penalty {
        match formula {
            CellFormula::Linear(sum) => self.of_sum(problem, sum),
            CellFormula::AtLeast(number, parts) => {
                let parts = parts.iter().map(|part| self.of_formula(problem, part));
                Penalty::AtLeast(*number, parts.collect())
            }
        }
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
        self.all.iter().map(|penalty| penalty.weight(excess)).sum()
    }
}

impl Penalty {
    fn weight(&self, excess: &[i64]) -> i64 {
        match self {
            // By how much a sum is broken shows the way, but large weights must not drown the seams.
            Penalty::Sum(sum) => match excess[*sum] {
                excess if excess > 0 => SUM + i64::from(excess.unsigned_abs().ilog2()),
                _ => 0,
            },
            Penalty::AtLeast(number, parts) => {
                let mut weights: Vec<i64> = parts.iter().map(|part| part.weight(excess)).collect();
                weights.sort_unstable();
                weights[..*number].iter().sum()
            }
        }
    }
}
