//! The search of a worker, from the root of a symmetry branch or from a job below it.
//!
//! It adds to the depth-first search what threads need: it reports progress, takes jobs, gives away
//! the end of its job if others are idle, and stops when cancelled.

use std::ops::ControlFlow;

use super::Split;
use super::dfs::{DepthFirst, Job, NextStep, Root};
use super::observer::{Decision, Observer};
use crate::domains::bit_tables::BitTables;
use crate::domains::labels::{LabelSet, LabelSetTask};
use crate::domains::relaxed::{RelaxedState, RelaxedTables};
use crate::domains::state::State;
use crate::domains::symmetry::SymmetryBranch;
use crate::domains::tree::{DomainStore, Tree};
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::scheduler::{
    QueueWorker, SchedulerError, SearchProgress, SingleWorker, Sink, Worker, room_for, run_jobs,
};

/// The task of finding all solutions in a part.
pub(super) struct Walk<'a> {
    pub split: Split,
    pub problem: &'a Problem,
    pub part: &'a SymmetryBranch,
    pub threads: usize,
    pub token: &'a CancelToken<'a>,
    /// Receives the value of each cell of each solution.
    pub sink: &'a mut dyn Sink<Vec<usize>>,
    /// An observer of every step; if there is one, this thread searches alone.
    pub observer: Option<&'a mut dyn Observer>,
    /// The progress when this part began.
    pub before: SearchProgress,
    /// The share of this part in the whole search.
    pub share: f64,
}

impl LabelSetTask for Walk<'_> {
    type Result = Result<(Flow, u64), SchedulerError>;

    fn run<const W: usize, M: LabelSet, const S: usize>(self) -> Self::Result {
        let bit_tables = BitTables::<W, M, S>::new(self.problem);
        let domains = &self.part.domains;
        let Walk { split, token, .. } = self;
        self.walk(|| State::new(&bit_tables, domains, split.consistency, token))
    }
}

/// The task of finding all solutions in a part if a limited number of seams may break.
pub(super) struct RelaxedWalk<'a> {
    pub walk: Walk<'a>,
    /// The maximum number of broken seams.
    pub most_broken: usize,
}

impl LabelSetTask for RelaxedWalk<'_> {
    type Result = Result<(Flow, u64), SchedulerError>;

    fn run<const W: usize, M: LabelSet, const S: usize>(self) -> Self::Result {
        let walk = self.walk;
        let bit_tables = BitTables::<W, M, S>::new(walk.problem);
        let relaxed = RelaxedTables::new(walk.problem, self.most_broken);
        let domains = &walk.part.domains;
        walk.walk(|| ControlFlow::Continue(RelaxedState::new(&bit_tables, &relaxed, domains)))
    }
}

impl Walk<'_> {
    /// Finds all solutions; each thread creates its own domains with `domains`. Returns `Break` if
    /// the search was ended, and the number of decisions, including those in earlier parts.
    ///
    /// # Errors
    /// If a thread panicked, or none could be started.
    fn walk<const W: usize, T: Tree + DomainStore<W>>(
        self,
        domains: impl Fn() -> Flow<T> + Sync,
    ) -> Result<(Flow, u64), SchedulerError> {
        let Walk { split, problem, part, threads, before, .. } = self;
        let start = |before: SearchProgress| {
            domains().map_continue(|d| DepthFirst::new(split, problem, part, d, before))
        };
        let ControlFlow::Continue(first) = start(before) else {
            return Ok((ControlFlow::Break(()), before.steps));
        };
        let mut observer = self.observer;
        let pauses = threads > 1 && observer.is_none();
        let mut alone = SingleWorker(self.sink);
        let mut search = SplitSearch::new(split, problem, first, &mut alone);
        search.observer = observer.as_mut().map(|observer| &mut **observer as _);
        if pauses {
            search.pause = search.dfs.learning;
        }
        let end = search.search_part(part, self.share);
        let decisions = search.dfs.decisions;
        let rest = search.take_remaining_jobs();
        if end.is_break() || rest.is_empty() {
            return Ok((end, decisions));
        }
        let scores = search.dfs.scores.clone();
        let left: f64 = rest.iter().map(Job::share).sum();
        let share = before.share + self.share - left;
        let body = |worker: &mut QueueWorker<'_, Job, Vec<usize>>| {
            let ControlFlow::Continue(dfs) = start(SearchProgress::default()) else {
                return;
            };
            let mut search = SplitSearch::new(split, problem, dfs, worker);
            search.dfs.scores = scores.clone();
            search.dfs.learning = 0;
            // The worker already knows of a cancellation, so the result is not needed.
            let _ = search.run_jobs();
        };
        let room = room_for(problem.board.size());
        run_jobs(threads, rest, SearchProgress::new(decisions, share), room, &body, alone.0)
    }
}

