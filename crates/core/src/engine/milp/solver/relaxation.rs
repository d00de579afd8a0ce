//! The linear relaxation of a model, solved by microlp directly.

use std::sync::atomic::AtomicBool;

use microlp::{ComparisonOp, Error, OptimizationDirection, Problem, SolveOptions, SolveOutcome};

use super::beside::{self, SLICE};
use super::microlp::{MANY_VARIABLES, UNITS_PER_TERM, resume_until_solved};
use super::{CancelToken, End, Model, Row, Sense, SolverFailure, catch_panic, unless_stopped};
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
        let mut options = SolveOptions::default();
        options.time_limit = Some(SLICE);
        let first = if self.variables.len() > MANY_VARIABLES {
            beside::run(move |_| catch_panic(|| problem.solve_with(options)), go_on)?
        } else {
            catch_panic(|| problem.solve_with(options))
        };
        let point = |point: Vec<f64>| self.variables.iter().copied().zip(point).collect();
        finish_solve(first, go_on).map(|found| found.map(point))
    }
}

/// The point of a solve; `None` if it is infeasible. If the first time slice did not suffice, the
/// solve is resumed on a separate thread, because slices can exceed their time.
///
/// # Errors
/// If `go_on` breaks, or the solver fails or panics.
fn finish_solve(
    first: Result<SolveOutcome, SolverFailure<Error>>,
    go_on: &mut dyn FnMut() -> Flow,
) -> Result<Option<Vec<f64>>, End> {
    let ended = match first {
        Ok(SolveOutcome::Interrupted(paused)) => {
            let paused = SolveOutcome::Interrupted(paused);
            let resume =
                move |unwanted: &AtomicBool| catch_panic(|| resume_until_solved(paused, unwanted));
            beside::run(resume, go_on)?
        }
        ended => ended,
    };
    let failed = |message: String| Err(End::NoAnswer(message));
    match ended.map(SolveOutcome::into_solution) {
        Ok(Ok(solution)) => Ok(Some(solution.iter().map(|(_, value)| value).collect())),
        Ok(Err(_)) => failed("it stopped without an answer".into()),
        Err(SolverFailure::Solver(Error::Infeasible)) => Ok(None),
        Err(SolverFailure::Solver(e)) => failed(e.to_string()),
        Err(SolverFailure::Panic(message)) => failed(message),
    }
}
