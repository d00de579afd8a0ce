//! A worker's search: from the root of a symmetry branch, or from a job somewhere below it.
//!
//! It wraps the depth-first search with what threads need: it reports progress, takes jobs, splits
//! off the rest of its own when others are idle, and stops when nobody wants its results.

use std::ops::ControlFlow;

use super::Split;
use super::dfs::{DepthFirst, Next, Node, Root};
use super::leaves::{Decision, Leaf, Observer};
use super::port::{Job, Port};
use crate::domains::bit_tables::BitTables;
use crate::domains::labels::{LabelSet, Task};
use crate::domains::relaxed::{RelaxedState, RelaxedTables};
use crate::domains::state::State;
use crate::domains::symmetry::SymmetryBranch;
use crate::domains::tree::Tree;
use crate::limits::{CancelToken, Flow};
use crate::problem::Problem;
use crate::scheduler::{Progress, SchedulerError};

/// A walk through all leaves of a part.
pub(super) struct Walk<'a> {
    pub split: Split,
    pub problem: &'a Problem,
    pub part: &'a SymmetryBranch,
    pub token: &'a CancelToken<'a>,
    pub port: &'a mut dyn Port,
    /// Where there is one, this thread searches alone.
    pub observer: Option<&'a mut dyn Observer>,
}

impl Task for Walk<'_> {
    type Result = Result<(Flow, u64), SchedulerError>;

    fn run<const W: usize, M: LabelSet, const S: usize>(self) -> Self::Result {
        let bit_tables = BitTables::<W, M, S>::new(self.problem);
        let domains = &self.part.domains;
        let consistency = self.split.consistency;
        let token = self.token;
        self.walk(|| State::new(&bit_tables, domains, consistency, token))
    }
}

/// A walk where at most so many seams may break.
pub(super) struct LooseWalk<'a> {
    pub walk: Walk<'a>,
    pub most_broken: usize,
}

impl Task for LooseWalk<'_> {
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
    /// Walks through domains that each thread makes for itself.
    fn walk<const W: usize, T: Tree<W>>(
        self,
        domains: impl Fn() -> Flow<T> + Sync,
    ) -> Result<(Flow, u64), SchedulerError> {
        let Walk { split, problem, part, token, .. } = self;
        let mut observer = self.observer;
        let has_threads = self.port.has_threads() && observer.is_none();
        let dfs = || domains().map_continue(|d| DepthFirst::new(split, problem, part, d, token));
        let ControlFlow::Continue(first) = dfs() else {
            return Ok((ControlFlow::Break(()), 0));
        };
        let mut search = Search::new(split, problem, first, &mut *self.port);
        search.observer = observer.as_mut().map(|observer| &mut **observer as _);
        if has_threads {
            search.pause = split.learning;
        }
        let end = search.root(part);
        let decisions = search.dfs.decisions;
        let rest = search.leave_rest();
        if end.is_break() || rest.is_empty() {
            return Ok((end, decisions));
        }
        let scores = search.dfs.scores.clone();
        let shift = |port: &mut dyn Port| {
            let ControlFlow::Continue(dfs) = dfs() else {
                return;
            };
            let mut search = Search::new(split, problem, dfs, port);
            search.dfs.scores = scores.clone();
            search.dfs.learning = 0;
            // Whoever says stop here knows it.
            let _ = search.serve();
        };
        let left: f64 = rest.iter().map(Job::share).sum();
        let (end, shared) = self.port.share(rest, Progress::new(decisions, 1.0 - left), &shift)?;
        Ok((end, decisions + shared))
    }
}

/// A depth-first search that does jobs, gives away what others can do, and tells what it does.
struct Search<'a, const W: usize, T: Tree<W>> {
    dfs: DepthFirst<'a, W, T>,
    /// The share of the tree that was given away.
    given: f64,
    decisions_per_job: u64,
    /// The decisions after which the end of the job is given away.
    next_give: u64,
    /// The decisions after which the rest is left to others.
    pause: u64,
    problem: &'a Problem,
    port: &'a mut dyn Port,
    observer: Option<&'a mut dyn Observer>,
}

impl<'a, const W: usize, T: Tree<W>> Search<'a, W, T> {
    fn new(
        split: Split,
        problem: &'a Problem,
        dfs: DepthFirst<'a, W, T>,
        port: &'a mut dyn Port,
    ) -> Self {
        Search {
            dfs,
            given: 0.0,
            decisions_per_job: split.per_job,
            next_give: u64::MAX,
            pause: u64::MAX,
            problem,
            port,
            observer: None,
        }
    }

    /// Walks through the whole part, or pauses with a path left.
    fn root(&mut self, part: &SymmetryBranch) -> Flow {
        self.port.progress(self.dfs.progress())?;
        match self.propagate() {
            Node::Open => {}
            Node::Conflict => return ControlFlow::Continue(()),
            Node::Aborted => return ControlFlow::Break(()),
        }
        let Some(branches) = self.dfs.first_choices(part) else {
            return self.enter();
        };
        let weight = 1.0 / branches.len().max(1) as f64;
        self.take(Job { path: Vec::new(), branches, weight })
    }

    /// Does jobs until there are no more.
    fn serve(&mut self) -> Flow {
        match self.propagate() {
            Node::Open => {}
            Node::Conflict => return ControlFlow::Continue(()),
            Node::Aborted => return ControlFlow::Break(()),
        }
        while let Some(job) = self.port.next_job() {
            (self.dfs.decisions, self.given) = (0, 0.0);
            self.next_give = self.decisions_per_job;
            let share = job.share();
            self.take(job)?;
            self.port.progress(Progress::new(self.dfs.decisions, share - self.given))?;
        }
        ControlFlow::Continue(())
    }

