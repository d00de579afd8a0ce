//! A line of words on the terminal that shows how far a command is.
//!
//! It appears after 0.3 seconds, only on a terminal, and is gone when the run ends.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Shorter runs show nothing.
const PATIENCE: Duration = Duration::from_millis(300);

/// A line of words; it is never shown if standard error is not a terminal.
pub struct Line {
    pub started: Instant,
    /// True if the line is shown as soon as it is due.
    pub is_wanted: bool,
    bar: OnceLock<ProgressBar>,
}

impl Line {
    pub fn new(is_quiet: bool) -> Self {
        let is_wanted = !is_quiet && io::stderr().is_terminal();
        Line { started: Instant::now(), is_wanted, bar: OnceLock::new() }
    }

    /// Returns true if words would be shown now.
    pub fn is_due(&self) -> bool {
        self.is_wanted && self.started.elapsed() >= PATIENCE
    }

    /// Shows these words.
    pub fn show(&self, words: impl FnOnce() -> String) {
        if !self.is_due() {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed} elapsed");
            let bar = ProgressBar::new_spinner();
            bar.set_elapsed(self.started.elapsed());
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        });
        bar.set_message(words());
        bar.tick();
    }

    /// Hides the line while something is printed.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match self.bar.get() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the line for good.
    pub fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.finish();
    }
}

/// A thread that calls a function periodically until this value is dropped.
pub struct Ticker {
    is_over: Arc<AtomicBool>,
    /// `None` if the system starts no thread: then the function is never called.
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    pub fn start(period: Duration, mut tick: impl FnMut() + Send + 'static) -> Ticker {
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let thread = thread::Builder::new().spawn(move || {
            while !over.load(Ordering::Relaxed) {
                tick();
                thread::sleep(period);
            }
        });
        Ticker { is_over, thread: thread.ok() }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // The panic of a function that only shows something has been printed.
            let _ = thread.join();
        }
    }
}
