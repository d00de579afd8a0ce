//! Explains why there is no solution, by counts that rule it out or by a minimal unsatisfiable
//! subset.
//!
//! The members of a subset are extra constraints, seams and tiles. A dropped seam need not match; a
//! dropped tile has any number of copies. Each drop only adds solutions, so a deletion filter finds
//! a minimal subset (Chinneck and Dravnieks, *ORSA Journal on Computing* 3, 1991).

mod conflicts;
mod reasons;

use std::collections::HashSet;

pub use self::conflicts::{Finding, conflicts};
pub use self::reasons::{NoReason, Reasons, SetSearch, reasons};
use crate::board::CellSide;
pub use crate::domains::counting::{CountMismatch, counts};
use crate::engine::{Auto, Engine, Propagate};
use crate::enumerate::{self, Limits, RunStatus, StopReason};
use crate::problem::{Arrangement, Listed, Problem};
use crate::puzzle::Copies;
use crate::runtime::limits::CancelToken;

/// A set of constraints, seams and tiles of a problem, as ascending indices into its lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Members {
    /// Indices into [`Problem::constraints`](crate::problem::ProblemParts::constraints).
    pub constraints: Vec<usize>,
    /// Indices into the board's [required](crate::board::Board::required) seams.
    pub seams: Vec<usize>,
    /// Indices into the puzzle's tiles.
    pub tiles: Vec<usize>,
}

/// A single constraint, seam or tile, by the same index as in [`Members`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Member {
    Constraint(usize),
    Seam(usize),
    Tile(usize),
}

impl Members {
    /// Every constraint, seam and tile of a problem that can be dropped. Constraints that only free
    /// seams and tiles with unlimited copies are excluded.
    pub fn all(problem: &Problem) -> Members {
        let constraints = problem.constraints.iter().enumerate();
        let requiring = constraints.filter(|(_, constraint)| !frees_seams(constraint));
        let tiles = problem.puzzle.tiles.iter().enumerate();
        let counted = tiles.filter(|(_, tile)| tile.copies != Copies::Any);
        Members {
            constraints: requiring.map(|(index, _)| index).collect(),
            seams: (0..problem.board.required().count()).collect(),
            tiles: counted.map(|(index, _)| index).collect(),
        }
    }

    /// The two touching sides of each seam in the set.
    pub fn ends(&self, problem: &Problem) -> Vec<[CellSide; 2]> {
        let all: Vec<[CellSide; 2]> = problem.board.required().collect();
        self.seams.iter().map(|&index| all[index]).collect()
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.constraints.len() + self.seams.len() + self.tiles.len()
    }

    /// Returns true if there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The problem without the requirements that are not in this set: the other constraints are
    /// dropped, the other required seams are free, and the other tiles have any number of copies.
    /// Constraints that free seams always remain.
    pub fn relax(&self, problem: &Problem) -> Problem {
        let is_in = |list: &[usize], index: &usize| list.binary_search(index).is_ok();
        let constraints = problem.constraints.iter().enumerate();
        let kept = constraints.filter(|(index, constraint)| {
            is_in(&self.constraints, index) || frees_seams(constraint)
        });
        let kept: Vec<Listed> = kept.map(|(_, listed)| listed.clone()).collect();
        let seams = problem.board.required().enumerate();
        let free: Vec<[CellSide; 2]> =
            seams.filter(|(index, _)| !is_in(&self.seams, index)).map(|(_, ends)| ends).collect();
        let tiles = 0..problem.puzzle.tiles.len();
        let unlimited: Vec<usize> = tiles.filter(|tile| !is_in(&self.tiles, tile)).collect();
        problem.relaxed(kept, &free, &unlimited)
    }

