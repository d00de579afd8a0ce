//! Batches: many puzzles in worker processes, with results that survive crashes.
//!
//! ```text
//!  sources ─► queue ─► manager ─► worker process ─► store
//!  a text     a run    chunks     load, solve,      a row a run,
//!  each       each     of runs    report            solutions
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

/// Options that may stop a run, but change nothing of what there is to find.
pub const LIMITS: [&str; 3] = ["memory_limit", "solutions", "time_limit"];

/// The identity of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key<'a> {
    /// The SHA-256 of the puzzle's text.
    pub hash: &'a str,
    /// The engine, as it is named.
    pub engine: &'a str,
    /// Limits and extra constraints, as JSON.
    pub options: &'a str,
    /// The version of the program.
    pub version: &'a str,
    /// See [`edgematch::REVISION`].
    pub revision: &'a str,
}

/// A description of a puzzle. If the text is no puzzle, there is only a name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PuzzleFacts {
    /// Its name.
    pub name: String,
    /// The title on the box.
    pub title: Option<String>,
    /// The source that it was taken from.
    pub source: Option<String>,
    /// The board in words.
    pub board: Option<String>,
    /// Number of tiles.
    pub tiles: Option<u32>,
    /// Number of kinds.
    pub kinds: Option<u32>,
}

/// The work that a run took.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunWork {
    /// The engine that `auto` chose.
    pub chosen: Option<String>,
    /// See [`edgematch::engine::Work`].
    pub nodes: u64,
    /// See [`edgematch::engine::Work`].
    pub tries: u64,
    /// See [`edgematch::engine::Work`].
    pub solves: u64,
    /// See [`edgematch::engine::Work`].
    pub cuts: u64,
    /// Seconds from the loaded puzzle to the verdict.
    pub seconds: f64,
}

/// The report of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    /// The puzzle, if the text is one.
    pub puzzle: Option<PuzzleFacts>,
    /// The facts that were assumed of the puzzle, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub assumed: String,
    /// The end of the run, and its counts.
    pub ended: Ended,
    /// The work that it took.
    pub work: RunWork,
}

/// A distinct arrangement that is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kept {
    /// Placements, as JSON reports have them.
    pub placements: Box<RawValue>,
    /// The number of solutions that it represents, in decimal digits.
    pub solutions: String,
}

impl RunReport {
    /// The report of a run in which nothing could be searched, or of which nothing is known.
    pub fn unfinished(status: BatchStatus) -> RunReport {
        RunReport {
            puzzle: None,
            assumed: String::new(),
            ended: Ended::unfinished(status),
            work: RunWork::default(),
        }
    }
}
