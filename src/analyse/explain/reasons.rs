//! Chooses the explanation for a puzzle without solutions: counts if they suffice, otherwise a set
//! of members.

use super::{CountMismatch, Explanation, Members, counts, why_under};
use crate::domains::counting;
use crate::enumerate::{Limits, RunStatus};
use crate::problem::{Arrangement, Problem};

/// The reasons why there is no solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reasons {
    /// The counts that rule it out; may be empty.
    pub counts: Vec<CountMismatch>,
    /// Members that are jointly unsatisfiable, and `Ok` if the set is minimal; `None` if no set was
    /// needed or found.
    pub set: Option<(Members, Result<(), RunStatus>)>,
}

/// The reason why there is no explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoReason {
    /// There is a solution.
    Solvable(Arrangement),
    /// The search ended with this status before it found an answer.
    Ended(RunStatus),
}

/// Whether to search for a set of members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetSearch {
    /// Only if counts do not rule out a solution.
    IfNeeded,
    /// Always; but a search that ends without an answer is no error if counts rule out a solution.
    Optional,
    /// Always; a search that ends without an answer is an error.
    Required,
}

/// Finds counts that rule out a solution, or a minimal set of members, or both, depending on `set`.
/// If a limit stops the search before the set is minimal, it is returned with the status.
///
/// # Errors
/// If there is a solution, or the limits ended the search for a proof.
pub fn reasons(
    problem: &Problem,
    set: SetSearch,
    limits: &Limits<'_>,
) -> Result<Reasons, NoReason> {
    let token = &limits.token();
    let mut reasons = Reasons { counts: counts(problem), set: None };
    let proof = if reasons.counts.is_empty() && set == SetSearch::IfNeeded {
        let proof = counting::proof_under(token, problem);
        RunStatus::unless_stopped(proof, token).map_err(NoReason::Ended)?
    } else {
        None
    };
    if let Some(count) = proof {
        // A set shows what to change, so it is preferred if it is found quickly; a chain of counts
        // may exist where no search ends.
        match why_under(token, problem, &shorten_limits(limits)) {
            Ok(Explanation::Impossible { members, smallest: Ok(()) }) => {
                reasons.set = Some((members, Ok(())));
            }
            _ => reasons.counts.push(count),
        }
    } else if reasons.counts.is_empty() || set != SetSearch::IfNeeded {
        match why_under(token, problem, limits) {
            Ok(Explanation::Solvable(solution)) => return Err(NoReason::Solvable(solution)),
            Ok(Explanation::Impossible { members, smallest }) => {
                reasons.set = Some((members, smallest));
            }
            Err(_) if !reasons.counts.is_empty() && set != SetSearch::Required => {}
            Err(status) => return Err(NoReason::Ended(status)),
        }
    }
    Ok(reasons)
}

/// The limits with a limit of 20,000 nodes for each search, for use if a count already explains the
/// result.
fn shorten_limits<'a>(limits: &Limits<'a>) -> Limits<'a> {
    const NODES: u64 = 20_000;
    Limits { nodes: Some(NODES), ..*limits }
}
