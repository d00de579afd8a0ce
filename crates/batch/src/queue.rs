//! Where puzzles wait for a worker. Sources are read ahead, but only so far.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::sources::{End, Found, Item};

/// How many puzzles are read ahead.
const AHEAD: usize = 512;

/// How many bytes of texts are read ahead: one puzzle is, however long it is.
const BYTES_AHEAD: usize = 1 << 20;

/// How long a run that another batch has claimed is left alone.
const LEFT_ALONE: Duration = Duration::from_millis(60);

/// A puzzle and an engine.
#[derive(Debug)]
pub(super) struct Task {
    pub item: Arc<Item>,
    pub engine: usize,
}

/// What is taken from the queue at once.
#[derive(Debug, Default)]
pub(super) struct Handful {
    pub tasks: Vec<Task>,
    /// Files and folders that have ended.
    pub ends: Vec<End>,
    pub notes: Vec<String>,
}

impl Handful {
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty() && self.ends.is_empty() && self.notes.is_empty()
    }
}

/// The queue, between the thread that reads sources and those that give tasks to workers.
pub(super) struct Queue {
    engines: usize,
    state: Mutex<State>,
    /// Something has come in, or nothing more will.
    arrived: Condvar,
    /// There is room again, or nobody takes any more.
    left: Condvar,
}

#[derive(Default)]
struct State {
    found: VecDeque<Found>,
    /// Bytes of the texts in `found`.
    bytes: usize,
    /// Whether nothing more comes in.
    is_ended: bool,
    /// Whether nobody takes any more.
    is_closed: bool,
    tasks: VecDeque<Task>,
    /// Claimed by another batch, and when that was seen.
    aside: VecDeque<(Task, Instant)>,
    /// Tasks that were taken, and have not come back or been done.
    held: usize,
    /// Threads that wait for tasks.
    waiting: usize,
}

impl Queue {
    /// Each puzzle becomes a task for each of so many engines.
    pub fn new(engines: usize) -> Queue {
        Queue { engines, state: Mutex::default(), arrived: Condvar::new(), left: Condvar::new() }
    }

    /// No panic can leave anything half changed under the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts in all that is found, as there is room, until it ends or nobody takes any more.
    pub fn fill(&self, found: impl Iterator<Item = Found>) {
        /// Says that it has ended, also where reading panics.
        struct End<'a>(&'a Queue);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                self.0.lock().is_ended = true;
                self.0.arrived.notify_all();
            }
        }
        let _end = End(self);
        for found in found {
            let is_full = |state: &mut State| {
                let is_full = state.found.len() >= AHEAD || state.bytes >= BYTES_AHEAD;
                is_full && !state.is_closed
            };
            let state = self.left.wait_while(self.lock(), is_full);
            let mut state = state.unwrap_or_else(PoisonError::into_inner);
            if state.is_closed {
                return;
            }
            state.bytes += length(&found);
            state.found.push_back(found);
            if state.waiting > 0 {
                self.arrived.notify_one();
            }
        }
    }

    /// Nobody takes any more.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.left.notify_all();
    }

    /// Takes as many tasks as there are, but no more than `most`, and waits up to `patience` where
    /// there is nothing. `None` where there is nothing more to come.
    pub fn take(&self, most: usize, patience: Duration) -> Option<Handful> {
        let mut handful = Handful::default();
        let mut state = self.lock();
        state.take(self.engines, most, &mut handful);
        if handful.is_empty() && !patience.is_zero() {
            if state.is_over() {
                return None;
            }
            state.waiting += 1;
            let waited = self.arrived.wait_timeout(state, patience);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
            state.take(self.engines, most, &mut handful);
        }
        // Half of it, so that the reader is woken for many at a time.
        let has_room = state.found.len() <= AHEAD / 2 && state.bytes <= BYTES_AHEAD / 2;
        drop(state);
        if has_room {
            self.left.notify_one();
        }
        Some(handful)
    }

    /// So many of the tasks that were taken are done.
    pub fn done(&self, number: usize) {
        let mut state = self.lock();
        state.held -= number;
        if state.is_over() {
            self.arrived.notify_all();
        }
    }

    /// Puts a task back that another batch has claimed.
    pub fn put_aside(&self, task: Task) {
        let mut state = self.lock();
        state.held -= 1;
        state.aside.push_back((task, Instant::now()));
    }

    /// Puts tasks back in front, in their order, for whoever has time for them.
    pub fn give_back(&self, tasks: impl DoubleEndedIterator<Item = Task>) {
        let mut state = self.lock();
        for task in tasks.rev() {
            state.held -= 1;
            state.tasks.push_front(task);
        }
        drop(state);
        self.arrived.notify_all();
    }
}

