//! Batches: many puzzles in worker processes, with results that survive crashes.
//!
//! ```text
//!  files, folders ─► sources ─► claim ─► worker process ─► store
//!  lists, streams    a text     a row    load, solve,      a row a run,
//!                    each                report            solutions
//! ```
//!
//! A puzzle is parsed in a worker process with a memory limit, so a bad file cannot harm the
//! others. A run is identified by the text of its puzzle, the engine, the options, and the version
//! and revision of the program; a run that is already in the store is skipped.

mod backlog;
pub mod catalogue;
mod coordinator;
mod life;
mod order;
mod queue;
mod record;
mod run;
mod sources;
mod status;
mod store;
mod work;
mod worker;

use edgematch::enumerate::Known;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use self::coordinator::{BatchError, BatchObserver, Counts, Plan, Summary};
pub use self::life::Process;
pub use self::order::Wanted;
use self::record::Record;
pub use self::run::run;
pub use self::sources::{End, Found, Item, Items, NoText, Source, holds_lines};
pub use self::status::{BatchStatus, Group, Loss};
pub use self::store::{
    BatchId, Claim, Exchanged, Finished, LONGEST_SILENCE, Query, Row, Store, StoreError, Wish,
};
pub use self::work::{engines, serve};

/// Options that may stop a run, but change nothing of what there is to find.
pub const LIMITS: [&str; 3] = ["memory_limit", "solutions", "time_limit"];

/// What tells one run from another.
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

/// A puzzle where it lies.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The SHA-256 of the text.
    pub hash: &'a str,
    /// The file, as it was named.
    pub path: &'a str,
    /// Which one of the file's documents, from 1.
    pub document: u32,
    /// The line at which it begins, from 1.
    pub line: u32,
    /// The puzzle's name where the text gives none.
    pub name: &'a str,
    /// The text, where it could be read.
    pub text: Option<&'a [u8]>,
}

/// What results say of a puzzle. Where the text is no puzzle, there is a name alone.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PuzzleFacts {
    /// Its name.
    pub name: String,
    /// What it is called on the box.
    pub title: Option<String>,
    /// Where it was taken from.
    pub source: Option<String>,
    /// The board in words.
    pub board: Option<String>,
    /// Number of tiles.
    pub tiles: Option<u32>,
    /// Number of kinds.
    pub kinds: Option<u32>,
}

/// How a run ended, and what it counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Record", into = "Record")]
pub struct Ended {
    /// How it ended.
    pub status: BatchStatus,
    /// Distinct arrangements, in decimal digits; `None` where nothing was searched.
    pub distinct: Option<String>,
    /// Solutions up to the group.
    pub classes: Option<String>,
    /// Solutions.
    pub solutions: Option<String>,
    /// Whether all that was found is kept.
    pub has_solutions: bool,
}

impl Ended {
    /// The end of a run in which nothing could be searched, or of which nothing is known.
    pub fn unfinished(status: BatchStatus) -> Ended {
        Ended { status, distinct: None, classes: None, solutions: None, has_solutions: false }
    }

    /// Whether it says as much as is wanted.
    pub(crate) fn is_enough(&self, wants_solutions: bool) -> bool {
        !wants_solutions || self.has_solutions || self.distinct.is_none()
    }

    /// Whether there was a solution.
    pub fn has_found(&self) -> bool {
        self.distinct.as_deref().is_some_and(|digits| digits != "0")
    }

    /// What is known after the run.
    pub fn known(&self) -> Known {
        self.status.known(self.has_found())
    }

    /// What the run is counted in.
    pub fn group(&self) -> Group {
        self.status.group(self.has_found())
    }
}

/// What a run took.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunWork {
    /// The engine that `auto` chose.
    pub chosen: Option<String>,
    /// As in [`edgematch::engine::Work`].
    pub nodes: u64,
    /// As in [`edgematch::engine::Work`].
    pub tries: u64,
    /// As in [`edgematch::engine::Work`].
    pub solves: u64,
    /// As in [`edgematch::engine::Work`].
    pub cuts: u64,
    /// Seconds from the loaded puzzle to the verdict.
    pub seconds: f64,
}

/// All that a run says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The puzzle, where the text is one.
    pub puzzle: Option<PuzzleFacts>,
    /// The facts that were assumed of the puzzle, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub assumed: String,
    /// How it ended.
    pub ended: Ended,
    /// What it took.
    pub work: RunWork,
}

/// A distinct arrangement that is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kept {
    /// As `solve --format json` writes them.
    pub placements: Box<RawValue>,
    /// For how many solutions it stands, in decimal digits.
    pub solutions: String,
}
