//! A batch from its beginning to its end: managers take chunks of runs from the queue, have worker
//! processes do them, and write the results.
//!
//! A run may take less time than a transaction or a change of threads, so a worker gets a chunk of
//! short runs before it, and their results are written together.

use std::collections::{HashMap, VecDeque};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::plan::{BatchError, Event, Plan, Summary};
use super::protocol::{Order, WorkerAnswer};
use super::queue::{Queue, QueueEntry, Task};
use super::sources::{Found, Item, NoText};
use super::status::{BatchStatus, Ended, RunFailure};
use super::store::{Finished, RunSolutions, Store};
use super::worker::{PIPE, Worker};
use super::{Key, RunReport};

/// The time between two looks at the interrupt flag.
const PERIOD: Duration = Duration::from_millis(20);

/// The time that a chunk of runs should take.
const CHUNK: Duration = Duration::from_millis(20);

/// After this time the results of a chunk are written, and other workers get the rest of it.
const LATE: Duration = Duration::from_millis(50);

/// The most runs in a chunk.
const MOST_RUNS: usize = 128;

/// The number of solutions that are written at a time, while a run goes on.
const MOST_KEPT: usize = 500;

/// Runs every puzzle with every engine, except for runs that are finished in the store. `launch`
/// gives the command of a worker, which is to [`serve`](super::serve).
///
/// Puzzles are read ahead only so far, so memory does not grow with their number. On an interrupt,
/// runs that are not finished are dropped, and nothing of them stays in the store. A batch that is
/// killed loses the runs that were at work and the results of the last tenth of a second.
///
/// # Errors
/// If the store cannot be written, or no worker or thread can be started. Results that were written
/// before stay.
pub fn run(
    plan: &Plan<'_>,
    found: impl Iterator<Item = Found> + Send + 'static,
    store: Store,
    launch: &(dyn Fn() -> Command + Sync),
    observer: &(dyn Fn(Event<'_>) + Sync),
    interrupt: &AtomicBool,
) -> Result<Summary, BatchError> {
    let queue = Arc::new(Queue::default());
    // The thread is not joined: standard input may never end.
    let reader = thread::Builder::new().spawn({
        let queue = Arc::clone(&queue);
        let engines = plan.engines.len();
        move || queue.fill(found, engines)
    });
    reader.map_err(BatchError::NoThread)?;
    let batch = Batch {
        plan,
        queue: &queue,
        store: Mutex::new(store),
        running: Mutex::default(),
        has_failed: AtomicBool::new(false),
        launch,
        observer,
        interrupt,
    };
    let managed = manage(&batch);
    queue.close();
    let mut summary = managed?;
    lock(&batch.store).drop_unfinished()?;
    summary.is_interrupted = interrupt.load(Ordering::Relaxed);
    Ok(summary)
}

/// Runs the managers, each on its own thread.
fn manage(batch: &Batch<'_>) -> Result<Summary, BatchError> {
    let mut summary = Summary::default();
    thread::scope(|scope| {
        let mut managers = Vec::new();
        for _ in 0..batch.plan.workers.max(1) {
            match thread::Builder::new().spawn_scoped(scope, || Manager::new(batch).work()) {
                Ok(manager) => managers.push(manager),
                Err(error) if managers.is_empty() => return Err(BatchError::NoThread(error)),
                // The managers that have started can do all runs.
                Err(_) => break,
            }
        }
        let mut result = Ok(());
        for manager in managers {
            match manager.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
                Ok(part) => summary.add(&part),
                Err(error) => result = result.and(Err(error)),
            }
        }
        result
    })?;
    Ok(summary)
}

/// A panic cannot leave the contents half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state that all managers share.
struct Batch<'a> {
    plan: &'a Plan<'a>,
    queue: &'a Queue,
    store: Mutex<Store>,
    /// The runs at work, by hash and engine, with the labels of further files that hold the text.
    running: Mutex<HashMap<(String, usize), Vec<String>>>,
    has_failed: AtomicBool,
    launch: &'a (dyn Fn() -> Command + Sync),
    observer: &'a (dyn Fn(Event<'_>) + Sync),
    interrupt: &'a AtomicBool,
}

impl<'a> Batch<'a> {
    fn is_wanted(&self) -> bool {
        !self.has_failed.load(Ordering::Relaxed) && !self.interrupt.load(Ordering::Relaxed)
    }

