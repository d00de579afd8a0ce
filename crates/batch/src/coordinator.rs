//! What all threads of a batch share: the store, the counts, and whether anything is still wanted.

use std::collections::BTreeMap;
use std::io;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use thiserror::Error;

use super::queue::Queue;
use super::sources::End;
use super::store::{BatchId, Exchanged, Finished, Store, StoreError, Wish};
use super::{Ended, Group, Kept, Key, Report, Wanted};

/// What is to be done.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    /// The engines, by name; each puzzle runs with each of them.
    pub engines: &'a [String],
    /// What is wanted of every puzzle.
    pub wanted: &'a Wanted,
    /// The same and the limits, as JSON: part of what tells runs apart.
    pub options: &'a str,
    /// The version of the program and its revision.
    pub program: (&'a str, &'a str),
    /// Worker processes at once.
    pub workers: usize,
    /// A worker that is silent for so long after its time limit is killed.
    pub grace: Duration,
    /// The exit code of a run, which results keep.
    pub exit_code: fn(&Ended) -> u8,
}

impl Plan<'_> {
    /// What tells the run of a puzzle with an engine from others.
    pub fn key<'a>(&'a self, hash: &'a str, engine: &'a str) -> Key<'a> {
        Key {
            hash,
            engine,
            options: self.options,
            version: self.program.0,
            revision: self.program.1,
        }
    }
}

/// Is told what becomes of the runs.
pub trait BatchObserver: Sync {
    /// A run is finished now.
    fn ended(&self, label: &str, engine: &str, report: &Report);

    /// A run was finished before.
    fn was_ended(&self, label: &str, engine: &str, ended: &Ended);

    /// Something that people should know.
    fn note(&self, words: &str);
}

/// What became of the runs of an engine.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Counts {
    /// All of them.
    pub runs: u64,
    /// In each group, in the order of [`Group::ALL`].
    pub groups: [u64; Group::ALL.len()],
    /// Of all of them those that were finished before.
    pub before: u64,
    /// Seconds of those that were not, from the loaded puzzle to the verdict.
    pub seconds: f64,
}

impl Counts {
    fn add(&mut self, ended: &Ended) {
        self.runs += 1;
        self.groups[ended.group() as usize] += 1;
    }

    /// Those in a group.
    pub fn number(&self, group: Group) -> u64 {
        self.groups[group as usize]
    }

    /// Adds those of another engine.
    pub fn and(self, other: Counts) -> Counts {
        Counts {
            runs: self.runs + other.runs,
            groups: std::array::from_fn(|group| self.groups[group] + other.groups[group]),
            before: self.before + other.before,
            seconds: self.seconds + other.seconds,
        }
    }
}

/// What a batch has done.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// By engine.
    pub engines: BTreeMap<String, Counts>,
    /// Whether it was interrupted, so that the rest is missing.
    pub is_interrupted: bool,
}

/// Why a batch could not go on.
#[derive(Debug, Error)]
pub enum BatchError {
    /// The results can't be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No worker can be started.
    #[error("no worker process can be started: {0}")]
    NoWorker(io::Error),
    /// No thread can be started.
    #[error("no thread can be started: {0}")]
    NoThread(io::Error),
}

/// Nothing foreign runs under the locks, so no panic can leave anything half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What all backlogs share.
pub(super) struct Coordinator<'a> {
    pub plan: &'a Plan<'a>,
    batch: BatchId,
    store: Mutex<Store>,
    pub queue: &'a Queue,
    summary: Mutex<Summary>,
    trouble: Mutex<Option<BatchError>>,
    /// Whether all is done, or nothing more can be.
    is_over: AtomicBool,
    pub launch: &'a (dyn Fn() -> Command + Sync),
    pub observer: &'a dyn BatchObserver,
    interrupt: &'a AtomicBool,
}

impl<'a> Coordinator<'a> {
    pub fn new(
        plan: &'a Plan<'a>,
        queue: &'a Queue,
        (store, batch): (Store, BatchId),
        launch: &'a (dyn Fn() -> Command + Sync),
        observer: &'a dyn BatchObserver,
        interrupt: &'a AtomicBool,
    ) -> Self {
        Coordinator {
            plan,
            batch,
            store: Mutex::new(store),
            queue,
            summary: Mutex::new(Summary::default()),
            trouble: Mutex::new(None),
            is_over: AtomicBool::new(false),
            launch,
            observer,
            interrupt,
        }
    }

    /// Whether runs are still wanted.
    pub fn is_wanted(&self) -> bool {
        !self.is_over.load(Ordering::Relaxed) && !self.interrupt.load(Ordering::Relaxed)
    }

    /// Ends all, with what went wrong.
    pub fn fail(&self, error: BatchError) {
        lock(&self.trouble).get_or_insert(error);
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Whether all is done, or nothing more can be.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// All is done.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Says that the batch lives.
    pub fn beat(&self) -> Result<(), StoreError> {
        lock(&self.store).beat(self.batch)
    }

    /// Signs the batch out, and says what it has done.
    pub fn summary(&self) -> Result<Summary, BatchError> {
        let signed_out = lock(&self.store).end(self.batch);
        if let Some(trouble) = lock(&self.trouble).take() {
            return Err(trouble);
        }
        signed_out?;
        let mut summary = std::mem::take(&mut *lock(&self.summary));
        summary.is_interrupted = self.interrupt.load(Ordering::Relaxed);
        Ok(summary)
    }

    /// Whether there may be others with time for a task.
    pub fn has_others(&self) -> bool {
        self.plan.workers > 1
    }

    /// Writes what is finished, claims what is wished for, and forgets what files no longer hold.
    pub fn exchange(
        &self,
        finished: &[Finished<'_>],
        wishes: &[Wish<'_>],
        ends: &[End],
    ) -> Result<Exchanged, StoreError> {
        if finished.is_empty() && wishes.is_empty() && ends.is_empty() {
            return Ok(Exchanged::default());
        }
        lock(&self.store).exchange(self.batch, finished, wishes, ends)
    }

    /// Gives claims back: nobody has run them.
    pub fn release(&self, runs: &[i64]) -> Result<(), StoreError> {
        lock(&self.store).release(self.batch, runs)
    }

    /// Keeps solutions of a run that goes on; the first of them has this number. `false` where it
    /// is no longer ours.
    pub fn keep(&self, run: i64, first: u64, solutions: &[Kept]) -> Result<bool, StoreError> {
        lock(&self.store).keep(self.batch, run, first, solutions)
    }

    /// Counts and tells a run that is written now.
    pub fn ended(&self, label: &str, engine: &str, report: &Report) {
        self.count(engine, &report.ended, |counts| {
            counts.seconds += report.work.seconds;
        });
        self.observer.ended(label, engine, report);
    }

    /// Counts and tells a run that was finished before.
    pub fn was_ended(&self, label: &str, engine: &str, ended: &Ended) {
        self.count(engine, ended, |counts| counts.before += 1);
        self.observer.was_ended(label, engine, ended);
    }

    fn count(&self, engine: &str, ended: &Ended, more: impl FnOnce(&mut Counts)) {
        let mut summary = lock(&self.summary);
        if !summary.engines.contains_key(engine) {
            summary.engines.insert(engine.to_owned(), Counts::default());
        }
        if let Some(counts) = summary.engines.get_mut(engine) {
            counts.add(ended);
            more(counts);
        }
        drop(summary);
        self.queue.done(1);
    }
}
