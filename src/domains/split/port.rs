//! The port between a search, which is compiled for each width of bit set, and the caller's leaves
//! and results, which are not.

use super::leaves::{Leaf, OnLeaf, Outlet};
use crate::limits::Flow;
use crate::scheduler::{Branch, Progress, QueueWorker, SchedulerError, Sink, Worker, run_jobs};

/// What a thread does with the jobs that it gets.
pub(super) type WorkerBody<'a> = dyn Fn(&mut dyn Port) + Sync + 'a;

/// A [`Worker`] that takes leaves, whatever they yield.
pub(super) trait Port {
    /// Takes a leaf.
    fn leaf(&mut self, leaf: &mut dyn Leaf, decisions: u64) -> Flow;

    /// As [`Sink::progress`].
    fn progress(&mut self, progress: Progress) -> Flow;

    /// As [`Sink::stands_at`].
    fn stands_at(&mut self, branches: &dyn Fn() -> Vec<Branch>);

    /// As [`Worker::is_wanted`].
    fn is_wanted(&self) -> bool;

    /// As [`Worker::give`].
    fn give(&mut self, jobs: Vec<Job>);

    /// As [`Worker::next_job`].
    fn next_job(&mut self) -> Option<Job>;

    /// Whether there are threads to share with.
    fn has_threads(&self) -> bool;

    /// Has the jobs done on threads, each of which runs `shift`, after so much was done alone.
    /// Returns the decisions made in the jobs too.
    fn share(
        &mut self,
        jobs: Vec<Job>,
        before: Progress,
        shift: &WorkerBody<'_>,
    ) -> Result<(Flow, u64), SchedulerError>;
}

/// The only port there is.
pub(super) struct LeafPort<'a, Y> {
    pub on_leaf: &'a OnLeaf<'a, Y>,
    pub worker: &'a mut dyn Worker<Job, Y>,
    /// When the worker was last told.
    pub progress: Progress,
    pub threads: usize,
    /// What leaves have yielded and may wait.
    pub room: usize,
}

impl<Y: Send> Port for LeafPort<'_, Y> {
    fn leaf(&mut self, leaf: &mut dyn Leaf, decisions: u64) -> Flow {
        self.progress.steps = decisions;
        let mut outlet = Outlet { sink: &mut *self.worker, progress: self.progress };
        (self.on_leaf)(leaf, &mut outlet)
    }

    fn progress(&mut self, progress: Progress) -> Flow {
        self.progress = progress;
        self.worker.progress(progress)
    }

    fn stands_at(&mut self, branches: &dyn Fn() -> Vec<Branch>) {
        self.worker.stands_at(branches);
    }

    fn is_wanted(&self) -> bool {
        self.worker.is_wanted()
    }

    fn give(&mut self, jobs: Vec<Job>) {
        self.worker.give(jobs);
    }

    fn next_job(&mut self) -> Option<Job> {
        self.progress = Progress::default();
        self.worker.next_job()
    }

    fn has_threads(&self) -> bool {
        self.threads > 1
    }

    fn share(
        &mut self,
        jobs: Vec<Job>,
        before: Progress,
        shift: &WorkerBody<'_>,
    ) -> Result<(Flow, u64), SchedulerError> {
        let on_leaf = self.on_leaf;
        let room = self.room;
        let work = |worker: &mut QueueWorker<'_, Job, Y>| {
            shift(&mut LeafPort {
                on_leaf,
                worker,
                progress: Progress::default(),
                threads: 1,
                room,
            });
        };
        let mut later = Later { sink: &mut *self.worker, before, reported: self.progress.share };
        run_jobs(self.threads, jobs, room, work, &mut later)
    }
}

/// Takes what is found after something was done alone.
struct Later<'a, Y> {
    sink: &'a mut dyn Sink<Y>,
    before: Progress,
    /// The share that was told then.
    reported: f64,
}

impl<Y> Sink<Y> for Later<'_, Y> {
    fn found(&mut self, found: Y, steps: u64) -> Flow {
        self.sink.found(found, self.before.steps + steps)
    }

    fn progress(&mut self, progress: Progress) -> Flow {
        self.sink.progress(Progress {
            steps: self.before.steps + progress.steps,
            // However the parts are rounded, it never falls, and only the whole is all of it.
            share: (self.before.share + progress.share).clamp(self.reported, 1.0 - f64::EPSILON),
            ..progress
        })
    }
}

/// Some branches of a node, and everything below them: what threads exchange. The path suffices to
/// rebuild the domains of the node.
#[derive(Debug, Clone, Default)]
pub(super) struct Job {
    /// The placements (cell, value) that lead to the node.
    pub path: Vec<(usize, usize)>,
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
