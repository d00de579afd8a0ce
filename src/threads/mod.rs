//! Threads that share a search, and hand over what they find in the order in which one thread
//! would have found it.
//!
//! ```text
//!   row of jobs    ✓   ▶   ▶   ·   ·     ✓ done  ▶ on a thread  · waits
//!                  └─────► results go out from the left, as far as jobs are done
//! ```
//!
//! A thread takes the first job that waits. While somebody is idle, those at work give away part of
//! theirs; what they give joins the row right behind them, so that the row keeps the order of the
//! search however it is shared. The caller's own thread does no job: it hands the results over, and
//! asks now and then whether to go on.

use std::any::Any;
use std::collections::VecDeque;
use std::io;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use thiserror::Error;

use crate::clock;

/// How often the caller is told how far the threads are.
const PERIOD: Duration = Duration::from_millis(10);

/// Stack of a thread: as much as the main thread usually has. Only what is used takes memory.
pub const STACK: usize = 8 << 20;

/// Whether there are threads at all: a browser has none that share memory.
pub const ARE_THERE: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Starts a thread.
///
/// # Errors
/// Where the system starts none.
pub fn start<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    thread::Builder::new().stack_size(STACK).spawn(work)
}

/// How many threads this machine runs at once.
pub fn available() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// How many arrangements of so many cells may wait: some megabytes.
pub fn room_for(cells: usize) -> usize {
    const CELLS: usize = 1 << 20;
    const LEAST: usize = 16;
    const MOST: usize = 1 << 14;
    (CELLS / cells.max(1)).clamp(LEAST, MOST)
}

/// How much is done.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Done {
    /// Steps made.
    pub steps: u64,
    /// The share of the whole.
    pub share: f64,
}

impl Done {
    fn add(&mut self, other: Done) {
        self.steps += other.steps;
        self.share += other.share;
    }
}

/// What the caller is told.
#[derive(Debug, Clone, PartialEq)]
pub enum Event<R> {
    /// The next result, and the steps that one thread would have made until then.
    Found(R, u64),
    /// What all threads have done so far. The share never falls.
    Progress(Done),
}

/// Why threads could not do their jobs.
#[derive(Debug, Error)]
pub enum Trouble {
    /// A thread panicked.
    #[error("a thread panicked: {0}")]
    Panic(String),
    /// No thread could be started.
    #[error("no thread could be started: {0}")]
    NoThread(io::Error),
}

/// Does all jobs, and those that they give away, on so many threads, or as many as can be started; each
/// of them runs `work`, which takes jobs from its desk until there are none. Tells `host` the results in the order of the jobs.
///
/// At most `room` results wait for those in front of them; threads that find more pause. Returns the
/// steps made too: up to the result at which `host` said `Break`, or all of them.
///
/// # Errors
/// Where a thread panics, or none can be started. What was told until then stays valid.
pub fn share<J: Send, R: Send>(
    threads: usize,
    jobs: impl IntoIterator<Item = J>,
    room: usize,
    work: impl Fn(&mut Desk<'_, J, R>) + Sync,
    mut host: impl FnMut(Event<R>) -> ControlFlow<()>,
) -> Result<(ControlFlow<()>, u64), Trouble> {
    let shared = Shared::of(jobs, room);
    let (shared, work) = (&shared, &work);
    thread::scope(|scope| {
        // Whatever happens here, the threads end.
        let _closing = Closing(shared);
        for index in 0..threads.max(1) {
            let builder = thread::Builder::new().stack_size(STACK);
            let body = move || attend(shared, work);
            match builder.spawn_scoped(scope, body) {
                Ok(_) => {}
                Err(error) if index == 0 => return Err(Trouble::NoThread(error)),
                // Those that have started can do it all.
                Err(_) => break,
            }
        }
        shared.preside(&mut host)
    })
}

/// One thread from its first job to its last.
fn attend<J: Send, R: Send>(shared: &Shared<J, R>, work: impl Fn(&mut Desk<'_, J, R>)) {
    let mut desk = Desk {
        shared,
        job: None,
        done: Done::default(),
    };
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(&mut desk))) {
        shared
            .lock()
            .panic
            .get_or_insert_with(|| message_of(&*panic));
        shared.close();
    }
}

/// What a panic said.
pub(crate) fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
    text.unwrap_or_else(|| "no message".into())
}

