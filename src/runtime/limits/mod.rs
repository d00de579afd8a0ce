//! The limits of a run, and the cancellation token that all of its loops poll.
//!
//! ```text
//!   Limits ──► CancelToken ──► preparation, probes, counts      work(units)
//!                  ▲
//!                  └───────── host of the engine ◄── searches   poll
//! ```
//!
//! Every loop whose work is not bounded by a small constant polls the token of its run: a search
//! through its host, which reports progress as well, anything else directly. ARCHITECTURE.md lists
//! these loops.

mod memory;
mod token;

use std::time::Duration;

pub(crate) use self::memory::doubled;
pub use self::memory::{Memory, MemoryLimit};
pub use self::token::{CancelToken, Flow, Interrupt};
use crate::runtime::clock::Instant;

/// Why a run was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// As many as asked for were found.
    Enough,
    /// The time was up; zero where nobody knows how long it was.
    Time(Duration),
    /// The engine had visited as many nodes as it might; 0 where nobody knows how many.
    Nodes(u64),
    /// It would have needed more memory than so many bytes; 0 where nobody knows how many.
    Memory(u64),
    /// Somebody interrupted it.
    Interrupted,
}

/// When to stop before all is found, and the threads to search with.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits<'a> {
    /// After so many distinct arrangements; 0 for all.
    pub distinct: u64,
    /// After this time.
    pub time: Option<Duration>,
    /// The time counts from here on, so that reading and searching share it; otherwise from when the
    /// token is made.
    pub since: Option<Instant>,
    /// After so many [nodes](crate::engine::Work::nodes), and steps of the methods that
    /// [look for the best](crate::optimise).
    pub nodes: Option<u64>,
    /// As soon as this is raised.
    pub interrupt: Option<&'a dyn Interrupt>,
    /// As soon as the process has more memory than this.
    pub memory: MemoryLimit,
    /// The engine searches with at most so many threads; 0 for one.
    pub threads: usize,
}

impl<'a> Limits<'a> {
    /// The token of a run that begins now, under the limits of time and memory and the interrupt;
    /// the others are those of each search in it.
    pub fn token(&self) -> CancelToken<'a> {
        CancelToken::new(self)
    }
}
