//! The output of a run: solutions, statistics, status and errors, in one of the output formats.
//!
//! A format is one file that implements [`Report`] and one line in [`FORMATS`]. Nothing here knows
//! terminals, files or exit codes; everything is written to the writer that the caller passes.

pub mod cells;
pub mod comparison;
mod diagnosis;
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
mod remarks;
mod sentence;
pub mod sizes;
mod statistics;
mod steps;
mod text;

use std::fmt;
use std::io::{self, Write};

use edgematch::analyse::merge::PartStatus;
use edgematch::enumerate::{Conclusion, Outcome, RunStatus, Solution, StopReason};
use edgematch::load::{LoadError, WriteError};
use edgematch::optimise::{Goal, Optimisation, Optimum};
use edgematch::problem::{Arrangement, Objective, Problem};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

pub use self::cells::Cells;
pub use self::diagnosis::diagnosis;
pub use self::digits::{grouped, readable};
pub use self::json::{Counts, Placement, counts, number, placement, placements};
pub use self::log::{Log, Origin};
pub use self::measured::measured;
pub use self::members::{named_members, numbered_constraint};
pub use self::natural::natural;
pub use self::remarks::{WithRemarks, obstacles};
pub use self::sentence::{
    SYMMETRIES, apart_sentence, best_sentence, found, part_sentence, sentence, solutions_found,
    symmetries,
};
pub use self::statistics::{Statistics, write as write_statistics};
pub use self::steps::{step, steps};
pub use self::text::{arrangement_text, count_lines, marginals_text};
use crate::sizes::Sizes;

/// Every output format, the default first.
pub const FORMATS: &[Format] = &[
    Format { name: "text", start: || Box::new(text::Text) },
    Format { name: "json", start: || Box::new(json::Json::new(true)) },
    Format { name: "jsonl", start: || Box::new(json::Json::new(false)) },
    Format { name: "link", start: || Box::new(link::Link) },
];

/// An output format.
pub struct Format {
    /// The value of `--format`.
    pub name: &'static str,
    /// Creates a report in this format.
    pub start: fn() -> Box<dyn Report>,
}

/// A solution to be written.
pub struct Shown<'a> {
    /// Its number, from 1.
    pub index: u64,
    /// The problem that it solves.
    pub problem: &'a Problem,
    /// The arrangement.
    pub arrangement: &'a Arrangement,
    /// The distinct solution that the arrangement represents; `None` if every solution is written
    /// by itself.
    pub distinct: Option<&'a Solution>,
    /// A drawing of characters and other lines for people, which only the text format writes.
    pub picture: Option<&'a str>,
    /// The values of the objectives; `None` unless the search optimises.
    pub scores: Option<Scores>,
}

/// The values of objectives, the most important first, in the user's terms.
///
/// In JSON, `objective` is the value of the last one, and `objectives` are all values if there are
/// several.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scores(pub Vec<(Goal, i64)>);

impl Scores {
    /// Creates the scores from values as the optimisation has them.
    pub fn new(scores: impl IntoIterator<Item = (Goal, i64)>) -> Scores {
        Scores(scores.into_iter().map(|(goal, value)| (goal, goal.own(value))).collect())
    }

    /// The values of the objectives for an arrangement.
    pub fn of(problem: &Problem, objectives: &[Objective], arrangement: &Arrangement) -> Scores {
        let score = |one: &Objective| (one.goal(problem), one.value(problem, arrangement));
        Scores::new(objectives.iter().map(score))
    }

    /// The value of the last objective; `None` if there is none.
    pub fn last(&self) -> Option<i64> {
        self.0.last().map(|(_, value)| *value)
    }

    /// All values if there are several; otherwise none.
    pub fn several(&self) -> Vec<i64> {
        let values = self.0.iter().map(|(_, value)| *value);
        if self.0.len() > 1 { values.collect() } else { Vec::new() }
    }
}

impl fmt::Display for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (goal, value)) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            match goal {
                Goal::Seams(seams) => write!(f, "{value} of {seams} edges match")?,
                Goal::Largest | Goal::Smallest => write!(f, "objective {value}")?,
                Goal::Cost => write!(f, "cost {value}")?,
            }
        }
        Ok(())
    }
}

impl Serialize for Scores {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(last) = self.last() {
            map.serialize_entry("objective", &last)?;
        }
        let several = self.several();
        if !several.is_empty() {
            map.serialize_entry("objectives", &several)?;
        }
        map.end()
    }
}

/// A new incumbent of an optimisation.
#[derive(Debug, Clone, Serialize)]
pub struct Better {
    /// The incumbent's values of the objectives up to the current one.
    #[serde(flatten)]
    pub scores: Scores,
    /// The proven bound so far, in the user's terms: an upper bound, or a lower one if the
    /// objective is minimised.
    pub bound: i64,
    /// Seconds since the run began.
    pub seconds: f64,
    /// The method or engine that found it.
    pub found_by: &'static str,
}

