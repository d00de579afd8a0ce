//! The interface of the portfolio's methods, and the state that their runs share.
//!
//! A method is one file or folder, and an entry in the list of the portfolio. It proves nothing; it
//! reports arrangements that improve on those of all methods.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::tables::FitTables;
use crate::runtime::clock::{self, Instant};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;
use crate::runtime::scheduler::{SearchProgress, Sink};

/// A heuristic method that finds good arrangements.
pub(super) struct Method {
    /// The name in statistics.
    pub name: &'static str,
    /// Returns a short reason as the error if the method cannot satisfy all requirements of a
    /// problem.
    pub serves: fn(&FitTables<'_>) -> Result<(), &'static str>,
    /// The number of steps after which a restart is advisable; `None` if runs of any length are
    /// useful.
    pub restart: fn(&FitTables<'_>) -> Option<u64>,
    /// True if it finds arrangements without an incumbent, so it may get most of a round.
    pub leads: bool,
    /// Searches for arrangements with fewer broken seams than the incumbent.
    pub run: fn(&mut MethodRun<'_>) -> Flow,
}

/// The values of all cells, and the method that found them.
pub(super) type Guess = (&'static Method, Vec<usize>);

/// The effort for a round, or for a run of one method.
#[derive(Clone, Copy)]
pub(super) struct Effort<'a> {
    pub steps: u64,
    /// The random seed; different seeds give different guesses.
    pub seed: u64,
    /// Polled by work that is not counted in steps.
    pub token: &'a CancelToken<'a>,
    /// The start of the round, and the time left at that moment.
    pub started: Instant,
    pub time: Option<Duration>,
}

impl<'a> Effort<'a> {
    /// An effort of some steps, starting now, within the remaining time.
    pub fn new(steps: u64, seed: u64, token: &'a CancelToken<'a>) -> Self {
        Effort { steps, seed, token, started: clock::now(), time: token.time_left() }
    }

    /// The share of the effort spent after some steps: the share of steps or of time, whichever is
    /// larger. Cooling schedules use it, so annealing cools faster if time is scarce.
    fn share(&self, steps: u64) -> f64 {
        let of_time = self.time.map_or(0.0, |time| {
            self.started.elapsed().as_secs_f64() / time.as_secs_f64().max(f64::EPSILON)
        });
        f64::max(steps as f64 / self.steps as f64, of_time)
    }
}

/// A run of one method.
pub(super) struct MethodRun<'a> {
    pub method: &'static Method,
    pub tables: &'a FitTables<'a>,
    pub effort: Effort<'a>,
    pub reached: &'a Reached,
    pub random: Random,
    /// The steps of earlier runs that report to the same sink.
    pub before: u64,
    /// The steps of this run in its last report.
    pub steps: u64,
    pub sink: &'a mut dyn Sink<Guess>,
    /// The last reply of the sink.
    pub flow: Flow,
}

impl MethodRun<'_> {
    /// Reports the steps so far and returns their share of the effort. Breaks if the effort is
    /// spent or the sink breaks.
    pub fn report(&mut self, steps: u64) -> Flow<f64> {
        let share = self.effort.share(steps);
        self.steps = steps;
        self.flow = self.sink.progress(SearchProgress::new(self.before + steps, share));
        self.flow?;
        if share >= 1.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(share) }
    }

    /// Reports values and the current step if they break fewer seams than the incumbent.
    pub fn improve(&mut self, broken: usize, values: &[usize], steps: u64) -> Flow {
        if self.reached.improve(broken, values, self.method) {
            self.flow = self.sink.found((self.method, values.to_vec()), self.before + steps);
            self.flow?;
        }
        ControlFlow::Continue(())
    }
}

/// The incumbent of all methods on all threads.
pub(super) struct Reached {
    /// The fewest broken seams. It can be read without the lock but only changes under it.
    broken: AtomicUsize,
    best: Mutex<BestArrangement>,
}

/// The best arrangement.
#[derive(Clone)]
pub(super) struct BestArrangement {
    /// The number of its broken seams; `usize::MAX` if there is no arrangement.
    pub broken: usize,
    /// The values of all cells.
    pub values: Vec<usize>,
    /// The name of the leading method that last improved the incumbent.
    pub leading: Option<&'static str>,
}

impl Reached {
    /// Creates the state, with a known arrangement and its number of broken seams if there is one.
    pub fn new(start: Option<(usize, Vec<usize>)>) -> Self {
        let (broken, values) = start.unwrap_or((usize::MAX, Vec::new()));
        let best = BestArrangement { broken, values, leading: None };
        Reached { broken: AtomicUsize::new(broken), best: Mutex::new(best) }
    }

    /// The number of broken seams of the incumbent.
    pub fn broken(&self) -> usize {
        self.broken.load(Ordering::Relaxed)
    }

    /// Replaces the incumbent if the values break fewer seams; returns true if they do.
    fn improve(&self, broken: usize, values: &[usize], method: &Method) -> bool {
        if broken >= self.broken() {
            return false;
        }
        let mut best = self.lock();
        // Another thread may have improved it in the meantime.
        if broken >= best.broken {
            return false;
        }
        let leading = if method.leads { Some(method.name) } else { best.leading };
        *best = BestArrangement { broken, values: values.to_vec(), leading };
        self.broken.store(broken, Ordering::Relaxed);
        true
    }

    /// Locks the incumbent.
    pub fn lock(&self) -> MutexGuard<'_, BestArrangement> {
        // A thread that panicked has not left a partial write.
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
