//! What a run says: solutions, statistics, status and errors, in one of the output formats.
//!
//! A format is one file that implements [`Report`] and one line in [`FORMATS`]. Nothing here knows
//! of terminals, files or exit codes; everything is written to what the caller gives.

mod cells;
pub mod comparison;
pub mod estimate;
mod json;
pub mod plot;
mod sentence;
mod text;

pub use json::number;
pub use sentence::sentence;
pub use text::arrangement_text;

use std::io::{self, Write};

use num_bigint::BigUint;

use crate::board::{Arrangement, Problem};
use crate::describe::Sizes;
use crate::enumerate::{Outcome, Stop, Verdict};
use crate::load::LoadError;

/// Every output format, the default first.
pub const FORMATS: [Format; 3] = [
    Format {
        name: "text",
        start: || Box::new(text::Text),
    },
    Format {
        name: "json",
        start: || Box::new(json::Json::array()),
    },
    Format {
        name: "jsonl",
        start: || Box::new(json::Json::lines()),
    },
];

/// An output format.
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// Begins a report.
    pub start: fn() -> Box<dyn Report>,
}

/// A solution as it is shown.
pub struct Shown<'a> {
    /// Its number, from 1.
    pub index: u64,
    /// The arrangement.
    pub arrangement: &'a Arrangement,
    /// For how many labelled solutions it stands; `None` where it is one itself.
    pub stands_for: Option<&'a BigUint>,
    /// A picture of characters, for formats that people read.
    pub picture: Option<&'a str>,
}

/// Writes what happens, as it happens.
pub trait Report {
    /// A solution was found.
    fn solution(
        &mut self,
        out: &mut dyn Write,
        problem: &Problem,
        shown: &Shown<'_>,
    ) -> io::Result<()>;

    /// The run is over.
    fn end(&mut self, out: &mut dyn Write, ending: &Ending<'_>) -> io::Result<()>;

    /// The puzzle could not be read. Whether anything is written is the format's choice: text
    /// leaves it to standard error.
    fn error(&mut self, out: &mut dyn Write, error: &LoadError) -> io::Result<()>;
}

/// How a run ended, and what of it is shown.
pub struct Ending<'a> {
    /// What came out.
    pub outcome: &'a Outcome,
    /// The sizes of the puzzle, where statistics were asked for.
    pub sizes: Option<&'a Sizes>,
    /// Whether more solutions were found than are shown.
    pub is_cut_short: bool,
}

/// The status of a run, in MiniZinc's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    AllSolutions,
    Satisfied,
    Unsatisfiable,
    Unknown,
    Error,
}

impl Status {
    fn of(ending: &Ending<'_>) -> Self {
        let has_found = ending.outcome.tally.distinct > 0;
        match ending.outcome.verdict {
            Verdict::Failed(_) => Status::Error,
            Verdict::All if !has_found => Status::Unsatisfiable,
            Verdict::All if !ending.is_cut_short => Status::AllSolutions,
            _ if has_found => Status::Satisfied,
            _ => Status::Unknown,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Status::AllSolutions => "ALL_SOLUTIONS",
            Status::Satisfied => "SATISFIED",
            Status::Unsatisfiable => "UNSATISFIABLE",
            Status::Unknown => "UNKNOWN",
            Status::Error => "ERROR",
        }
    }
}

/// Why a run stopped, in a few words.
pub fn stop_reason(stop: Stop) -> String {
    match stop {
        Stop::Enough => "stopped after as many as asked for".into(),
        Stop::Time(limit) => format!("stopped after {}", sentence::seconds(limit.as_secs_f64())),
        Stop::Interrupted => "interrupted".into(),
    }
}
