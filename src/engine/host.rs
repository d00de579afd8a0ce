//! The host of an engine: it takes arrangements, answers whether to go on, and knows the limits.
//!
//! An engine talks to nothing else. [`Filtered`] tests constraints for engines that do not prune by
//! them.

use std::ops::ControlFlow;

use super::sample::Sample;
use super::step::Step;
use super::{EngineError, Result, Work};
use crate::problem::{Arrangement, Placed, Problem};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::scheduler::Branch;

/// A placement that a search has decided on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decided {
    /// The cell.
    pub cell: usize,
    /// The tile: any one of its kind, where the search lays kinds.
    pub placed: Placed,
    /// The values that the search had to choose from; `None` where it does not list them.
    pub of: Option<usize>,
}

impl Decided {
    pub(super) fn new(cell: usize, placed: Placed) -> Decided {
        Decided { cell, placed, of: None }
    }

    pub(super) fn of_value(problem: &Problem, cell: usize, value: usize) -> Decided {
        Decided::new(cell, problem.first_with(value))
    }

    /// The placements of the first steps.
    pub(super) fn in_steps(
        steps: &[Step],
        placed: impl IntoIterator<Item = Placed>,
    ) -> Vec<Decided> {
        steps.iter().zip(placed).map(|(step, placed)| Decided::new(step.cell, placed)).collect()
    }
}

/// Offers a host where a search over values stands.
pub(super) fn offer(problem: &Problem, host: &mut dyn Host, branches: &dyn Fn() -> Vec<Branch>) {
    host.stands_at(&|| {
        let taken = |Branch { cell, value, of }| Decided {
            of: Some(of),
            ..Decided::of_value(problem, cell, value)
        };
        branches().into_iter().map(taken).collect()
    });
}

/// What an engine talks to while it runs.
pub trait Host {
    /// Takes an arrangement. `Break` asks the engine to stop.
    fn found(&mut self, arrangement: &Arrangement, work: &Work) -> Flow;

    /// Asked at least every tenth of a second. `Break` asks the engine to stop.
    fn poll(&mut self, work: &Work) -> Flow;

    /// Offered, before it is asked now and then, where the search stands: what it has decided, from
    /// the root on. Engines that keep no list of that, and searches with threads, offer nothing.
    fn stands_at(&mut self, _path: &dyn Fn() -> Vec<Decided>) {}

    /// Told that the search begins again, and why.
    fn begins_again(&mut self, _why: &str, _work: &Work) {}

    /// Told that from now on no labelled solution is handed over twice, nor an image of one under
    /// the group. What was handed over before may come again, once.
    fn meets_each_once(&mut self) {}

    /// The threads that the engine may search with. What is found, its order, and the work counted
    /// until then must not depend on them.
    fn threads(&self) -> usize {
        1
    }
}

/// The host as an engine sees it. The constraints are asked of all that an engine hands over, unless
/// it prunes by them.
pub struct Filtered<'a> {
    /// Set where constraints are asked.
    problem: Option<&'a Problem>,
    token: &'a CancelToken<'a>,
    host: &'a mut dyn Host,
    sample: Option<Sample<'a>>,
    /// The failure that ended the search.
    failure: Option<EngineError>,
}

impl<'a> Filtered<'a> {
    /// Runs a search; asks the constraints of `problem`, if there is one.
    ///
    /// # Errors
    /// As the search, and where a constraint contradicts itself.
    pub(super) fn run(
        problem: Option<&'a Problem>,
        token: &'a CancelToken<'a>,
        host: &'a mut dyn Host,
        search: impl FnOnce(&mut Filtered<'a>) -> Result<Flow>,
    ) -> Result<Flow> {
        let sample = problem.and_then(Sample::new);
        let mut filtered = Filtered { problem, token, host, sample, failure: None };
        let end = search(&mut filtered);
        filtered.failure.map_or(end, Err)
    }

    /// The token of the run, for loops that have no progress to tell the host.
    pub fn token(&self) -> &'a CancelToken<'a> {
        self.token
    }

    /// Returns true if constraints exclude an arrangement; breaks if one of them is wrong.
    fn excludes(&mut self, arrangement: &Arrangement) -> Flow<bool> {
        // What is no arrangement at all is refused by the checker.
        let is_proper = |problem: &&Problem| has_a_tile_in_each_cell(problem, arrangement);
        let Some(problem) = self.problem.filter(is_proper) else {
            return ControlFlow::Continue(false);
        };
        let sample = self.sample.as_mut();
        if let Some(message) = sample.and_then(|sample| sample.contradiction(arrangement)) {
            self.failure = Some(EngineError::Constraint { message });
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(problem.broken_constraint(arrangement).is_some())
    }
}

impl Host for Filtered<'_> {
    fn found(&mut self, arrangement: &Arrangement, work: &Work) -> Flow {
        if self.excludes(arrangement)? {
            return ControlFlow::Continue(());
        }
        self.host.found(arrangement, work)
    }

    fn poll(&mut self, work: &Work) -> Flow {
        self.host.poll(work)
    }

    fn stands_at(&mut self, path: &dyn Fn() -> Vec<Decided>) {
        self.host.stands_at(path);
    }

    fn begins_again(&mut self, why: &str, work: &Work) {
        self.host.begins_again(why, work);
    }

    fn meets_each_once(&mut self) {
        self.host.meets_each_once();
    }

    fn threads(&self) -> usize {
        self.host.threads()
    }
}

fn has_a_tile_in_each_cell(problem: &Problem, arrangement: &Arrangement) -> bool {
    let puzzle = &problem.puzzle;
    let cells = problem.board.cells();
    let mut placed = arrangement.0.iter().zip(cells);
    arrangement.0.len() == cells.len()
        && placed.all(|(placed, cell)| {
            let tile = puzzle.tiles.get(placed.tile);
            tile.is_some_and(|tile| tile.sides() == cell.sides)
                && puzzle.may_lie(placed.tile, placed.orientation)
        })
}
