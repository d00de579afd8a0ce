//! The queue of jobs that threads share, with results emitted in the order of the jobs.
//!
//! A thread without a job waits until another one splits off a part of its job (work stealing).
//! Results are released in the order in which a single thread would find them, so the output does
//! not depend on the number of threads.

use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use thiserror::Error;

use super::row::OrderedJobs;
use super::threads::{message_of, run_with_threads};
use super::worker::{SearchProgress, Sink, Worker};
use crate::runtime::clock;
use crate::runtime::limits::Flow;

/// The minimum interval between two progress reports to the sink.
const REPORT_INTERVAL: Duration = Duration::from_millis(10);

/// The number of arrangements of `cells` cells that may wait to be emitted: together some
/// megabytes.
pub fn room_for(cells: usize) -> usize {
    const CELLS: usize = 1 << 20;
    const LEAST: usize = 16;
    const MOST: usize = 1 << 14;
    (CELLS / cells.max(1)).clamp(LEAST, MOST)
}

/// The reason why jobs could not be completed.
#[derive(Debug, Error)]
pub enum SchedulerError {
    /// A thread panicked, with the message.
    #[error("a thread panicked: {0}")]
    Panic(String),
    /// No thread could be started.
    #[error("no thread could be started: {0}")]
    NoThread(io::Error),
}

/// Runs all jobs, and those that they give away, on `threads` threads or as many as can be started.
/// Each thread runs `work`, which takes jobs from its worker until there are none. Results reach
/// `sink` in the order of the jobs.
///
/// Progress continues from `before`. At most `room` results wait for earlier ones; threads that
/// find more are blocked. Returns the last reply of `sink`, and the total number of steps,
/// including `before`, up to the result at which `sink` broke, or of the whole search.
///
/// # Errors
/// If a thread panics or none can be started. Results emitted before remain valid.
pub fn run_jobs<J: Send, R: Send>(
    threads: usize,
    jobs: impl IntoIterator<Item = J>,
    before: SearchProgress,
    room: usize,
    work: &(dyn Fn(&mut QueueWorker<'_, J, R>) + Sync),
    sink: &mut dyn Sink<R>,
) -> Result<(Flow, u64), SchedulerError> {
    let shared = &SharedQueue::new(jobs, before, room);
    let here = || {
        // Closes the queue on return and on a panic, so that all threads end.
        let _closing = CloseOnDrop(shared);
        shared.collect(sink)
    };
    run_with_threads(threads.max(1), || run_worker(shared, work), here)
        .map_err(SchedulerError::NoThread)?
}

/// Runs `work` with the worker of this thread. A panic closes the queue and is stored in it.
fn run_worker<J: Send, R: Send>(
    shared: &SharedQueue<J, R>,
    work: &(dyn Fn(&mut QueueWorker<'_, J, R>) + Sync),
) {
    let mut worker = QueueWorker { shared, job: None, done: SearchProgress::default() };
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(&mut worker))) {
        shared.lock().panic.get_or_insert_with(|| message_of(&*panic));
        shared.close();
    }
}

/// The worker of a thread, with its current job.
pub struct QueueWorker<'a, J, R> {
    shared: &'a SharedQueue<J, R>,
    /// The id of the current job; `None` before the first and after the last one.
    job: Option<u64>,
    done: SearchProgress,
}

impl<J, R> QueueWorker<'_, J, R> {
    /// Breaks if the queue is closed, because the search is complete or its remaining results are
    /// not needed.
    fn poll(&self) -> Flow {
        if self.shared.is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Steps and progress refer to the current job, without the part that was given away. If there is
/// no room for a result, the thread waits.
impl<J, R> Sink<R> for QueueWorker<'_, J, R> {
    fn found(&mut self, result: R, steps: u64) -> Flow {
        self.done.steps = steps;
        let shared = self.shared;
        let mut row = shared.lock();
        loop {
            if shared.is_closed() {
                return ControlFlow::Break(());
            }
            let Some(index) = row.index_of(self.job) else {
                return ControlFlow::Break(());
            };
            let waiting = if index == 0 { row.slots[0].results.len() } else { row.results };
            if waiting < shared.room {
                row.slots[index].results.push_back((steps, result));
                row.slots[index].done = self.done;
                row.results += 1;
                if index == 0 {
                    shared.news.notify_one();
                }
                return ControlFlow::Continue(());
            }
            row = wait(&shared.space, row);
        }
    }

    fn progress(&mut self, progress: SearchProgress) -> Flow {
        self.done = progress;
        self.poll()?;
        let mut row = self.shared.lock();
        if let Some(index) = row.index_of(self.job) {
            row.slots[index].done = progress;
        }
        ControlFlow::Continue(())
    }
}

/// `next_job` waits as long as other threads run jobs, parts of which they may give away.
impl<J, R> Worker<J, R> for QueueWorker<'_, J, R> {
    #[inline(always)]
    fn is_wanted(&self) -> bool {
        self.shared.is_wanted.load(Ordering::Relaxed)
    }

    fn give(&mut self, jobs: Vec<J>) {
        let shared = self.shared;
        let given = jobs.len();
        let mut row = shared.lock();
        row.insert_behind(self.job, jobs);
        shared.update_is_wanted(&row);
        for _ in 0..given.min(row.idle) {
            shared.jobs.notify_one();
        }
    }

    fn next_job(&mut self) -> Option<J> {
        let shared = self.shared;
        let mut row = shared.lock();
        if let Some(id) = self.job.take() {
            row.end(id, self.done);
            shared.news.notify_one();
        }
        loop {
            if shared.is_closed() {
                return None;
            }
            if let Some((id, job)) = row.take_first() {
                shared.update_is_wanted(&row);
                self.job = Some(id);
                self.done = SearchProgress::default();
                return Some(job);
            }
            if !row.is_busy() {
                drop(row);
                shared.close();
                return None;
            }
            row.idle += 1;
            shared.update_is_wanted(&row);
            row = wait(&shared.jobs, row);
            row.idle -= 1;
        }
    }
}

