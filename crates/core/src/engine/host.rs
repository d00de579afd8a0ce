//! The host of an engine: receives arrangements, enforces the limits, and decides if the search
//! continues.
//!
//! It is the only interface between an engine and its caller. [`FilteringHost`] tests constraints
//! for engines that do not prune by them.

use std::ops::ControlFlow;

use super::sample::Sample;
use super::step::FillStep;
use super::{EngineError, Result, Work};
use crate::problem::{Arrangement, Placed, Problem};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::scheduler::{Branch, SearchProgress, Sink};

/// A placement decided by a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decided {
    /// The cell.
    pub cell: usize,
    /// The tile; any tile of the kind if the search places kinds.
    pub placed: Placed,
    /// The number of values from which the search chose; `None` if it does not list them.
    pub of: Option<usize>,
}

impl Decided {
    /// A decision whose number of alternatives is not known.
    pub(super) fn new(cell: usize, placed: Placed) -> Decided {
        Decided { cell, placed, of: None }
    }

    /// Creates the decision for a value, placed as the first tile that shows it.
    pub(super) fn from_value(problem: &Problem, cell: usize, value: usize) -> Decided {
        Decided::new(cell, problem.first_with(value))
    }

    /// The decisions of a search with a fixed cell order: the given placements in the first cells
    /// of `steps`.
    pub(super) fn in_steps(
        steps: &[FillStep],
        placed: impl IntoIterator<Item = Placed>,
    ) -> Vec<Decided> {
        steps.iter().zip(placed).map(|(step, placed)| Decided::new(step.cell, placed)).collect()
    }
}

/// Reports the branches of a search over values to a host, as a path of placements. The tile of a
/// placement is the first one that shows the value.
pub(super) fn report_branches_to_host(
    problem: &Problem,
    host: &mut dyn Host,
    branches: &dyn Fn() -> Vec<Branch>,
) {
    host.report_path(&|| {
        let taken = |Branch { cell, value, of }| Decided {
            of: Some(of),
            ..Decided::from_value(problem, cell, value)
        };
        branches().into_iter().map(taken).collect()
    });
}

/// Passes the solutions of a search over values and its progress to a host, and counts its nodes in
/// `work`.
pub(super) struct HostSink<'a> {
    problem: &'a Problem,
    host: &'a mut dyn Host,
    work: &'a mut Work,
    /// The nodes counted before this search.
    before: u64,
    /// The index of the searched part among parts of equal weight, and their number; `None` if the
    /// search may restart, so that its progress is unknown.
    part: Option<(usize, usize)>,
    /// The largest share of the part so far: rounding must not make it decrease.
    share: f64,
}

impl<'a> HostSink<'a> {
    /// A sink for a search that starts now.
    pub fn new(
        problem: &'a Problem,
        host: &'a mut dyn Host,
        work: &'a mut Work,
        part: Option<(usize, usize)>,
    ) -> Self {
        HostSink { problem, host, before: work.nodes, work, part, share: 0.0 }
    }
}

impl Sink<Vec<usize>> for HostSink<'_> {
    fn found(&mut self, values: Vec<usize>, nodes: u64) -> Flow {
        self.work.nodes = self.before + nodes;
        self.work.ahead = 0;
        self.host.found(&self.problem.deal(values), self.work)
    }

    fn progress(&mut self, progress: SearchProgress) -> Flow {
        self.work.nodes = self.before + progress.steps;
        self.work.ahead = progress.ahead;
        self.work.filled = self.work.filled.max(progress.filled);
        self.share = self.share.max(progress.share);
        let share = |(index, parts)| (index as f64 + self.share) / parts as f64;
        self.work.explored = self.part.map(share);
        self.host.poll(self.work)
    }

    fn report_branches(&mut self, branches: &dyn Fn() -> Vec<Branch>) {
        report_branches_to_host(self.problem, self.host, branches);
    }
}

/// The interface of an engine to its caller.
pub trait Host {
    /// Receives an arrangement of the engine, and the work done until it was found. `Break` stops
    /// the engine.
    fn found(&mut self, arrangement: &Arrangement, work: &Work) -> Flow;

    /// Receives the work done so far. Engines must call it at least every tenth of a second.
    /// `Break` stops the engine.
    fn poll(&mut self, work: &Work) -> Flow;

    /// Receives the path of the search, as its decisions from the root, before some calls of
    /// `poll`. Engines without such a list and multi-threaded searches do not call it.
    fn report_path(&mut self, _path: &dyn Fn() -> Vec<Decided>) {}

