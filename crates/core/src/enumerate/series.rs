//! Several runs that are reported as one.

use std::ops::ControlFlow;

use super::{Listener, NewSolution, StopReason, Tally};
use crate::engine::{Decided, Work};
use crate::problem::Arrangement;

/// A listener that adds up the solutions and the work of several runs, and stops the run that finds
/// the last one wanted.
pub(crate) struct Series<'a> {
    pub listener: &'a mut dyn Listener,
    /// The number of distinct solutions wanted; 0 for all.
    pub most: u64,
    /// The solutions of all runs.
    pub tally: Tally,
    /// The work of the runs that have ended.
    pub work: Work,
    /// The solutions of the current run, with those that do not count.
    of_run: Tally,
}

impl<'a> Series<'a> {
    /// Creates a series without runs.
    pub fn new(listener: &'a mut dyn Listener, most: u64) -> Series<'a> {
        let (tally, of_run) = (Tally::default(), Tally::default());
        Series { listener, most, tally, work: Work::default(), of_run }
    }

    /// The listener of the next run. Solutions that `counts` rejects are ignored.
    pub fn next_run<'s>(
        &'s mut self,
        counts: &'s dyn Fn(&Arrangement) -> bool,
    ) -> SeriesRun<'s, 'a> {
        self.of_run = Tally::default();
        SeriesRun { series: self, counts }
    }

    /// Returns true if as many solutions are found as are wanted.
    pub fn is_enough(&self) -> bool {
        self.most > 0 && self.tally.listed() >= self.most
    }

    /// The work of all runs, with that of the current one.
    fn work_with(&self, work: &Work) -> Work {
        let mut all = self.work.clone();
        all.add(work.clone());
        all
    }
}

/// The listener of one run of a series.
pub(crate) struct SeriesRun<'s, 'a> {
    series: &'s mut Series<'a>,
    counts: &'s dyn Fn(&Arrangement) -> bool,
}

impl Listener for SeriesRun<'_, '_> {
    fn found(&mut self, found: &NewSolution<'_>) -> ControlFlow<StopReason> {
        let before = std::mem::replace(&mut self.series.of_run, found.tally.clone());
        if !(self.counts)(&found.distinct.arrangement) {
            return ControlFlow::Continue(());
        }
        let work = self.series.work_with(found.work);
        let Series { listener, tally, .. } = &mut *self.series;
        tally.distinct += 1u32;
        tally.solutions += &found.tally.solutions - before.solutions;
        tally.classes += &found.tally.classes - before.classes;
        let (distinct, token) = (found.distinct, found.token);
        listener.found(&NewSolution { distinct, tally, work: &work, token })?;
        if self.series.is_enough() {
            ControlFlow::Break(StopReason::Enough)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn progress(&mut self, _tally: &Tally, work: &Work) {
        let work = self.series.work_with(work);
        self.series.listener.progress(&self.series.tally, &work);
    }

    fn report_path(&mut self, path: &dyn Fn() -> Vec<Decided>) {
        self.series.listener.report_path(path);
    }

    fn report_restart(&mut self, why: &str, work: &Work) {
        self.series.listener.report_restart(why, work);
    }
}
