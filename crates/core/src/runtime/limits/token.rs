//! The cancellation token of a run.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::{Limits, MemoryLimit, StopReason};
use crate::runtime::clock::{self, Instant};

/// The result of a step of a run: `Break` if the run must end, otherwise `Continue` with a value.
pub type Flow<T = ()> = ControlFlow<(), T>;

/// The number of units of work between two polls, some milliseconds. A unit takes about as long as
/// comparing two numbers in memory.
const UNITS_PER_POLL: u64 = 1 << 18;

/// A request to stop runs, such as an atomic flag.
pub trait Interrupt: fmt::Debug + Sync {
    /// Returns true once the run should stop. It is called at each poll, with the units of work
    /// counted since the previous one.
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

/// The cancellation token of a run. Its methods return `Break` once the time is up, the run is
/// interrupted or memory runs out, and from then on each poll does. All threads of a run share one
/// token.
#[derive(Debug)]
pub struct CancelToken<'a> {
    started: Instant,
    time: Option<Duration>,
    interrupt: Option<&'a dyn Interrupt>,
    memory: MemoryLimit,
    /// The units of work since the last poll. Concurrent updates may be lost.
    units: AtomicU64,
    stopped: OnceLock<StopReason>,
}

impl<'a> Limits<'a> {
    /// Creates the token of a run that started at `since`, or now if that is not given, with the
    /// limits of time and memory and the interrupt. The other limits apply to each search
    /// separately.
    pub fn token(&self) -> CancelToken<'a> {
        CancelToken {
            started: self.since.unwrap_or_else(clock::now),
            time: self.time,
            interrupt: self.interrupt,
            memory: self.memory,
            units: AtomicU64::new(0),
            stopped: OnceLock::new(),
        }
    }
}

impl<'a> CancelToken<'a> {
    /// Creates a token that never breaks.
    pub fn never() -> Self {
        Limits::default().token()
    }

    /// Counts units of work, and polls when many have been counted. Every unbounded loop calls this
    /// with the cost of each step. Breaks if the poll does.
    #[inline]
    pub fn work(&self, units: usize) -> Flow {
        let counted = self.units.load(Ordering::Relaxed) + units as u64;
        self.units.store(counted, Ordering::Relaxed);
        if counted < UNITS_PER_POLL { ControlFlow::Continue(()) } else { self.poll() }
    }

    /// Breaks if the time is up, the run is interrupted, or it was stopped before.
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

    /// Like [`poll`](Self::poll), but breaks with the reason.
    pub fn check(&self) -> ControlFlow<StopReason> {
        self.poll().map_break(|()| self.stop_reason().unwrap_or(StopReason::Interrupted))
    }

    /// Stops the run and breaks if allocating `bytes` more bytes would exceed the memory limit.
    pub fn may_take(&self, bytes: u64) -> Flow {
        match self.memory.reached_with(bytes) {
            Some(limit) => self.stop(StopReason::Memory(limit)),
            None => ControlFlow::Continue(()),
        }
    }

    /// The memory limit in bytes if allocating `bytes` more bytes would exceed it, otherwise `None`.
    pub fn memory_exceeded(&self, bytes: u64) -> Option<u64> {
        self.memory.reached_with(bytes)
    }

    /// Stops the run after a failed allocation. Always breaks.
    pub fn out_of_memory(&self) -> Flow {
        self.stop(StopReason::Memory(self.memory.any().unwrap_or_default()))
    }

    /// Stops the run with a reason, unless it was stopped before. Always breaks.
    fn stop(&self, reason: StopReason) -> Flow {
        // The first reason wins if several threads stop.
        let _ = self.stopped.set(reason);
        ControlFlow::Break(())
    }

    /// The reason why the run was stopped; `None` while it continues.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.stopped.get().copied()
    }

    /// The limits of a part of this run that starts now: its time limit is `time`, or the remaining
    /// time if that is less; interrupt and memory limit are those of this run.
    pub fn limits_within(&self, time: Duration) -> Limits<'a> {
        Limits {
            time: Some(self.time_left().map_or(time, |left| left.min(time))),
            interrupt: self.interrupt,
            memory: self.memory,
            ..Limits::default()
        }
    }

    /// The remaining time, zero if it is over; `None` without a time limit.
    pub fn time_left(&self) -> Option<Duration> {
        let elapsed = self.started.elapsed();
        self.time.map(|time| time.saturating_sub(elapsed))
    }
}
