//! The bounded queue of runs, from the thread that reads sources to the managers of workers.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::sources::{End, Found, Item};

/// The reader waits while the queue has this many entries.
const AHEAD: usize = 512;

/// The reader waits while the queued texts have this many bytes, counted once for each engine. The
/// last text may exceed it.
const BYTES_AHEAD: usize = 1 << 20;

/// A run: a puzzle and the index of its engine in [`Plan::engines`](super::Plan::engines).
#[derive(Debug)]
pub(super) struct Task {
    pub item: Arc<Item>,
    pub engine: usize,
    /// True if a manager has already checked that the store has no result of the run.
    pub is_new: bool,
}

impl Task {
    /// The number of bytes of the text; 0 if it could not be read.
    fn length(&self) -> usize {
        self.item.text.as_ref().map_or(0, Vec::len)
    }
}

/// An entry of the queue. Only tasks count as work that must be reported done.
#[derive(Debug)]
pub(super) enum QueueEntry {
    Task(Task),
    End(End),
    Note(String),
}

impl QueueEntry {
    /// The number of bytes of a task's text; 0 for the other entries.
    fn length(&self) -> usize {
        match self {
            QueueEntry::Task(task) => task.length(),
            QueueEntry::End(_) | QueueEntry::Note(_) => 0,
        }
    }
}

/// A queue with one producer and any number of consumers.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// Wakes consumers: an entry was added, or no more can come.
    arrived: Condvar,
    /// Wakes the producer: half of the queue is free, or the queue was closed.
    has_room: Condvar,
}

/// The entries of a queue and the tasks taken from it.
#[derive(Default)]
struct State {
    entries: VecDeque<QueueEntry>,
    /// The number of bytes of the texts in `entries`, counted once for each engine.
    bytes: usize,
    /// True if the producer adds no more entries.
    is_ended: bool,
    /// True if consumers take no more entries.
    is_closed: bool,
    /// The number of tasks that were taken and neither done nor given back.
    held: usize,
}

impl State {
    /// Returns true if no entry is left and none can come, not even from [`Queue::give_back`].
    fn is_over(&self) -> bool {
        self.is_ended && self.entries.is_empty() && self.held == 0
    }
}

