//! The cancellation token of a run.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::{Limits, MemoryLimit, StopReason};
use crate::runtime::clock::{self, Instant};

/// What a step of a run gives; `Break` where the run was cancelled.
pub type Flow<T = ()> = ControlFlow<(), T>;

/// Units of work between two polls, some milliseconds. A unit takes about as long as comparing two
/// numbers in memory.
const UNITS_PER_POLL: u64 = 1 << 18;

/// Asks runs to stop. A flag is one.
pub trait Interrupt: fmt::Debug + Sync {
    /// Returns true once the run is to stop. Each poll asks, with the units of work that were counted
    /// since the one before.
    fn is_raised(&self, units: u64) -> bool;
}

impl Interrupt for AtomicBool {
    fn is_raised(&self, _units: u64) -> bool {
        self.load(Ordering::Relaxed)
    }
}

impl<T: Interrupt + Send + ?Sized> Interrupt for Arc<T> {
    fn is_raised(&self, units: u64) -> bool {
        (**self).is_raised(units)
    }
}

/// The cancellation token of a run: it breaks once the time is up, somebody interrupts or there is
/// no memory left, and from then on always. All threads of a run share one.
#[derive(Debug)]
pub struct CancelToken<'a> {
    started: Instant,
    time: Option<Duration>,
    interrupt: Option<&'a dyn Interrupt>,
    memory: MemoryLimit,
    /// Counted since the last poll. Threads may lose some of each other's.
    units: AtomicU64,
    stopped: OnceLock<StopReason>,
}

impl<'a> CancelToken<'a> {
    pub(super) fn new(limits: &Limits<'a>) -> Self {
        CancelToken {
            started: limits.since.unwrap_or_else(clock::now),
            time: limits.time,
            interrupt: limits.interrupt,
            memory: limits.memory,
            units: AtomicU64::new(0),
            stopped: OnceLock::new(),
        }
    }

    /// A token that never breaks.
    pub fn never() -> Self {
        CancelToken::new(&Limits::default())
    }

    /// Counts units of work, and polls where there were many since the last poll. A loop that
    /// nothing bounds counts after each of its steps what that took.
    #[inline]
    pub fn work(&self, units: usize) -> Flow {
        let counted = self.units.load(Ordering::Relaxed) + units as u64;
        self.units.store(counted, Ordering::Relaxed);
        if counted < UNITS_PER_POLL { ControlFlow::Continue(()) } else { self.poll() }
    }

    /// `Break` where the time is up or somebody interrupted.
    pub fn poll(&self) -> Flow {
        let units = self.units.swap(0, Ordering::Relaxed);
        let is_raised = self.interrupt.is_some_and(|flag| flag.is_raised(units));
        match self.time {
            _ if self.stopped.get().is_some() => ControlFlow::Break(()),
            _ if is_raised => self.stop(StopReason::Interrupted),
            Some(limit) if self.started.elapsed() >= limit => self.stop(StopReason::Time(limit)),
            _ => ControlFlow::Continue(()),
        }
    }

    /// The same as [`poll`](Self::poll), with the reason.
    pub fn check(&self) -> ControlFlow<StopReason> {
        self.poll().map_break(|()| self.stop_reason().unwrap_or(StopReason::Interrupted))
    }

    /// `Break` where so many bytes more, taken at once, are too many.
    pub fn may_take(&self, bytes: u64) -> Flow {
        match self.memory.reached_with(bytes) {
            Some(limit) => self.stop(StopReason::Memory(limit)),
            None => ControlFlow::Continue(()),
        }
    }

    /// Says why there is no memory left, where a system refused some.
    pub fn out_of_memory(&self) -> Flow {
        self.stop(StopReason::Memory(self.memory.any().unwrap_or_default()))
    }

    fn stop(&self, reason: StopReason) -> Flow {
        // The first reason stands, whatever another thread says.
        let _ = self.stopped.set(reason);
        ControlFlow::Break(())
    }

    /// Why it broke; `None` before it did.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.stopped.get().copied()
    }

    /// The limits of a part of this run that may take so much time, if the run has it left.
    pub fn within(&self, time: Duration) -> Limits<'a> {
        Limits {
            time: Some(self.time_left().map_or(time, |left| left.min(time))),
            interrupt: self.interrupt,
            memory: self.memory,
            ..Limits::default()
        }
    }

    /// The time that is left; `None` where there is no limit.
    pub fn time_left(&self) -> Option<Duration> {
        let elapsed = self.started.elapsed();
        self.time.map(|time| time.saturating_sub(elapsed))
    }
}
