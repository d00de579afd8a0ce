//! The progress line of `solve`: solutions, depth and speed of the search, and an estimate of the
//! remaining work.

use std::time::Duration;

use edgematch::engine::{Work, counted};
use edgematch::enumerate::Tally;
use edgematch::problem::Problem;
use edgematch::runtime::clock;
use edgematch_report::{Better, grouped, readable};
use indicatif::HumanDuration;

use super::forecast::{Forecast, Probed};
use crate::common::Line;

/// The progress line of a run that enumerates or optimises.
pub struct Progress<'a> {
    pub line: Line,
    problem: &'a Problem,
    /// The name of the requested engine.
    engine: &'static str,
    /// The time limit.
    limit: Option<Duration>,
    forecast: Forecast,
    /// Probes of the tree; `None` before they are worth their time.
    probed: Option<Probed>,
    /// The incumbent; `None` until there is one.
    pub best: Option<Better>,
    /// The steps of the incomplete methods so far.
    pub steps: u64,
}

impl<'a> Progress<'a> {
    /// Creates the progress of a search with this engine and time limit, before its first step.
    pub fn new(
        is_quiet: bool,
        limit: Option<Duration>,
        problem: &'a Problem,
        engine: &'static str,
    ) -> Self {
        Progress {
            line: Line::new(is_quiet),
            problem,
            engine,
            limit,
            forecast: Forecast::default(),
            probed: None,
            best: None,
            steps: 0,
        }
    }

    /// Updates the line, if it is due.
    pub fn show(&mut self, tally: &Tally, work: &Work) {
        let elapsed = self.line.started.elapsed();
        if !self.line.is_due() {
            return;
        }
        let mut parts = match &self.best {
            Some(best) => vec![best_words(best, self.steps, elapsed)],
            None => vec![
                format!("{} distinct", tally.distinct),
                format!("{} solutions", readable(&tally.solutions)),
            ],
        };
        if work.cuts > 0 {
            parts.push(counted(work.cuts, "cut", "cuts"));
        }
        if self.best.is_none() {
            parts.extend(self.search_words(work, elapsed));
        }
        if let Some(limit) = self.limit {
            parts.push(format!("limit {}", clock::seconds(limit.as_secs_f64())));
        }
        self.line.show(|| parts.join(", "));
    }

    /// The explored share and the remaining time; or, while these are unreliable, depth, speed and
    /// the number of nodes estimated by probes, which begin after a second. Records the share for
    /// the next forecast.
    fn search_words(&mut self, work: &Work, elapsed: Duration) -> Vec<String> {
        let share = work.explored.unwrap_or(0.0);
        let left = self.forecast.time_left(elapsed, share);
        self.forecast.note(elapsed, share);
        if let Some(left) = left {
            let left = HumanDuration(left);
            return vec![format!("{:.0} % explored", 100.0 * share), format!("about {left} left")];
        }
        let mut parts = Vec::new();
        if work.filled > 0 {
            let cells = self.problem.board.size();
            parts.push(format!("depth {} of {cells}", work.filled));
        }
        if work.nodes > 0 {
            let rate = work.nodes as f64 / elapsed.as_secs_f64().max(f64::EPSILON);
            parts.push(format!("{} nodes/s", rounded(rate)));
        }
        if elapsed >= BEFORE_PROBES {
            let engine = work.choice.as_ref().map_or(self.engine, |choice| choice.engine);
            let problem = self.problem;
            let probed = self.probed.get_or_insert_with(|| Probed::start(problem, engine));
            parts.extend(probed.words(work.nodes));
        }
        parts
    }
}

/// The elapsed time after which the search is probed.
const BEFORE_PROBES: Duration = Duration::from_secs(1);

/// A number rounded to two significant digits, or to an integer if it is small: 41,000.
fn rounded(number: f64) -> String {
    let unit = 10_f64.powf(number.max(1.0).log10().floor() - 1.0).max(1.0);
    grouped((number / unit).round() as u64 * unit as u64)
}

/// The incumbent's score, when and by which method it was found, and the rate of steps.
fn best_words(best: &Better, steps: u64, elapsed: Duration) -> String {
    let when = clock::seconds(best.seconds);
    let mut words = format!("{}, found after {when} by {}", best.scores, best.found_by);
    if steps > 0 {
        let rate = steps as f64 / elapsed.as_secs_f64().max(f64::EPSILON);
        words += &format!(", {}/s", counted(rate as u64, "step", "steps"));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_has_two_digits() {
        let rates = [0.0, 7.4, 99.6, 123.0, 41_234.0, 998_000.0].map(rounded);
        assert_eq!(rates, ["0", "7", "100", "120", "41,000", "1,000,000"]);
    }
}
