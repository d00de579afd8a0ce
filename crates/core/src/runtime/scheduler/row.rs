//! The row of jobs in the order of the search, each with the results that wait for earlier jobs.

use std::collections::VecDeque;

use super::worker::SearchProgress;

enum SlotState<J> {
    Waits(J),
    Runs,
    Done,
}

/// A job of the row, or several adjacent ones that are done.
pub(super) struct Slot<J, R> {
    id: u64,
    state: SlotState<J>,
    /// The results that were not emitted yet, each with the number of steps made in this slot up to
    /// it.
    pub results: VecDeque<(u64, R)>,
    pub done: SearchProgress,
}

/// The row of all jobs in the order of the search.
pub(super) struct OrderedJobs<J, R> {
    pub slots: Vec<Slot<J, R>>,
    next_id: u64,
    /// The number of threads without a job.
    pub idle: usize,
    /// The number of jobs that no thread has taken yet.
    pub waiting: usize,
    /// The number of results in all slots.
    pub results: usize,
    /// The progress before the search and that of the slots that were removed.
    finished: SearchProgress,
    pub panic: Option<String>,
}

impl<J, R> OrderedJobs<J, R> {
    /// Creates a row of waiting jobs; progress continues from `before`.
    pub fn new(jobs: impl IntoIterator<Item = J>, before: SearchProgress) -> Self {
        let mut row = OrderedJobs {
            slots: Vec::new(),
            next_id: 0,
            idle: 0,
            waiting: 0,
            results: 0,
            finished: before,
            panic: None,
        };
        row.insert_behind(None, jobs.into_iter().collect());
        row
    }

    /// The index of the slot of a job; `None` without a job, or if its slot was removed.
    pub fn index_of(&self, job: Option<u64>) -> Option<usize> {
        self.slots.iter().position(|slot| Some(slot.id) == job)
    }

    /// Inserts waiting jobs after `job`, or at the front of the row if it is `None`.
    pub fn insert_behind(&mut self, job: Option<u64>, jobs: Vec<J>) {
        let at = self.index_of(job).map_or(0, |index| index + 1);
        self.waiting += jobs.len();
        let first_id = self.next_id;
        self.next_id += jobs.len() as u64;
        let slots = (first_id..).zip(jobs).map(|(id, job)| Slot {
            id,
            state: SlotState::Waits(job),
            results: VecDeque::new(),
            done: SearchProgress::default(),
        });
        self.slots.splice(at..at, slots);
    }

    /// Marks the first waiting job as running and returns it with its id; `None` if no job waits.
    pub fn take_first(&mut self) -> Option<(u64, J)> {
        for slot in &mut self.slots {
            match std::mem::replace(&mut slot.state, SlotState::Runs) {
                SlotState::Waits(job) => {
                    self.waiting -= 1;
                    return Some((slot.id, job));
                }
                other => slot.state = other,
            }
        }
        None
    }

    /// Returns true if a job is running.
    pub fn is_busy(&self) -> bool {
        let mut slots = self.slots.iter();
        slots.any(|slot| matches!(slot.state, SlotState::Runs))
    }

    /// Marks a job as done with the given progress, and merges its slot with adjacent done ones,
    /// which keeps the row short.
    pub fn end(&mut self, id: u64, done: SearchProgress) {
        let Some(index) = self.index_of(Some(id)) else {
            return;
        };
        self.slots[index].state = SlotState::Done;
        self.slots[index].done = done;
        self.join(index);
        if index > 0 {
            self.join(index - 1);
        }
    }

    /// Merges a slot with the next one if both are done.
    fn join(&mut self, index: usize) {
        let is_done = |slot: &Slot<J, R>| matches!(slot.state, SlotState::Done);
        let pair = self.slots.get(index..index + 2);
        if !pair.is_some_and(|pair| pair.iter().all(is_done)) {
            return;
        }
        let second = self.slots.remove(index + 1);
        let first = &mut self.slots[index];
        let before = first.done.steps;
        let results = second.results.into_iter();
        first.results.extend(results.map(|(steps, result)| (before + steps, result)));
        first.done.add(second.done);
    }

    /// Moves the results for which all earlier jobs are done to `results`, each with the total
    /// number of steps up to it. Removes done slots at the front.
    pub fn collect(&mut self, results: &mut Vec<(u64, R)>) {
        while let Some(slot) = self.slots.first_mut() {
            let before = self.finished.steps;
            self.results -= slot.results.len();
            let of_slot = slot.results.drain(..);
            results.extend(of_slot.map(|(steps, result)| (before + steps, result)));
            if !matches!(slot.state, SlotState::Done) {
                return;
            }
            self.finished.add(slot.done);
            self.slots.remove(0);
        }
    }

    /// The progress of the whole search.
    pub fn done(&self) -> SearchProgress {
        let mut done = self.finished;
        for slot in &self.slots {
            done.add(slot.done);
        }
        done.ahead = self.slots.iter().skip(1).map(|slot| slot.done.steps).sum();
        done
    }
}
