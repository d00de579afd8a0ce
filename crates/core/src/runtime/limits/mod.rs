//! The limits of a run, and the cancellation token that all of its loops poll.
//!
//! ```text
//!   Limits ──► CancelToken ──► preparation, probes, counts      work(units)
//!                  ▲
//!                  └───────── host of the engine ◄── searches   poll
//! ```
//!
//! Every loop whose work is not bounded by a small constant polls the token of its run: searches
//! through their host, to which they also report progress, everything else directly.
//! ARCHITECTURE.md lists these loops.

mod memory;
mod token;

use std::time::Duration;

pub(crate) use self::memory::doubled;
pub use self::memory::{Memory, MemoryLimit};
pub use self::token::{CancelToken, Flow, Interrupt};
use crate::runtime::clock::Instant;

/// The reason why a run was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The requested number of solutions was found.
    Enough,
    /// This time limit was reached; zero if the limit is unknown.
    Time(Duration),
    /// This limit on the number of nodes was reached; 0 if the limit is unknown.
    Nodes(u64),
    /// More memory than this limit in bytes was needed; 0 if there is no limit or it is unknown.
    Memory(u64),
    /// The run was interrupted from outside, for instance by Ctrl-C.
    Interrupted,
}

/// The conditions for stopping a run early, and the number of threads.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits<'a> {
    /// The number of distinct solutions after which the run stops; 0 for all.
    pub distinct: u64,
    /// The time limit.
    pub time: Option<Duration>,
    /// The start of the time limit, so that it can include reading the puzzle; `None` for the time
    /// at which the token is created.
    pub since: Option<Instant>,
    /// The maximum number of [nodes](crate::engine::Work::nodes), or of steps of the methods that
    /// [search for the best arrangement](crate::optimise).
    pub nodes: Option<u64>,
    /// The request to stop, polled during the run.
    pub interrupt: Option<&'a dyn Interrupt>,
    /// The memory of the process at which the run stops.
    pub memory: MemoryLimit,
    /// The maximum number of threads of the engine; 0 for one.
    pub threads: usize,
}
