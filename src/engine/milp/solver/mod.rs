//! The MILP solvers: the only module that uses their crates. Each back end is one file and one line
//! in [`BACK_ENDS`].
//!
//! A back end is loaded with a model, takes further rows, and solves the current model while it
//! polls the caller.

#[cfg(feature = "highs")]
mod highs;
mod microlp;
mod relaxation;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub(super) use self::relaxation::{Point, solve_relaxation};
use super::{End, beside, unless_stopped};
use crate::model::{Meaning, Model, Row, Sense};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::scheduler::message_of;

/// The back ends in this build, the default first.
pub const BACK_ENDS: &[BackEnd] = &[
    microlp::BACK_END,
    #[cfg(feature = "highs")]
    highs::BACK_END,
];

/// A solver of models.
#[derive(Debug, Clone, Copy)]
pub struct BackEnd {
    name: &'static str,
    load: fn(&Model, &CancelToken<'_>) -> Flow<Box<dyn LoadedModel>>,
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

    /// Loads a model into the solver. The objective is zero, because all solutions are equally
    /// good. Breaks if the token stops the run.
    pub(super) fn load(
        &self,
        model: &Model,
        token: &CancelToken<'_>,
    ) -> Flow<Box<dyn LoadedModel>> {
        (self.load)(model, token)
    }
}

/// A model loaded into a back end.
pub(super) trait LoadedModel: Send {
    /// Adds a row to the model, such as a no-good cut.
    fn add(&mut self, row: &Row);

    /// Finds a feasible point of the current model, one unrounded value per variable; `None` is a
    /// proof that there is none.
    ///
    /// # Errors
    /// If `go_on` breaks, or there is neither a point nor a proof.
    fn solve(&self, go_on: &mut dyn FnMut() -> Flow) -> Result<Option<Vec<f64>>, End>;
}

/// Returns true if a variable must be declared integer. Others are integral whenever the placements
/// are.
fn is_integer(meaning: Meaning) -> bool {
    match meaning {
        Meaning::Placement { .. } | Meaning::Broken | Meaning::Holds => true,
        Meaning::Both(..) => false,
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