impl State {
    fn take(&mut self, engines: usize, most: usize, handful: &mut Handful) {
        let before = handful.tasks.len();
        while handful.tasks.len() < most {
            if let Some(task) = self.next_task() {
                handful.tasks.push(task);
                continue;
            }
            let Some(found) = self.found.pop_front() else {
                break;
            };
            self.bytes -= length(&found);
            match found {
                Found::Item(item) => {
                    let item: Arc<Item> = Arc::from(item);
                    let tasks = (0..engines).map(|engine| Task { item: Arc::clone(&item), engine });
                    self.tasks.extend(tasks);
                }
                Found::End(end) => handful.ends.push(end),
                Found::Note(words) => handful.notes.push(words),
            }
        }
        self.held += handful.tasks.len() - before;
    }

    fn next_task(&mut self) -> Option<Task> {
        let is_due = |(_, seen): &(Task, Instant)| seen.elapsed() >= LEFT_ALONE;
        if let Some(task) = self.tasks.pop_front() {
            return Some(task);
        }
        let first = self.aside.front().is_some_and(is_due);
        first.then(|| self.aside.pop_front()).flatten().map(|(task, _)| task)
    }

    fn is_over(&self) -> bool {
        let is_empty = self.found.is_empty() && self.tasks.is_empty() && self.aside.is_empty();
        self.is_ended && is_empty && self.held == 0
    }
}

fn length(found: &Found) -> usize {
    match found {
        Found::Item(item) => item.text.as_ref().map_or(0, Vec::len),
        Found::End(_) | Found::Note(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    fn puzzle(number: u32, length: usize) -> Found {
        Found::Item(Box::new(Item {
            path: format!("{number}.yaml"),
            document: 1,
            line: 1,
            label: number.to_string(),
            name: String::new(),
            hash: number.to_string(),
            text: Ok(vec![b' '; length]),
        }))
    }

    const PATIENCE: Duration = Duration::from_millis(1);

    #[test]
    fn sources_are_read_ahead_only_so_far() {
        for (length, most) in [(10, AHEAD), (BYTES_AHEAD / 4, 4), (2 * BYTES_AHEAD, 1)] {
            let queue = Queue::new(2);
            let read = AtomicUsize::new(0);
            thread::scope(|scope| {
                let puzzles = (0..5_000).map(|number| {
                    read.fetch_add(1, Ordering::SeqCst);
                    puzzle(number, length)
                });
                scope.spawn(|| queue.fill(puzzles));
                let mut labels = Vec::new();
                for taken in 1..=20 {
                    while labels.len() < taken {
                        let handful = queue.take(1, Duration::from_secs(1)).unwrap();
                        labels
                            .extend(handful.tasks.into_iter().map(|task| task.item.label.clone()));
                    }
                    // One is in the reader's hands, and half of those here are another engine's.
                    let ahead = read.load(Ordering::SeqCst) - taken / 2;
                    assert!(ahead <= most + 2, "{ahead} are read ahead, of {length} bytes");
                }
                let both = |number: usize| [number.to_string(), number.to_string()];
                assert_eq!(labels, (0..10).flat_map(both).collect::<Vec<_>>());
                queue.close();
            });
        }
    }

    #[test]
    fn it_is_over_once_all_that_was_taken_is_done() {
        let queue = Queue::new(1);
        let end = End::File { path: "a".into(), documents: 3 };
        let ends = [end.clone()];
        let end = Found::End(end);
        queue.fill([puzzle(1, 1), puzzle(2, 1), puzzle(3, 1), end].into_iter());
        let handful = queue.take(9, PATIENCE).unwrap();
        assert_eq!(handful.ends, ends);
        let [first, second, third] = <[Task; 3]>::try_from(handful.tasks).unwrap();
        assert!(queue.take(9, PATIENCE).unwrap().is_empty());
        queue.done(1);
        queue.give_back([first, second].into_iter());
        assert!(queue.take(9, Duration::ZERO).unwrap().tasks.len() == 2);
        queue.put_aside(third);
        queue.done(1);
        assert!(queue.take(9, Duration::ZERO).unwrap().is_empty(), "it is left alone");
        thread::sleep(LEFT_ALONE);
        assert_eq!(queue.take(9, PATIENCE).unwrap().tasks[0].item.label, "3");
        queue.done(1);
        assert!(queue.take(9, PATIENCE).is_none());
    }
}
