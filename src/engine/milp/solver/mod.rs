//! The only place that names `good_lp` and its back ends: one file each, and one line in
//! [`BACK_ENDS`].
//!
//! `good_lp` holds the model. A back end is loaded with a model, takes rows, and solves it as it
//! stands, while it asks whether to go on.

#[cfg(feature = "highs")]
mod highs;
mod microlp;
mod relaxation;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub(super) use self::relaxation::Relaxation;
use good_lp::{Constraint, Expression, ProblemVariables, constraint, variable};

use super::{End, LeafError, beside, unless_stopped};
use crate::engine::Work;
use crate::model::{Meaning, Model, Row, Sense, Variable};
use crate::runtime::clock;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::scheduler::message_of;

/// Every back end that is compiled in, the default first.
pub const BACK_ENDS: &[BackEnd] = &[
    microlp::BACK_END,
    #[cfg(feature = "highs")]
    highs::BACK_END,
];

/// Puts a model in the hands of a back end. `Break` where the token says so.
type Load = fn(&Model, &CancelToken<'_>) -> Flow<Box<dyn Loaded>>;

/// Who solves the models.
#[derive(Debug, Clone, Copy)]
pub struct BackEnd {
    name: &'static str,
    load: Load,
}

impl BackEnd {
    /// The name on the command line.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether it is the default.
    pub(super) fn is_first(&self) -> bool {
        self.name == BACK_ENDS[0].name
    }
}

/// What the solver says of the model as it stands.
pub(super) enum Answer {
    /// A solution: one value a variable, unrounded.
    Point(Vec<f64>),
    /// Proven: there is none.
    Infeasible,
}

/// A model in a back end's hands.
trait Loaded: Send {
    /// Adds a row.
    fn add(&mut self, row: &Row);

    /// Solves the model as it stands.
    ///
    /// # Errors
    /// Where `go_on` said stop, or there is neither a point nor a proof.
    fn solve(&self, go_on: &mut dyn FnMut() -> Flow) -> Result<Answer, End>;
}

/// A model in the solver's hands.
pub(super) struct Solver(Box<dyn Loaded>);

impl Solver {
    /// Translates the model. The objective is zero: any solution is as good as another. `Break`
    /// where the token says so.
    pub fn new(back_end: BackEnd, model: &Model, token: &CancelToken<'_>) -> Flow<Self> {
        (back_end.load)(model, token).map_continue(Solver)
    }

    /// Adds a row.
    pub fn add(&mut self, row: &Row) {
        self.0.add(row);
    }

    /// Solves the model as it stands, and counts that.
    ///
    /// # Errors
    /// Where `go_on` said stop, or there is neither a point nor a proof.
    pub fn solve(&self, go_on: &mut dyn FnMut() -> Flow, work: &mut Work) -> Result<Answer, End> {
        if go_on().is_break() {
            return Err(End::Stopped);
        }
        work.solves += 1;
        let started = clock::now();
        let answer = self.0.solve(go_on);
        work.rounds.push(started.elapsed().as_secs_f64());
        answer
    }
}

/// Declares the variables to `good_lp`.
fn declare(variables: &[Variable]) -> (ProblemVariables, Vec<good_lp::Variable>) {
    let mut declared = ProblemVariables::new();
    let variables = variables
        .iter()
        .map(|v| match v.meaning {
            Meaning::Placement { .. } | Meaning::Broken | Meaning::Holds => {
                declared.add(variable().binary())
            }
            Meaning::Both(..) => declared.add(variable().clamp(0, 1)),
        })
        .collect();
    (declared, variables)
}

/// A row as `good_lp` states it.
fn posted(row: &Row, variables: &[good_lp::Variable]) -> Constraint {
    let mut sum = Expression::with_capacity(row.terms.len());
    for &(variable, coefficient) in &row.terms {
        sum.add_mul(coefficient as f64, variables[variable]);
    }
    let bound = row.bound as f64;
    match row.sense {
        Sense::Equal => constraint::eq(sum, bound),
        Sense::AtMost => constraint::leq(sum, bound),
        Sense::AtLeast => constraint::geq(sum, bound),
    }
}

/// Why there is no result.
enum Broken<E> {
    /// What the solver says itself.
    Solver(E),
    /// It panicked.
    Panic(String),
}

/// Turns a panic of the solver into a value.
fn guarded<T, E>(solve: impl FnOnce() -> Result<T, E>) -> Result<T, Broken<E>> {
    match catch_unwind(AssertUnwindSafe(solve)) {
        Ok(result) => result.map_err(Broken::Solver),
        Err(panic) => {
            let message = message_of(&*panic);
            Err(Broken::Panic(format!("it panicked: {message}")))
        }
    }
}