/// A depth-first search that runs jobs, gives work to other threads, and reports its steps.
struct SplitSearch<'a, const W: usize, T: Tree + DomainStore<W>> {
    dfs: DepthFirst<'a, W, T>,
    /// The share of the whole search that the current job gave away.
    given: f64,
    /// The number of decisions after which the end of a job is given away.
    decisions_per_job: u64,
    /// The end of the job is given away when this number of decisions is reached.
    next_give: u64,
    /// The search stops when this number of decisions is reached, and leaves the rest to other
    /// threads.
    pause: u64,
    problem: &'a Problem,
    worker: &'a mut dyn Worker<Job, Vec<usize>>,
    observer: Option<&'a mut dyn Observer>,
}

impl<'a, const W: usize, T: Tree + DomainStore<W>> SplitSearch<'a, W, T> {
    /// Creates a search that gives no work away, never pauses and has no observer.
    fn new(
        split: Split,
        problem: &'a Problem,
        dfs: DepthFirst<'a, W, T>,
        worker: &'a mut dyn Worker<Job, Vec<usize>>,
    ) -> Self {
        SplitSearch {
            dfs,
            given: 0.0,
            decisions_per_job: split.per_job,
            next_give: u64::MAX,
            pause: u64::MAX,
            problem,
            worker,
            observer: None,
        }
    }

    /// Searches a whole part, which is `share` of the whole search. At `pause` decisions it returns
    /// early with a non-empty path, whose untried branches remain. Breaks if the search must end.
    fn search_part(&mut self, part: &SymmetryBranch, share: f64) -> Flow {
        self.worker.progress(self.dfs.progress())?;
        if !self.propagate()? {
            return ControlFlow::Continue(());
        }
        let Some(branches) = self.dfs.root_branches(part) else {
            return self.visit_node();
        };
        let weight = share / branches.len().max(1) as f64;
        self.run_job(Job { path: Vec::new(), branches, weight })
    }

    /// Runs jobs of the worker until there are no more. Breaks if the search must end.
    fn run_jobs(&mut self) -> Flow {
        if !self.propagate()? {
            return ControlFlow::Continue(());
        }
        while let Some(job) = self.worker.next_job() {
            (self.dfs.decisions, self.given) = (0, 0.0);
            self.next_give = self.decisions_per_job;
            let share = job.share();
            self.run_job(job)?;
            self.worker.progress(SearchProgress::new(self.dfs.decisions, share - self.given))?;
        }
        ControlFlow::Continue(())
    }

    /// Moves to the node of a job, searches its branches, and returns to the root. At `pause`
    /// decisions it returns early with a non-empty path. Breaks if the search must end.
    fn run_job(&mut self, job: Job) -> Flow {
        self.dfs.state.mark();
        self.dfs.root = Root { job, branch: 0, first_decision: 0 };
        for index in 0..self.dfs.root.job.path.len() {
            let (cell, value) = self.dfs.root.job.path[index];
            let is_open = self.dfs.state.decide(cell, value).is_ok() && self.propagate()?;
            assert!(is_open, "the thread that shared the job has reached this node");
        }
        while let Some(&branch) = self.dfs.root.job.branches.get(self.dfs.root.branch) {
            self.dfs.root.first_decision = self.dfs.decisions;
            self.dfs.state.mark();
            if self.decide(branch)? {
                self.visit_node()?;
                self.search_levels()?;
            }
            if !self.dfs.path.is_empty() {
                return ControlFlow::Continue(());
            }
            self.dfs.state.undo();
            self.report_done()?;
            self.dfs.root.branch += 1;
        }
        self.dfs.state.undo();
        ControlFlow::Continue(())
    }

