//! A progress line on standard error, and a thread that updates it.
//!
//! The line appears after 0.3 seconds, only on a terminal, and is removed when the run ends.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// The time before the line appears; shorter runs show none.
const PATIENCE: Duration = Duration::from_millis(300);

/// A progress line; it is never shown if standard error is not a terminal.
pub struct Line {
    /// The creation of the line, from which the elapsed time counts.
    pub started: Instant,
    /// False if the line is never shown: messages are off, or standard error is not a terminal.
    pub is_wanted: bool,
    bar: OnceLock<ProgressBar>,
}

impl Line {
    /// A progress line that is shown only on a terminal, and not if `is_quiet`.
    pub fn new(is_quiet: bool) -> Self {
        let is_wanted = !is_quiet && io::stderr().is_terminal();
        Line { started: Instant::now(), is_wanted, bar: OnceLock::new() }
    }

    /// Returns true if [`show`](Line::show) would show something now.
    pub fn is_due(&self) -> bool {
        self.is_wanted && self.started.elapsed() >= PATIENCE
    }

    /// Shows the words and the elapsed time in place of the previous ones. If the line is not due,
    /// `words` is not called.
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

    /// Hides the line while `print` runs; returns its result.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match self.bar.get() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the line.
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

/// A thread that calls a function periodically until this value is dropped, which waits for a
/// running call.
pub struct Ticker {
    /// Dropping the sender ends the thread. `None` if the system starts no thread: then the
    /// function is never called.
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Ticker {
    /// Calls `tick` after each period, on a separate thread, until the ticker is dropped. If no
    /// thread can be started, it is never called.
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
