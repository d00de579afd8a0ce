//! The job of a search and its worker: limits for polling, splitting and stopping.

use super::plan::RowPlan;
use super::steps::LabelBits;
use crate::engine::backtrack::side_label::SideLabel;
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

/// The current job and its worker.
pub(super) struct JobState<'a> {
    pub job: Job,
    /// The share of the tree that this job has given to other threads.
    pub given_share: f64,
    /// The node limit of the search.
    pub most: u64,
    pub is_cut_short: bool,
    pub nodes_per_poll: u64,
    pub nodes_per_job: u64,
    /// The number of nodes at which the search next gives away the rest of the job.
    pub next_give: u64,
    pub worker: &'a mut dyn Worker<Job, Vec<usize>>,
}

impl<'a> JobState<'a> {
    /// Prepares the whole search as a job of the worker.
    pub fn new<B: LabelBits>(
        plan: &RowPlan<B>,
        worker: &'a mut dyn Worker<Job, Vec<usize>>,
    ) -> Self {
        JobState {
            job: Job::whole(plan),
            given_share: 0.0,
            most: u64::MAX,
            is_cut_short: false,
            nodes_per_poll: NODES_PER_POLL,
            nodes_per_job: NODES_PER_JOB,
            next_give: u64::MAX,
            worker,
        }
    }
}
