//! Suggests the next placement of a partial arrangement, or pins to take back.
//!
//! The partial arrangement is a list of pins: constraints that can be taken back, unlike those of
//! the problem.

use std::time::Duration;

use num_bigint::BigUint;

use crate::domains::{Domains, reduce_under};
use crate::engine::{Auto, Work};
use crate::enumerate::{self, Limits, Method, RunStatus};
use crate::problem::{Arrangement, Listed, Placed, Problem};
use crate::runtime::limits::CancelToken;

/// A suggestion for the next step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suggestion {
    /// There is a solution with this placement.
    Place {
        /// The cell.
        cell: usize,
        /// The tile and its orientation.
        placed: Placed,
        /// True if propagation leaves only this value for the cell.
        is_forced: bool,
        /// The share of the solutions with the pins that have the tile there; `None` if the
        /// placement is forced, or a short list of the solutions does not show it.
        share: Option<SolutionShare>,
    },
    /// The pins leave a single value for each cell, and are a solution.
    Done,
    /// There is no solution with all pins, but there is one without the pins at these indices,
    /// ascending. If taking back a single pin suffices, it is the last such pin.
    TakeBack(Vec<usize>),
    /// There is no solution even without pins.
    Nothing,
}

/// The share of the solutions that have a tile, or one that looks the same, in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolutionShare {
    /// The labelled solutions with the tile in the cell.
    pub with: BigUint,
    /// All labelled solutions.
    pub all: BigUint,
    /// True if they are one distinct solution.
    pub is_only: bool,
}

/// Suggests a next step for a problem with pins: a placement if the pins allow a solution,
/// otherwise pins to take back. `problem` does not contain the pins. The node limit applies to each
/// search. `progress` receives the work of the search that is running.
///
/// # Errors
/// The status of a search that ended without an answer.
pub fn hint(
    problem: &Problem,
    pins: &[Listed],
    limits: &Limits<'_>,
    progress: &mut dyn FnMut(&Work),
) -> Result<Suggestion, RunStatus> {
    let mut search = HintSearch { problem, limits, token: &limits.token(), progress };
    let pinned = problem.clone().with_constraints(pins.to_vec());
    if let Some(solution) = search.solution(&pinned)? {
        return search.suggest_placement(&pinned, &solution);
    }
    if pins.is_empty() {
        return Ok(Suggestion::Nothing);
    }
    // The last pin is the most likely mistake.
    for index in (0..pins.len()).rev() {
        let mut others = pins.to_vec();
        others.remove(index);
        if search.has_solution_with(others)? {
            return Ok(Suggestion::TakeBack(vec![index]));
        }
    }
    if !search.has_solution_with(Vec::new())? {
        return Ok(Suggestion::Nothing);
    }
    let mut kept = Vec::new();
    let mut taken = Vec::new();
    for (index, pin) in pins.iter().enumerate() {
        kept.push(pin.clone());
        if !search.has_solution_with(kept.clone())? {
            kept.pop();
            taken.push(index);
        }
    }
    Ok(Suggestion::TakeBack(taken))
}

/// The searches for one suggestion, which share the time limit.
struct HintSearch<'a> {
    problem: &'a Problem,
    limits: &'a Limits<'a>,
    token: &'a CancelToken<'a>,
    progress: &'a mut dyn FnMut(&Work),
}

impl HintSearch<'_> {
    /// Suggests the solution's placement in an open cell: the one with the fewest values, but cells
    /// restricted by a pin come last. [`Suggestion::Done`] if there is no open cell.
    ///
    /// # Errors
    /// The status of a stopped run if the token is cancelled.
    fn suggest_placement(
        &self,
        pinned: &Problem,
        solution: &Arrangement,
    ) -> Result<Suggestion, RunStatus> {
        let unpinned = Domains::first(self.problem);
        let first = Domains::first(pinned);
        let mut left = first.clone();
        // There is a solution, so the reduction cannot fail.
        let _ = RunStatus::unless_stopped(reduce_under(self.token, pinned, &mut left), self.token)?;
        let open = (0..pinned.board.size()).filter(|&cell| first.cells[cell].len() > 1);
        let rank = |&cell: &usize| {
            let is_pinned = first.cells[cell].len() < unpinned.cells[cell].len();
            (is_pinned, left.cells[cell].len())
        };
        let Some(cell) = open.min_by_key(rank) else {
            return Ok(Suggestion::Done);
        };
        let placed = solution.0[cell];
        let is_forced = left.cells[cell].len() == 1;
        let share = if is_forced { None } else { self.share(pinned, cell, placed.tile) };
        Ok(Suggestion::Place { cell, placed, is_forced, share })
    }

    /// The share of the solutions that have a tile in a cell; `None` if a short list does not show
    /// it.
    fn share(&self, pinned: &Problem, cell: usize, tile: usize) -> Option<SolutionShare> {
        const NODES: u64 = 100_000;
        let nodes = Some(self.limits.nodes.map_or(NODES, |most| most.min(NODES)));
        let limits = self.token.limits_within(Duration::MAX);
        let limits = Limits { nodes, threads: self.limits.threads, ..limits };
        let (outcome, marginals) = enumerate::marginals(pinned, &limits, Some(Method::Search));
        let with = marginals.kinds[pinned.kinds.of_tile[tile]][cell].clone();
        let is_only = outcome.tally.distinct == BigUint::from(1u32);
        let all = outcome.tally.solutions;
        outcome.status.is_complete().then_some(SolutionShare { with, all, is_only })
    }

    /// Returns true if the problem has a solution with these pins.
    ///
    /// # Errors
    /// The status of a search that ended without an answer.
    fn has_solution_with(&mut self, pins: Vec<Listed>) -> Result<bool, RunStatus> {
        Ok(self.solution(&self.problem.clone().with_constraints(pins))?.is_some())
    }

    /// A solution; `None` if it is proven that there is none.
    ///
    /// # Errors
    /// The status of a search that ended without an answer.
    fn solution(&mut self, problem: &Problem) -> Result<Option<Arrangement>, RunStatus> {
        enumerate::first_under(self.token, problem, &Auto, self.limits, self.progress)
    }
}