    fn engine(&self, task: &Task) -> &'a str {
        &self.plan.engines[task.engine]
    }

    fn key<'t>(&'t self, task: &'t Task) -> Key<'t> {
        self.plan.key(&task.item.hash, self.engine(task))
    }

    /// Returns true if no manager is at this run. Otherwise the manager that is will report it for
    /// this file, too.
    fn begin(&self, task: &Task) -> bool {
        let mut running = lock(&self.running);
        match running.get_mut(&(task.item.hash.clone(), task.engine)) {
            Some(labels) => labels.push(task.item.label.clone()),
            None => {
                running.insert((task.item.hash.clone(), task.engine), Vec::new());
                return true;
            }
        }
        self.queue.done();
        false
    }

    /// Ends a run; returns the labels of further files that hold its text.
    fn end(&self, task: &Task) -> Vec<String> {
        self.queue.done();
        lock(&self.running).remove(&(task.item.hash.clone(), task.engine)).unwrap_or_default()
    }
}

/// A run that is done, and not yet written.
struct Done {
    task: Task,
    report: RunReport,
    kept: RunSolutions,
}

/// A manager of one worker.
struct Manager<'a> {
    batch: &'a Batch<'a>,
    worker: Option<Worker>,
    done: Vec<Done>,
    /// The mean time of the last few runs.
    pace: Duration,
    summary: Summary,
}

impl<'a> Manager<'a> {
    fn new(batch: &'a Batch<'a>) -> Self {
        let summary = Summary::default();
        Manager { batch, worker: None, done: Vec::new(), pace: LATE, summary }
    }

    /// Does runs until there are no more or the batch ends.
    fn work(mut self) -> Result<Summary, BatchError> {
        let result = self.work_on();
        if result.is_err() {
            self.batch.has_failed.store(true, Ordering::Relaxed);
        }
        result.map(|()| self.summary)
    }

    fn work_on(&mut self) -> Result<(), BatchError> {
        while self.batch.is_wanted() {
            let most = CHUNK.as_nanos() / self.pace.as_nanos().max(1);
            let most = usize::try_from(most).unwrap_or(MOST_RUNS).clamp(1, MOST_RUNS);
            let Some(entries) = self.batch.queue.take(most, PIPE, PERIOD) else {
                break;
            };
            let chunk = self.begin(entries)?;
            self.run_chunk(chunk)?;
            self.write_results()?;
        }
        Ok(())
    }