    /// Searches the levels of the path until none is left. At `pause` decisions it returns early.
    /// Breaks if the search must end.
    fn search_levels(&mut self) -> Flow {
        while self.dfs.decisions < self.pause {
            let branch = match self.dfs.advance() {
                NextStep::Branch(cell, value) => (cell, value),
                NextStep::End => break,
                NextStep::Up => {
                    // The branch of the root is reported where it ends.
                    if !self.dfs.path.is_empty() {
                        self.report_done()?;
                    }
                    continue;
                }
            };
            if self.dfs.decisions >= self.next_give || self.worker.is_wanted() {
                self.give_away();
            }
            let depth = self.dfs.path.len();
            if self.decide(branch)? {
                self.visit_node()?;
            }
            if self.dfs.path.len() == depth {
                self.report_done()?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the current node: passes on the solution of a leaf, or adds a decision level for an
    /// inner node. Breaks if the search must end.
    #[inline(always)]
    fn visit_node(&mut self) -> Flow {
        if !self.dfs.is_leaf() {
            self.dfs.push_level();
            return ControlFlow::Continue(());
        }
        let Some(values) = self.dfs.state.values() else {
            return ControlFlow::Continue(());
        };
        if let Some(observer) = &mut self.observer {
            observer.found(&values)?;
        }
        self.worker.found(values, self.dfs.decisions)
    }

    /// Decides a value of a cell (cell, value) and propagates; the caller starts the level. Returns
    /// false if there is a conflict. From time to time reports the path and the progress to the
    /// worker, and always the decision to the observer; breaks if one of them does.
    #[inline(always)]
    fn decide(&mut self, branch: (usize, usize)) -> Flow<bool> {
        let worker = &mut *self.worker;
        let is_open = self.dfs.decide(branch, |dfs| {
            worker.report_branches(&|| dfs.branches());
            report_and_poll(worker, dfs)
        })?;
        if self.observer.is_some() {
            self.report_decision(branch, is_open)?;
        }
        ControlFlow::Continue(is_open)
    }

    /// Propagates the current node; returns false if there is a conflict. Breaks if the worker
    /// does.
    fn propagate(&mut self) -> Flow<bool> {
        let worker = &mut *self.worker;
        self.dfs.propagate(|dfs| report_and_poll(worker, dfs))
    }

    /// Reports a decision and its result to the observer, if there is one. Breaks if the observer
    /// does.
    #[cold]
    fn report_decision(&mut self, (cell, value): (usize, usize), is_open: bool) -> Flow {
        let Some(observer) = &mut self.observer else {
            return ControlFlow::Continue(());
        };
        let domains = &self.dfs.node_domains();
        observer.decided(&Decision {
            cell,
            placed: self.problem.first_with(value),
            tries: None,
            left: is_open.then_some(domains),
        })
    }

    /// Reports to the observer, if there is one, that everything below the current branches is
    /// done. Breaks if the observer does.
    #[inline(always)]
    fn report_done(&mut self) -> Flow {
        match &mut self.observer {
            Some(observer) => observer.done(&mut self.dfs.current_branches()),
            None => ControlFlow::Continue(()),
        }
    }

    /// Gives away the untried branches of the job, from the root down to the first level whose
    /// current branch began only recently. Results are emitted in order, so the next branches are
    /// the most useful ones, but each job must take some time.
    #[cold]
    fn give_away(&mut self) {
        let dfs = &mut self.dfs;
        self.next_give = dfs.decisions + self.decisions_per_job;
        let mut jobs = Vec::new();
        for depth in 0..=dfs.path.len() {
            let is_short = dfs.decisions - dfs.first_decision(depth) < self.decisions_per_job / 4;
            if is_short && !jobs.is_empty() {
                break;
            }
            jobs.extend(dfs.split_off(depth));
        }
        self.given += jobs.iter().map(Job::share).sum::<f64>();
        jobs.reverse();
        self.worker.give(jobs);
    }

    /// Removes all untried branches and returns them as jobs, in the order of the search.
    fn take_remaining_jobs(&mut self) -> Vec<Job> {
        (0..=self.dfs.path.len()).rev().filter_map(|depth| self.dfs.split_off(depth)).collect()
    }
}

/// Reports the progress to the worker. Breaks if the search must end.
#[cold]
#[inline(never)]
fn report_and_poll<const W: usize, T: Tree + DomainStore<W>>(
    worker: &mut dyn Worker<Job, Vec<usize>>,
    dfs: &DepthFirst<'_, W, T>,
) -> Flow {
    worker.progress(dfs.progress())
}
