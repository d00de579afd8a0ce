//! The MILP solvers: the only module that uses `good_lp` and its back ends. Each back end is one
//! file and one line in [`BACK_ENDS`].
//!
//! `good_lp` represents the model. A back end is loaded with a model, takes further rows, and
//! solves the current model while it polls the caller.

#[cfg(feature = "highs")]
mod highs;
mod microlp;
mod relaxation;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub(super) use self::relaxation::{Point, Relaxation};
use good_lp::{Constraint, Expression, ProblemVariables, constraint, variable};

use super::{End, beside, unless_stopped};
use crate::model::{Meaning, Model, Row, Sense, Variable};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::scheduler::message_of;

/// The back ends in this build, the default first.
pub const BACK_ENDS: &[BackEnd] = &[
    microlp::BACK_END,
    #[cfg(feature = "highs")]
    highs::BACK_END,
];

/// Loads a model into a back end. Breaks if the token stops the run.
type Load = fn(&Model, &CancelToken<'_>) -> Flow<Box<dyn Loaded>>;

/// A solver of models.
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

    /// Returns true for the default solver, which is the first in [`BACK_ENDS`].
    pub(super) fn is_first(&self) -> bool {
        self.name == BACK_ENDS[0].name
    }
}

/// The interface of a back end with a model loaded into it.
trait Loaded: Send {
    /// Adds a row to the model, such as a no-good cut.
    fn add(&mut self, row: &Row);

    /// A feasible point of the current model, one unrounded value per variable; `None` if the
    /// solver has proven that there is none.
    ///
    /// # Errors
    /// If `go_on` breaks, or there is neither a point nor a proof.
    fn solve(&self, go_on: &mut dyn FnMut() -> Flow) -> Result<Option<Vec<f64>>, End>;
}

/// A model loaded into the solver that the user has chosen.
pub(super) struct Solver(Box<dyn Loaded>);

impl Solver {
    /// Loads a model. The objective is zero, because all solutions are equally good. Breaks if the
    /// token stops the run.
    pub fn new(back_end: BackEnd, model: &Model, token: &CancelToken<'_>) -> Flow<Self> {
        (back_end.load)(model, token).map_continue(Solver)
    }

    /// Adds a row to the model.
    pub fn add(&mut self, row: &Row) {
        self.0.add(row);
    }

    /// A feasible point of the current model, one unrounded value per variable; `None` if the
    /// solver has proven that there is none.
    ///
    /// # Errors
    /// If `go_on` breaks, or there is neither a point nor a proof.
    pub fn solve(&self, go_on: &mut dyn FnMut() -> Flow) -> Result<Option<Vec<f64>>, End> {
        unless_stopped(go_on())?;
        self.0.solve(go_on)
    }
}

/// Declares the variables of a model in `good_lp`, as binary ones, or as continuous from 0 to 1 if
/// they are integral whenever the placements are.
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

/// Converts a row to a constraint of `good_lp`.
fn convert_row(row: &Row, variables: &[good_lp::Variable]) -> Constraint {
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

/// The failure of a call of a solver.
enum SolverFailure<E> {
    /// An error of the solver.
    Solver(E),
    /// A panic of the solver, with its message.
    Panic(String),
}

/// Calls a solver and converts a panic to an error.
fn catch_panic<T, E>(solve: impl FnOnce() -> Result<T, E>) -> Result<T, SolverFailure<E>> {
    match catch_unwind(AssertUnwindSafe(solve)) {
        Ok(result) => result.map_err(SolverFailure::Solver),
        Err(panic) => {
            let message = message_of(&*panic);
            Err(SolverFailure::Panic(format!("it panicked: {message}")))
        }
    }
}