    /// Called with the reason when the search restarts.
    fn report_restart(&mut self, _why: &str, _work: &Work) {}

    /// Promises that from now on no labelled solution is reported twice, nor an image of one under
    /// the group. Solutions reported before may be repeated once.
    fn promise_no_duplicates(&mut self) {}

    /// The number of threads that the engine may use. It must not affect the solutions, their
    /// order, or the work counted until each of them.
    fn threads(&self) -> usize {
        1
    }
}

/// The host that engines receive. It passes everything on to the caller's host, but drops
/// arrangements that violate a constraint if the engine does not prune by the constraints or one of
/// them is lazy.
pub struct FilteringHost<'a> {
    problem: &'a Problem,
    /// True if arrangements are tested against the constraints.
    tests_constraints: bool,
    token: &'a CancelToken<'a>,
    host: &'a mut dyn Host,
    sample: Option<Sample<'a>>,
    /// The failure that ended the search.
    failure: Option<EngineError>,
}

impl<'a> FilteringHost<'a> {
    /// Runs a search with a filtering host in front of `host`, and returns its result: `Break` if
    /// `host` stopped it.
    ///
    /// # Errors
    /// The error of the search, or an [`EngineError::Constraint`] if a constraint contradicts
    /// itself.
    pub(super) fn run(
        problem: &'a Problem,
        token: &'a CancelToken<'a>,
        host: &'a mut dyn Host,
        search: impl FnOnce(&mut FilteringHost<'a>) -> Result<Flow>,
    ) -> Result<Flow> {
        let mut filtered = FilteringHost {
            problem,
            tests_constraints: false,
            token,
            host,
            sample: None,
            failure: None,
        };
        let end = search(&mut filtered);
        filtered.failure.map_or(end, Err)
    }

    /// Makes [`found`](Host::found) test every further arrangement against the constraints and drop
    /// those that violate one.
    pub(super) fn test_constraints(&mut self) {
        if !self.tests_constraints {
            self.tests_constraints = true;
            self.sample = Sample::new(self.problem);
        }
    }

    /// The token of the run, for loops that have no progress to report to the host.
    pub fn token(&self) -> &'a CancelToken<'a> {
        self.token
    }

    /// Returns true if constraints are tested and one of them excludes the arrangement. Malformed
    /// arrangements are not excluded, because the checker rejects them. Breaks and records the
    /// failure if a constraint contradicts itself.
    fn excludes(&mut self, arrangement: &Arrangement) -> Flow<bool> {
        // The checker rejects malformed arrangements.
        if !self.tests_constraints || !has_a_tile_in_each_cell(self.problem, arrangement) {
            return ControlFlow::Continue(false);
        }
        let sample = self.sample.as_mut();
        if let Some(message) = sample.and_then(|sample| sample.contradiction(arrangement)) {
            self.failure = Some(EngineError::Constraint { message });
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(self.problem.broken_constraint(arrangement).is_some())
    }
}

impl Host for FilteringHost<'_> {
    fn found(&mut self, arrangement: &Arrangement, work: &Work) -> Flow {
        if self.excludes(arrangement)? {
            return ControlFlow::Continue(());
        }
        self.host.found(arrangement, work)
    }

    fn poll(&mut self, work: &Work) -> Flow {
        self.host.poll(work)
    }

    fn report_path(&mut self, path: &dyn Fn() -> Vec<Decided>) {
        self.host.report_path(path);
    }

    fn report_restart(&mut self, why: &str, work: &Work) {
        self.host.report_restart(why, work);
    }

    fn promise_no_duplicates(&mut self) {
        self.host.promise_no_duplicates();
    }

    fn threads(&self) -> usize {
        self.host.threads()
    }
}

/// Returns true if each cell has an existing tile with the cell's number of sides in an allowed
/// orientation.
fn has_a_tile_in_each_cell(problem: &Problem, arrangement: &Arrangement) -> bool {
    let puzzle = &problem.puzzle;
    let cells = problem.board.cells();
    let mut placed = arrangement.0.iter().zip(cells);
    arrangement.0.len() == cells.len()
        && placed.all(|(placed, cell)| {
            let tile = puzzle.tiles.get(placed.tile);
            tile.is_some_and(|tile| tile.sides() == cell.sides)
                && puzzle.allows_orientation(placed.tile, placed.orientation)
        })
}
