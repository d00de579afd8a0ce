//! The solver microlp, the default, in pure Rust.
//!
//! `good_lp` builds the model. microlp is called directly, because only its own interface can
//! interrupt and resume a solve, as needed for limits and Ctrl-C.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use good_lp::solvers::microlp::MicroLpProblem;
use good_lp::{Expression, SolverModel, microlp as back_end};
use microlp::{Error, Problem, ResumeOptions, SolveOptions, SolveOutcome};

use super::beside::{self, SLICE};
use super::{
    BackEnd, CancelToken, End, Loaded, Model, Row, SolverFailure, catch_panic, convert_row, declare,
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
    problem: MicroLpProblem,
    variables: Vec<good_lp::Variable>,
}

impl Loaded for Microlp {
    fn add(&mut self, row: &Row) {
        self.problem.add_constraint(convert_row(row, &self.variables));
    }

    fn solve(&self, go_on: &mut dyn FnMut() -> Flow) -> Result<Option<Vec<f64>>, End> {
        solve(self.problem.as_inner(), self.variables.len(), go_on)
    }
}

impl Microlp {
    /// Loads a model. Breaks if the token stops the run.
    fn new(model: &Model, token: &CancelToken<'_>) -> Flow<Self> {
        let (declared, variables) = declare(&model.variables);
        let problem = declared.minimise(Expression::default()).using(back_end);
        let mut loaded = Microlp { problem, variables };
        for row in &model.rows {
            loaded.add(row);
            token.work(UNITS_PER_TERM * row.terms.len())?;
        }
        ControlFlow::Continue(loaded)
    }
}

/// A feasible point of a problem, an optimal one if it has an objective; `None` if there is none.
///
/// The first slice runs on this thread, because it suffices for most problems; then a separate
/// thread goes on, while this one polls `go_on`. A problem with many variables is solved there from
/// the start.
///
/// # Errors
/// If `go_on` breaks, or there is neither a point nor a proof of infeasibility.
pub(super) fn solve(
    problem: &Problem,
    variables: usize,
    go_on: &mut dyn FnMut() -> Flow,
) -> Result<Option<Vec<f64>>, End> {
    let mut options = SolveOptions::default();
    options.time_limit = Some(SLICE);
    let first = if variables > MANY_VARIABLES {
        let problem = problem.clone();
        beside::run(move |_| catch_panic(|| problem.solve_with(options)), go_on)?
    } else {
        catch_panic(|| problem.solve_with(options))
    };
    let ended = match first {
        Ok(paused) if paused.solution().is_none() => {
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
        // Only this error is a proof.
        Err(SolverFailure::Solver(Error::Infeasible)) => Ok(None),
        Err(SolverFailure::Solver(e)) => failed(e.to_string()),
        Err(SolverFailure::Panic(message)) => failed(message),
    }
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
