//! The solver microlp, the default, in pure Rust.
//!
//! `good_lp` builds the model. microlp is called directly, because only its own interface can
//! interrupt and resume a solve, as needed for limits and Ctrl-C.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use good_lp::solvers::microlp::MicroLpProblem;
use good_lp::{Expression, SolverModel, microlp as back_end};
use microlp::{Error, ResumeOptions, SolveOptions, SolveOutcome};

use super::beside::{self, SLICE};
use super::{
    BackEnd, CancelToken, End, Loaded, Model, Row, SolverFailure, SolverResult, catch_panic,
    convert_row, declare,
};
use crate::runtime::limits::Flow;

pub(super) const BACK_END: BackEnd = BackEnd {
    name: "microlp",
    load: |model, token| Microlp::new(model, token).map_continue(|loaded| Box::new(loaded) as _),
};

/// The units of work of the token that adding a term of a row takes.
pub(super) const UNITS_PER_TERM: usize = 32;

/// The number of variables above which microlp takes long to set up a problem.
pub(super) const MANY_VARIABLES: usize = 5_000;

struct Microlp {
    problem: MicroLpProblem,
    variables: Vec<good_lp::Variable>,
}

impl Loaded for Microlp {
    fn add(&mut self, row: &Row) {
        self.problem.add_constraint(convert_row(row, &self.variables));
    }

    /// Finds a point of the model. The first slice runs on this thread, because it suffices for
    /// most solves; a longer solve continues on a separate thread, while this one polls `go_on`. A
    /// large model, which already takes long to set up, is solved there from the start.
    fn solve(&self, go_on: &mut dyn FnMut() -> Flow) -> Result<SolverResult, End> {
        let mut options = SolveOptions::default();
        options.time_limit = Some(SLICE);
        let problem = self.problem.as_inner();
        let ended = if self.is_large() {
            let problem = problem.clone();
            let solve = move |unwanted: &AtomicBool| {
                catch_panic(|| resume_until_solved(problem.solve_with(options)?, unwanted))
            };
            beside::run(solve, go_on)?
        } else {
            match catch_panic(|| problem.solve_with(options)) {
                Ok(paused) if paused.solution().is_none() => {
                    let resume = move |unwanted: &AtomicBool| {
                        catch_panic(|| resume_until_solved(paused, unwanted))
                    };
                    beside::run(resume, go_on)?
                }
                ended => ended,
            }
        };
        answer(ended)
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

    /// Returns true if setting up the model may take so long that `go_on` must be polled meanwhile.
    fn is_large(&self) -> bool {
        self.variables.len() > MANY_VARIABLES
    }
}

/// Resumes a paused solve until there is an answer or the flag is set. microlp restarts an
/// interrupted node, so the time slice doubles until a node can be finished in it. The error is
/// that of microlp, which may be infeasibility.
pub(super) fn resume_until_solved(
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

/// Converts the outcome of a solve. Only the solver's own `Infeasible` is a proof; a pause without
/// a solution and all other errors are failures.
fn answer(ended: Result<SolveOutcome, SolverFailure<Error>>) -> Result<SolverResult, End> {
    match ended {
        Ok(outcome) => {
            let solution = outcome.solution();
            let point = solution
                .map(|s| s.iter().map(|(_, value)| value).collect())
                .ok_or_else(|| End::NoAnswer("it stopped without an answer".into()))?;
            Ok(SolverResult::Point(point))
        }
        Err(SolverFailure::Solver(Error::Infeasible)) => Ok(SolverResult::Infeasible),
        Err(SolverFailure::Solver(e)) => Err(End::NoAnswer(e.to_string())),
        Err(SolverFailure::Panic(message)) => Err(End::NoAnswer(message)),
    }
}