/// What a thread talks to.
pub struct Desk<'a, J, R> {
    shared: &'a Shared<J, R>,
    /// The job in hand.
    job: Option<u64>,
    done: Done,
}

impl<J, R> Desk<'_, J, R> {
    /// Ends the job in hand and takes the next one; waits while others may still give some away.
    /// `None` where all are done, or nobody wants them any more.
    pub fn next_job(&mut self) -> Option<J> {
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
            if let Some((id, job)) = row.take() {
                shared.note_wants(&row);
                self.job = Some(id);
                self.done = Done::default();
                return Some(job);
            }
            if !row.is_busy() {
                drop(row);
                shared.close();
                return None;
            }
            row.idle += 1;
            shared.note_wants(&row);
            row = wait(&shared.jobs, row);
            row.idle -= 1;
        }
    }

    /// Whether somebody is idle and nothing waits.
    #[inline(always)]
    pub fn is_wanted(&self) -> bool {
        self.shared.is_wanted.load(Ordering::Relaxed)
    }

    /// Gives away the end of the job in hand, in its order.
    pub fn give(&mut self, jobs: Vec<J>) {
        let (shared, given) = (self.shared, jobs.len());
        let mut row = shared.lock();
        row.insert_behind(self.job, jobs);
        shared.note_wants(&row);
        for _ in 0..given.min(row.idle) {
            shared.jobs.notify_one();
        }
    }

    /// Hands over a result, found after so many steps of this job; waits while there is no room.
    /// `Break` where nobody wants it any more.
    pub fn found(&mut self, result: R, steps: u64) -> ControlFlow<()> {
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
            let waiting = if index == 0 {
                row.slots[0].results.len()
            } else {
                row.results
            };
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

    /// `Break` where nobody wants the rest any more.
    pub fn go_on(&self) -> ControlFlow<()> {
        match self.shared.is_closed() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Says how much of this job is done, what was given away left out. `Break` where nobody wants
    /// the rest any more.
    pub fn progress(&mut self, done: Done) -> ControlFlow<()> {
        self.done = done;
        self.go_on()?;
        let mut row = self.shared.lock();
        if let Some(index) = row.index_of(self.job) {
            row.slots[index].done = done;
        }
        ControlFlow::Continue(())
    }
}

struct Shared<J, R> {
    row: Mutex<Row<J, R>>,
    /// Results that may wait.
    room: usize,
    /// There are jobs, or there will be no more.
    jobs: Condvar,
    /// There is space for results, or nobody wants them.
    space: Condvar,
    /// The first jobs of the row have results or are done.
    news: Condvar,
    is_wanted: AtomicBool,
    is_closed: AtomicBool,
}

impl<J, R> Shared<J, R> {
    fn of(jobs: impl IntoIterator<Item = J>, room: usize) -> Self {
        let mut row = Row {
            slots: Vec::new(),
            next_id: 0,
            idle: 0,
            waiting: 0,
            results: 0,
            gone: Done::default(),
            panic: None,
        };
        row.insert_behind(None, jobs.into_iter().collect());
        Shared {
            row: Mutex::new(row),
            room: room.max(1),
            jobs: Condvar::new(),
            space: Condvar::new(),
            news: Condvar::new(),
            is_wanted: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
        }
    }

    /// Nothing foreign runs under the lock, so no panic can leave the row half changed.
    fn lock(&self) -> MutexGuard<'_, Row<J, R>> {
        self.row.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// No more jobs are done.
    fn close(&self) {
        // Under the lock, so that nobody misses it between a look and a nap.
        let _row = self.lock();
        self.is_closed.store(true, Ordering::Relaxed);
        self.jobs.notify_all();
        self.space.notify_all();
        self.news.notify_all();
    }

    fn note_wants(&self, row: &Row<J, R>) {
        let is_wanted = row.idle > row.waiting;
        self.is_wanted.store(is_wanted, Ordering::Relaxed);
    }

    /// Tells the host everything, until all is done or it says stop.
    fn preside(
        &self,
        host: &mut impl FnMut(Event<R>) -> ControlFlow<()>,
    ) -> Result<(ControlFlow<()>, u64), Trouble> {
        let mut results = Vec::new();
        let (mut told, mut share) = (clock::now(), 0.0_f64);
        loop {
            let mut row = self.lock();
            row.collect(&mut results);
            if results.is_empty() && !row.slots.is_empty() && !self.is_closed() {
                let waited = self.news.wait_timeout(row, PERIOD);
                row = waited.unwrap_or_else(PoisonError::into_inner).0;
                row.collect(&mut results);
            }
            if let Some(message) = row.panic.take() {
                return Err(Trouble::Panic(message));
            }
            let is_all = row.slots.is_empty();
            let mut done = row.done();
            drop(row);
            // The first job of the row, or room, may have become another's.
            self.space.notify_all();
            // The parts are rounded.
            share = share.max(done.share);
            done.share = share;
            for (steps, result) in results.drain(..) {
                if host(Event::Found(result, steps)).is_break() {
                    return Ok((ControlFlow::Break(()), steps));
                }
                if told.elapsed() >= PERIOD {
                    told = clock::now();
                    if host(Event::Progress(done)).is_break() {
                        return Ok((ControlFlow::Break(()), done.steps));
                    }
                }
            }
            if is_all {
                return Ok((ControlFlow::Continue(()), done.steps));
            }
            if told.elapsed() >= PERIOD {
                told = clock::now();
                if host(Event::Progress(done)).is_break() {
                    return Ok((ControlFlow::Break(()), done.steps));
                }
            }
        }
    }
}

fn wait<'a, T>(condition: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    let woken = condition.wait(guard);
    woken.unwrap_or_else(PoisonError::into_inner)
}

