//! A line of words on the terminal that shows how far a command is.
//!
//! It appears after 0.3 seconds, only on a terminal, and is gone when the run ends.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
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
    /// Dropping the sender ends the thread. `None` if the system starts no thread: then the function
    /// is never called.
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Ticker {
    pub fn start(period: Duration, mut tick: impl FnMut() + Send + 'static) -> Ticker {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::Builder::new().spawn(move || {
            while stopped.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                tick();
            }
        });
        Ticker { running: thread.ok().map(|thread| (stop, thread)) }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            drop(stop);
            // If the function panicked, its message has been printed.
            let _ = thread.join();
        }
    }
}