    /// Goes to the node of a job, takes its branches, and comes back, or pauses with a path left.
    fn take(&mut self, job: Job) -> Flow {
        let node = self.dfs.state.mark();
        self.dfs.root = Root { job, branch: 0, began: 0 };
        for index in 0..self.dfs.root.job.path.len() {
            let (cell, value) = self.dfs.root.job.path[index];
            let chosen = self.dfs.state.decide(cell, value);
            match chosen.map_or(Node::Conflict, |()| self.propagate()) {
                Node::Open => {}
                Node::Conflict => unreachable!("whoever gave the job was there"),
                Node::Aborted => return ControlFlow::Break(()),
            }
        }
        while let Some(&branch) = self.dfs.root.job.branches.get(self.dfs.root.branch) {
            self.dfs.root.began = self.dfs.decisions;
            let mark = self.dfs.state.mark();
            match self.decide(branch) {
                Node::Open => {
                    self.enter()?;
                    self.descend()?;
                }
                Node::Conflict => {}
                Node::Aborted => return ControlFlow::Break(()),
            }
            if !self.dfs.path.is_empty() {
                return ControlFlow::Continue(());
            }
            self.dfs.state.undo(mark);
            self.tell_done()?;
            self.dfs.root.branch += 1;
        }
        self.dfs.state.undo(node);
        ControlFlow::Continue(())
    }

    /// Walks through all levels, or pauses with a path left.
    fn descend(&mut self) -> Flow {
        while self.dfs.decisions < self.pause {
            let branch = match self.dfs.next() {
                Next::Branch(cell, value) => (cell, value),
                Next::End => break,
                Next::Up => {
                    // The branch of the root is told where it ends.
                    if !self.dfs.path.is_empty() {
                        self.tell_done()?;
                    }
                    continue;
                }
            };
            if self.dfs.decisions >= self.next_give || self.port.is_wanted() {
                self.give();
            }
            let depth = self.dfs.path.len();
            match self.decide(branch) {
                Node::Open => self.enter()?,
                Node::Conflict => {}
                Node::Aborted => return ControlFlow::Break(()),
            }
            if self.dfs.path.len() == depth {
                self.tell_done()?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Hands a leaf over, or adds the level of an inner node.
    #[inline(always)]
    fn enter(&mut self) -> Flow {
        if !self.dfs.is_leaf() {
            self.dfs.branch();
            return ControlFlow::Continue(());
        }
        let decisions = self.dfs.decisions;
        let leaf = &mut self.dfs.as_leaf();
        if let Some(observer) = &mut self.observer
            && let Some(values) = leaf.values()
        {
            observer.found(&values)?;
        }
        self.port.leaf(leaf, decisions)
    }

    #[inline(always)]
    fn decide(&mut self, branch: (usize, usize)) -> Node {
        let port = &mut *self.port;
        let node = self.dfs.decide(branch, |dfs| ask(port, dfs));
        let is_told = node != Node::Aborted && self.observer.is_some();
        if is_told && self.tell_decided(branch, node).is_break() {
            return Node::Aborted;
        }
        node
    }

    fn propagate(&mut self) -> Node {
        let port = &mut *self.port;
        self.dfs.propagate(|dfs| port.progress(dfs.progress()))
    }

    #[cold]
    fn tell_decided(&mut self, (cell, value): (usize, usize), node: Node) -> Flow {
        let Some(observer) = &mut self.observer else {
            return ControlFlow::Continue(());
        };
        let leaf = &self.dfs.as_leaf();
        observer.decided(&Decision {
            cell,
            placed: self.problem.first_with(value),
            tries: None,
            left: (node == Node::Open).then_some(leaf),
        })
    }

    /// Tells that all below the branches that are taken is done.
    #[inline(always)]
    fn tell_done(&mut self) -> Flow {
        match &mut self.observer {
            Some(observer) => observer.done(&mut self.dfs.taken()),
            None => ControlFlow::Continue(()),
        }
    }

    /// Gives away the end of the job. As results go out in order, what comes next is wanted most,
    /// but in pieces that take some time.
    #[cold]
    fn give(&mut self) {
        let dfs = &mut self.dfs;
        self.next_give = dfs.decisions + self.decisions_per_job;
        let mut jobs = Vec::new();
        for depth in 0..=dfs.path.len() {
            let is_short = dfs.decisions - dfs.began(depth) < self.decisions_per_job / 4;
            if is_short && !jobs.is_empty() {
                break;
            }
            jobs.extend(dfs.split_off(depth));
        }
        self.given += jobs.iter().map(Job::share).sum::<f64>();
        jobs.reverse();
        self.port.give(jobs);
    }

    /// All that is still to be done, in order.
    fn leave_rest(&mut self) -> Vec<Job> {
        (0..=self.dfs.path.len()).rev().filter_map(|depth| self.dfs.split_off(depth)).collect()
    }
}

/// Offers where the search stands, and asks whether to go on.
#[cold]
#[inline(never)]
fn ask<const W: usize, T: Tree<W>>(port: &mut dyn Port, dfs: &DepthFirst<'_, W, T>) -> Flow {
    port.stands_at(&|| dfs.branches());
    port.progress(dfs.progress())
}