impl Queue {
    /// Locks the state and ignores poisoning: a panic cannot leave it half changed.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds all entries of `found` in order, and waits whenever the queue is full. Returns at the
    /// end of `found` or once the queue is closed. Each puzzle becomes a task for each engine.
    pub fn fill(&self, found: impl Iterator<Item = Found>, engines: usize) {
        /// Marks the queue as ended when dropped, so consumers do not wait forever if reading
        /// panics.
        struct Ending<'a>(&'a Queue);
        impl Drop for Ending<'_> {
            fn drop(&mut self) {
                self.0.lock().is_ended = true;
                self.0.arrived.notify_all();
            }
        }
        let _ending = Ending(self);
        for found in found {
            let state = self.has_room.wait_while(self.lock(), |state| {
                let is_full = state.entries.len() >= AHEAD || state.bytes >= BYTES_AHEAD;
                is_full && !state.is_closed
            });
            let mut state = state.unwrap_or_else(PoisonError::into_inner);
            if state.is_closed {
                return;
            }
            match found {
                Found::Item(item) => {
                    let item = Arc::from(item);
                    for engine in 0..engines {
                        let task = Task { item: Arc::clone(&item), engine, is_new: false };
                        state.bytes += task.length();
                        state.entries.push_back(QueueEntry::Task(task));
                    }
                }
                Found::End(end) => state.entries.push_back(QueueEntry::End(end)),
                Found::Note(note) => state.entries.push_back(QueueEntry::Note(note)),
            }
            drop(state);
            self.arrived.notify_one();
        }
    }

    /// Declares that consumers take no more entries, which makes [`fill`](Self::fill) return before
    /// its next entry. Entries in the queue stay there.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.has_room.notify_all();
    }

    /// Takes up to `most` entries whose texts together have at most `bytes` bytes, but at least one
    /// if there is any. If the queue is empty, waits up to `patience`, then returns an empty list.
    /// Returns `None` if no more entries can come. Each task taken must be reported with
    /// [`done`](Self::done) or [`give_back`](Self::give_back).
    pub fn take(&self, most: usize, bytes: usize, patience: Duration) -> Option<Vec<QueueEntry>> {
        let is_empty = |state: &mut State| state.entries.is_empty() && !state.is_over();
        let waited = self.arrived.wait_timeout_while(self.lock(), patience, is_empty);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if state.is_over() {
            return None;
        }
        let mut taken = Vec::new();
        let mut length = 0;
        while let Some(entry) = state.entries.front() {
            length += entry.length();
            if taken.len() == most || (length > bytes && !taken.is_empty()) {
                break;
            }
            let is_task = matches!(entry, QueueEntry::Task(_));
            state.bytes -= entry.length();
            state.held += usize::from(is_task);
            taken.extend(state.entries.pop_front());
        }
        // Waiting until half of the queue is free wakes the reader less often.
        if state.entries.len() <= AHEAD / 2 && state.bytes <= BYTES_AHEAD / 2 {
            self.has_room.notify_one();
        }
        Some(taken)
    }

    /// Reports that one task that was taken needs no more work. Must be called once for each task
    /// that is not given back, because [`take`](Self::take) waits for it before it returns `None`.
    pub fn done(&self) {
        let mut state = self.lock();
        state.held -= 1;
        if state.is_over() {
            self.arrived.notify_all();
        }
    }

    /// Puts tasks that were taken back at the front of the queue, in their order, even if the queue
    /// is full.
    pub fn give_back(&self, tasks: impl DoubleEndedIterator<Item = Task>) {
        let mut state = self.lock();
        for task in tasks.rev() {
            state.held -= 1;
            state.bytes += task.length();
            state.entries.push_front(QueueEntry::Task(task));
        }
        drop(state);
        self.arrived.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(1);

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

    fn take(queue: &Queue, most: usize, patience: Duration) -> Option<Vec<Task>> {
        let taken = queue.take(most, usize::MAX, patience)?;
        let tasks = taken.into_iter().filter_map(|entry| match entry {
            QueueEntry::Task(task) => Some(task),
            QueueEntry::End(_) | QueueEntry::Note(_) => None,
        });
        Some(tasks.collect())
    }

    #[test]
    fn reading_ahead_is_bounded() {
        for (length, most) in [(10, AHEAD / 2), (BYTES_AHEAD / 4, 2), (2 * BYTES_AHEAD, 1)] {
            let queue = Queue::default();
            let read = AtomicUsize::new(0);
            thread::scope(|scope| {
                let puzzles = (0..5_000).map(|number| {
                    read.fetch_add(1, Ordering::SeqCst);
                    puzzle(number, length)
                });
                scope.spawn(|| queue.fill(puzzles, 2));
                let mut labels = Vec::new();
                for taken in 1..=20 {
                    while labels.len() < taken {
                        let tasks = take(&queue, 1, Duration::from_secs(1)).unwrap();
                        labels.extend(tasks.into_iter().map(|task| task.item.label.clone()));
                    }
                    // The reader holds one more puzzle, and each puzzle is taken once for each of
                    // two engines.
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
    fn long_texts_are_taken_one_by_one() {
        let queue = Queue::default();
        queue.fill([puzzle(1, 60), puzzle(2, 60), puzzle(3, 40)].into_iter(), 1);
        let taken = [100, 100].map(|bytes| queue.take(9, bytes, PATIENCE).unwrap().len());
        assert_eq!(taken, [1, 2]);
    }

    #[test]
    fn the_queue_is_over_once_every_task_is_done() {
        let queue = Queue::default();
        queue.fill([puzzle(1, 1), puzzle(2, 1), puzzle(3, 1)].into_iter(), 1);
        let tasks = take(&queue, 9, PATIENCE).unwrap();
        assert!(take(&queue, 9, PATIENCE).unwrap().is_empty());
        queue.done();
        queue.give_back(tasks.into_iter().skip(1));
        let tasks = take(&queue, 9, PATIENCE).unwrap();
        assert_eq!(tasks[0].item.label, "2");
        queue.done();
        assert!(take(&queue, 9, PATIENCE).unwrap().is_empty());
        queue.done();
        assert!(take(&queue, 9, PATIENCE).is_none());
    }
}