/// Closes when it goes out of scope.
struct Closing<'a, J, R>(&'a Shared<J, R>);

impl<J, R> Drop for Closing<'_, J, R> {
    fn drop(&mut self) {
        self.0.close();
    }
}

enum State<J> {
    Waits(J),
    Runs,
    Done,
}

/// A job, or several that are done and lay side by side.
struct Slot<J, R> {
    id: u64,
    state: State<J>,
    /// With the steps made in this slot until then.
    results: VecDeque<(u64, R)>,
    done: Done,
}

/// The jobs in order.
struct Row<J, R> {
    slots: Vec<Slot<J, R>>,
    next_id: u64,
    /// Threads without a job.
    idle: usize,
    /// Jobs without a thread.
    waiting: usize,
    /// Results of all slots.
    results: usize,
    /// Of the slots that have left the row.
    gone: Done,
    panic: Option<String>,
}

impl<J, R> Row<J, R> {
    fn index_of(&self, job: Option<u64>) -> Option<usize> {
        self.slots.iter().position(|slot| Some(slot.id) == job)
    }

    /// At the front of the row where there is no job to stand behind.
    fn insert_behind(&mut self, job: Option<u64>, jobs: Vec<J>) {
        let at = self.index_of(job).map_or(0, |index| index + 1);
        self.waiting += jobs.len();
        let first_id = self.next_id;
        self.next_id += jobs.len() as u64;
        let slots = (first_id..).zip(jobs).map(|(id, job)| Slot {
            id,
            state: State::Waits(job),
            results: VecDeque::new(),
            done: Done::default(),
        });
        self.slots.splice(at..at, slots);
    }

    /// The first job that waits.
    fn take(&mut self) -> Option<(u64, J)> {
        for slot in &mut self.slots {
            match std::mem::replace(&mut slot.state, State::Runs) {
                State::Waits(job) => {
                    self.waiting -= 1;
                    return Some((slot.id, job));
                }
                other => slot.state = other,
            }
        }
        None
    }

    /// Whether a job is on a thread.
    fn is_busy(&self) -> bool {
        let mut slots = self.slots.iter();
        slots.any(|slot| matches!(slot.state, State::Runs))
    }

    /// A job is done. It joins its neighbours that are done, so that there are never many.
    fn end(&mut self, id: u64, done: Done) {
        let Some(index) = self.index_of(Some(id)) else {
            return;
        };
        self.slots[index].state = State::Done;
        self.slots[index].done = done;
        self.join(index);
        if index > 0 {
            self.join(index - 1);
        }
    }

    /// A slot swallows the one behind it where both are done.
    fn join(&mut self, index: usize) {
        let is_done = |slot: &Slot<J, R>| matches!(slot.state, State::Done);
        let pair = self.slots.get(index..index + 2);
        if !pair.is_some_and(|pair| pair.iter().all(is_done)) {
            return;
        }
        let second = self.slots.remove(index + 1);
        let first = &mut self.slots[index];
        let before = first.done.steps;
        let results = second.results.into_iter();
        first
            .results
            .extend(results.map(|(steps, result)| (before + steps, result)));
        first.done.add(second.done);
    }

