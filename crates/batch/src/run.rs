//! Running a batch: managers take chunks of runs from the queue, send them to worker processes, and
//! write the results.
//!
//! A run can take less time than a transaction or a switch of threads, so a worker queues several
//! short runs, whose results are written in one transaction.

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

/// The longest time between two checks of the interrupt flag.
const PERIOD: Duration = Duration::from_millis(20);

/// The target time of a chunk of runs, from which its length is chosen.
const CHUNK: Duration = Duration::from_millis(20);

/// If a chunk takes longer than this, the results so far are written, and its remaining runs are
/// given back to the queue.
const LATE: Duration = Duration::from_millis(50);

/// The maximum number of runs in a chunk.
const MOST_RUNS: usize = 128;

/// If a run has this many solutions that are not stored, they are written before it ends.
const MOST_KEPT: usize = 500;

/// Runs every engine of the plan on every puzzle in `found`, except for runs whose results are in
/// the store. `launch` returns the command that starts a worker process, which must call
/// [`serve`](super::serve). `observer` is called from several threads.
///
/// Reading ahead is bounded, so memory does not grow with the number of puzzles. Setting
/// `interrupt` ends the batch: unfinished runs are dropped, with their solutions in the store, and
/// the summary says so. If this process is killed, the runs in progress and the results of about
/// the last tenth of a second are lost.
///
/// # Errors
/// If the store cannot be read or written, or no worker or thread can be started. Results that were
/// already written stay.
pub fn run(
    plan: &Plan<'_>,
    found: impl Iterator<Item = Found> + Send + 'static,
    store: Store,
    launch: &(dyn Fn() -> Command + Sync),
    observer: &(dyn Fn(Event<'_>) + Sync),
    interrupt: &AtomicBool,
) -> Result<Summary, BatchError> {
    let queue = Arc::new(Queue::default());
    // The thread is not joined, because standard input may never end.
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

/// Runs the managers, each on its own thread, and adds up their counts; returns the first error.
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

/// Locks a mutex and ignores poisoning: a panic cannot leave the contents half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state that all managers share.
struct Batch<'a> {
    plan: &'a Plan<'a>,
    queue: &'a Queue,
    store: Mutex<Store>,
    /// The runs in progress, by hash and engine, each with the labels of other files that have the
    /// same text.
    running: Mutex<HashMap<(String, usize), Vec<String>>>,
    has_failed: AtomicBool,
    launch: &'a (dyn Fn() -> Command + Sync),
    observer: &'a (dyn Fn(Event<'_>) + Sync),
    interrupt: &'a AtomicBool,
}

impl<'a> Batch<'a> {
    /// Returns false if the batch was interrupted or a manager has failed.
    fn goes_on(&self) -> bool {
        !self.has_failed.load(Ordering::Relaxed) && !self.interrupt.load(Ordering::Relaxed)
    }

    /// The name of a task's engine.
    fn engine(&self, task: &Task) -> &'a str {
        &self.plan.engines[task.engine]
    }

    /// The key under which the run of a task is stored.
    fn key<'t>(&'t self, task: &'t Task) -> Key<'t> {
        self.plan.key(&task.item.hash, self.engine(task))
    }

    /// Marks a run as in progress and returns true. If another manager has it in progress, counts
    /// the task as done and returns false; that manager then reports the run for this file too.
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

    /// Marks a run as finished; returns the labels of other files that have the same text.
    fn end(&self, task: &Task) -> Vec<String> {
        self.queue.done();
        lock(&self.running).remove(&(task.item.hash.clone(), task.engine)).unwrap_or_default()
    }
}

/// A run that has ended and whose result is not yet written.
struct Done {
    task: Task,
    report: RunReport,
    kept: RunSolutions,
}

/// A thread's state: its worker process, started when needed, and results to write.
struct Manager<'a> {
    batch: &'a Batch<'a>,
    worker: Option<Worker>,
    done: Vec<Done>,
    /// A moving average of the time of a run.
    pace: Duration,
    summary: Summary,
}

impl<'a> Manager<'a> {
    /// A manager without a worker and without finished runs.
    fn new(batch: &'a Batch<'a>) -> Self {
        let summary = Summary::default();
        Manager { batch, worker: None, done: Vec::new(), pace: LATE, summary }
    }

    /// Processes runs until there are no more or the batch ends. On an error, which is returned,
    /// the other managers stop too.
    fn work(mut self) -> Result<Summary, BatchError> {
        let result = self.work_until_end();
        if result.is_err() {
            self.batch.has_failed.store(true, Ordering::Relaxed);
        }
        result.map(|()| self.summary)
    }

    /// Takes chunks from the queue, runs them and writes their results, until no more can come or
    /// the batch ends.
    ///
    /// # Errors
    /// If a worker cannot be started, or the results file cannot be written.
    fn work_until_end(&mut self) -> Result<(), BatchError> {
        while self.batch.goes_on() {
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

    /// Records puzzles and the ends of files in the store, reports warnings and runs that are
    /// already stored, and returns the runs that a worker must do. Runs that another manager is
    /// doing are left to it. A text that could not be read becomes a result at once.
    ///
    /// # Errors
    /// If the results file cannot be written.
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
        // This comes before the query of the store, which then finds runs that end in between.
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

    /// Sends the runs of a chunk to the worker and receives their reports. Starts a worker if there
    /// is none, also after one has died. The results are kept for [`Self::write_results`]. Returns
    /// early, without the remaining runs, if the batch ends.
    ///
    /// # Errors
    /// If a worker cannot be started, or the results file cannot be written.
    fn run_chunk(&mut self, mut chunk: VecDeque<Task>) -> Result<(), BatchError> {
        let batch = self.batch;
        let since = Instant::now();
        let mut is_sent = false;
        while !chunk.is_empty() && batch.goes_on() {
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

    /// Receives the solutions and the report of `task`; a worker that dies or exceeds the time
    /// limit becomes a failed run. If the chunk exceeds [`LATE`], writes the results so far and, if
    /// there are several managers, gives `rest` back to the queue; the worker is then replaced,
    /// since it has those orders already. Many solutions are stored before the run ends. If the
    /// batch ends, kills the worker and drops the run.
    ///
    /// # Errors
    /// If the results file cannot be written.
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
            let Some(worker) = self.worker.as_mut().filter(|_| batch.goes_on()) else {
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

    /// Writes this manager's finished runs to the results file, then counts and reports them. Files
    /// with the same text that waited for such a run are reported as skipped.
    ///
    /// # Errors
    /// If the results file cannot be written; the runs are then neither counted nor reported.
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

    /// Counts and reports a run whose result was already stored.
    fn skip(&mut self, label: &str, engine: &str, ended: &Ended) {
        self.summary.engine(engine).count(ended, None);
        (self.batch.observer)(Event::Skipped { label, engine, ended });
    }
}

/// The order of a task and the text that follows it.
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
