//! Limits of a run: solutions, nodes, time, memory, an interrupt.
//!
//! Engines ask for them again and again, at least every tenth of a second; a run that reaches one
//! says which it was.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{RunStatus, StopReason};
use crate::clock::Instant;

/// When to stop before all is found, and the threads to search with.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits<'a> {
    /// After so many distinct arrangements; 0 for all.
    pub distinct: u64,
    /// After this time.
    pub time: Option<Duration>,
    /// After so many [nodes](crate::engine::Work::nodes).
    pub nodes: Option<u64>,
    /// After so many steps of the methods that [look for the best](crate::optimise), which no other
    /// run has.
    pub steps: Option<u64>,
    /// As soon as this becomes true.
    pub interrupt: Option<&'a AtomicBool>,
    /// As soon as the process has more memory than this.
    pub memory: MemoryLimit,
    /// The engine searches with at most so many threads; 0 for one.
    pub threads: usize,
}

/// How much memory the process has, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// In the machine's memory.
    pub resident: u64,
    /// Of address space.
    pub address_space: u64,
}

/// How much memory the process may have, in bytes; by default any amount.
#[derive(Debug, Clone, Copy, Default)]
pub struct MemoryLimit {
    used: Option<fn() -> Option<Memory>>,
    resident: Option<u64>,
    address_space: Option<u64>,
}

impl MemoryLimit {
    /// Limits in the machine's memory, and of address space where the system grants no more than
    /// some. `used` tells how much the process has: the library asks no system; what is not
    /// told is no reason to stop.
    ///
    /// A run stops when a sixteenth of the address space is left, or 16 MiB: what is wanted beyond
    /// it would end the process, and what was found is still to be shown.
    pub fn measured_by(
        used: fn() -> Option<Memory>,
        resident: Option<u64>,
        address_space: Option<u64>,
    ) -> MemoryLimit {
        MemoryLimit {
            used: Some(used),
            resident,
            address_space,
        }
    }

    /// One of the limits, where there is one.
    pub(super) fn any(&self) -> Option<u64> {
        self.resident.or(self.address_space)
    }

    /// The limit that is reached when the process takes so many bytes more, where one is.
    fn reached_with(&self, more: u64) -> Option<u64> {
        // It is not asked for nothing.
        self.any()?;
        let used = self.used?()?;
        let is_above = |used: u64, most: u64| used.saturating_add(more) > most;
        let resident = self
            .resident
            .filter(|&limit| is_above(used.resident, limit));
        let address_space = self.address_space.filter(|&limit| {
            let most = limit.saturating_sub(reserve(limit));
            is_above(used.address_space, most)
        });
        resident.or(address_space)
    }
}

/// Bytes of a hash table that doubles, as it does when it is full of so many entries of so many bytes:
/// one more for the control of each, and an eighth stays empty.
pub(crate) fn doubled(entries: usize, bytes: u64) -> u64 {
    (2 * entries as u64 + 4) * (bytes + 1) * 8 / 7
}

/// Address space that is left when a run stops.
fn reserve(granted: u64) -> u64 {
    const LEAST: u64 = 16 << 20;
    LEAST.max(granted / 16)
}

impl<'a> Limits<'a> {
    /// What is left of the limits for one of several runs, after the others have taken some time.
    pub fn after(&self, elapsed: Duration) -> Limits<'a> {
        Limits {
            time: self.time.map(|time| time.saturating_sub(elapsed)),
            ..*self
        }
    }

    /// How several runs ended by how the last one did: it stopped after the whole time, not after
    /// what was left of it.
    pub fn of_whole(&self, status: RunStatus) -> RunStatus {
        match status {
            RunStatus::Stopped(StopReason::Time(_)) => {
                RunStatus::Stopped(StopReason::Time(self.time.unwrap_or_default()))
            }
            status => status,
        }
    }

    /// The clock of a run that began at this time.
    pub fn clock(&'a self, started: Instant) -> Clock<'a> {
        Clock {
            started,
            limits: self,
        }
    }
}

/// When a run began, and whether it must stop.
#[derive(Debug, Clone, Copy)]
pub struct Clock<'a> {
    started: Instant,
    limits: &'a Limits<'a>,
}

impl<'a> Clock<'a> {
    /// The limits that it watches.
    pub fn limits(&self) -> &'a Limits<'a> {
        self.limits
    }

    /// `Break` where a limit is reached or somebody interrupted.
    pub fn go_on(&self) -> ControlFlow<StopReason> {
        self.in_time()?;
        self.may_take(0)
    }

    /// `Break` where the time is up or somebody interrupted: soon told, so that it may be asked
    /// often.
    pub fn in_time(&self) -> ControlFlow<StopReason> {
        let interrupt = self.limits.interrupt;
        if interrupt.is_some_and(|interrupt| interrupt.load(Ordering::Relaxed)) {
            return ControlFlow::Break(StopReason::Interrupted);
        }
        if let Some(limit) = self.limits.time
            && self.started.elapsed() >= limit
        {
            return ControlFlow::Break(StopReason::Time(limit));
        }
        ControlFlow::Continue(())
    }

    /// `Break` where so many bytes more, taken at once, are too many.
    pub fn may_take(&self, bytes: u64) -> ControlFlow<StopReason> {
        match self.limits.memory.reached_with(bytes) {
            Some(limit) => ControlFlow::Break(StopReason::Memory(limit)),
            None => ControlFlow::Continue(()),
        }
    }
}
