//! What a search talks to: who takes its leaves, and the jobs that it gives away and gets.

use std::ops::ControlFlow;

use super::leaves::{Leaf, Progress};
use crate::threads::Trouble;

/// Some branches of a node, and everything below them.
#[derive(Debug, Clone, Default)]
pub(super) struct Job {
    /// The placements (cell, look) that lead to the node.
    pub way: Vec<(usize, usize)>,
    /// The branches: placements too.
    pub branches: Vec<(usize, usize)>,
    /// The share of the tree that each of them has.
    pub weight: f64,
}

impl Job {
    /// The share of the tree that all of them have.
    pub fn share(&self) -> f64 {
        self.weight * self.branches.len() as f64
    }
}

/// What a thread does with the jobs that it gets.
pub(super) type Shift<'a> = dyn Fn(&mut dyn Watch) + Sync + 'a;

/// What a search talks to.
pub(super) trait Watch {
    /// Takes a leaf.
    fn leaf(&mut self, leaf: &mut dyn Leaf, decisions: u64) -> ControlFlow<()>;

    /// Asked at least every tenth of a second.
    fn poll(&mut self, progress: Progress) -> ControlFlow<()>;

    /// Whether somebody would take a part of the job in hand.
    fn is_wanted(&self) -> bool {
        false
    }

    /// Takes the end of the job in hand.
    fn give(&mut self, _jobs: Vec<Job>) {}

    /// Ends the job in hand and gives the next one.
    fn next_job(&mut self) -> Option<Job> {
        None
    }

    /// Told that a look is laid into a cell, and what is left then; `None` where nothing fits.
    fn decided(&mut self, _cell: usize, _look: usize, _left: Option<&dyn Leaf>) {}

    /// Whether somebody wants to know what is decided and done.
    fn is_tracing(&self) -> bool {
        false
    }

    /// Told that all below these placements (cell, look) is done, children before their parents.
    fn done(&mut self, _way: &[(usize, usize)]) {}
}

/// Begins a walk alone, and has the rest shared where it takes long.
pub(super) trait Boss: Watch {
    /// Whether there are threads to share with.
    fn is_many(&self) -> bool;

    /// Has the jobs done on threads, each of which runs `shift`, after so much was done alone.
    /// Returns the decisions made in the jobs too.
    fn share(
        &mut self,
        jobs: Vec<Job>,
        before: Progress,
        shift: &Shift<'_>,
    ) -> Result<(ControlFlow<()>, u64), Trouble>;
}
