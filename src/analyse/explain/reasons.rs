//! What is told of a puzzle without solution: counts first, a set where they do not tell.

use super::{Count, Members, Why, counts, why_under};
use crate::counting;
use crate::enumerate::{Limits, RunStatus};
use crate::problem::{Arrangement, Problem};

/// Why there is no solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reasons {
    /// Counts that rule it out.
    pub counts: Vec<Count>,
    /// A set of members that are impossible together, and whether none of them can be missed.
    pub set: Option<(Members, Result<(), RunStatus>)>,
}

/// Why nothing is explained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoReason {
    /// There is a solution.
    Solvable(Arrangement),
    /// The search ended so before it could tell.
    Ended(RunStatus),
}

/// When a set is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetOf {
    /// Where counts do not rule it out.
    Need,
    /// In any case; where counts rule it out it may be missing.
    Interest,
    /// In any case, and it must be found.
    Demand,
}

/// Counts that rule out a solution, or a smallest set of members.
///
/// # Errors
/// Where there is a solution, or none could be ruled out within the limits.
pub fn reasons(problem: &Problem, set: SetOf, limits: &Limits<'_>) -> Result<Reasons, NoReason> {
    let token = &limits.token();
    let mut reasons = Reasons { counts: counts(problem), set: None };
    let proof = if reasons.counts.is_empty() && set == SetOf::Need {
        let proof = counting::proof_under(token, problem).continue_value();
        proof.ok_or_else(|| NoReason::Ended(RunStatus::stopped_by(token)))?
    } else {
        None
    };
    if let Some(count) = proof {
        // A set names what to change; a chain of counts may be there where no search ends.
        match why_under(token, problem, &brief(limits)) {
            Ok(Why::Impossible { members, smallest: Ok(()) }) => {
                reasons.set = Some((members, Ok(())));
            }
            _ => reasons.counts.push(count),
        }
    } else if reasons.counts.is_empty() || set != SetOf::Need {
        match why_under(token, problem, limits) {
            Ok(Why::Solvable(solution)) => return Err(NoReason::Solvable(solution)),
            Ok(Why::Impossible { members, smallest }) => reasons.set = Some((members, smallest)),
            Err(_) if !reasons.counts.is_empty() && set != SetOf::Demand => {}
            Err(status) => return Err(NoReason::Ended(status)),
        }
    }
    Ok(reasons)
}

/// Limits of each search where a count is known that explains it as well.
fn brief<'a>(limits: &Limits<'a>) -> Limits<'a> {
    const NODES: u64 = 20_000;
    Limits { nodes: Some(NODES), ..*limits }
}