struct SharedQueue<J, R> {
    row: Mutex<OrderedJobs<J, R>>,
    /// The maximum number of waiting results.
    room: usize,
    /// Notified when there are new jobs, or the queue is closed.
    jobs: Condvar,
    /// Notified when there may be room for results, or the queue is closed.
    space: Condvar,
    /// Notified when there may be results to emit, a job has ended, or the queue is closed.
    news: Condvar,
    is_wanted: AtomicBool,
    is_closed: AtomicBool,
}

impl<J, R> SharedQueue<J, R> {
    /// Creates a queue of jobs in this order, in which at most `room` results wait, but at least
    /// one. Progress continues from `before`.
    fn new(jobs: impl IntoIterator<Item = J>, before: SearchProgress, room: usize) -> Self {
        SharedQueue {
            row: Mutex::new(OrderedJobs::new(jobs, before)),
            room: room.max(1),
            jobs: Condvar::new(),
            space: Condvar::new(),
            news: Condvar::new(),
            is_wanted: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
        }
    }

    /// Locks the row. A poisoned lock is ignored: no foreign code runs under it, so a panic cannot
    /// leave the row inconsistent.
    fn lock(&self) -> MutexGuard<'_, OrderedJobs<J, R>> {
        self.row.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if the search is complete or its remaining results are not wanted.
    fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// Closes the queue and wakes all threads: no further jobs are run, and running ones end at
    /// their next poll.
    fn close(&self) {
        // The lock prevents a lost wake-up between a thread's check and its wait.
        let _row = self.lock();
        self.is_closed.store(true, Ordering::Relaxed);
        self.jobs.notify_all();
        self.space.notify_all();
        self.news.notify_all();
    }

    /// Updates the flag that asks busy threads to give away parts of their jobs.
    fn update_is_wanted(&self, row: &OrderedJobs<J, R>) {
        let is_wanted = row.idle > row.waiting;
        self.is_wanted.store(is_wanted, Ordering::Relaxed);
    }

    /// Emits results and progress until all jobs are done or the sink breaks. Returns its last
    /// reply and the number of steps up to then.
    ///
    /// # Errors
    /// If a thread has panicked.
    fn collect(&self, sink: &mut dyn Sink<R>) -> Result<(Flow, u64), SchedulerError> {
        let mut results = Vec::new();
        let mut reported = clock::now();
        // Rounding must not make the reported progress decrease.
        let mut share = self.lock().done().share;
        loop {
            let mut row = self.lock();
            row.collect(&mut results);
            if results.is_empty() && !row.slots.is_empty() && !self.is_closed() {
                let waited = self.news.wait_timeout(row, REPORT_INTERVAL);
                row = waited.unwrap_or_else(PoisonError::into_inner).0;
                row.collect(&mut results);
            }
            if let Some(message) = row.panic.take() {
                return Err(SchedulerError::Panic(message));
            }
            let is_all = row.slots.is_empty();
            let mut done = row.done();
            drop(row);
            // Another job may now be the first of the row, or there may be more room.
            self.space.notify_all();
            share = share.max(done.share).min(SearchProgress::MOST_SHARE);
            done.share = share;
            for (steps, result) in results.drain(..) {
                if sink.found(result, steps).is_break() {
                    return Ok((ControlFlow::Break(()), steps));
                }
                if reported.elapsed() >= REPORT_INTERVAL {
                    reported = clock::now();
                    if sink.progress(done).is_break() {
                        return Ok((ControlFlow::Break(()), done.steps));
                    }
                }
            }
            if is_all {
                return Ok((ControlFlow::Continue(()), done.steps));
            }
            if reported.elapsed() >= REPORT_INTERVAL {
                reported = clock::now();
                if sink.progress(done).is_break() {
                    return Ok((ControlFlow::Break(()), done.steps));
                }
            }
        }
    }
}

