//! `regions`: depth-first search that starts where the fewest seams break.
//!
//! If at most k seams may break, at most k/2 of them break within one of two halves of the board.
//! The search starts in that half, and there in the better quarter. Once a half has broken b seams,
//! the other half must break as many, so only k − 2b may break between them:
//!
//! ```text
//!   ┌──┬──┬──┬──┐
//!   │██│██│  │  │  at most k/4 break in the first quarter,
//!   │██│██│  │  │  at most k/2 in the upper half,
//!   ├──┼──┼──┼──┤
//!   │  │  │  │  │  at least as many in the lower half as in the upper one
//!   │  │  │  │  │
//!   └──┴──┴──┴──┘
//! ```
//!
//! Every half and each of its quarters comes first once, except those that a symmetry exchanges with
//! an earlier one. A second bound counts edges: an image matches in at most as many seams as edges
//! are left of its rarer half.

mod balance;
mod plan;

use std::ops::ControlFlow;

use self::balance::Balance;
use self::plan::{Breaks, Depth, RegionTables};
use super::host::HostSink;
use super::kind::default_variant;
use super::{Engine, EngineKind, FilteringHost, Host, Result, Work};
use crate::problem::Problem;
use crate::runtime::limits::Flow;
use crate::runtime::scheduler::{
    QueueWorker, SearchProgress, SingleWorker, Sink, Worker, room_for, run_jobs,
};

/// The engine for boards on which seams may break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Regions;

/// The number of nodes between two polls, less than a millisecond.
const NODES_PER_POLL: u64 = 1 << 12;

/// The minimum number of jobs of a search, if it has as many.
const FEWEST_JOBS: usize = 64;

/// The maximum numbers of cells, and of sides of a cell.
const MOST_CELLS: usize = 1 << 10;
const MOST_SIDES: usize = 8;

pub(super) const KIND: EngineKind = EngineKind {
    name: "regions",
    help: "depth-first search from the part that breaks the fewest seams",
    options: &[],
    build: |_| Box::new(Regions),
    variants: || default_variant(KIND.name),
    is_compared: false,
    has_probes: false,
};

