//! The settings of a batch, the events it reports, and its final counts.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use thiserror::Error;

use super::protocol::Wanted;
use super::status::{Ended, Group};
use super::store::StoreError;
use super::{Key, RunReport};

/// The settings of a batch.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    /// The engines, by name; each puzzle runs with each of them.
    pub engines: &'a [String],
    /// The settings of the searches, sent to each worker once.
    pub wanted: &'a Wanted,
    /// The same settings as a JSON object: part of the key of a run.
    pub options: &'a str,
    /// The version of the program and [`edgematch::REVISION`].
    pub program: (&'a str, &'a str),
    /// Number of worker processes.
    pub workers: usize,
    /// A worker that has not finished its run this long after the time limit is killed. Unused if
    /// there is no time limit.
    pub grace: Duration,
    /// Returns the exit code that is stored with a run.
    pub exit_code: fn(&Ended) -> u8,
}

impl Plan<'_> {
    /// The key of a run: `hash` is that of the puzzle's text, `engine` the engine's name.
    pub fn key<'a>(&'a self, hash: &'a str, engine: &'a str) -> Key<'a> {
        let (version, revision) = self.program;
        Key { hash, engine, options: self.options, version, revision }
    }
}

/// An event that is reported while a batch runs.
#[derive(Debug)]
pub enum Event<'a> {
    /// The run of a puzzle with an engine has ended, and its result is stored.
    Ended {
        /// The puzzle's label.
        label: &'a str,
        /// The engine.
        engine: &'a str,
        /// The result.
        report: &'a RunReport,
    },
    /// The result of the run was already stored, so nothing was searched.
    Skipped {
        /// The puzzle's label.
        label: &'a str,
        /// The engine.
        engine: &'a str,
        /// The stored result.
        ended: &'a Ended,
    },
    /// A warning about a source, for example a folder without puzzles.
    Note(&'a str),
}

/// Counts of the runs of one engine.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EngineCounts {
    /// The number of runs, including skipped ones.
    pub runs: u64,
    /// The number of runs in each group, including skipped ones, in the order of [`Group::ALL`].
    pub groups: [u64; Group::ALL.len()],
    /// The number of runs that were skipped because their results were already stored.
    pub skipped: u64,
    /// The sum of the seconds of the runs that were not skipped; see [`RunWork`](super::RunWork).
    pub seconds: f64,
}

impl EngineCounts {
    /// Adds a run. If `seconds` is `None`, its result was already stored: the run counts in its
    /// group and as skipped, and adds no time.
    pub(super) fn count(&mut self, ended: &Ended, seconds: Option<f64>) {
        self.runs += 1;
        self.groups[ended.group() as usize] += 1;
        self.skipped += u64::from(seconds.is_none());
        self.seconds += seconds.unwrap_or(0.0);
    }

    /// The number of runs in a group.
    pub fn number(&self, group: Group) -> u64 {
        self.groups[group as usize]
    }

    /// Adds the counts of other runs.
    fn add(&mut self, other: &EngineCounts) {
        self.runs += other.runs;
        for (number, more) in self.groups.iter_mut().zip(other.groups) {
            *number += more;
        }
        self.skipped += other.skipped;
        self.seconds += other.seconds;
    }
}

/// The counts of a batch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// The counts of each engine that had a run, by its name.
    pub engines: BTreeMap<String, EngineCounts>,
    /// True if the batch was interrupted, so runs may be missing.
    pub is_interrupted: bool,
}

impl Summary {
    /// The counts of an engine, to be changed; creates them if there are none.
    pub(super) fn engine(&mut self, engine: &str) -> &mut EngineCounts {
        self.engines.entry(engine.to_owned()).or_default()
    }

    /// Adds the counts of each engine; ignores whether `other` was interrupted.
    pub(super) fn add(&mut self, other: &Summary) {
        for (engine, counts) in &other.engines {
            self.engine(engine).add(counts);
        }
    }

    /// The sums of the counts over all engines.
    pub fn total(&self) -> EngineCounts {
        self.engines.values().fold(EngineCounts::default(), |mut total, counts| {
            total.add(counts);
            total
        })
    }
}

/// The reason why a batch could not be finished.
#[derive(Debug, Error)]
pub enum BatchError {
    /// The results file cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No worker can be started.
    #[error("no worker process can be started: {0}")]
    NoWorker(io::Error),
    /// No thread can be started.
    #[error("no thread can be started: {0}")]
    NoThread(io::Error),
}
