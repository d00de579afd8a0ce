//! The coordinator of a batch: it sends puzzles to worker processes and their results to the store.
//!
//! It keeps as many workers busy as there are jobs, replaces a worker that hangs or dies, and
//! records why. It reads puzzles one by one, so its memory does not grow with their number.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use edgematch::enumerate::{Group, RunStatus};
use edgematch::scheduler::{Progress, Sink};
use thiserror::Error;

use super::order::Order;
use super::sources::{Found, Item, NoText};
use super::store::{BatchId, Claim, Store, StoreError};
use super::worker::{Done, Worker};
use super::{Ended, Kept, Key, Process, Report, RunWork, Seen, Wanted};

/// How often those who wait look up.
const PERIOD: Duration = Duration::from_millis(20);

/// How often a batch says that it lives.
const HEARTBEAT: Duration = Duration::from_secs(5);

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
    fn ended(&self, label: &str, engine: &str, ended: &Ended, work: &RunWork);

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

/// Runs every puzzle with every engine, but for what is finished in the store. `launch` gives the
/// command of a worker, which is to [`serve`](super::serve).
///
/// A run that another batch claims is waited for. When somebody interrupts, runs that are not
/// finished are given up, and nothing is left of them in the store.
///
/// # Errors
/// Where the store can't be written, or no worker or thread can be started. What was finished
/// before stays.
pub fn run(
    plan: &Plan<'_>,
    found: impl Iterator<Item = Found> + Send + 'static,
    mut store: Store,
    launch: &(dyn Fn() -> Command + Sync),
    observer: &dyn BatchObserver,
    interrupt: &AtomicBool,
) -> Result<Summary, BatchError> {
    let batch = store.begin(&Process::this())?;
    let (give, inbox) = sync_channel(2 * plan.workers.max(1));
    // On a thread of its own that nobody waits for: standard input may never end.
    let reader = thread::Builder::new().spawn(move || {
        for found in found {
            if give.send(found).is_err() {
                return;
            }
        }
    });
    if let Err(error) = reader {
        store.end(batch)?;
        return Err(BatchError::NoThread(error));
    }
    let coordinator = Coordinator {
        plan,
        batch,
        store: Mutex::new(store),
        queue: Mutex::new(WorkQueue {
            inbox,
            is_ended: false,
            tasks: VecDeque::new(),
            aside: VecDeque::new(),
        }),
        summary: Mutex::new(Summary::default()),
        trouble: Mutex::new(None),
        is_over: AtomicBool::new(false),
        launch,
        observer,
        interrupt,
    };
    coordinator.work();
    let trouble = lock(&coordinator.trouble).take();
    let signed_out = lock(&coordinator.store).end(batch);
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    signed_out?;
    let mut summary = std::mem::take(&mut *lock(&coordinator.summary));
    summary.is_interrupted = interrupt.load(Ordering::Relaxed);
    Ok(summary)
}

/// Nothing foreign runs under the locks, so no panic can leave anything half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A puzzle and an engine.
struct Task {
    item: Arc<Item>,
    engine: usize,
}

/// Where tasks wait.
struct WorkQueue {
    inbox: Receiver<Found>,
    /// Whether nothing more comes in.
    is_ended: bool,
    tasks: VecDeque<Task>,
    /// Claimed by somebody else, and when that was seen.
    aside: VecDeque<(Task, Instant)>,
}

struct Coordinator<'a> {
    plan: &'a Plan<'a>,
    batch: BatchId,
    store: Mutex<Store>,
    queue: Mutex<WorkQueue>,
    summary: Mutex<Summary>,
    trouble: Mutex<Option<BatchError>>,
    /// Whether all is done, or nothing more can be.
    is_over: AtomicBool,
    launch: &'a (dyn Fn() -> Command + Sync),
    observer: &'a dyn BatchObserver,
    interrupt: &'a AtomicBool,
}