/// Writes the events of a run in an output format, as they happen.
pub trait Report {
    /// Lists what output in this format loses of the puzzle, each in a few words. By default
    /// nothing is lost.
    ///
    /// # Errors
    /// If the format cannot represent the puzzle or its solutions.
    fn losses(&self, _problem: &Problem) -> Result<Vec<String>, WriteError> {
        Ok(Vec::new())
    }

    /// Writes a solution that was found.
    fn solution(&mut self, out: &mut dyn Write, shown: &Shown<'_>) -> io::Result<()>;

    /// Writes that an optimisation has a new incumbent. By default, nothing is written.
    fn improved(&mut self, _out: &mut dyn Write, _better: &Better) -> io::Result<()> {
        Ok(())
    }

    /// Writes the end of a run. By default, only the statistics if they were requested.
    fn end(&mut self, out: &mut dyn Write, ending: &Ending<'_>) -> io::Result<()> {
        write_statistics(out, ending)
    }

    /// Writes the error that prevented the run. By default, nothing is written: standard error has
    /// it.
    fn error(&mut self, _out: &mut dyn Write, _error: &LoadError) -> io::Result<()> {
        Ok(())
    }
}

/// The end of a run, as reports and logs need it.
pub struct Ending<'a> {
    /// The problem that was solved.
    pub problem: &'a Problem,
    /// The status, the counts and the work of the run.
    pub outcome: &'a Outcome,
    /// The sizes of the puzzle; `None` unless statistics are requested.
    pub sizes: Option<&'a Sizes>,
    /// True if not all solutions that were found are written.
    pub is_cut_short: bool,
    /// The optimum or its bounds; `None` unless the search optimises.
    pub best: Option<Best>,
    /// The part that was searched; `None` if it was the whole puzzle.
    pub part: Option<&'a PartStatus>,
}

/// The result of an optimisation, in the user's terms; its serialised fields are part of the
/// statistics.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Best {
    /// The objective that was optimised last.
    #[serde(skip)]
    pub goal: Goal,
    /// The best values found, up to that objective; empty if no arrangement was found.
    #[serde(flatten)]
    pub scores: Scores,
    /// The proven bound: an upper bound, or a lower one if the objective is minimised.
    #[serde(rename = "objectiveBound")]
    pub bound: i64,
    /// True if the value is proven to be optimal, or it is proven that there is no arrangement.
    #[serde(skip)]
    pub is_proven: bool,
    /// The total number of steps of the incomplete methods.
    #[serde(rename = "guess_steps")]
    pub steps: u64,
    /// The names of the incomplete methods that were used, as `a, b and c`.
    #[serde(skip)]
    pub methods: String,
    /// The methods that do not support the problem, each as `name: reason`.
    pub left_out: Vec<String>,
    /// The method or engine that found the best arrangement.
    pub found_by: &'static str,
    /// The [gap](Optimisation::gap) of the solutions listed.
    #[serde(skip)]
    pub gap: u64,
    /// The [distance](Optimisation::distance) between them.
    #[serde(skip)]
    pub distance: Option<usize>,
}

impl Best {
    /// Converts the result of an optimisation to the user's terms.
    pub fn new(optimum: &Optimum, what: &Optimisation<'_>) -> Best {
        let goals = what.objectives.iter().map(|objective| objective.goal(what.problem));
        let goal = what.objectives[optimum.earlier.len()].goal(what.problem);
        let values = optimum.earlier.iter().copied().chain(optimum.value);
        let values = values.filter(|_| optimum.value.is_some());
        Best {
            goal,
            scores: Scores::new(goals.zip(values)),
            bound: goal.own(optimum.bound),
            is_proven: optimum.is_proven,
            steps: optimum.steps,
            methods: listed(&optimum.methods, "and"),
            left_out: optimum.left_out.iter().map(|(name, why)| format!("{name}: {why}")).collect(),
            found_by: optimum.found_by,
            gap: what.gap,
            distance: what.distance,
        }
    }
}

/// Joins words as `a`, `a and b` or `a, b and c`, with the given word for `and`; empty without
/// words.
pub fn listed(words: impl IntoIterator<Item = impl ToString>, and: &str) -> String {
    let mut words: Vec<String> = words.into_iter().map(|word| word.to_string()).collect();
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} {and} {last}", words.join(", ")) }
}

impl Ending<'_> {
    /// The status of the output: what is known about the whole puzzle after this run.
    pub fn conclusion(&self) -> Conclusion {
        let status = &self.outcome.status;
        let has_found = self.outcome.tally.listed() > 0;
        let is_optimal = self.best.as_ref().is_some_and(|best| best.is_proven)
            && matches!(status, RunStatus::Complete | RunStatus::Stopped(StopReason::Enough));
        // A complete part does not make the whole search complete.
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
