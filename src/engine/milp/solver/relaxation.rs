//! The linear relaxation of a model, solved by microlp.

use microlp::{ComparisonOp, OptimizationDirection, Problem};

use super::microlp::{UNITS_PER_TERM, solve};
use super::{CancelToken, End, Model, Sense, unless_stopped};
use crate::runtime::limits::Flow;

/// The value of each open variable in a point of a relaxation.
pub(in crate::engine::milp) type Point = Vec<(usize, f64)>;

/// A feasible point of the linear relaxation of a model over its open variables, those for which
/// `value` is `None`, each from 0 to 1; `None` if there is no such point.
///
/// # Errors
/// If the token stops the run, `go_on` breaks, or there is neither a point nor a proof of
/// infeasibility.
pub(in crate::engine::milp) fn solve_relaxation(
    model: &Model,
    value: &dyn Fn(usize) -> Option<bool>,
    token: &CancelToken<'_>,
    go_on: &mut dyn FnMut() -> Flow,
) -> Result<Option<Point>, End> {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let mut handles = vec![None; model.variables.len()];
    let mut open = Vec::new();
    for (variable, handle) in handles.iter_mut().enumerate() {
        if value(variable).is_none() {
            *handle = Some(problem.add_var(0.0, (0.0, 1.0)));
            open.push(variable);
        }
    }
    for row in &model.rows {
        let mut bound = row.bound;
        let mut terms = Vec::new();
        for &(variable, coefficient) in &row.terms {
            match handles[variable] {
                Some(handle) => terms.push((handle, coefficient as f64)),
                None => bound -= coefficient * i64::from(value(variable) == Some(true)),
            }
        }
        if terms.is_empty() {
            continue;
        }
        unless_stopped(token.work(UNITS_PER_TERM * terms.len()))?;
        let comparison = match row.sense {
            Sense::Equal => ComparisonOp::Eq,
            Sense::AtMost => ComparisonOp::Le,
            Sense::AtLeast => ComparisonOp::Ge,
        };
        problem.add_constraint(terms, comparison, bound as f64);
    }
    let point = solve(problem, open.len(), go_on)?;
    Ok(point.map(|point| open.into_iter().zip(point).collect()))
}
