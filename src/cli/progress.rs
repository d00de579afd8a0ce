//! A line on the terminal while a run takes long: solutions, cuts, elapsed.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use edgematch::engine::Work;
use edgematch::enumerate::Tally;
use indicatif::{ProgressBar, ProgressStyle};

/// Runs that end before show nothing.
const PATIENCE: Duration = Duration::from_millis(300);

/// The progress line; nothing at all where standard error is no terminal.
pub struct Progress {
    started: Instant,
    is_wanted: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub fn new(is_quiet: bool) -> Self {
        Progress {
            started: Instant::now(),
            is_wanted: !is_quiet && io::stderr().is_terminal(),
            bar: None,
        }
    }

    /// Shows how far the run is.
    pub fn show(&mut self, tally: &Tally, work: &Work) {
        if !self.is_wanted || self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
            let bar = ProgressBar::new_spinner();
            bar.set_elapsed(self.started.elapsed());
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        });
        let cuts = if work.cuts == 1 { "cut" } else { "cuts" };
        bar.set_message(format!(
            "{} distinct, {} solutions, {} {cuts}",
            tally.distinct, tally.solutions, work.cuts
        ));
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