    /// Enters puzzles and the ends of files in the store; returns the runs that are to be done.
    fn begin(&mut self, entries: Vec<QueueEntry>) -> Result<VecDeque<Task>, BatchError> {
        let batch = self.batch;
        let mut chunk = VecDeque::new();
        let mut tasks = Vec::new();
        let mut ends = Vec::new();
        for entry in entries {
            match entry {
                QueueEntry::Task(task) if task.is_new => chunk.push_back(task),
                QueueEntry::Task(task) => tasks.push(task),
                QueueEntry::End(end) => ends.push(end),
                QueueEntry::Note(note) => (batch.observer)(Event::Note(&note)),
            }
        }
        if tasks.is_empty() && ends.is_empty() {
            return Ok(chunk);
        }
        // Before the store is searched: a run that ends in between is found there.
        let is_first: Vec<bool> = tasks.iter().map(|task| batch.begin(task)).collect();
        let runs: Vec<(&Item, Key<'_>)> =
            tasks.iter().map(|task| (&*task.item, batch.key(task))).collect();
        let stored = lock(&batch.store).begin(&runs, &ends, batch.plan.wanted.keeps_solutions)?;
        for ((mut task, is_first), ended) in tasks.into_iter().zip(is_first).zip(stored) {
            if !is_first {
                continue;
            }
            task.is_new = true;
            if let Some(ended) = ended {
                self.skip(&task.item.label, batch.engine(&task), &ended);
                for label in batch.end(&task) {
                    self.skip(&label, batch.engine(&task), &ended);
                }
                continue;
            }
            let (loss, why) = match &task.item.text {
                Ok(_) => {
                    chunk.push_back(task);
                    continue;
                }
                Err(NoText::Unreadable(why)) => (RunFailure::Unreadable, why),
                Err(NoText::TooLarge(why)) => (RunFailure::TooLarge, why),
            };
            let report = RunReport::unfinished(BatchStatus::Lost(loss, why.clone()));
            self.done.push(Done { task, report, kept: RunSolutions::default() });
        }
        Ok(chunk)
    }

    /// Has the worker do the runs of a chunk; starts a worker if there is none.
    fn run_chunk(&mut self, mut chunk: VecDeque<Task>) -> Result<(), BatchError> {
        let batch = self.batch;
        let since = Instant::now();
        let mut is_sent = false;
        while !chunk.is_empty() && batch.is_wanted() {
            let worker = match &mut self.worker {
                Some(worker) => worker,
                none => {
                    is_sent = false;
                    let worker = Worker::start((batch.launch)(), batch.plan.wanted);
                    none.insert(worker.map_err(BatchError::NoWorker)?)
                }
            };
            if !is_sent {
                worker.send(chunk.iter().map(|task| order(task, batch.engine(task))));
                is_sent = true;
            }
            if let Some(task) = chunk.pop_front() {
                self.receive(task, &mut chunk, since)?;
            }
        }
        Ok(())
    }

    /// Waits for the report of the first run of a chunk. If the chunk is late, writes the results so
    /// far and leaves the rest to other managers.
    fn receive(
        &mut self,
        task: Task,
        rest: &mut VecDeque<Task>,
        chunk_since: Instant,
    ) -> Result<(), BatchError> {
        let batch = self.batch;
        let limit = batch.plan.wanted.time_limit;
        let limit = limit.map(|limit| limit.saturating_add(batch.plan.grace));
        let since = Instant::now();
        let mut kept = RunSolutions::default();
        let mut is_rest_sent = false;
        let lost = loop {
            let Some(worker) = self.worker.as_mut().filter(|_| batch.is_wanted()) else {
                self.worker = None;
                return Ok(());
            };
            match worker.receive(PERIOD) {
                Ok(Some(WorkerAnswer::Report(report))) => break Ok(*report),
                Ok(Some(WorkerAnswer::Kept(one))) => kept.others.push(one),
                Ok(None) => {}
                Err(lost) => break Err(lost),
            }
            if kept.others.len() >= MOST_KEPT {
                lock(&batch.store).keep(&batch.key(&task), &mut kept)?;
            }
            if limit.is_some_and(|limit| since.elapsed() > limit) {
                let seconds = since.elapsed().as_secs_f64();
                let why = format!("it did not stop at its time limit: killed after {seconds:.1} s");
                break Err(BatchStatus::Lost(RunFailure::Hung, why));
            }
            if chunk_since.elapsed() > LATE && !(self.done.is_empty() && rest.is_empty()) {
                self.write_results()?;
                if batch.plan.workers > 1 {
                    is_rest_sent |= !rest.is_empty();
                    batch.queue.give_back(rest.drain(..));
                }
            }
        };
        self.pace = (self.pace * 3 + since.elapsed()) / 4;
        if lost.is_err() || is_rest_sent {
            self.worker = None;
        }
        let report = lost.unwrap_or_else(|lost| {
            let mut report = RunReport::unfinished(lost);
            report.work.seconds = since.elapsed().as_secs_f64();
            report
        });
        self.done.push(Done { task, report, kept });
        Ok(())
    }

    /// Writes the results of the runs that are done, and reports them.
    fn write_results(&mut self) -> Result<(), BatchError> {
        let batch = self.batch;
        if self.done.is_empty() {
            return Ok(());
        }
        let finished: Vec<Finished<'_>> = self
            .done
            .iter()
            .map(|done| Finished {
                key: batch.key(&done.task),
                report: &done.report,
                exit_code: (batch.plan.exit_code)(&done.report.ended),
                kept: &done.kept,
            })
            .collect();
        lock(&batch.store).finish(&finished)?;
        for Done { task, report, .. } in std::mem::take(&mut self.done) {
            let engine = batch.engine(&task);
            self.summary.engine(engine).count(&report.ended, Some(report.work.seconds));
            (batch.observer)(Event::Ended { label: &task.item.label, engine, report: &report });
            for label in batch.end(&task) {
                self.skip(&label, engine, &report.ended);
            }
        }
        Ok(())
    }

    /// Reports a run that was stored before.
    fn skip(&mut self, label: &str, engine: &str, ended: &Ended) {
        self.summary.engine(engine).count(ended, None);
        (self.batch.observer)(Event::Skipped { label, engine, ended });
    }
}

fn order<'t>(task: &'t Task, engine: &str) -> (Order, &'t [u8]) {
    let item = &*task.item;
    let text = item.text.as_deref().unwrap_or_default();
    let order = Order {
        label: item.label.clone(),
        name: item.name.clone(),
        lines_before: item.line as usize - 1,
        engine: engine.to_owned(),
        length: text.len(),
    };
    (order, text)
}