    /// For each member in turn, the set without it.
    pub fn without_each(&self) -> impl Iterator<Item = Members> + '_ {
        self.to_list().into_iter().map(|member| self.without(&[member]))
    }

    /// The members as a list: constraints, then seams, then tiles.
    fn to_list(&self) -> Vec<Member> {
        let constraints = self.constraints.iter().map(|&index| Member::Constraint(index));
        let seams = self.seams.iter().map(|&index| Member::Seam(index));
        let tiles = self.tiles.iter().map(|&index| Member::Tile(index));
        constraints.chain(seams).chain(tiles).collect()
    }

    /// The set without some of its members.
    fn without(&self, dropped: &[Member]) -> Members {
        let dropped: HashSet<&Member> = dropped.iter().collect();
        let kept = |list: &[usize], member: fn(usize) -> Member| {
            list.iter().copied().filter(|&index| !dropped.contains(&member(index))).collect()
        };
        Members {
            constraints: kept(&self.constraints, Member::Constraint),
            seams: kept(&self.seams, Member::Seam),
            tiles: kept(&self.tiles, Member::Tile),
        }
    }
}

/// Returns true if a constraint frees seams or makes them breakable, and so relaxes the problem.
fn frees_seams(constraint: &Listed) -> bool {
    !constraint.free_seams().is_empty() || !constraint.wanted_seams().is_empty()
}

/// The answer to the question why a problem has no solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Explanation {
    /// There is a solution after all.
    Solvable(Arrangement),
    /// There is no solution that meets the requirements of these members, even if all others are
    /// dropped.
    Impossible {
        /// The members.
        members: Members,
        /// `Ok` if dropping any one member gives a solution; otherwise the status that stopped the
        /// search, so members may be redundant.
        smallest: Result<(), RunStatus>,
    },
}

/// Finds a minimal unsatisfiable set of members: without any one of them there is a solution. If
/// the puzzle has a solution, returns that instead. If a limit is reached while the set is being
/// reduced, it is returned as it is, with the status. The node limit applies to each search, the
/// other limits to all together.
///
/// # Errors
/// The status of the search if it did not determine whether there is a solution.
pub fn why(problem: &Problem, limits: &Limits<'_>) -> Result<Explanation, RunStatus> {
    why_under(&limits.token(), problem, limits)
}

/// Like [`why`], with a token that other runs share.
fn why_under(
    token: &CancelToken<'_>,
    problem: &Problem,
    limits: &Limits<'_>,
) -> Result<Explanation, RunStatus> {
    let search = MusSearch { limits, token };
    if let Some(solution) = search.solution(problem, None)? {
        return Ok(Explanation::Solvable(solution));
    }
    let mut members = Members::all(problem);
    let is_constraint = |member: &Member| matches!(member, Member::Constraint(_));
    let is_seam = |member: &Member| matches!(member, Member::Seam(_));
    let (constraints, others): (Vec<Member>, Vec<Member>) =
        members.to_list().into_iter().partition(is_constraint);
    let (seams, tiles): (Vec<Member>, Vec<Member>) = others.into_iter().partition(is_seam);
    // Tests first whether the constraints and tiles are unsatisfiable without seams, then whether the
    // rest is without constraints.
    let wholes: &[&[Member]] = &[&seams, &constraints];
    let groups: &[&[Member]] = &[&seams, &tiles, &constraints];
    let smallest = search.minimise(problem, &mut members, wholes, groups);
    Ok(Explanation::Impossible { members, smallest })
}

/// A search for a minimal unsatisfiable subset (MUS).
struct MusSearch<'a> {
    limits: &'a Limits<'a>,
    token: &'a CancelToken<'a>,
}

