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
    /// Returns `Ok` if the method supports the problem, otherwise a short reason as the error.
    pub serves: fn(&FitTables<'_>) -> Result<(), &'static str>,
    /// The number of steps after which the method should be restarted; `None` if it never needs a
    /// restart.
    pub restart: fn(&FitTables<'_>) -> Option<u64>,
    /// True if it needs no incumbent to start from. Such a method may lead: it gets most of a round
    /// after it has improved the incumbent.
    pub leads: bool,
    /// Searches for arrangements with fewer broken seams than the incumbent, and reports them.
    /// Breaks if its effort is spent or the sink stops it.
    pub run: fn(&mut MethodRun<'_>) -> Flow,
}

/// An arrangement from a method: the method, and the value of each cell.
pub(super) type Guess = (&'static Method, Vec<usize>);

/// The limits of a round, or of a run of one method.
#[derive(Clone, Copy)]
pub(super) struct Effort<'a> {
    pub steps: u64,
    /// The random seed; different seeds give different guesses.
    pub seed: u64,
    /// The token of the run, for work that is not counted in steps.
    pub token: &'a CancelToken<'a>,
    /// The start of the round, and the time that was left then; `None` without a time limit.
    pub started: Instant,
    pub time: Option<Duration>,
}

impl<'a> Effort<'a> {
    /// Creates the limits of a round of `steps` steps that starts now, within the remaining time of
    /// the token.
    pub fn new(steps: u64, seed: u64, token: &'a CancelToken<'a>) -> Self {
        Effort { steps, seed, token, started: clock::now(), time: token.time_left() }
    }

    /// The share of the effort that is spent after `steps` steps: of the steps or of the time,
    /// whichever is larger; may exceed 1. Cooling schedules use it, so annealing cools faster if
    /// time is scarce.
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
    pub reached: &'a Incumbent,
    pub random: Random,
    /// The steps of earlier runs that report to the same sink.
    pub before: u64,
    /// The steps of this run in its last report.
    pub steps: u64,
    pub sink: &'a mut dyn Sink<Guess>,
    /// The last reply of the sink; `Break` if the run was stopped.
    pub flow: Flow,
}

impl MethodRun<'_> {
    /// Reports the number of steps so far and returns the share of the effort that is spent, below
    /// 1. Breaks if it is spent or the sink breaks.
    pub fn report(&mut self, steps: u64) -> Flow<f64> {
        let share = self.effort.share(steps);
        self.steps = steps;
        self.flow = self.sink.progress(SearchProgress::new(self.before + steps, share));
        self.flow?;
        if share >= 1.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(share) }
    }

    /// Makes values the incumbent and reports them if they break fewer seams than it; `broken` is
    /// their number of broken seams. Breaks if the sink breaks.
    pub fn improve(&mut self, broken: usize, values: &[usize], steps: u64) -> Flow {
        if self.reached.improve(broken, values, self.method) {
            self.flow = self.sink.found((self.method, values.to_vec()), self.before + steps);
            self.flow?;
        }
        ControlFlow::Continue(())
    }
}

/// The incumbent of all methods on all threads.
pub(super) struct Incumbent {
    /// The fewest broken seams. It can be read without the lock but only changes under it.
    broken: AtomicUsize,
    best: Mutex<BestArrangement>,
}

/// The best arrangement found so far.
#[derive(Clone)]
pub(super) struct BestArrangement {
    /// The number of its broken seams; `usize::MAX` if there is no arrangement.
    pub broken: usize,
    /// The value of each cell; empty if there is no arrangement.
    pub values: Vec<usize>,
    /// The name of the last method with [`leads`](Method::leads) that improved the incumbent.
    pub leading: Option<&'static str>,
}

impl Incumbent {
    /// Creates the incumbent from a known number of broken seams and values, or without an
    /// arrangement.
    pub fn new(start: Option<(usize, Vec<usize>)>) -> Self {
        let (broken, values) = start.unwrap_or((usize::MAX, Vec::new()));
        let best = BestArrangement { broken, values, leading: None };
        Incumbent { broken: AtomicUsize::new(broken), best: Mutex::new(best) }
    }

    /// The number of broken seams of the incumbent; `usize::MAX` if there is none.
    pub fn broken(&self) -> usize {
        self.broken.load(Ordering::Relaxed)
    }

    /// Replaces the incumbent if `broken` is smaller than its number of broken seams; returns true
    /// if replaced.
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
