//! Estimates how long a running search will take: from the explored share of the tree where that is
//! reliable, otherwise from random probes of the tree.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use edgematch::analyse::estimate::by_probes;
use edgematch::engine::ENGINES;
use edgematch::enumerate::Limits;
use edgematch::problem::Problem;
use edgematch::runtime::scheduler;

/// The minimum explored share for an estimate. A smaller one is unreliable, because all branches of
/// a node are weighted equally, however large.
const LEAST_SHARE: f64 = 0.01;

/// The maximum ratio of the estimated total time to the estimate at half the elapsed time.
const GROWTH: f64 = 1.2;

/// The number of random probes, the default of `estimate`, and their seed.
const PROBES: u32 = 1000;
const SEED: u64 = 1;

/// The maximum standard error of the probes, relative to their mean, for an estimate.
const MOST_ERROR: f64 = 0.5;

/// Extrapolates the remaining time from the history of the explored share.
#[derive(Debug, Default)]
pub struct Forecast {
    /// Elapsed times, at least `spacing` apart, with the share explored by then.
    history: Vec<(Duration, f64)>,
    spacing: Duration,
}

impl Forecast {
    /// Records the share explored by this time. Records too close to the last one are dropped; a
    /// full history is thinned to half.
    pub fn note(&mut self, elapsed: Duration, share: f64) {
        const MOST: usize = 256;
        let last = self.history.last().map_or(Duration::ZERO, |last| last.0);
        if !self.history.is_empty() && elapsed < last + self.spacing {
            return;
        }
        self.history.push((elapsed, share));
        if self.history.len() == MOST {
            self.history = self.history.drain(..).step_by(2).collect();
            self.spacing = 2 * elapsed / MOST as u32;
        }
    }

    /// The remaining time if the search continues at the same rate, rounded up to whole seconds.
    /// `None` while it is unreliable: the share is too small, nothing is recorded from the first
    /// half of the time, or the estimated total time keeps growing.
    pub fn time_left(&self, elapsed: Duration, share: f64) -> Option<Duration> {
        if share < LEAST_SHARE {
            return None;
        }
        let whole = |(elapsed, share): (Duration, f64)| elapsed.as_secs_f64() / share;
        let before = self.history.iter().rev().find(|at| at.0 <= elapsed / 2)?;
        if before.1 > 0.0 && whole((elapsed, share)) > GROWTH * whole(*before) {
            return None;
        }
        let left = whole((elapsed, share)) - elapsed.as_secs_f64();
        Duration::try_from_secs_f64(left.max(0.0).ceil()).ok()
    }
}

/// Estimates the nodes of the whole search by random probes on its own thread, which is cancelled
/// on drop.
pub struct Probed {
    answer: Receiver<Option<(f64, f64)>>,
    /// The mean and the standard error of the number of nodes; `None` until known, or if the probes
    /// give no estimate.
    nodes: Option<(f64, f64)>,
    /// Cancels the probes.
    is_cancelled: Arc<AtomicBool>,
}

impl Drop for Probed {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

impl Probed {
    /// Starts to probe the default form of the engine with this name. If it cannot be probed, or no
    /// thread starts, there will be no estimate.
    pub fn start(problem: &Problem, engine: &str) -> Probed {
        let (give, answer) = channel();
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let mut kinds = ENGINES.iter();
        if let Some(kind) = kinds.find(|kind| kind.name == engine && kind.has_probes) {
            let problem = problem.clone();
            let flag = Arc::clone(&is_cancelled);
            // Sending fails if the run is over.
            let _ = scheduler::start(move || {
                let limits = Limits { interrupt: Some(&flag), ..Limits::default() };
                let (engine, token) = (kind.usual(), limits.token());
                let _ = give.send(by_probes(&problem, engine.as_ref(), PROBES, SEED, &token));
            });
        }
        Probed { answer, nodes: None, is_cancelled }
    }

    /// The estimate as `9.0e8 ± 36 % nodes expected`. `None` until it is known, if its error is
    /// above [`MOST_ERROR`], or if the search has already made that many nodes.
    pub fn words(&mut self, made: u64) -> Option<String> {
        if let Ok(nodes) = self.answer.try_recv() {
            self.nodes = nodes;
        }
        let (mean, error) = self.nodes?;
        let share = error / mean;
        (mean > made as f64 && share <= MOST_ERROR)
            .then(|| format!("{mean:.1e} ± {:.0} % nodes expected", 100.0 * share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(number: f64) -> Duration {
        Duration::from_secs_f64(number)
    }

    /// The last estimate of a run with these shares explored after 1, 2, … seconds.
    fn last_estimate(shares: &[f64]) -> Option<Duration> {
        let mut forecast = Forecast::default();
        let mut left = None;
        for (index, &share) in shares.iter().enumerate() {
            let elapsed = seconds(index as f64 + 1.0);
            left = forecast.time_left(elapsed, share);
            forecast.note(elapsed, share);
        }
        left
    }

    #[test]
    fn a_steady_search_tells_the_time_left() {
        let steady: Vec<f64> = (1..=20).map(|second| 0.01 * f64::from(second)).collect();
        assert_eq!(last_estimate(&steady), Some(seconds(80.0)));
        assert_eq!(last_estimate(&[0.5, 1.0]), Some(Duration::ZERO));
    }

    #[test]
    fn a_small_share_and_one_that_falls_behind_tell_nothing() {
        assert_eq!(last_estimate(&[0.0005; 20]), None);
        // The share does not grow: a short branch was weighted as much as the current, larger one.
        assert_eq!(last_estimate(&[0.1; 20]), None);
        let slowing: Vec<f64> = (1..=20).map(|s| 0.05 * f64::from(s).sqrt()).collect();
        assert_eq!(last_estimate(&slowing), None);
        assert_eq!(last_estimate(&[0.3]), None, "nothing is known from before");
    }

    #[test]
    fn the_history_of_a_long_run_stays_short() {
        let mut forecast = Forecast::default();
        for step in 0..1_000_000_u32 {
            forecast.note(Duration::from_millis(10) * step, 1e-6 * f64::from(step));
        }
        assert!(forecast.history.len() < 256);
        assert!(forecast.time_left(seconds(10_000.0), 0.5).is_none());
        assert!(forecast.time_left(seconds(10_000.0), 1.0).is_some());
    }
}
