//! Who looks on while a search runs: one thread, or several that share what is left.

use std::ops::ControlFlow;

use super::leaves::{Leaf, Leaves, Outlet, Progress, Walker};
use super::watch::{Boss, Job, Shift, Watch};
use crate::threads::{self, Desk, Done, Event, Trouble};

/// The caller's leaves and walker.
pub(super) struct Crew<'a, L: Leaves> {
    threads: usize,
    /// What leaves have yielded and may wait.
    room: usize,
    leaves: &'a L,
    walker: &'a mut dyn Walker<L::Yield>,
    progress: Progress,
}

impl<'a, L: Leaves> Crew<'a, L> {
    pub fn of(
        (threads, room): (usize, usize),
        leaves: &'a L,
        walker: &'a mut dyn Walker<L::Yield>,
    ) -> Self {
        let progress = Progress {
            decisions: 0,
            explored: 0.0,
        };
        Crew {
            threads,
            room,
            leaves,
            walker,
            progress,
        }
    }
}

impl<L: Leaves> Watch for Crew<'_, L> {
    fn leaf(&mut self, leaf: &mut dyn Leaf, decisions: u64) -> ControlFlow<()> {
        self.progress.decisions = decisions;
        let leaves = self.leaves;
        leaves.leaf(leaf, self)
    }

    fn poll(&mut self, progress: Progress) -> ControlFlow<()> {
        self.progress = progress;
        self.walker.poll(progress)
    }

    fn is_tracing(&self) -> bool {
        self.threads == 1 && self.walker.is_tracing()
    }

    fn decided(&mut self, cell: usize, look: usize, left: Option<&dyn Leaf>) {
        self.walker.decided(cell, look, left);
    }

    fn done(&mut self, way: &[(usize, usize)]) {
        self.walker.done(way);
    }
}

impl<L: Leaves> Outlet<L::Yield> for Crew<'_, L> {
    fn found(&mut self, found: L::Yield) -> ControlFlow<()> {
        self.walker.found(found, self.progress.decisions)
    }

    fn poll(&mut self) -> ControlFlow<()> {
        self.walker.poll(self.progress)
    }
}

impl<L: Leaves> Boss for Crew<'_, L> {
    fn is_many(&self) -> bool {
        self.threads > 1
    }

    fn share(
        &mut self,
        jobs: Vec<Job>,
        before: Progress,
        shift: &Shift<'_>,
    ) -> Result<(ControlFlow<()>, u64), Trouble> {
        let (leaves, walker, told) = (self.leaves, &mut *self.walker, self.progress.explored);
        let work = |desk: &mut Desk<'_, Job, L::Yield>| {
            shift(&mut Member {
                leaves,
                desk,
                decisions: 0,
            });
        };
        let tell = |event| match event {
            Event::Found(found, steps) => walker.found(found, before.decisions + steps),
            Event::Progress(done) => walker.poll(Progress {
                decisions: before.decisions + done.steps,
                // However the parts are rounded, it never falls, and only the whole is all of it.
                explored: (before.explored + done.share).clamp(told, 1.0 - f64::EPSILON),
            }),
        };
        threads::share(self.threads, jobs, self.room, work, tell)
    }
}

/// One of the threads.
struct Member<'a, 'd, L: Leaves> {
    leaves: &'a L,
    desk: &'a mut Desk<'d, Job, L::Yield>,
    decisions: u64,
}

impl<L: Leaves> Watch for Member<'_, '_, L> {
    fn leaf(&mut self, leaf: &mut dyn Leaf, decisions: u64) -> ControlFlow<()> {
        self.decisions = decisions;
        let leaves = self.leaves;
        leaves.leaf(leaf, self)
    }

    fn poll(&mut self, progress: Progress) -> ControlFlow<()> {
        self.desk.progress(Done {
            steps: progress.decisions,
            share: progress.explored,
        })
    }

    fn is_wanted(&self) -> bool {
        self.desk.is_wanted()
    }

    fn give(&mut self, jobs: Vec<Job>) {
        self.desk.give(jobs);
    }

    fn next_job(&mut self) -> Option<Job> {
        self.desk.next_job()
    }
}

impl<L: Leaves> Outlet<L::Yield> for Member<'_, '_, L> {
    fn found(&mut self, found: L::Yield) -> ControlFlow<()> {
        self.desk.found(found, self.decisions)
    }

    fn poll(&mut self) -> ControlFlow<()> {
        self.desk.go_on()
    }
}
