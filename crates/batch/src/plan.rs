//! The plan of a batch, the events it reports, and the counts it ends with.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use thiserror::Error;

use super::protocol::Wanted;
use super::status::{Ended, Group};
use super::store::StoreError;
use super::{Key, RunReport};

/// The plan of a batch.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    /// The engines, by name; each puzzle runs with each of them.
    pub engines: &'a [String],
    /// The request to workers, the same for every puzzle.
    pub wanted: &'a Wanted,
    /// The same and the limits, as JSON: part of the key of a run.
    pub options: &'a str,
    /// The version of the program and its revision.
    pub program: (&'a str, &'a str),
    /// Number of worker processes.
    pub workers: usize,
    /// A worker that is silent for this long after its time limit is killed.
    pub grace: Duration,
    /// The exit code of a run, which results keep.
    pub exit_code: fn(&Ended) -> u8,
}

impl Plan<'_> {
    /// The key of the run of a puzzle with an engine.
    pub fn key<'a>(&'a self, hash: &'a str, engine: &'a str) -> Key<'a> {
        let (version, revision) = self.program;
        Key { hash, engine, options: self.options, version, revision }
    }
}

/// An event that people should see.
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
    /// The run of a puzzle with an engine was stored before.
    Skipped {
        /// The puzzle's label.
        label: &'a str,
        /// The engine.
        engine: &'a str,
        /// The stored result.
        ended: &'a Ended,
    },
    /// A warning.
    Note(&'a str),
}

/// The runs of an engine by their outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EngineCounts {
    /// The number of runs.
    pub runs: u64,
    /// The number in each group, in the order of [`Group::ALL`].
    pub groups: [u64; Group::ALL.len()],
    /// The number of runs that were stored before.
    pub before: u64,
    /// Seconds of the others, from the loaded puzzle to the verdict.
    pub seconds: f64,
}

impl EngineCounts {
    /// Counts a run that took this time, or was stored before.
    pub(super) fn count(&mut self, ended: &Ended, seconds: Option<f64>) {
        self.runs += 1;
        self.groups[ended.group() as usize] += 1;
        self.before += u64::from(seconds.is_none());
        self.seconds += seconds.unwrap_or(0.0);
    }

    /// The number of runs in a group.
    pub fn number(&self, group: Group) -> u64 {
        self.groups[group as usize]
    }

    fn add(&mut self, other: &EngineCounts) {
        self.runs += other.runs;
        for (number, more) in self.groups.iter_mut().zip(other.groups) {
            *number += more;
        }
        self.before += other.before;
        self.seconds += other.seconds;
    }
}

/// The counts of a batch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// The counts of each engine.
    pub engines: BTreeMap<String, EngineCounts>,
    /// True if it was interrupted, so that some runs are missing.
    pub is_interrupted: bool,
}

impl Summary {
    /// The counts of an engine.
    pub(super) fn engine(&mut self, engine: &str) -> &mut EngineCounts {
        self.engines.entry(engine.to_owned()).or_default()
    }

    /// Adds the counts of other runs.
    pub(super) fn add(&mut self, other: &Summary) {
        for (engine, counts) in &other.engines {
            self.engine(engine).add(counts);
        }
    }

    /// The counts of all engines together.
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
    /// Results cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No worker can be started.
    #[error("no worker process can be started: {0}")]
    NoWorker(io::Error),
    /// No thread can be started.
    #[error("no thread can be started: {0}")]
    NoThread(io::Error),
}
