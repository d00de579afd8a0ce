//! The job of a search, and the worker it is done for: when to ask, when to split off, when to
//! stop.

use super::plan::Plan;
use super::steps::LabelBits;
use crate::engine::backtrack::side_label::SideLabel;
use crate::runtime::scheduler::Worker;

/// Nodes between two questions to the host: about a millisecond.
const NODES_PER_POLL: u64 = 1 << 15;

/// Nodes after which a thread gives away the end of its job, so that all of them work where the
/// next results are: some milliseconds.
const NODES_PER_JOB: u64 = 1 << 18;

/// Some branches of a node and everything below them.
#[derive(Debug)]
pub(super) struct Job {
    /// By position, the place in the list of candidates, down to the node.
    pub path: Vec<u32>,
    /// The first of its branches; the others are all behind that.
    pub from: u32,
    /// The share of the tree that each of the branches has.
    pub branch: f64,
    /// The share of all of them.
    pub share: f64,
}

impl Job {
    /// The whole search.
    pub fn whole<B: LabelBits>(plan: &Plan<B>) -> Job {
        Job {
            path: Vec::new(),
            from: 0,
            branch: 1.0 / plan.list(plan.positions[0], SideLabel::ANY, SideLabel::ANY).len() as f64,
            share: 1.0,
        }
    }
}

/// The job in hand, and whom it is done for.
pub(super) struct Duty<'a> {
    pub job: Job,
    /// The share of the tree that was given away.
    pub given_share: f64,
    /// The nodes after which the search is cut short.
    pub most: u64,
    pub is_cut_short: bool,
    pub nodes_per_poll: u64,
    pub nodes_per_job: u64,
    /// The nodes after which the end of the job is given away.
    pub next_give: u64,
    pub worker: &'a mut dyn Worker<Job, Vec<usize>>,
}

impl<'a> Duty<'a> {
    /// The whole search.
    pub fn new<B: LabelBits>(plan: &Plan<B>, worker: &'a mut dyn Worker<Job, Vec<usize>>) -> Self {
        Duty {
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