impl MusSearch<'_> {
    /// A solution; `None` if it is proven that there is none. The node limit is the smaller of
    /// `nodes` and that of the run; `None` is no limit.
    ///
    /// # Errors
    /// The status of the search if it ended without an answer.
    fn solution(
        &self,
        problem: &Problem,
        nodes: Option<u64>,
    ) -> Result<Option<Arrangement>, RunStatus> {
        // Small searches end before they poll.
        RunStatus::unless_stopped(self.token.poll(), self.token)?;
        let most = self.limits.nodes;
        let limits = Limits { nodes: nodes.into_iter().chain(most).min(), ..*self.limits };
        // Only `propagate` prunes well if seams are free or copies unlimited.
        let is_relaxed = problem.puzzle.has_copies() || !problem.board.is_whole();
        let engine: &dyn Engine = if is_relaxed { &Propagate } else { &Auto };
        enumerate::first_under(self.token, problem, engine, &limits, &mut |_| ())
    }

    /// Drops redundant members of the groups; first tries to drop each of `wholes` at once. Members
    /// whose test exceeds the node limit are tested again at the end, when there are fewer of them
    /// and tests are faster.
    ///
    /// # Errors
    /// The status that ended the search. The set is then unsatisfiable, but perhaps not minimal.
    fn minimise(
        &self,
        problem: &Problem,
        members: &mut Members,
        wholes: &[&[Member]],
        groups: &[&[Member]],
    ) -> Result<(), RunStatus> {
        let mut filter = Filter {
            search: self,
            problem,
            members,
            most_nodes: Some(FEW_NODES),
            unclear: Vec::new(),
        };
        for whole in wholes {
            filter.try_to_drop(whole)?;
        }
        for group in groups {
            filter.drop_redundant(group)?;
        }
        let left = std::mem::take(&mut filter.unclear);
        filter.most_nodes = None;
        for member in left {
            if filter.try_to_drop(&[member])?.is_none() {
                let most = self.limits.nodes.unwrap_or_default();
                return Err(RunStatus::Stopped(StopReason::Nodes(most)));
            }
        }
        Ok(())
    }
}

/// The node limit of the first test of each member.
const FEW_NODES: u64 = 1 << 12;

/// A deletion filter: the members that are left, and those still to be tested.
struct Filter<'a, 'b> {
    search: &'a MusSearch<'b>,
    problem: &'a Problem,
    members: &'a mut Members,
    /// The node limit of each test; `None` for only that of the run.
    most_nodes: Option<u64>,
    /// Members whose test exceeded the node limit.
    unclear: Vec<Member>,
}

impl Filter<'_, '_> {
    /// Drops the redundant members of `part` by bisection (`QuickXplain`). Collects in `unclear`
    /// those whose test exceeds the node limit.
    ///
    /// # Errors
    /// The status of a test that ended for another reason than its node limit.
    fn drop_redundant(&mut self, part: &[Member]) -> Result<(), RunStatus> {
        let left: HashSet<Member> = self.members.to_list().into_iter().collect();
        let part: Vec<Member> = part.iter().copied().filter(|m| left.contains(m)).collect();
        if part.is_empty() {
            return Ok(());
        }
        match (self.try_to_drop(&part)?, part[..].as_ref()) {
            (Some(true), _) | (Some(false), [_]) => Ok(()),
            (None, [member]) => {
                self.unclear.push(*member);
                Ok(())
            }
            _ => {
                let (first, second) = part.split_at(part.len() / 2);
                self.drop_redundant(first)?;
                self.drop_redundant(second)
            }
        }
    }

    /// Drops these members and returns `Some(true)` if the rest is unsatisfiable; `Some(false)`,
    /// without changes, if it has a solution; `None` if the test exceeds the node limit.
    ///
    /// # Errors
    /// The status of a test that ended for another reason.
    fn try_to_drop(&mut self, dropped: &[Member]) -> Result<Option<bool>, RunStatus> {
        if dropped.is_empty() {
            return Ok(Some(true));
        }
        let rest = self.members.without(dropped);
        match self.search.solution(&rest.relax(self.problem), self.most_nodes) {
            Ok(None) => {
                *self.members = rest;
                Ok(Some(true))
            }
            Ok(Some(_)) => Ok(Some(false)),
            Err(RunStatus::Stopped(StopReason::Nodes(_))) => Ok(None),
            Err(status) => Err(status),
        }
    }
}
