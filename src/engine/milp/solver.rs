//! The only place that names good_lp and microlp.
//!
//! good_lp holds the model; microlp is asked directly, as only its own interface can be interrupted
//! and resumed, so that a limit or Ctrl-C is honoured in the middle of a long solve.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use good_lp::solvers::microlp::MicroLpProblem;
use good_lp::{
    Expression, ProblemVariables, SolverModel, constraint, microlp as back_end, variable,
};
use microlp::{Error, ResumeOptions, SolveOptions, SolveOutcome};

use super::beside::{self, SLICE};
use super::{End, Trouble};
use crate::engine::Work;
use crate::model::{Meaning, Model, Row, Sense};
use crate::threads::message_of;

/// What the solver says of the model as it stands.
pub(super) enum Answer {
    /// A solution: one value a variable, unrounded.
    Point(Vec<f64>),
    /// Proven: there is none.
    Infeasible,
}

/// A model in the solver's hands.
pub(super) struct Solver {
    problem: MicroLpProblem,
    variables: Vec<good_lp::Variable>,
}

impl Solver {
    /// Translates the model. The objective is zero: any solution is as good as another.
    pub fn new(model: &Model) -> Self {
        let mut declared = ProblemVariables::new();
        let variables: Vec<good_lp::Variable> = model
            .variables
            .iter()
            .map(|v| match v.meaning {
                Meaning::Placement { .. } | Meaning::Broken => declared.add(variable().binary()),
                Meaning::Both(..) => declared.add(variable().clamp(0, 1)),
            })
            .collect();
        let problem = declared.minimise(Expression::default()).using(back_end);
        let mut solver = Solver { problem, variables };
        for row in &model.rows {
            solver.add(row);
        }
        solver
    }

    /// Adds a row.
    pub fn add(&mut self, row: &Row) {
        let mut sum = Expression::with_capacity(row.terms.len());
        for &(variable, coefficient) in &row.terms {
            sum.add_mul(coefficient as f64, self.variables[variable]);
        }
        let bound = row.bound as f64;
        self.problem.add_constraint(match row.sense {
            Sense::Equal => constraint::eq(sum, bound),
            Sense::AtMost => constraint::leq(sum, bound),
            Sense::AtLeast => constraint::geq(sum, bound),
        });
    }

    /// Solves the model as it stands, and counts that.
    ///
    /// # Errors
    /// Where `go_on` said stop, or there is neither a point nor a proof.
    pub fn solve(
        &self,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
        work: &mut Work,
    ) -> Result<Answer, End> {
        if go_on().is_break() {
            return Err(End::Stopped);
        }
        work.solves += 1;
        let started = Instant::now();
        let answer = self.solve_under(go_on);
        work.rounds.push(started.elapsed().as_secs_f64());
        answer
    }

    /// The first slice runs here, as most solves end in it; a large model, which microlp takes long
    /// only to set up, goes to its own thread at once.
    fn solve_under(&self, go_on: &mut dyn FnMut() -> ControlFlow<()>) -> Result<Answer, End> {
        let mut options = SolveOptions::default();
        options.time_limit = Some(SLICE);
        let problem = self.problem.as_inner();
        let ended = if self.is_large() {
            let problem = problem.clone();
            let solve = move |unwanted: &AtomicBool| {
                guarded(|| resume_until_solved(problem.solve_with(options)?, unwanted))
            };
            beside::run(solve, go_on)?
        } else {
            match guarded(|| problem.solve_with(options)) {
                Ok(paused) if paused.solution().is_none() => {
                    let resume = move |unwanted: &AtomicBool| {
                        guarded(|| resume_until_solved(paused, unwanted))
                    };
                    beside::run(resume, go_on)?
                }
                ended => ended,
            }
        };
        answer(ended).map_err(End::Failed)
    }

    fn is_large(&self) -> bool {
        const MANY_VARIABLES: usize = 5_000;
        self.variables.len() > MANY_VARIABLES
    }
}

/// Goes on until there is an answer, or nobody wants it any more. microlp takes up an interrupted
/// node from its start, so a slice must grow until the node fits in.
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

/// What the end of a solve means. Only the solver's own `Infeasible` is a proof.
fn answer(ended: Result<SolveOutcome, Broken>) -> Result<Answer, Trouble> {
    match ended {
        Ok(outcome) => {
            let solution = outcome.solution();
            let values = solution.map(|s| s.iter().map(|(_, value)| value).collect());
            let values = values.ok_or_else(|| Trouble::NoAnswer("it gave up".into()))?;
            Ok(Answer::Point(values))
        }
        Err(Broken::Solver(Error::Infeasible)) => Ok(Answer::Infeasible),
        Err(Broken::Solver(e)) => Err(Trouble::NoAnswer(e.to_string())),
        Err(Broken::Panic(message)) => Err(Trouble::NoAnswer(message)),
    }
}

enum Broken {
    Solver(Error),
    Panic(String),
}

/// Turns a panic of the solver into a value.
fn guarded(solve: impl FnOnce() -> Result<SolveOutcome, Error>) -> Result<SolveOutcome, Broken> {
    match catch_unwind(AssertUnwindSafe(solve)) {
        Ok(result) => result.map_err(Broken::Solver),
        Err(panic) => {
            let message = message_of(&*panic);
            Err(Broken::Panic(format!("it panicked: {message}")))
        }
    }
}
