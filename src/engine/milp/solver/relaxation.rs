//! The linear relaxation of a model, solved by microlp directly: after a row is added, it continues
//! from the current point (warm start), which `good_lp` does not support.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use good_lp::solvers::microlp::MicroLpProblem;
use good_lp::{Expression, ProblemVariables, SolverModel, microlp as back_end, variable};
use microlp::{ComparisonOp, Error, Solution, SolveOptions, SolveOutcome};

use super::beside::{self, SLICE};
use super::microlp::{MANY_VARIABLES, UNITS_PER_TERM, resume_until_solved};
use super::{
    CancelToken, End, LeafError, Model, Row, Sense, SolverFailure, Work, catch_panic, clock,
    convert_row, unless_stopped,
};
use crate::runtime::limits::Flow;

/// A linear relaxation with its current feasible point, in which each variable is between 0 and 1.
pub(in crate::engine::milp) struct Relaxation(Solution);

impl Relaxation {
    /// Solves the relaxation of a model and counts the solve; `None` if it is infeasible.
    ///
    /// # Errors
    /// If the token stops the run, `go_on` breaks, or there is neither a point nor a proof of
    /// infeasibility.
    pub fn new(
        (model, token): (&Model, &CancelToken<'_>),
        go_on: &mut dyn FnMut() -> Flow,
        work: &mut Work,
    ) -> Result<Option<Self>, End> {
        count_solve(work, || {
            let problem = unless_stopped(build_problem(model, token))?;
            let mut options = SolveOptions::default();
            options.time_limit = Some(SLICE);
            let first = if model.variables.len() > MANY_VARIABLES {
                let problem = problem.as_inner().clone();
                beside::run(move |_| catch_panic(|| problem.solve_with(options)), go_on)?
            } else {
                catch_panic(|| problem.as_inner().solve_with(options))
            };
            finish_solve(first, go_on)
        })
    }

    /// The value of each variable at the current point.
    pub fn point(&self) -> Vec<f64> {
        self.0.iter().map(|(_, value)| value).collect()
    }

    /// Adds a row, solves again from the current point and counts the solve; `None` if it is
    /// infeasible.
    ///
    /// # Errors
    /// Like [`Relaxation::new`].
    pub fn with_row(
        self,
        row: &Row,
        go_on: &mut dyn FnMut() -> Flow,
        work: &mut Work,
    ) -> Result<Option<Self>, End> {
        let handles: Vec<microlp::Variable> = self.0.iter().map(|(handle, _)| handle).collect();
        let sum: Vec<_> = row.terms.iter().map(|&(v, c)| (handles[v], c as f64)).collect();
        let sense = match row.sense {
            Sense::Equal => ComparisonOp::Eq,
            Sense::AtMost => ComparisonOp::Le,
            Sense::AtLeast => ComparisonOp::Ge,
        };
        let bound = row.bound as f64;
        count_solve(work, || {
            finish_solve(catch_panic(|| self.0.add_constraint(sum, sense, bound)), go_on)
        })
    }
}

/// Builds the problem with all variables continuous from 0 to 1. Breaks if the token stops the run.
fn build_problem(model: &Model, token: &CancelToken<'_>) -> Flow<MicroLpProblem> {
    let mut declared = ProblemVariables::new();
    let unit = |_| declared.add(variable().clamp(0, 1));
    let variables: Vec<_> = model.variables.iter().map(unit).collect();
    let mut problem = declared.minimise(Expression::default()).using(back_end);
    for row in &model.rows {
        problem.add_constraint(convert_row(row, &variables));
        token.work(UNITS_PER_TERM * row.terms.len())?;
    }
    ControlFlow::Continue(problem)
}

/// Runs a solve and adds it and its time in seconds to `work`.
fn count_solve<T>(work: &mut Work, solve: impl FnOnce() -> T) -> T {
    work.solves += 1;
    let started = clock::now();
    let result = solve();
    work.rounds.push(started.elapsed().as_secs_f64());
    result
}

/// Converts the outcome of a solve; `None` if it is infeasible. If the first time slice did not
/// suffice, the solve is resumed on a separate thread, because slices can exceed their time.
///
/// # Errors
/// If `go_on` breaks, or the solver fails or panics.
fn finish_solve(
    first: Result<SolveOutcome, SolverFailure<Error>>,
    go_on: &mut dyn FnMut() -> Flow,
) -> Result<Option<Relaxation>, End> {
    let ended = match first {
        Ok(SolveOutcome::Interrupted(paused)) => {
            let paused = SolveOutcome::Interrupted(paused);
            let resume =
                move |unwanted: &AtomicBool| catch_panic(|| resume_until_solved(paused, unwanted));
            beside::run(resume, go_on)?
        }
        ended => ended,
    };
    let failed = |message: String| Err(End::Failed(LeafError::NoAnswer(message)));
    match ended.map(SolveOutcome::into_solution) {
        Ok(Ok(solution)) => Ok(Some(Relaxation(solution))),
        Ok(Err(_)) => failed("it stopped without an answer".into()),
        Err(SolverFailure::Solver(Error::Infeasible)) => Ok(None),
        Err(SolverFailure::Solver(e)) => failed(e.to_string()),
        Err(SolverFailure::Panic(message)) => failed(message),
    }
}
