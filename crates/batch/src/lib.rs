//! Batches: many puzzles in worker processes, with results that survive crashes.
//!
//! ```text
//!  sources ─► queue ─► manager ─► worker process ─► store
//!  texts of   runs     chunks     load, solve,      one row per run,
//!  puzzles             of runs    report            solutions
//! ```
//!
//! A puzzle is parsed in a worker process with a memory limit, so a bad file cannot harm the
//! others. A run is identified by the text of its puzzle, the engine, the options, and the version
//! and revision of the program; a run that is already in the store is skipped. A lock lets one
//! process at a time write into a results file.

pub mod catalogue;
mod plan;
mod protocol;
mod queue;
mod run;
mod serve;
mod sources;
mod status;
mod store;
mod worker;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use self::plan::{BatchError, EngineCounts, Event, Plan, Summary};
pub use self::protocol::Wanted;
pub use self::run::run;
pub use self::serve::{engines, serve};
pub use self::sources::{End, Found, Item, NoText, Source, holds_lines, items};
pub use self::status::{BatchStatus, Ended, Group, RunFailure};
pub use self::store::{Finished, Query, Result, RunRow, RunSolutions, Store, StoreError};

/// The JSON names of the options that can stop a run early but do not change its set of solutions.
/// A complete run therefore also answers for the same options with other limits.
pub const LIMITS: [&str; 3] = ["memory_limit", "solutions", "time_limit"];

/// The identity of a run: two runs with equal keys must have the same result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key<'a> {
    /// The SHA-256 of the puzzle's text.
    pub hash: &'a str,
    /// The engine's name, one of [`engines`].
    pub engine: &'a str,
    /// Limits, overrides of the board and extra constraints, as a JSON object.
    pub options: &'a str,
    /// The version of the program.
    pub version: &'a str,
    /// See [`edgematch::REVISION`].
    pub revision: &'a str,
}

/// A description of a puzzle. If the text is not a valid puzzle, only `name` is set.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PuzzleFacts {
    /// The puzzle's name.
    pub name: String,
    /// The title on the box.
    pub title: Option<String>,
    /// The `source` field of the puzzle: where it was published or found.
    pub source: Option<String>,
    /// The board in words, such as `3 × 3 grid`.
    pub board: Option<String>,
    /// The number of tiles.
    pub tiles: Option<u32>,
    /// The number of different tiles.
    pub kinds: Option<u32>,
}

/// The work that a run took. The counters that its engine does not use are 0.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunWork {
    /// The engine that `auto` chose; `None` for other engines.
    pub chosen: Option<String>,
    /// See [`edgematch::engine::Work`].
    pub nodes: u64,
    /// See [`edgematch::engine::Work`].
    pub tries: u64,
    /// See [`edgematch::engine::Work`].
    pub solves: u64,
    /// See [`edgematch::engine::Work`].
    pub cuts: u64,
    /// Seconds of the search, without loading the puzzle. If the worker died or was killed: seconds
    /// since the run was first waited for.
    pub seconds: f64,
}

/// The report of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    /// The description of the puzzle; `None` if it could not be loaded.
    pub puzzle: Option<PuzzleFacts>,
    /// Assumptions that the reader made about the puzzle, in words, separated by `; `.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub assumed: String,
    /// The status of the run and the numbers of solutions.
    pub ended: Ended,
    /// The work that it took.
    pub work: RunWork,
}

/// An arrangement that represents all its images under symmetries and exchanges of equal tiles,
/// as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kept {
    /// The value of `placements` in a JSON report.
    pub placements: Box<RawValue>,
    /// The number of solutions that it represents, in decimal digits.
    pub solutions: String,
}

impl RunReport {
    /// The report of a run that has no description, counts or work, only a status.
    pub fn unfinished(status: BatchStatus) -> RunReport {
        RunReport {
            puzzle: None,
            assumed: String::new(),
            ended: Ended::unfinished(status),
            work: RunWork::default(),
        }
    }
}
