//! Search by splitting domains: decide, propagate, recurse.
//!
//! ```text
//!            the first tile            one branch per orbit of its placements
//!           ╱    │     ╲
//!         cell  cell  cell             the open cell that promises the smallest subtree:
//!        ╱ │ ╲                         one branch per value of its domain
//!     cell ✗  leaf                     ✗ conflict; a leaf has few values left, or none to choose
//! ```
//!
//! The choice of the cell learns from conflicts, but only from the first ones. After that the tree
//! is fixed, so that threads can share it without changing it.

mod dfs;
mod leaves;
mod probes;
mod search;

use std::ops::ControlFlow;

pub use self::leaves::{Decision, Leaf, Observer, OnLeaf, Outlet};
pub use self::probes::Probes;
use self::probes::Probing;
use self::search::{LooseWalk, Walk};
use super::labels::check_capacity;
use super::sizes::{dispatch, dispatch_among_few};
use super::state::Consistency;
use super::symmetry::SymmetryBranch;
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;
use crate::runtime::scheduler::{Progress, SchedulerError, Sink};

/// How domains are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    consistency: Consistency,
    /// Domains with at most so many placements in open cells are a leaf.
    leaf: usize,
    /// The decisions whose failures are learnt from; after them threads share the rest.
    learning: u64,
    /// The decisions after which a thread gives away the end of its job, so that all of them work
    /// where the next results are: some milliseconds.
    per_job: u64,
}

impl Split {
    /// Until each cell has its tile. Consequences are followed only from cells with few values.
    ///
    /// Learning from all failures takes as many nodes as from those of the first 2^15 decisions,
    /// and 1 to 3 % fewer than from 2^14, which take 20 ms; on boards of more than 12×12, where
    /// a decision takes longer, there are fewer.
    pub fn to_the_bottom(problem: &Problem) -> Split {
        const MANY_PLACEMENTS: usize = 100_000;
        let placements = problem.board.size() * problem.kinds.values.len();
        let learning = (1 << 14) * MANY_PLACEMENTS / placements.max(1);
        let learning = learning.clamp(1 << 9, 1 << 14) as u64;
        Split {
            consistency: Consistency::Bounded(bound(problem)),
            leaf: 0,
            learning,
            per_job: learning / 2,
        }
    }

    /// Until at most `leaf` placements are left in cells that can take more than one. Consequences
    /// are followed to the end. A leaf is expected to take milliseconds.
    pub fn down_to(leaf: usize) -> Split {
        Split { consistency: Consistency::Fixpoint, leaf, learning: 1 << 6, per_job: 1 << 10 }
    }

    /// Learns from the failures of so many decisions, and has the rest shared.
    pub fn learning_from(self, decisions: u64) -> Split {
        Split { learning: decisions, ..self }
    }

    /// Whether there is room for a problem's values and labels.
    ///
    /// # Errors
    /// The limit that it exceeds, as a message.
    pub fn serves(problem: &Problem) -> Result<(), String> {
        check_capacity(problem)
    }

    /// Goes down at random, so often, and tells what each way down estimates of the number of
    /// decisions: the mean is unbiased (Knuth, *Mathematics of Computation* 29, 1975), but for what
    /// a walk learns from failures. `Break` where the token says so.
    ///
    /// # Panics
    /// Where [`Split::serves`] would have refused.
    pub fn probe(
        self,
        problem: &Problem,
        part: &SymmetryBranch,
        (probes, random): (u32, &mut Random),
        token: &CancelToken<'_>,
    ) -> Flow<Probes> {
        dispatch_among_few(problem, Probing { split: self, problem, part, random, probes, token })
    }

    /// Walks through all leaves of the parts, one part after another; returns the number of
    /// decisions, too. Where a part takes long, so many threads share it; the leaves and their
    /// order stay the same. Where there is an observer one thread does all. The sink is polled; the
    /// token, where no progress is made that it could be told.
    ///
    /// # Errors
    /// Where the threads cannot do their work.
    ///
    /// # Panics
    /// Where [`Split::serves`] would have refused.
    pub fn walk<Y: Send>(
        self,
        problem: &Problem,
        parts: &[SymmetryBranch],
        (threads, token): (usize, &CancelToken<'_>),
        on_leaf: &OnLeaf<'_, Y>,
        sink: &mut dyn Sink<Y>,
        mut observer: Option<&mut dyn Observer>,
    ) -> Result<(Flow, u64), SchedulerError> {
        let mut decided = 0;
        let share = 1.0 / parts.len() as f64;
        for (index, part) in parts.iter().enumerate() {
            let walk = Walk {
                split: self,
                problem,
                part,
                threads,
                token,
                on_leaf,
                sink: &mut *sink,
                observer: observer.as_mut().map(|observer| &mut **observer as _),
                before: Progress::new(decided, index as f64 * share),
                share,
            };
            let (end, decisions) = match problem.most_broken {
                None => dispatch(problem, walk)?,
                Some(most_broken) => dispatch_among_few(problem, LooseWalk { walk, most_broken })?,
            };
            decided = decisions;
            if end.is_break() {
                return Ok((end, decided));
            }
        }
        Ok((ControlFlow::Continue(()), decided))
    }
}

/// A bound on the values of a cell that passes its labels on. It must exceed what a cell has when
/// one neighbour is known, values ÷ labels; else nothing spreads, and nodes explode (12 instead of
/// 20 on a board of 10×10 with 16 images: 500 times more). From 1.2 to 3 times that, times differ
/// by less than their noise.
fn bound(problem: &Problem) -> u32 {
    const LEAST: f64 = 16.0;
    const TIMES: f64 = 1.6;
    let one_side_known = problem.kinds.values.len() as f64 / problem.puzzle.labels.len() as f64;
    (TIMES * one_side_known).max(LEAST) as u32
}