    /// Takes out the results in front of which nothing is left to do, with the steps of the whole.
    fn collect(&mut self, results: &mut Vec<(u64, R)>) {
        while let Some(slot) = self.slots.first_mut() {
            let before = self.gone.steps;
            self.results -= slot.results.len();
            let of_slot = slot.results.drain(..);
            results.extend(of_slot.map(|(steps, result)| (before + steps, result)));
            if !matches!(slot.state, State::Done) {
                return;
            }
            self.gone.add(slot.done);
            self.slots.remove(0);
        }
    }

    fn done(&self) -> Done {
        let mut done = self.gone;
        for slot in &self.slots {
            done.add(slot.done);
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts through a range, some of it slowly; every seventh number is a result.
    fn count(desk: &mut Desk<'_, (u64, u64), u64>) {
        while let Some((from, mut to)) = desk.next_job() {
            let mut number = from;
            while number < to {
                let middle = number + (to - number) / 2;
                if desk.is_wanted() && middle > number {
                    desk.give(vec![(middle, to)]);
                    to = middle;
                }
                if number % 1000 == 0 {
                    thread::sleep(Duration::from_micros(50));
                }
                if number % 7 == 0 && desk.found(number, number - from + 1).is_break() {
                    return;
                }
                let done = Done {
                    steps: number - from + 1,
                    share: (number - from + 1) as f64,
                };
                if desk.progress(done).is_break() {
                    return;
                }
                number += 1;
            }
        }
    }

    fn sevenths(below: u64) -> Vec<(u64, u64)> {
        (0..below).step_by(7).map(|n| (n, n + 1)).collect()
    }

    #[test]
    fn results_come_in_the_order_of_one_thread_with_its_steps() {
        const MANY: u64 = 20_000;
        for (threads, room) in [(1, 9), (2, 1), (2, 1 << 20), (5, 3), (5, 1000)] {
            let (mut found, mut share) = (Vec::new(), 0.0);
            let jobs = [(0, 10), (10, 11), (11, MANY)];
            let end = super::share(threads, jobs, room, count, |event| {
                match event {
                    Event::Found(number, steps) => found.push((number, steps)),
                    Event::Progress(done) => {
                        assert!(done.share >= share && done.share <= MANY as f64);
                        share = done.share;
                    }
                }
                ControlFlow::Continue(())
            });
            assert_eq!(end.unwrap(), (ControlFlow::Continue(()), MANY));
            assert_eq!(found, sevenths(MANY), "{threads} threads, room {room}");
        }
    }

    #[test]
    fn a_stop_is_exact() {
        for threads in [1, 2, 5] {
            let mut found = Vec::new();
            let jobs = [(0, u64::MAX / 2)];
            let end = super::share(threads, jobs, 100, count, |event| {
                if let Event::Found(number, steps) = event {
                    found.push((number, steps));
                }
                match found.len() {
                    200 => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            });
            assert_eq!(end.unwrap(), (ControlFlow::Break(()), 199 * 7 + 1));
            assert_eq!(found, sevenths(200 * 7));
        }
    }

    #[test]
    fn the_host_is_asked_while_nothing_is_found() {
        let forever = |desk: &mut Desk<'_, (), ()>| {
            while desk.next_job().is_some() {
                while desk.go_on().is_continue() {
                    thread::sleep(Duration::from_millis(1));
                }
            }
        };
        let end = super::share(3, [()], 1, forever, |_| ControlFlow::Break(()));
        assert_eq!(end.unwrap().0, ControlFlow::Break(()));
    }

    #[test]
    fn a_panic_ends_the_others() {
        let fall = |desk: &mut Desk<'_, u64, ()>| {
            while let Some(number) = desk.next_job() {
                assert!(number < 5, "the job was {number}");
                while desk.go_on().is_continue() {
                    thread::sleep(Duration::from_millis(1));
                }
            }
        };
        let end = super::share(3, [1, 2, 7], 1, fall, |_| ControlFlow::Continue(()));
        let message = end.unwrap_err().to_string();
        assert_eq!(message, "a thread panicked: the job was 7");
    }

    #[test]
    fn no_jobs_are_no_work() {
        let end = super::share(2, [], 1, count, |_| ControlFlow::Break(()));
        assert_eq!(end.unwrap(), (ControlFlow::Continue(()), 0));
    }
}
