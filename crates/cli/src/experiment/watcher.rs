//! A thread beside the runs of a comparison: it shows which engine runs and for how long, and
//! reacts to Ctrl-C even if an engine does not poll.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use edgematch::analyse::compare::Watch;
use edgematch::load::printable;
use edgematch::runtime::clock::seconds;

use crate::common::interrupt::Skips;
use crate::common::{Line, Ticker, say};

/// The time between two updates.
const PERIOD: Duration = Duration::from_millis(20);

/// Shows progress and handles signals on its own thread until it is dropped.
pub struct Watcher {
    // Dropped first: its thread uses `shared`.
    _ticker: Ticker,
    shared: Arc<Mutex<Shared>>,
    /// Stops the current run.
    pub skip: Arc<AtomicBool>,
    end: Arc<AtomicBool>,
    is_quiet: bool,
}

/// The state that both threads use.
struct Shared {
    line: Line,
    /// The current puzzle, with its number if there are several.
    puzzle: String,
    /// The engine that runs and its start; `None` between runs.
    run: Option<(String, Instant)>,
    /// The time limit of a run.
    limit: Duration,
}

impl Shared {
    /// Updates the progress line with the running engine and its time; does nothing between runs.
    fn show(&mut self) {
        if let Some((name, started)) = &self.run {
            let [ran, limit] = [started.elapsed(), self.limit].map(|t| seconds(t.as_secs_f64()));
            let words = format!("{}: {name}, {ran} of {limit}", self.puzzle);
            self.line.show(|| words);
        }
    }
}

impl Watcher {
    /// Installs the signal handlers and starts the thread; `limit` is the time limit of a run.
    pub fn new(is_quiet: bool, limit: Duration) -> Watcher {
        let mut skips = Skips::new();
        let shared = Arc::new(Mutex::new(Shared {
            line: Line::new(is_quiet),
            puzzle: String::new(),
            run: None,
            limit,
        }));
        let (skip, end) = (Arc::clone(&skips.skip), Arc::clone(&skips.end));
        let seen = Arc::clone(&shared);
        let ticker = Ticker::start(PERIOD, move || {
            skips.poll();
            locked(&seen).show();
        });
        Watcher { _ticker: ticker, shared, skip, end, is_quiet }
    }

    /// Returns true if the user or the system asked to end all runs.
    pub fn is_ended(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }

    /// Sets the puzzle of the next runs: `number` counts from 1, and `of` is the number of puzzles.
    pub fn set_puzzle(&self, name: &str, number: usize, of: usize) {
        let name = printable(name);
        let mut shared = locked(&self.shared);
        shared.run = None;
        shared.puzzle = match of {
            1 => name,
            of => format!("{name} ({number} of {of})"),
        };
    }

    /// Hides the line while `print` runs, and until the next run starts.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        let mut shared = locked(&self.shared);
        shared.run = None;
        shared.line.aside(print)
    }
}

impl Watch for Watcher {
    fn starting(&mut self, name: &str, run: Option<usize>) {
        let what = match run {
            None => name.to_owned(),
            Some(run) => format!("{name}, measured run {run}"),
        };
        locked(&self.shared).run = Some((what, Instant::now()));
    }

    fn interrupted(&mut self, name: &str) -> ControlFlow<()> {
        if self.is_ended() {
            return ControlFlow::Break(());
        }
        self.skip.store(false, Ordering::Relaxed);
        if !self.is_quiet {
            self.aside(|| say(&format!("{name} is skipped; press Ctrl-C twice to end all runs")));
        }
        ControlFlow::Continue(())
    }
}

/// Locks the shared state. A panic of another thread is ignored.
fn locked(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
