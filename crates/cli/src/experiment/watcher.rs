//! A thread beside the runs of a comparison: it shows which engine runs and for how long, and hears
//! Ctrl-C, whatever an engine is busy with.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use edgematch::analyse::compare::Watch;
use edgematch::load::printable;
use edgematch::runtime::clock::seconds;

use crate::common::interrupt::Skips;
use crate::common::{Line, Ticker, say};

/// How often it looks.
const PERIOD: Duration = Duration::from_millis(20);

/// The runs that it watches.
pub struct Watcher {
    // Dropped before what its thread shows.
    _ticker: Ticker,
    shared: Arc<Mutex<Shared>>,
    skip: Arc<AtomicBool>,
    end: Arc<AtomicBool>,
    is_quiet: bool,
}

struct Shared {
    line: Line,
    /// The puzzle, and which of how many it is.
    puzzle: String,
    /// What runs, and since when.
    run: Option<(String, Instant)>,
    limit: Duration,
}

impl Shared {
    fn show(&mut self) {
        if let Some((name, started)) = &self.run {
            let [ran, limit] = [started.elapsed(), self.limit].map(|t| seconds(t.as_secs_f64()));
            let words = format!("{}: {name}, {ran} of {limit}", self.puzzle);
            self.line.show(|| words);
        }
    }
}

impl Watcher {
    /// Watches from now on. `limit` is that of a run.
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
            skips.look();
            locked(&seen).show();
        });
        Watcher { _ticker: ticker, shared, skip, end, is_quiet }
    }

    /// The flag that stops a run.
    pub fn skip(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.skip)
    }

    /// Whether all is to end.
    pub fn is_ended(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }

    /// Names the puzzle of the runs to come.
    pub fn puzzle(&self, name: &str, number: usize, of: usize) {
        let name = printable(name);
        let mut shared = locked(&self.shared);
        shared.run = None;
        shared.puzzle = match of {
            1 => name,
            of => format!("{name} ({number} of {of})"),
        };
    }

    /// Takes the line away while something is printed.
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
            self.aside(|| say(&format!("{name} is skipped; Ctrl-C twice ends it all")));
        }
        ControlFlow::Continue(())
    }
}

fn locked(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
