//! The solver microlp, the default, in pure Rust. It can be interrupted and resumed, as needed for
//! limits and Ctrl-C.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use microlp::{
    ComparisonOp, Error, OptimizationDirection, Problem, ResumeOptions, SolveOptions, SolveOutcome,
    Variable,
};

use super::beside::{self, SLICE};
use super::{
    BackEnd, CancelToken, End, LoadedModel, Model, Row, Sense, SolverFailure, catch_panic,
    is_integer,
};
use crate::runtime::limits::Flow;

pub(super) const BACK_END: BackEnd = BackEnd {
    name: "microlp",
    load: |model, token| Microlp::new(model, token).map_continue(|loaded| Box::new(loaded) as _),
};

/// The units of work of the token that adding a term of a row takes.
pub(super) const UNITS_PER_TERM: usize = 32;

/// The number of variables above which microlp takes long to set up a problem.
const MANY_VARIABLES: usize = 5_000;

struct Microlp {
    problem: Problem,
    variables: Vec<Variable>,
}

impl LoadedModel for Microlp {
    /// Every row becomes an equation or an upper bound.
    fn add(&mut self, row: &Row) {
        let (sign, comparison) = match row.sense {
            Sense::Equal => (1, ComparisonOp::Eq),
            Sense::AtMost => (1, ComparisonOp::Le),
            Sense::AtLeast => (-1, ComparisonOp::Le),
        };
        let terms = row.terms.iter().map(|&(v, c)| (self.variables[v], (sign * c) as f64));
        let terms: Vec<_> = terms.collect();
        self.problem.add_constraint(terms, comparison, (sign * row.bound) as f64);
    }

    fn solve(&self, go_on: &mut dyn FnMut() -> Flow) -> Result<Option<Vec<f64>>, End> {
        solve(self.problem.clone(), self.variables.len(), go_on)
    }
}

impl Microlp {
    /// Loads a model. Breaks if the token stops the run.
    fn new(model: &Model, token: &CancelToken<'_>) -> Flow<Self> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let declared = model.variables.iter().map(|variable| {
            if is_integer(variable.meaning) {
                problem.add_integer_var(0.0, (0, 1))
            } else {
                problem.add_var(0.0, (0.0, 1.0))
            }
        });
        let variables = declared.collect();
        let mut loaded = Microlp { problem, variables };
        for row in &model.rows {
            loaded.add(row);
            token.work(UNITS_PER_TERM * row.terms.len())?;
        }
        ControlFlow::Continue(loaded)
    }
}

/// A feasible point of a problem with this number of variables; `None` if there is none. The first
/// time slice runs on this thread, because it suffices for most problems, unless the problem is so
/// large that it takes long to set up. A longer solve is resumed on a separate thread, because
/// slices can exceed their time.
///
/// # Errors
/// If `go_on` breaks, or there is neither a point nor a proof of infeasibility.
pub(super) fn solve(
    problem: Problem,
    variables: usize,
    go_on: &mut dyn FnMut() -> Flow,
) -> Result<Option<Vec<f64>>, End> {
    let mut options = SolveOptions::default();
    options.time_limit = Some(SLICE);
    let solve = move || catch_panic(|| problem.solve_with(options));
    let first = match variables {
        ..=MANY_VARIABLES => solve(),
        _ => beside::run(move |_| solve(), go_on)?,
    };
    let ended = match first {
        Ok(paused @ SolveOutcome::Interrupted(_)) => {
            let resume =
                move |unwanted: &AtomicBool| catch_panic(|| resume_until_solved(paused, unwanted));
            beside::run(resume, go_on)?
        }
        ended => ended,
    };
    // Only the solver's own `Infeasible` is a proof; a pause without a solution and all other
    // errors are failures.
    let message = match ended.map(SolveOutcome::into_solution) {
        Ok(Ok(solution)) => return Ok(Some(solution.iter().map(|(_, value)| value).collect())),
        Err(SolverFailure::Solver(Error::Infeasible)) => return Ok(None),
        Ok(Err(_)) => "it stopped without an answer".into(),
        Err(SolverFailure::Solver(error)) => error.to_string(),
        Err(SolverFailure::Panic(message)) => message,
    };
    Err(End::NoAnswer(message))
}

/// Resumes a paused solve until there is an answer or the flag is set. microlp restarts an
/// interrupted node, so the time slice doubles until a node can be finished in it. The error is
/// that of microlp, which may be infeasibility.
fn resume_until_solved(
    mut paused: SolveOutcome,
    unwanted: &AtomicBool,
) -> Result<SolveOutcome, Error> {
    let mut slice = SLICE;
    while paused.solution().is_none() && !unwanted.load(Ordering::Relaxed) {
        let nodes = paused.stats().nodes_solved;
        let mut options = ResumeOptions::default();
        options.time_limit = Some(slice);
        paused = paused.resume_with(options)?;
        if paused.stats().nodes_solved == nodes {
            slice *= 2;
        }
    }
    Ok(paused)
}