impl Coordinator<'_> {
    /// Does all runs, each manager with a worker of its own, and beats meanwhile.
    fn work(&self) {
        thread::scope(|scope| {
            let builder = || thread::Builder::new();
            let pulse = match builder().spawn_scoped(scope, || self.beat()) {
                Ok(pulse) => pulse,
                Err(error) => return self.fail(BatchError::NoThread(error)),
            };
            let mut managers = Vec::new();
            for index in 0..self.plan.workers.max(1) {
                match builder().spawn_scoped(scope, || self.manage()) {
                    Ok(manager) => managers.push(manager),
                    Err(error) if index == 0 => self.fail(BatchError::NoThread(error)),
                    // Those that have started can do it all.
                    Err(_) => break,
                }
            }
            let mut panic = None;
            for manager in managers {
                panic = panic.or(manager.join().err());
            }
            self.is_over.store(true, Ordering::Relaxed);
            pulse.thread().unpark();
            if let Some(panic) = panic {
                std::panic::resume_unwind(panic);
            }
        });
    }

    fn is_wanted(&self) -> bool {
        !self.is_over.load(Ordering::Relaxed) && !self.interrupt.load(Ordering::Relaxed)
    }

    fn fail(&self, error: BatchError) {
        lock(&self.trouble).get_or_insert(error);
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Says now and then that the batch lives.
    fn beat(&self) {
        while !self.is_over.load(Ordering::Relaxed) {
            if let Err(error) = lock(&self.store).beat(self.batch) {
                return self.fail(error.into());
            }
            thread::park_timeout(HEARTBEAT);
        }
    }

    /// Gives tasks to one worker after another; a new one where the last one died.
    fn manage(&self) {
        let mut worker = None;
        while self.is_wanted() {
            let task = match self.next_task() {
                Ok(Some(task)) => task,
                Ok(None) => return,
                Err(error) => return self.fail(error.into()),
            };
            if let Err(error) = self.run_task(task, &mut worker) {
                return self.fail(error);
            }
        }
    }

    /// The next task; waits for it. `None` where there are no more, or none are wanted.
    fn next_task(&self) -> Result<Option<Task>, StoreError> {
        while self.is_wanted() {
            let mut queue = lock(&self.queue);
            if let Some(task) = queue.tasks.pop_front() {
                return Ok(Some(task));
            }
            let is_due = |(_, seen): &(Task, Instant)| seen.elapsed() >= 3 * PERIOD;
            if queue.aside.front().is_some_and(is_due) {
                return Ok(queue.aside.pop_front().map(|(task, _)| task));
            }
            if queue.is_ended {
                if queue.aside.is_empty() {
                    return Ok(None);
                }
                drop(queue);
                thread::sleep(PERIOD);
                continue;
            }
            match queue.inbox.recv_timeout(PERIOD) {
                Ok(Found::Item(item)) => {
                    let item: Arc<Item> = Arc::from(item);
                    let tasks = (0..self.plan.engines.len()).map(|engine| Task {
                        item: Arc::clone(&item),
                        engine,
                    });
                    queue.tasks.extend(tasks);
                }
                Ok(Found::End { path, documents }) => {
                    drop(queue);
                    lock(&self.store).forget_behind(&path, documents)?;
                }
                Ok(Found::Note(words)) => self.observer.note(&words),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => queue.is_ended = true,
            }
        }
        Ok(None)
    }

    /// Does one task, puts it aside, or sees that it was done.
    fn run_task(&self, task: Task, worker: &mut Option<Worker>) -> Result<(), BatchError> {
        let item = &*task.item;
        let engine = self.plan.engines[task.engine].as_str();
        let key = self.plan.key(&item.hash, engine);
        let keeps_solutions = self.plan.wanted.keeps_solutions;
        let claim = {
            let mut store = lock(&self.store);
            store.see(&Seen {
                hash: &item.hash,
                path: &item.path,
                document: item.document,
                line: item.line,
                name: &item.name,
                text: item.text.as_deref().ok(),
            })?;
            store.claim(self.batch, &key, keeps_solutions)?
        };
        let run = match claim {
            Claim::Done(ended) => {
                let mut summary = lock(&self.summary);
                let counts = summary.engines.entry(engine.to_owned()).or_default();
                counts.add(&ended);
                counts.before += 1;
                drop(summary);
                self.observer.was_ended(&item.label, engine, &ended);
                return Ok(());
            }
            Claim::Taken => {
                lock(&self.queue).aside.push_back((task, Instant::now()));
                return Ok(());
            }
            Claim::Ours(run) => run,
        };
        let Some(report) = self.report(item, engine, run, worker)? else {
            return Ok(lock(&self.store).release(self.batch, run)?);
        };
        if !lock(&self.store).finish(self.batch, run, &report)? {
            // Taken over by somebody who held this batch for dead.
            lock(&self.queue).aside.push_back((task, Instant::now()));
            return Ok(());
        }
        let mut summary = lock(&self.summary);
        let counts = summary.engines.entry(engine.to_owned()).or_default();
        counts.add(&report.ended);
        counts.seconds += report.work.seconds;
        drop(summary);
        self.observer
            .ended(&item.label, engine, &report.ended, &report.work);
        Ok(())
    }

    /// Has a worker do a run that is ours; `None` where it was given up.
    fn report(
        &self,
        item: &Item,
        engine: &str,
        run: i64,
        worker: &mut Option<Worker>,
    ) -> Result<Option<Report>, BatchError> {
        let text = match &item.text {
            Ok(text) => text,
            Err(NoText::Unreadable(why)) => {
                return Ok(Some(unfinished(RunStatus::Unreadable(why.clone()))));
            }
            Err(NoText::TooLarge(why)) => {
                return Ok(Some(unfinished(RunStatus::TooLarge(why.clone()))));
            }
        };
        let order = Order {
            label: item.label.clone(),
            name: item.name.clone(),
            lines_before: item.line as usize - 1,
            engine: engine.to_owned(),
            wanted: self.plan.wanted.clone(),
            length: text.len(),
        };
        let mut at_work = match worker.take() {
            Some(worker) => worker,
            None => Worker::start((self.launch)()).map_err(BatchError::NoWorker)?,
        };
        let time = self.plan.wanted.time_limit;
        let time = time.map(|time| time.saturating_add(self.plan.grace));
        let mut keeper = Keeper {
            coordinator: self,
            run,
            trouble: None,
        };
        let started = Instant::now();
        let done = at_work.run(&order, text, time, &mut keeper);
        if let Some(trouble) = keeper.trouble {
            return Err(trouble.into());
        }
        Ok(match done {
            Done::Report(report) => {
                *worker = Some(at_work);
                Some(*report)
            }
            Done::Dead(status) => {
                let mut report = unfinished(status);
                report.work.seconds = started.elapsed().as_secs_f64();
                Some(report)
            }
            Done::Abandoned => None,
        })
    }
}

fn unfinished(status: RunStatus) -> Report {
    Report {
        puzzle: None,
        ended: Ended::unfinished(status),
        work: RunWork::default(),
    }
}

/// Keeps what one run finds.
struct Keeper<'a> {
    coordinator: &'a Coordinator<'a>,
    run: i64,
    trouble: Option<StoreError>,
}

impl Sink<Vec<Kept>> for Keeper<'_> {
    fn found(&mut self, kept: Vec<Kept>, steps: u64) -> ControlFlow<()> {
        let first = steps + 1 - kept.len() as u64;
        let added =
            lock(&self.coordinator.store).keep(self.coordinator.batch, self.run, first, &kept);
        match added {
            Ok(true) => ControlFlow::Continue(()),
            Ok(false) => ControlFlow::Break(()),
            Err(error) => {
                self.trouble = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn progress(&mut self, _: Progress) -> ControlFlow<()> {
        if self.coordinator.is_wanted() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}