/// Waits for a condition. Ignores that another thread may have panicked, which is reported
/// elsewhere.
fn wait<'a, T>(condition: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condition.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// Closes the queue when it goes out of scope.
struct CloseOnDrop<'a, J, R>(&'a SharedQueue<J, R>);

impl<J, R> Drop for CloseOnDrop<'_, J, R> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const MANY: u64 = 20_000;

    /// The work of a thread: counts through ranges, sometimes slowly. Every seventh number is a
    /// result.
    fn count(worker: &mut QueueWorker<'_, (u64, u64), u64>) {
        while let Some((from, mut to)) = worker.next_job() {
            let mut number = from;
            while number < to {
                let middle = number + (to - number) / 2;
                if worker.is_wanted() && middle > number {
                    worker.give(vec![(middle, to)]);
                    to = middle;
                }
                if number % 1000 == 0 {
                    thread::sleep(Duration::from_micros(50));
                }
                if number % 7 == 0 && worker.found(number, number - from + 1).is_break() {
                    return;
                }
                let done = number - from + 1;
                if worker.progress(SearchProgress::new(done, done as f64 / MANY as f64)).is_break()
                {
                    return;
                }
                number += 1;
            }
        }
    }

    fn sevenths(below: u64) -> Vec<(u64, u64)> {
        (0..below).step_by(7).map(|n| (n, n + 1)).collect()
    }

    /// A sink that keeps the results and breaks after a number of them.
    struct Keep {
        most: usize,
        found: Vec<(u64, u64)>,
        share: f64,
    }

    impl Keep {
        fn at_most(most: usize) -> Self {
            Keep { most, found: Vec::new(), share: 0.0 }
        }
    }

    impl Sink<u64> for Keep {
        fn found(&mut self, number: u64, steps: u64) -> ControlFlow<()> {
            self.found.push((number, steps));
            if self.found.len() == self.most {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        }

        fn progress(&mut self, progress: SearchProgress) -> ControlFlow<()> {
            assert!((self.share..1.0).contains(&progress.share));
            self.share = progress.share;
            ControlFlow::Continue(())
        }
    }

    /// A sink that breaks at the first call.
    struct Impatient;

    impl<R> Sink<R> for Impatient {
        fn found(&mut self, _: R, _: u64) -> ControlFlow<()> {
            ControlFlow::Break(())
        }

        fn progress(&mut self, _: SearchProgress) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }

    #[test]
    fn results_come_in_the_order_of_one_thread_with_its_steps() {
        for (threads, room) in [(1, 9), (2, 1), (2, 1 << 20), (5, 3), (5, 1000)] {
            let mut keep = Keep::at_most(usize::MAX);
            let jobs = [(0, 10), (10, 11), (11, MANY)];
            let end = run_jobs(threads, jobs, SearchProgress::default(), room, &count, &mut keep);
            assert_eq!(end.unwrap(), (ControlFlow::Continue(()), MANY));
            assert_eq!(keep.found, sevenths(MANY), "{threads} threads, room {room}");
        }
    }

    #[test]
    fn a_stop_is_exact() {
        for threads in [1, 2, 5] {
            let mut keep = Keep::at_most(200);
            let end = run_jobs(
                threads,
                [(0, u64::MAX / 2)],
                SearchProgress::default(),
                100,
                &count,
                &mut keep,
            );
            assert_eq!(end.unwrap(), (ControlFlow::Break(()), 199 * 7 + 1));
            assert_eq!(keep.found, sevenths(200 * 7));
        }
    }

    #[test]
    fn the_sink_is_asked_while_nothing_is_found() {
        let forever = |worker: &mut QueueWorker<'_, (), ()>| {
            while worker.next_job().is_some() {
                while worker.poll().is_continue() {
                    thread::sleep(Duration::from_millis(1));
                }
            }
        };
        let end = run_jobs(3, [()], SearchProgress::default(), 1, &forever, &mut Impatient);
        assert_eq!(end.unwrap().0, ControlFlow::Break(()));
    }

    #[test]
    fn a_panic_ends_the_others() {
        let fall = |worker: &mut QueueWorker<'_, u64, u64>| {
            while let Some(number) = worker.next_job() {
                assert!(number < 5, "the job was {number}");
                while worker.poll().is_continue() {
                    thread::sleep(Duration::from_millis(1));
                }
            }
        };
        let mut keep = Keep::at_most(1);
        let message = run_jobs(3, [1, 2, 7], SearchProgress::default(), 1, &fall, &mut keep)
            .unwrap_err()
            .to_string();
        assert_eq!(message, "a thread panicked: the job was 7");
    }

    #[test]
    fn no_jobs_are_no_work() {
        let end = run_jobs(2, [], SearchProgress::default(), 1, &count, &mut Impatient);
        assert_eq!(end.unwrap(), (ControlFlow::Continue(()), 0));
    }
}
