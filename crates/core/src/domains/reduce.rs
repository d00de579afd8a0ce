//! Arc consistency over the tables, and counting of kinds, to the fixpoint.
//!
//! - A seam keeps only the labels that both of its sides can show.
//! - A kind whose copies are all placed is removed from the other cells.
//! - A kind with as many possible cells as copies that must be used takes those cells.
//!
//! Every step preserves all solutions.

use std::ops::ControlFlow;

use thiserror::Error;

use super::Domains;
use super::bit_tables::BitTables;
use super::labels::{LabelSet, LabelSetTask, check_capacity};
use super::sizes::dispatch_among_few;
use super::state::{Consistency, State};
use super::tree::{Stride, Tree};
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};

/// The error for domains without a solution: a cell has no value left, or a kind too few cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("no arrangement is possible")]
pub struct NothingFitsError;

/// Propagates to the fixpoint. If [`Split::serves`](super::Split::serves) rejects the problem, does
/// nothing and succeeds.
///
/// # Errors
/// If propagation proves that there is no solution. The domains are then unchanged.
pub fn reduce(problem: &Problem, domains: &mut Domains) -> Result<(), NothingFitsError> {
    reduce_under(&CancelToken::never(), problem, domains).continue_value().unwrap_or(Ok(()))
}

/// Like [`reduce`], with the same errors, but breaks if the token is cancelled. The domains are
/// then unchanged. They are also unchanged, without an error, if the problem is too large to
/// propagate.
pub fn reduce_under(
    token: &CancelToken<'_>,
    problem: &Problem,
    domains: &mut Domains,
) -> Flow<Result<(), NothingFitsError>> {
    if check_capacity(problem).is_err() {
        return ControlFlow::Continue(Ok(()));
    }
    dispatch_among_few(problem, Reduce { problem, domains, token })
}

struct Reduce<'a> {
    problem: &'a Problem,
    domains: &'a mut Domains,
    token: &'a CancelToken<'a>,
}

impl LabelSetTask for Reduce<'_> {
    type Result = Flow<Result<(), NothingFitsError>>;

    fn run<const W: usize, M: LabelSet, const S: usize>(self) -> Self::Result {
        let bit_tables = BitTables::<W, M, S>::new(self.problem);
        let mut state = State::new(&bit_tables, self.domains, Consistency::Fixpoint, self.token)?;
        ControlFlow::Continue(match state.propagate_all(Stride::new(self.problem), self.token)? {
            Ok(()) => {
                self.domains.cells = state.domains();
                Ok(())
            }
            Err(_) => Err(NothingFitsError),
        })
    }
}
