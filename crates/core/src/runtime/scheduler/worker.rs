//! The interface between a search and its scheduler, through which a search emits results, gives
//! away parts of its job and takes new jobs.

use crate::runtime::limits::Flow;

/// The progress of a search or of a job.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SearchProgress {
    /// The number of steps.
    pub steps: u64,
    /// The number of those steps that a single thread would not have made yet.
    pub ahead: u64,
    /// The share of the whole search that is done, from 0 to 1.
    pub share: f64,
    /// The number of cells that are filled at this moment; 0 if the search does not report it.
    pub filled: usize,
}

impl SearchProgress {
    /// The largest share that is reported for an unfinished search, to which larger results of
    /// rounding are reduced.
    pub const MOST_SHARE: f64 = 1.0 - f64::EPSILON;

    /// Creates a progress without the number of filled cells.
    pub fn new(steps: u64, share: f64) -> SearchProgress {
        SearchProgress { steps, share, ..SearchProgress::default() }
    }

    /// Adds the steps and shares of another part of a search; the number of filled cells becomes
    /// the larger one.
    pub(super) fn add(&mut self, other: SearchProgress) {
        self.steps += other.steps;
        self.share += other.share;
        self.filled = self.filled.max(other.filled);
    }
}

/// A branch that a search has taken: a value of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// The cell.
    pub cell: usize,
    /// The value.
    pub value: usize,
    /// The number of values from which the search chose, including this one.
    pub of: usize,
}

/// A consumer of the results and the progress of a search.
pub trait Sink<R> {
    /// Receives the next result, with the number of steps that a single thread would have made up
    /// to it. `Break` ends the search.
    fn found(&mut self, result: R, steps: u64) -> Flow;

    /// Receives the progress of the search, at least every tenth of a second. The share never
    /// decreases and stays below 1. `Break` ends the search.
    fn progress(&mut self, progress: SearchProgress) -> Flow;

    /// Receives the current branches from the root down, before [`Sink::progress`]. Not called if
    /// the search runs on several threads.
    fn report_branches(&mut self, _branches: &dyn Fn() -> Vec<Branch>) {}
}

/// A consumer of results that also distributes jobs among threads. The default methods are for a
/// search on a single thread, which neither gives away jobs nor takes further ones.
pub trait Worker<J, R>: Sink<R> {
    /// Returns true if another thread is idle and would take over a part of the current job.
    fn is_wanted(&self) -> bool {
        false
    }

    /// Gives away the end of the current job, as jobs in the order of the search.
    fn give(&mut self, _jobs: Vec<J>) {}

    /// Ends the current job and returns the next one; `None` if there are no more. May wait for
    /// other threads to give jobs away.
    fn next_job(&mut self) -> Option<J> {
        None
    }
}

/// The worker of a single job on the calling thread.
pub struct SingleWorker<'a, R>(pub &'a mut dyn Sink<R>);

impl<R> Sink<R> for SingleWorker<'_, R> {
    fn found(&mut self, result: R, steps: u64) -> Flow {
        self.0.found(result, steps)
    }

    fn progress(&mut self, progress: SearchProgress) -> Flow {
        self.0.progress(progress)
    }

    fn report_branches(&mut self, branches: &dyn Fn() -> Vec<Branch>) {
        self.0.report_branches(branches);
    }
}

impl<J, R> Worker<J, R> for SingleWorker<'_, R> {}
