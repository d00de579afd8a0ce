//! Search by splitting domains: decide, propagate, recurse.
//!
//! ```text
//!            the first tile            one branch per orbit of its placements
//!           ╱    │     ╲
//!         cell  cell  cell             the open cell that promises the smallest subtree:
//!        ╱ │ ╲                         one branch per value of its domain
//!     cell ✗  leaf                     ✗ conflict; in a leaf every cell is filled
//! ```
//!
//! The choice of the cell learns from the first conflicts. After that the tree is fixed, so that
//! threads can share it without changing it.

mod dfs;
mod observer;
mod probes;
mod search;

use std::ops::ControlFlow;

pub use self::observer::{Decision, NodeDomains, Observer};
use self::probes::DiveTask;
pub use self::probes::Probes;
use self::search::{RelaxedWalk, Walk};
use super::labels::check_capacity;
use super::sizes::{dispatch, dispatch_among_few};
use super::state::Consistency;
use super::symmetry::SymmetryBranch;
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;
use crate::runtime::scheduler::{SchedulerError, SearchProgress, Sink};

/// The number of placements, of values in cells, from which a decision takes long.
const MANY_PLACEMENTS: usize = 100_000;

/// The strategy for splitting domains: how far to propagate, and when to involve other threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    consistency: Consistency,
    /// The number of decisions whose failures change the choice of cells; then threads share the
    /// rest.
    learning: u64,
    /// The number of decisions, some milliseconds, after which a thread gives away the end of its
    /// job, so that all threads work close to the next results.
    per_job: u64,
}

impl Split {
    /// Splits until each cell is filled. Only cells with few values propagate.
    ///
    /// Learning from all failures takes as many nodes as learning from the first 2^15 decisions,
    /// and 1 to 3 % fewer than from the first 2^14, which take 20 ms. On boards of more than 12×12
    /// a decision takes longer, so they learn from fewer.
    pub fn whole_tree(problem: &Problem) -> Split {
        let placements = problem.board.size() * problem.kinds.values.len();
        let learning = (1 << 14) * MANY_PLACEMENTS / placements.max(1);
        let learning = learning.clamp(1 << 9, 1 << 14) as u64;
        Split {
            consistency: Consistency::Bounded(propagation_bound(problem)),
            learning,
            per_job: learning / 2,
        }
    }

    /// Sets the number of decisions whose failures change the choice of cells; then threads share
    /// the rest.
    pub fn with_learning_decisions(self, decisions: u64) -> Split {
        Split { learning: decisions, ..self }
    }

    /// Checks that a problem does not have too many values or labels.
    ///
    /// # Errors
    /// A message that names the exceeded limit.
    pub fn serves(problem: &Problem) -> Result<(), String> {
        check_capacity(problem)
    }

    /// Makes `probes` random dives. Each one yields an estimate of the number of decisions in the
    /// tree; the mean is unbiased (Knuth, *Mathematics of Computation* 29, 1975), except for what
    /// dives learn from failures. Breaks if the token is cancelled.
    ///
    /// # Panics
    /// If [`Split::serves`] returns an error.
    pub fn probe(
        self,
        problem: &Problem,
        part: &SymmetryBranch,
        (probes, random): (u32, &mut Random),
        token: &CancelToken<'_>,
    ) -> Flow<Probes> {
        dispatch_among_few(problem, DiveTask { split: self, problem, part, random, probes, token })
    }

    /// Passes all solutions in the parts to the sink in order, each as the value of each cell.
    /// Returns `Break` if the sink, the token or the observer ended the search, and the number of
    /// decisions. If a part takes long, `threads` threads share it; the order stays the same. With
    /// an observer, a single thread does everything. Polls the sink, and the token where there is
    /// no progress to report.
    ///
    /// # Errors
    /// If the threads cannot be started or fail.
    ///
    /// # Panics
    /// If [`Split::serves`] returns an error.
    pub fn walk(
        self,
        problem: &Problem,
        parts: &[SymmetryBranch],
        (threads, token): (usize, &CancelToken<'_>),
        sink: &mut dyn Sink<Vec<usize>>,
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
                sink,
                observer: observer.as_mut().map(|observer| &mut **observer as _),
                before: SearchProgress::new(decided, index as f64 * share),
                share,
            };
            let (end, decisions) = match problem.most_broken {
                None => dispatch(problem, walk)?,
                Some(most_broken) => {
                    dispatch_among_few(problem, RelaxedWalk { walk, most_broken })?
                }
            };
            decided = decisions;
            if end.is_break() {
                return Ok((end, decided));
            }
        }
        Ok((ControlFlow::Continue(()), decided))
    }
}

/// The maximum domain size of a cell that propagates in a search. It must exceed the number of
/// values that remain if one neighbour is known (values ÷ labels). Otherwise nothing propagates and
/// the number of nodes explodes: 500 times more with a bound of 12 instead of 20 on a 10×10 board
/// with 16 images. From 1.2 to 3 times that number, times differ by less than the noise.
fn propagation_bound(problem: &Problem) -> u32 {
    const LEAST: f64 = 16.0;
    const TIMES: f64 = 1.6;
    let one_side_known = problem.kinds.values.len() as f64 / problem.puzzle.labels.len() as f64;
    (TIMES * one_side_known).max(LEAST) as u32
}
