//! The progress line on the terminal: solutions, the share explored, the time left.
//!
//! It appears after 0.3 seconds, only on a terminal, and is gone when the run ends.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use edgematch::clock;
use edgematch::engine::{Work, counted};
use edgematch::enumerate::Tally;
use edgematch_report::Better;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// Runs that end before show nothing.
const PATIENCE: Duration = Duration::from_millis(300);

/// A line with words; nothing at all where standard error is no terminal.
pub struct Line {
    started: Instant,
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

    /// Shows these words.
    pub fn show(&mut self, words: impl FnOnce() -> String) {
        if !self.is_wanted || self.started.elapsed() < PATIENCE {
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

/// The line of a run that enumerates.
pub struct Progress {
    pub line: Line,
    limit: Option<Duration>,
    /// The best so far, where it is sought.
    best: Option<Better>,
    /// Steps of the methods that guess.
    steps: u64,
}

impl Progress {
    pub fn new(is_quiet: bool, limit: Option<Duration>) -> Self {
        Progress {
            line: Line::new(is_quiet),
            limit,
            best: None,
            steps: 0,
        }
    }

    /// Notes something better than before.
    pub fn reached(&mut self, better: Better) {
        self.best = Some(better);
    }

    /// Notes how many steps the methods that guess have made.
    pub fn guessed(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// Shows how far the run is.
    pub fn show(&mut self, tally: &Tally, work: &Work) {
        let elapsed = self.line.started.elapsed();
        let best = self.best.as_ref();
        let best = best.map(|best| best_words(best, self.steps, elapsed, self.limit));
        self.line.show(|| {
            let mut words = match best {
                Some(words) => words,
                None => format!("{} distinct, {} solutions", tally.distinct, tally.solutions),
            };
            if work.cuts > 0 {
                words += &format!(", {} cuts", work.cuts);
            }
            if let Some(explored) = work.explored {
                words += &format!(", {:.1} % explored", 100.0 * explored);
                words += &time_left(explored, elapsed);
            }
            words
        });
    }
}

/// The best so far: when it was found and by what, how fast the methods are, and the limit.
fn best_words(best: &Better, steps: u64, elapsed: Duration, limit: Option<Duration>) -> String {
    let when = clock::seconds(best.seconds);
    let mut words = format!("{}, found after {when} by {}", best.score, best.found_by);
    if steps > 0 {
        let rate = steps as f64 / elapsed.as_secs_f64().max(f64::EPSILON);
        words += &format!(", {}/s", counted(rate as u64, "step", "steps"));
    }
    if let Some(limit) = limit {
        words += &format!(", limit {}", clock::seconds(limit.as_secs_f64()));
    }
    words
}

/// How long the rest takes if it goes on as before; nothing while hardly anything is done, as
/// nobody can tell then.
fn time_left(explored: f64, elapsed: Duration) -> String {
    const ENOUGH: f64 = 0.001;
    if explored < ENOUGH {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() * (1.0 - explored) / explored;
    let left = Duration::try_from_secs_f64(seconds.ceil()).unwrap_or(Duration::MAX);
    format!(", about {} left", HumanDuration(left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_share() {
        let minute = Duration::from_secs(60);
        assert_eq!(time_left(0.0, minute), "");
        assert_eq!(time_left(0.25, minute), ", about 3 minutes left");
        assert_eq!(time_left(1.0, minute), ", about 0 seconds left");
    }
}
