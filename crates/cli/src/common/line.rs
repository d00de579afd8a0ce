//! A line of words on the terminal that shows how far a command is.
//!
//! It appears after 0.3 seconds, only on a terminal, and is gone when the run ends.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Runs that end before show nothing.
const PATIENCE: Duration = Duration::from_millis(300);

/// A line with words; nothing at all where standard error is no terminal.
pub struct Line {
    pub started: Instant,
    is_wanted: bool,
    bar: Option<ProgressBar>,
}

impl Line {
    pub fn new(is_quiet: bool) -> Self {
        Line {
            started: Instant::now(),
            is_wanted: !is_quiet && io::stderr().is_terminal(),
            bar: None,
        }
    }

    /// Whether words would be shown.
    pub fn is_due(&self) -> bool {
        self.is_wanted && self.started.elapsed() >= PATIENCE
    }

    /// Shows these words.
    pub fn show(&mut self, words: impl FnOnce() -> String) {
        if !self.is_due() {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed} elapsed");
            let bar = ProgressBar::new_spinner();
            bar.set_elapsed(self.started.elapsed());
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        });
        bar.set_message(words());
        bar.tick();
    }

    /// Takes the line away while something is printed.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the line away for good.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
