//! All minimal sets of constraints that contradict each other, and the smallest sets to drop.
//!
//! A tree of sets of dropped constraints is visited by size (hitting-set tree, Reiter, *Artificial
//! Intelligence* 32, 1987). If the rest still has no solution, it contains a minimal conflict, and
//! each child drops one of its members more. Every minimal conflict is the label of a node, and the
//! first node with a solution drops as few constraints as possible.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::ops::ControlFlow;

use super::{Member, Members, MusSearch};
use crate::enumerate::{Limits, RunStatus};
use crate::problem::{Arrangement, Problem};

/// A finding of the search for conflicts, with indices of constraints in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// Constraints that contradict each other, the kept constraints, the seams and the tiles, but
    /// without any one of them do not. If there are none, the others alone have no solution.
    Conflict(Vec<usize>),
    /// Constraints to drop so that there is a solution, which follows; without any one of them there
    /// is none. Smaller sets are found first.
    Correction(Vec<usize>, Arrangement),
}

/// Reports every minimal conflict and every minimal correction to `found`, until it breaks. The
/// constraints in `kept` are never dropped. The node limit applies to each search, the other limits
/// to all together.
///
/// # Errors
/// The status of a search that ended without an answer; then not everything is reported.
pub fn conflicts(
    problem: &Problem,
    kept: &[usize],
    limits: &Limits<'_>,
    found: &mut dyn FnMut(Finding) -> ControlFlow<()>,
) -> Result<(), RunStatus> {
    let search = MusSearch { limits, token: &limits.token() };
    let all = Members::all(problem);
    let mut open = VecDeque::from([BTreeSet::new()]);
    let mut seen = HashSet::new();
    let mut labels: Vec<Vec<usize>> = Vec::new();
    let mut corrections: Vec<BTreeSet<usize>> = Vec::new();
    while let Some(dropped) = open.pop_front() {
        // Most nodes of a large tree take their label from another one, without a search.
        RunStatus::unless_stopped(search.token.poll(), search.token)?;
        RunStatus::unless_stopped(search.token.may_take(0), search.token)?;
        if corrections.iter().any(|correction| correction.is_subset(&dropped)) {
            continue;
        }
        let is_disjoint = |label: &&Vec<usize>| label.iter().all(|index| !dropped.contains(index));
        let label = if let Some(known) = labels.iter().find(is_disjoint) {
            known.clone()
        } else {
            let members: Vec<Member> = dropped.iter().map(|&at| Member::Constraint(at)).collect();
            let mut rest = all.without(&members);
            if let Some(solution) = search.solution(&rest.relax(problem), None)? {
                let finding = Finding::Correction(dropped.iter().copied().collect(), solution);
                corrections.push(dropped);
                if found(finding).is_break() {
                    return Ok(());
                }
                continue;
            }
            let is_open = |index: &&usize| !kept.contains(index);
            let group = rest.constraints.iter().filter(is_open);
            let group: Vec<Member> = group.map(|&index| Member::Constraint(index)).collect();
            search.minimise(problem, &mut rest, &[], &[&group])?;
            let label: Vec<usize> = rest.constraints.iter().filter(is_open).copied().collect();
            if found(Finding::Conflict(label.clone())).is_break() {
                return Ok(());
            }
            labels.push(label.clone());
            label
        };
        for index in label {
            let mut more = dropped.clone();
            more.insert(index);
            if seen.insert(more.clone()) {
                open.push_back(more);
            }
        }
    }
    Ok(())
}
