//! How long a search will take: by the share of the tree that is done, where that can be believed,
//! else by random probes of the tree.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use edgematch::analyse::estimate::by_probes;
use edgematch::engine::ENGINES;
use edgematch::enumerate::Limits;
use edgematch::problem::Problem;
use edgematch::runtime::scheduler;

/// A smaller share of the tree says nothing: a branch that ends at once counts as much as one that
/// holds almost everything.
const LEAST_SHARE: f64 = 0.01;

/// How much longer a search may seem to take than it did at half the time.
const GROWTH: f64 = 1.2;

/// Random ways down a tree: as many as `estimate` goes, and always the same.
const PROBES: u32 = 1000;
const SEED: u64 = 1;

/// A standard error above this share of the mean leaves nothing to say.
const MOST_ERROR: f64 = 0.5;

/// What is known of the share that is done, from the start to now.
#[derive(Debug, Default)]
pub struct Forecast {
    /// Moments and shares, the moments at least `spacing` apart.
    history: Vec<(Duration, f64)>,
    spacing: Duration,
}

impl Forecast {
    /// Notes the share that is done after some time.
    pub fn note(&mut self, elapsed: Duration, share: f64) {
        const MOST: usize = 256;
        let last = self.history.last().map_or(Duration::ZERO, |last| last.0);
        if !self.history.is_empty() && elapsed < last + self.spacing {
            return;
        }
        self.history.push((elapsed, share));
        if self.history.len() == MOST {
            let mut index = 0;
            self.history.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.spacing = 2 * elapsed / MOST as u32;
        }
    }

    /// The share that is done, and the time left if it goes on as before. `None` while the share is
    /// small, and while the whole seems to take longer and longer: then nobody can tell.
    pub fn left(&self, elapsed: Duration, share: f64) -> Option<Duration> {
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

/// The nodes of a whole search by random probes, on a thread of its own.
pub struct Probed {
    answer: Receiver<Option<(f64, f64)>>,
    nodes: Option<(f64, f64)>,
    /// Ends the probes.
    is_unwanted: Arc<AtomicBool>,
}

impl Drop for Probed {
    fn drop(&mut self) {
        self.is_unwanted.store(true, Ordering::Relaxed);
    }
}

impl Probed {
    /// Begins to probe an engine in its usual form, where it can be probed.
    pub fn start(problem: &Problem, engine: &str) -> Probed {
        let (give, answer) = channel();
        let is_unwanted = Arc::new(AtomicBool::new(false));
        let mut kinds = ENGINES.iter();
        if let Some(kind) = kinds.find(|kind| kind.name == engine && kind.has_probes) {
            let problem = problem.clone();
            let flag = Arc::clone(&is_unwanted);
            // Without a thread nothing is expected; where the run is over nobody wants it.
            let _ = scheduler::start(move || {
                let limits = Limits { interrupt: Some(&flag), ..Limits::default() };
                let (engine, token) = (kind.usual(), limits.token());
                let _ = give.send(by_probes(&problem, engine.as_ref(), PROBES, SEED, &token));
            });
        }
        Probed { answer, nodes: None, is_unwanted }
    }

    /// `8.98e8 ± 36 % nodes expected`, as soon as it is known, and while it can be believed.
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

    /// What is said at the end of a run with so much done after each second.
    fn said(shares: &[f64]) -> Option<Duration> {
        let mut forecast = Forecast::default();
        let mut left = None;
        for (index, &share) in shares.iter().enumerate() {
            let elapsed = seconds(index as f64 + 1.0);
            left = forecast.left(elapsed, share);
            forecast.note(elapsed, share);
        }
        left
    }

    #[test]
    fn a_steady_search_tells_the_time_left() {
        let steady: Vec<f64> = (1..=20).map(|second| 0.01 * f64::from(second)).collect();
        assert_eq!(said(&steady), Some(seconds(80.0)));
        assert_eq!(said(&[0.5, 1.0]), Some(Duration::ZERO));
    }

    #[test]
    fn a_small_share_and_one_that_falls_behind_tell_nothing() {
        assert_eq!(said(&[0.0005; 20]), None);
        // A branch that ended at once counted as much as the one in hand.
        assert_eq!(said(&[0.1; 20]), None);
        let slowing: Vec<f64> = (1..=20).map(|s| 0.05 * f64::from(s).sqrt()).collect();
        assert_eq!(said(&slowing), None);
        assert_eq!(said(&[0.3]), None, "nothing is known from before");
    }

    #[test]
    fn the_history_of_a_long_run_stays_short() {
        let mut forecast = Forecast::default();
        for step in 0..1_000_000_u32 {
            forecast.note(Duration::from_millis(10) * step, 1e-6 * f64::from(step));
        }
        assert!(forecast.history.len() < 256);
        assert!(forecast.left(seconds(10_000.0), 0.5).is_none());
        assert!(forecast.left(seconds(10_000.0), 1.0).is_some());
    }
}
