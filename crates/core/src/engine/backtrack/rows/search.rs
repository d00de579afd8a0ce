//! The depth-first search: at each position, tries the candidates that fit and lead to the end of
//! the row.

use std::ops::{ControlFlow, Range};

use super::filling::Filling;
use super::plan::{BLOCK, RowPlan};
use super::steps::LabelBits;
use crate::engine::backtrack::side_label::SideLabel;
use crate::runtime::limits::Flow;
use crate::runtime::scheduler::Worker;

/// The number of nodes between two polls of the host: about a millisecond.
const NODES_PER_POLL: u64 = 1 << 15;

/// The number of nodes after which a thread gives away the rest of its job, so that all threads
/// work on the next results: some milliseconds.
const NODES_PER_JOB: u64 = 1 << 18;

/// A job of a thread: consecutive branches of a node, with their subtrees.
#[derive(Debug)]
pub(super) struct Job {
    /// The index in the candidate list of each position, from the root to the node.
    pub path: Vec<u32>,
    /// The first branch; the job includes all later ones.
    pub from: u32,
    /// The estimated share of the whole tree in each branch.
    pub branch: f64,
    /// The estimated share of the whole tree in this job.
    pub share: f64,
}

impl Job {
    /// The job that covers the whole search.
    pub fn whole<B: LabelBits>(plan: &RowPlan<B>) -> Job {
        Job {
            path: Vec::new(),
            from: 0,
            branch: 1.0 / plan.list(plan.positions[0], SideLabel::ANY, SideLabel::ANY).len() as f64,
            share: 1.0,
        }
    }
}

/// The depth-first search of a job.
pub(super) struct RowSearch<'a, B: LabelBits> {
    pub plan: &'a RowPlan<B>,
    pub filling: Filling<'a, B>,
    /// The state of each position.
    pub levels: Vec<PositionState>,
    pub nodes: u64,
    /// The number of nodes at which the search [pauses](RowSearch::pause).
    pub next_pause: u64,
    /// Positions before this one have no branches left, because they were given away.
    pub given: usize,
    pub job: Job,
    /// The share of the tree that this job has given to other threads.
    pub given_share: f64,
    /// The node limit of the search.
    pub most: u64,
    pub nodes_per_poll: u64,
    pub nodes_per_job: u64,
    /// The number of nodes at which the search next gives away the rest of the job.
    pub next_give: u64,
    pub worker: &'a mut dyn Worker<Job, Vec<usize>>,
}

/// The search state of a position. Candidates are indices into the plan.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PositionState {
    /// The range of its candidate list.
    pub start: u32,
    pub end: u32,
    /// The placed candidate.
    pub chosen: u32,
    /// The first candidate of the current block, and the mask of those in it that fit.
    block: u32,
    fitting: u32,
    /// The number of nodes when the candidate was chosen.
    pub began: u64,
}

impl PositionState {
    /// The state with a list of candidates, none of which is placed.
    pub fn new(list: Range<u32>) -> Self {
        PositionState { start: list.start, end: list.end, ..PositionState::default() }
    }

    /// Chooses the next fitting candidate of the list; returns false if there is none.
    #[inline(always)]
    fn next<B: LabelBits>(&mut self, position: usize, filling: &Filling<'_, B>) -> bool {
        while self.fitting == 0 {
            if self.block + BLOCK as u32 >= self.end {
                return false;
            }
            self.block += BLOCK as u32;
            self.fitting = filling.fitting(position, self.block..self.end);
        }
        self.chosen = self.block + self.fitting.trailing_zeros();
        self.fitting &= self.fitting - 1;
        true
    }
}

impl<'a, B: LabelBits> RowSearch<'a, B> {
    /// Creates a search of the whole tree, without limits, on the empty board.
    pub fn new(plan: &'a RowPlan<B>, worker: &'a mut dyn Worker<Job, Vec<usize>>) -> Self {
        RowSearch {
            plan,
            filling: Filling::new(plan),
            levels: vec![PositionState::default(); plan.cells.len()],
            nodes: 0,
            next_pause: 0,
            given: 0,
            job: Job::whole(plan),
            given_share: 0.0,
            most: u64::MAX,
            nodes_per_poll: NODES_PER_POLL,
            nodes_per_job: NODES_PER_JOB,
            next_give: u64::MAX,
            worker,
        }
    }

    /// Searches all ways to fill the positions from `first` on, and passes each solution to the
    /// worker. The list of position `first` is tried from index `from` on; `behind` is the label
    /// that the previous cell requires. Breaks if the worker or a limit stops the search.
    pub fn fill(&mut self, first: usize, from: u32, behind: SideLabel) -> Flow {
        let plan = self.plan;
        let mut position = first;
        self.enter(first, from, behind);
        loop {
            let level = &mut self.levels[position];
            if !level.next(position, &self.filling) {
                if position == first {
                    return ControlFlow::Continue(());
                }
                position -= 1;
                self.filling.take_up(plan.candidate(self.levels[position].chosen));
                continue;
            }
            let candidate = plan.candidate(level.chosen);
            self.nodes += 1;
            level.began = self.nodes;
            if self.nodes >= self.next_pause {
                self.pause(position)?;
            }
            self.filling.place(position, candidate);
            if self.filling.row_below_is_feasible(position, candidate) {
                if position + 1 < plan.cells.len() {
                    position += 1;
                    self.enter(position, 0, candidate.ahead);
                    continue;
                }
                self.found()?;
            }
            self.filling.take_up(candidate);
        }
    }

    /// Opens `position` at index `from` of its candidate list. At the beginning of a row, sweeps
    /// the row; if it cannot be completed, the list becomes empty.
    #[inline(always)]
    fn enter(&mut self, position: usize, from: u32, behind: SideLabel) {
        let mut list = self.filling.list(position, behind);
        if self.filling.is_first_of_row(position) && !self.filling.sweep(position) {
            list.end = list.start;
        }
        let block = list.start + from;
        self.levels[position] = PositionState {
            fitting: self.filling.fitting(position, block..list.end),
            block,
            ..PositionState::new(list)
        };
    }

    /// Removes all untried branches of these positions.
    pub fn close(&mut self, positions: Range<usize>) {
        for level in &mut self.levels[positions] {
            level.fitting = 0;
            level.block = level.end;
        }
    }

    /// Passes the completed arrangement to the worker, unless a kind is used less often than
    /// required. Breaks if the worker does.
    #[cold]
    fn found(&mut self) -> Flow {
        let plan = self.plan;
        let used = plan.most.iter().zip(&self.filling.left).map(|(most, left)| most - left);
        if used.zip(&plan.least).any(|(used, &least)| used < least) {
            return ControlFlow::Continue(());
        }
        let mut values = vec![0; plan.cells.len()];
        for (&cell, level) in plan.cells.iter().zip(&self.levels) {
            values[cell] = usize::from(plan.candidate(level.chosen).value);
        }
        self.worker.found(values, self.nodes)
    }
}
