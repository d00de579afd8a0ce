//! The methods of the portfolio, and what a run of one sees of the others.
//!
//! A method is one file, or one folder, and a line in the list of the portfolio. It proves nothing;
//! it reports arrangements that are better than all that any method has found.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::tables::FitTables;
use crate::runtime::clock::{self, Instant};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;
use crate::runtime::scheduler::{Progress, Sink};

/// A way to good arrangements.
pub(super) struct Method {
    /// Its name in statistics.
    pub name: &'static str,
    /// Fails, with the reason in a few words, if it cannot obey all that a problem requires.
    pub serves: fn(&FitTables<'_>) -> Result<(), &'static str>,
    /// Steps after which it had better begin anew; `None` if it makes use of any number.
    pub restart: fn(&FitTables<'_>) -> Option<u64>,
    /// True if it finds arrangements by itself, so that it may get most of a round.
    pub leads: bool,
    /// Looks for arrangements that break fewer seams than the best that was reached.
    pub run: fn(&mut Run<'_>) -> Flow,
}

/// The values of all cells, and the method that found them.
pub(super) type Guess = (&'static Method, Vec<usize>);

/// How much is spent on a round, or on a run of one method.
#[derive(Clone, Copy)]
pub(super) struct Effort<'a> {
    pub steps: u64,
    /// Other seeds give other guesses.
    pub seed: u64,
    /// Polled by what counts no steps.
    pub token: &'a CancelToken<'a>,
    /// When the round began, and the time that was left for it.
    pub started: Instant,
    pub time: Option<Duration>,
}

impl<'a> Effort<'a> {
    /// Some steps from now on, in the time that is left.
    pub fn new(steps: u64, seed: u64, token: &'a CancelToken<'a>) -> Self {
        Effort { steps, seed, token, started: clock::now(), time: token.time_left() }
    }

    /// The share of the effort that is spent after so many steps: of the steps, or of the time
    /// where that is scarcer. A method without the time to cool down slowly must do so fast.
    fn share(&self, steps: u64) -> f64 {
        let of_time = self.time.map_or(0.0, |time| {
            self.started.elapsed().as_secs_f64() / time.as_secs_f64().max(f64::EPSILON)
        });
        f64::max(steps as f64 / self.steps as f64, of_time)
    }
}

/// A run of one method.
pub(super) struct Run<'a> {
    pub method: &'static Method,
    pub tables: &'a FitTables<'a>,
    pub effort: Effort<'a>,
    pub reached: &'a Reached,
    pub random: Random,
    /// Steps of the runs that report to the same sink before this one.
    pub before: u64,
    /// Steps of this run, as it reported them last.
    pub steps: u64,
    pub sink: &'a mut dyn Sink<Guess>,
    /// The last answer of the sink.
    pub flow: Flow,
}

impl Run<'_> {
    /// Reports the steps so far, and returns their share of the effort; breaks if all of it is
    /// spent, or if the sink does.
    pub fn go_on(&mut self, steps: u64) -> Flow<f64> {
        let share = self.effort.share(steps);
        self.steps = steps;
        self.flow = self.sink.progress(Progress::new(self.before + steps, share));
        self.flow?;
        if share >= 1.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(share) }
    }

    /// Reports values, after some steps, if they break fewer seams than any before.
    pub fn improve(&mut self, broken: usize, values: &[usize], steps: u64) -> Flow {
        if self.reached.improve(broken, values, self.method) {
            self.flow = self.sink.found((self.method, values.to_vec()), self.before + steps);
            self.flow?;
        }
        ControlFlow::Continue(())
    }
}

/// The best that any method has found, on any thread.
pub(super) struct Reached {
    /// The fewest broken seams, so that they can be read often; it changes under the lock alone.
    broken: AtomicUsize,
    best: Mutex<Best>,
}

/// The best arrangement.
#[derive(Clone)]
pub(super) struct Best {
    /// Its broken seams; the largest number if nothing is found.
    pub broken: usize,
    /// The values of all cells.
    pub values: Vec<usize>,
    /// The name of the method that found the best of those that lead.
    pub leading: Option<&'static str>,
}

impl Reached {
    /// Begins with the values of an arrangement and its broken seams, if one is known.
    pub fn new(start: Option<(usize, Vec<usize>)>) -> Self {
        let (broken, values) = start.unwrap_or((usize::MAX, Vec::new()));
        let best = Best { broken, values, leading: None };
        Reached { broken: AtomicUsize::new(broken), best: Mutex::new(best) }
    }

    /// The fewest broken seams.
    pub fn broken(&self) -> usize {
        self.broken.load(Ordering::Relaxed)
    }

    /// Takes values that break fewer seams than any before; returns true if they do.
    fn improve(&self, broken: usize, values: &[usize], method: &Method) -> bool {
        if broken >= self.broken() {
            return false;
        }
        let mut best = self.lock();
        // Another thread may have been faster.
        if broken >= best.broken {
            return false;
        }
        let leading = if method.leads { Some(method.name) } else { best.leading };
        *best = Best { broken, values: values.to_vec(), leading };
        self.broken.store(broken, Ordering::Relaxed);
        true
    }

    /// The best so far.
    pub fn lock(&self) -> MutexGuard<'_, Best> {
        // Where a thread panicked, what it wrote was whole.
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
