//! A worker as a search sees it: where results go, whether others are idle, where the next job
//! comes from.

use crate::runtime::limits::Flow;

/// How far a search is.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Progress {
    /// Steps made.
    pub steps: u64,
    /// The share of the whole that is done, from 0 to 1.
    pub share: f64,
    /// Cells that are filled at this moment; 0 where nobody counts them.
    pub filled: usize,
}

impl Progress {
    /// The largest share of a search that is not done, however its parts are rounded.
    pub const MOST_SHARE: f64 = 1.0 - f64::EPSILON;

    /// Where nobody counts filled cells.
    pub fn new(steps: u64, share: f64) -> Progress {
        Progress { steps, share, filled: 0 }
    }

    pub(super) fn add(&mut self, other: Progress) {
        self.steps += other.steps;
        self.share += other.share;
        self.filled = self.filled.max(other.filled);
    }
}

/// A branch that a search has taken: a value in a cell, one of so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// The cell.
    pub cell: usize,
    /// The value.
    pub value: usize,
    /// The values that the search had to choose from.
    pub of: usize,
}

/// Takes what a search finds.
pub trait Sink<R> {
    /// Takes the next result, with the steps that one thread would have made until then. `Break`
    /// ends the search.
    fn found(&mut self, result: R, steps: u64) -> Flow;

    /// Told how far the search is, at least every tenth of a second; the share never falls, and stays
    /// below 1. `Break` ends the search.
    fn progress(&mut self, progress: Progress) -> Flow;

    /// Offered where the search stands, before [`Sink::progress`]: the branches from the root on. It
    /// is not offered what threads do for each other.
    fn stands_at(&mut self, _branches: &dyn Fn() -> Vec<Branch>) {}
}

/// Does jobs, and may give away the end of the one in hand. Who searches alone has neither others
/// to give to nor a next job.
pub trait Worker<J, R>: Sink<R> {
    /// Whether somebody would take the end of the job in hand.
    fn is_wanted(&self) -> bool {
        false
    }

    /// Gives away the end of the job in hand, in its order.
    fn give(&mut self, _jobs: Vec<J>) {}

    /// Ends the job in hand and takes the next one; `None` where there are no more.
    fn next_job(&mut self) -> Option<J> {
        None
    }
}

/// Does one job, on the caller's own thread.
pub struct Alone<'a, R>(pub &'a mut dyn Sink<R>);

impl<R> Sink<R> for Alone<'_, R> {
    fn found(&mut self, result: R, steps: u64) -> Flow {
        self.0.found(result, steps)
    }

    fn progress(&mut self, progress: Progress) -> Flow {
        self.0.progress(progress)
    }

    fn stands_at(&mut self, branches: &dyn Fn() -> Vec<Branch>) {
        self.0.stands_at(branches);
    }
}

impl<J, R> Worker<J, R> for Alone<'_, R> {}
