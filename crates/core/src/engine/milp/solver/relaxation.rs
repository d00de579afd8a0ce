//! The linear relaxation of a model, solved by microlp directly.

use ::microlp::{ComparisonOp, OptimizationDirection, Problem};

use super::microlp::{self, UNITS_PER_TERM};
use super::{CancelToken, End, Model, Row, Sense, unless_stopped};
use crate::runtime::limits::Flow;

/// A linear program over the open variables of a model, each from 0 to 1.
pub(in crate::engine::milp) struct Relaxation {
    /// The open variables.
    variables: Vec<usize>,
    /// The coefficient of each of them in the objective, which is maximised.
    weights: Vec<i64>,
    rows: Vec<Row>,
}

/// The value of each open variable in a point of a relaxation.
pub(in crate::engine::milp) type Point = Vec<(usize, f64)>;

impl Relaxation {
    /// Restricts a model to the variables for which `value` is `None`.
    pub fn of_open(model: &Model, value: &dyn Fn(usize) -> Option<bool>) -> Self {
        let mut place = vec![None; model.variables.len()];
        let mut variables = Vec::new();
        for (variable, place) in place.iter_mut().enumerate() {
            if value(variable).is_none() {
                *place = Some(variables.len());
                variables.push(variable);
            }
        }
        let rows = model.rows.iter().filter_map(|row| {
            let mut bound = row.bound;
            let mut terms = Vec::new();
            for &(variable, coefficient) in &row.terms {
                match place[variable] {
                    Some(place) => terms.push((place, coefficient)),
                    None => bound -= coefficient * i64::from(value(variable) == Some(true)),
                }
            }
            (!terms.is_empty()).then(|| Row { name: String::new(), terms, sense: row.sense, bound })
        });
        let rows = rows.collect();
        let mut weights = vec![0; variables.len()];
        for &(variable, weight) in model.objective.iter().flat_map(|objective| &objective.terms) {
            if let Some(place) = place[variable] {
                weights[place] = weight;
            }
        }
        Relaxation { variables, weights, rows }
    }

    /// A feasible point, with the largest value of the objective; `None` if there is none.
    ///
    /// # Errors
    /// If the token stops the run, `go_on` breaks, or there is neither a point nor a proof of
    /// infeasibility.
    pub fn solve(
        &self,
        token: &CancelToken<'_>,
        go_on: &mut dyn FnMut() -> Flow,
    ) -> Result<Option<Point>, End> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let handles: Vec<_> = self
            .weights
            .iter()
            .map(|&weight| problem.add_var(-weight as f64, (0.0, 1.0)))
            .collect();
        for row in &self.rows {
            let terms = row.terms.iter().map(|&(place, c)| (handles[place], c as f64));
            let sense = match row.sense {
                Sense::Equal => ComparisonOp::Eq,
                Sense::AtMost => ComparisonOp::Le,
                Sense::AtLeast => ComparisonOp::Ge,
            };
            problem.add_constraint(terms.collect::<Vec<_>>(), sense, row.bound as f64);
            unless_stopped(token.work(UNITS_PER_TERM * row.terms.len()))?;
        }
        let point = microlp::solve(&problem, self.variables.len(), go_on)?;
        Ok(point.map(|point| self.variables.iter().copied().zip(point).collect()))
    }
}
