//! The output of a run: solutions, statistics, status and errors, in one of the output formats.
//!
//! A format is one file that implements [`Report`] and one line in [`FORMATS`]. Nothing here knows
//! terminals, files or exit codes; everything is written to the writer that the caller passes.

mod assumed;
pub mod cells;
pub mod comparison;
mod digits;
pub mod estimate;
mod json;
mod link;
mod log;
mod measured;
mod members;
pub mod merged;
mod natural;
#[cfg(feature = "plots")]
pub mod plot;
mod sentence;
pub mod sizes;
mod statistics;
mod steps;
mod text;

use std::fmt;
use std::io::{self, Write};

use edgematch::analyse::merge::PartStatus;
use edgematch::enumerate::{Conclusion, Outcome, RunStatus, StopReason};
use edgematch::load::{LoadError, WriteError};
use edgematch::optimise::{Goal, Optimum};
use edgematch::problem::{Arrangement, Problem};
use num_bigint::BigUint;
use serde::Serialize;

pub use self::assumed::WithAssumed;
pub use self::cells::Cells;
pub use self::digits::{grouped, readable};
pub use self::json::{Counts, Placement, counts, number, placement, placements};
pub use self::log::{Log, Origin};
pub use self::measured::measured;
pub use self::members::NamedMembers;
pub use self::natural::natural;
pub use self::sentence::{SYMMETRIES, best_sentence, found, part_sentence, sentence, symmetries};
pub use self::statistics::{Statistics, write as write_statistics};
pub use self::steps::steps;
pub use self::text::{arrangement_text, count_lines};
use crate::sizes::Sizes;

/// Every output format, the default first.
pub const FORMATS: &[Format] = &[
    Format { name: "text", start: || Box::new(text::Text), tells: everything },
    Format { name: "json", start: || Box::new(json::Json::array()), tells: everything },
    Format { name: "jsonl", start: || Box::new(json::Json::lines()), tells: everything },
    Format { name: "link", start: || Box::new(link::Link), tells: link::tells },
];

/// An output format.
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// Begins a report.
    pub start: fn() -> Box<dyn Report>,
    /// What it does not say of a puzzle, each in a few words, or why it can't show it.
    pub tells: fn(&Problem) -> Tells,
}

/// What a format does not say, or why it says nothing.
type Tells = Result<Vec<String>, WriteError>;

fn everything(_: &Problem) -> Tells {
    Ok(Vec::new())
}

/// A solution as it is shown.
pub struct Shown<'a> {
    /// Its number, from 1.
    pub index: u64,
    /// The problem that it solves.
    pub problem: &'a Problem,
    /// The arrangement.
    pub arrangement: &'a Arrangement,
    /// For how many labelled solutions it stands; `None` where it is one itself.
    pub stands_for: Option<&'a BigUint>,
    /// A picture of characters and other lines, for formats that people read.
    pub picture: Option<&'a str>,
    /// What it reaches, where the best is sought.
    pub score: Option<Score>,
}

/// A value, as people call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Score {
    /// The value.
    pub value: i64,
    /// What it means.
    pub goal: Goal,
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value;
        match self.goal {
            Goal::Seams(seams) => write!(f, "{value} of {seams} edges match"),
            Goal::Largest | Goal::Smallest => write!(f, "objective {value}"),
        }
    }
}

/// Something better than before.
#[derive(Debug, Clone, Copy)]
pub struct Better {
    /// What it reaches.
    pub score: Score,
    /// What nothing exceeds, or goes below, as people call it.
    pub bound: i64,
    /// What found it.
    pub found_by: &'static str,
    /// Seconds since the run began.
    pub seconds: f64,
}

/// Writes what happens, as it happens.
pub trait Report {
    /// A solution was found.
    fn solution(&mut self, out: &mut dyn Write, shown: &Shown<'_>) -> io::Result<()>;

    /// Where the best is sought, something better than before was found. Formats that say nothing
    /// of a run before its end leave it out.
    fn improved(&mut self, _out: &mut dyn Write, _better: &Better) -> io::Result<()> {
        Ok(())
    }

    /// Writes the end of a run: in most formats the statistics, if they were requested.
    fn end(&mut self, out: &mut dyn Write, ending: &Ending<'_>) -> io::Result<()> {
        write_statistics(out, ending)
    }

    /// Writes that the puzzle could not be read. Formats for people leave that to standard error.
    fn error(&mut self, _out: &mut dyn Write, _error: &LoadError) -> io::Result<()> {
        Ok(())
    }
}

/// How a run ended, and what of it is shown.
pub struct Ending<'a> {
    /// The problem that was solved.
    pub problem: &'a Problem,
    /// What came out.
    pub outcome: &'a Outcome,
    /// The sizes of the puzzle, where statistics were asked for.
    pub sizes: Option<&'a Sizes>,
    /// Whether more solutions were found than are shown.
    pub is_cut_short: bool,
    /// How good the best is, where it is sought.
    pub best: Option<Best>,
    /// Which part it is, where the search was cut into parts.
    pub part: Option<&'a PartStatus>,
}

/// The quality of the best arrangement, in the user's terms, as statistics have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Best {
    /// The meaning of the values.
    #[serde(skip)]
    pub goal: Goal,
    /// The value that was reached, if any.
    #[serde(rename = "objective", skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// The value that nothing exceeds, or goes below.
    #[serde(rename = "objectiveBound")]
    pub bound: i64,
    /// True if both are proven to be the same, or that there is nothing.
    #[serde(skip)]
    pub is_proven: bool,
    /// Steps of the methods that guess.
    #[serde(rename = "guess_steps")]
    pub steps: u64,
    /// The names of these methods.
    #[serde(skip)]
    pub methods: String,
    /// The methods that could not obey the problem, each with the reason.
    pub left_out: Vec<String>,
    /// What found the best arrangement.
    pub found_by: &'static str,
}

impl Best {
    /// What came out, as people call it.
    pub fn new(optimum: &Optimum, goal: Goal) -> Best {
        Best {
            goal,
            value: optimum.value.map(|value| goal.own(value)),
            bound: goal.own(optimum.bound),
            is_proven: optimum.is_proven,
            steps: optimum.steps,
            methods: listed(&optimum.methods, "and"),
            left_out: optimum.left_out.iter().map(|(name, why)| format!("{name}: {why}")).collect(),
            found_by: optimum.found_by,
        }
    }
}

/// `a`, `a and b`, `a, b and c`, with this word for `and`.
pub fn listed(words: impl IntoIterator<Item = impl ToString>, and: &str) -> String {
    let mut words: Vec<String> = words.into_iter().map(|word| word.to_string()).collect();
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} {and} {last}", words.join(", ")) }
}

impl Ending<'_> {
    /// What is known after the run.
    pub fn known(&self) -> Conclusion {
        let status = &self.outcome.status;
        let has_found = self.outcome.tally.distinct > 0;
        let is_optimal = self.best.as_ref().is_some_and(|best| best.is_proven)
            && matches!(status, RunStatus::Complete | RunStatus::Stopped(StopReason::Enough));
        // A part proves nothing of the whole.
        let is_whole = self.part.is_none();
        match status {
            _ if is_optimal && has_found => Conclusion::Optimal,
            RunStatus::Complete if !is_whole || (has_found && self.is_cut_short) => {
                Conclusion::of_search(false, has_found)
            }
            status => status.conclusion(has_found),
        }
    }
}