impl Engine for Regions {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        let board = &problem.board;
        if board.size() > MOST_CELLS || board.most_sides() > MOST_SIDES {
            return Err(format!(
                "it supports at most {MOST_CELLS} cells with at most {MOST_SIDES} sides"
            ));
        }
        Ok(())
    }

    fn uses_threads(&self) -> bool {
        true
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow> {
        let token = host.token();
        let ControlFlow::Continue(tables) = RegionTables::new(problem, token) else {
            return Ok(ControlFlow::Break(()));
        };
        let ControlFlow::Continue(searches) = tables.searches(token) else {
            return Ok(ControlFlow::Break(()));
        };
        for (index, depths) in searches.iter().enumerate() {
            let threads = host.threads();
            let before = work.nodes;
            let part = Some((index, searches.len()));
            let sink = &mut HostSink::new(problem, host, work, part);
            let (end, nodes) = search(&tables, depths, threads, sink)?;
            work.nodes = before + nodes;
            if end.is_break() {
                return Ok(end);
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Searches one sequence of regions. Returns `Break` if the sink ended the search, and the number
/// of nodes.
///
/// # Errors
/// If the threads cannot be started or fail.
fn search(
    tables: &RegionTables<'_>,
    depths: &[Depth],
    threads: usize,
    sink: &mut dyn Sink<Vec<usize>>,
) -> Result<(Flow, u64)> {
    let mut alone = SingleWorker(sink);
    let mut search = RegionSearch::new(tables, depths, &mut alone);
    let ControlFlow::Continue(jobs) = search.first_jobs() else {
        return Ok((ControlFlow::Break(()), search.nodes));
    };
    let share = 1.0 / jobs.len() as f64;
    if threads > 1 {
        let before = SearchProgress::new(search.nodes, 0.0);
        let body = |worker: &mut QueueWorker<'_, Job, Vec<usize>>| {
            // The sink remembers the reason for stopping.
            let _ = RegionSearch::new(tables, depths, worker).run_jobs_of_worker(share);
        };
        return Ok(run_jobs(threads, jobs, before, room_for(depths.len()), &body, alone.0)?);
    }
    let end = jobs.iter().enumerate().try_for_each(|(index, job)| {
        search.share = share * index as f64;
        search.run_job(job)
    });
    Ok((end, search.nodes))
}

/// The subtree below the values of the first cells.
struct Job {
    path: Vec<usize>,
    breaks: Breaks,
}

struct RegionSearch<'a> {
    tables: &'a RegionTables<'a>,
    depths: &'a [Depth],
    /// The values of kinds with copies left, as a bit set.
    available: Vec<u64>,
    /// The copies left of each kind.
    copies: Vec<usize>,
    balance: Balance<'a>,
    /// The value placed at each depth.
    placed: Vec<usize>,
    /// The depth whose nodes become jobs.
    job_depth: usize,
    jobs: Vec<Job>,
    nodes: u64,
    next_poll: u64,
    /// The share of the search that was done before the current job.
    share: f64,
    worker: &'a mut dyn Worker<Job, Vec<usize>>,
}

impl<'a> RegionSearch<'a> {
    /// A search with an empty board.
    fn new(
        tables: &'a RegionTables<'a>,
        depths: &'a [Depth],
        worker: &'a mut dyn Worker<Job, Vec<usize>>,
    ) -> Self {
        RegionSearch {
            tables,
            depths,
            available: tables.available(),
            copies: tables.domains.uses.iter().map(|uses| uses.most).collect(),
            balance: Balance::new(tables),
            placed: Vec::with_capacity(depths.len()),
            job_depth: usize::MAX,
            jobs: Vec::new(),
            nodes: 0,
            next_poll: NODES_PER_POLL,
            share: 0.0,
            worker,
        }
    }

    /// The subtrees at the first depth with enough nodes. Breaks if the worker does.
    fn first_jobs(&mut self) -> Flow<Vec<Job>> {
        let mut jobs = vec![Job { path: Vec::new(), breaks: Breaks::default() }];
        for depth in 1..self.depths.len() {
            if jobs.is_empty() || jobs.len() >= FEWEST_JOBS {
                break;
            }
            self.job_depth = depth;
            for job in &jobs {
                self.run_job(job)?;
            }
            jobs = std::mem::take(&mut self.jobs);
        }
        self.job_depth = usize::MAX;
        ControlFlow::Continue(jobs)
    }

    /// Takes jobs from the worker and searches them until there are none; each is `share` of the
    /// search. Breaks if the worker does.
    fn run_jobs_of_worker(&mut self, share: f64) -> Flow {
        while let Some(job) = self.worker.next_job() {
            (self.nodes, self.next_poll) = (0, NODES_PER_POLL);
            self.run_job(&job)?;
            self.worker.progress(SearchProgress::new(self.nodes, share))?;
        }
        ControlFlow::Continue(())
    }

    /// Searches the subtree of a job. Breaks if the worker does.
    fn run_job(&mut self, job: &Job) -> Flow {
        job.path.iter().for_each(|&value| self.place(value));
        self.fill(job.breaks)?;
        job.path.iter().for_each(|_| self.take_back());
        ControlFlow::Continue(())
    }

    /// Fills the remaining cells in every way and reports each full board. Breaks if the worker
    /// does.
    fn fill(&mut self, breaks: Breaks) -> Flow {
        let tables = self.tables;
        if self.placed.len() == self.job_depth {
            self.jobs.push(Job { path: self.placed.clone(), breaks });
            return ControlFlow::Continue(());
        }
        let Some(depth) = self.depths.get(self.placed.len()) else {
            return self.report();
        };
        let breaks = if depth.starts_region { breaks.in_better_half() } else { breaks };
        let mut fitting: [&[u64]; MOST_SIDES] = [&[]; MOST_SIDES];
        for (fitting, beside) in fitting.iter_mut().zip(&depth.neighbours) {
            *fitting = tables.fitting(beside, self.placed[beside.depth]);
        }
        let fitting = &fitting[..depth.neighbours.len()];
        let allowed = tables.domains.cells[depth.cell].words();
        let own = tables.own_broken(depth.cell);
        for choice in &depth.choices {
            let breaks = breaks.with(choice);
            if breaks.at_least() > depth.most {
                continue;
            }
            for (word, allowed) in allowed.iter().enumerate() {
                let mut values = self.available[word] & allowed;
                for (index, fitting) in fitting.iter().enumerate() {
                    let is_broken = choice.neighbours >> index & 1 == 1;
                    values &= if is_broken { !fitting[word] } else { fitting[word] };
                }
                while values != 0 {
                    let value = word * 64 + values.trailing_zeros() as usize;
                    values &= values - 1;
                    let breaks =
                        own.get(value).map_or(breaks, |&own| breaks.with_own(own, depth.is_worse));
                    if breaks.at_least() > depth.most {
                        continue;
                    }
                    self.count_node()?;
                    self.place(value);
                    if breaks.all() + self.balance.broken() <= tables.most {
                        self.fill(breaks)?;
                    }
                    self.take_back();
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Reports the full board. Breaks if the worker does.
    fn report(&mut self) -> Flow {
        let mut values = vec![0; self.placed.len()];
        for (depth, &value) in self.depths.iter().zip(&self.placed) {
            values[depth.cell] = value;
        }
        self.worker.found(values, self.nodes)
    }

    /// Counts a node, and reports the progress from time to time. Breaks if the worker does.
    #[inline(always)]
    fn count_node(&mut self) -> Flow {
        self.nodes += 1;
        if self.nodes < self.next_poll {
            return ControlFlow::Continue(());
        }
        self.next_poll = self.nodes + NODES_PER_POLL;
        let filled = self.placed.len();
        let progress = SearchProgress::new(self.nodes, self.share);
        self.worker.progress(SearchProgress { filled, ..progress })
    }

    /// Places a value in the next cell.
    #[inline(always)]
    fn place(&mut self, value: usize) {
        let kind = self.tables.kind_of[value];
        self.copies[kind] -= 1;
        if self.copies[kind] == 0 {
            self.toggle(kind);
        }
        self.balance.place(&self.depths[self.placed.len()], (kind, value), &self.placed, 1);
        self.placed.push(value);
    }

    /// Removes the value placed last.
    #[inline(always)]
    fn take_back(&mut self) {
        let Some(value) = self.placed.pop() else { return };
        let kind = self.tables.kind_of[value];
        self.balance.place(&self.depths[self.placed.len()], (kind, value), &self.placed, -1);
        if self.copies[kind] == 0 {
            self.toggle(kind);
        }
        self.copies[kind] += 1;
    }

    /// Makes the values of a kind unavailable, or available again.
    #[inline(always)]
    fn toggle(&mut self, kind: usize) {
        for (available, values) in self.available.iter_mut().zip(self.tables.values[kind].words()) {
            *available ^= values;
        }
    }
}
