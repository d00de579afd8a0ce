//! Few sizes, where the code is downloaded before it runs: each takes tens of kilobytes.

use super::labels::{Task, Wide};
use crate::board::MOST_SIDES;
use crate::problem::Problem;

/// Runs a task with the smallest room that a problem fits in.
///
/// # Panics
/// Where [`check_capacity`](super::labels::check_capacity) finds none.
pub(super) fn dispatch<T: Task>(problem: &Problem, task: T) -> T::Result {
    let words = problem.kinds.values.len().div_ceil(64);
    match (words, problem.puzzle.labels.len(), problem.board.most_sides()) {
        (..=4, ..=32, ..=4) => task.run::<4, u32, 4>(),
        (..=8, ..=32, ..=4) => task.run::<8, u32, 4>(),
        (..=16, ..=64, ..=4) => task.run::<16, u64, 4>(),
        (..=4, ..=64, _) => task.run::<4, u64, MOST_SIDES>(),
        _ => task.run::<256, Wide, MOST_SIDES>(),
    }
}

/// The same for what is no inner loop.
///
/// # Panics
/// Where [`check_capacity`](super::labels::check_capacity) finds none.
pub(super) fn dispatch_among_few<T: Task>(problem: &Problem, task: T) -> T::Result {
    let words = problem.kinds.values.len().div_ceil(64);
    match (words, problem.puzzle.labels.len(), problem.board.most_sides()) {
        (..=16, ..=64, ..=4) => task.run::<16, u64, 4>(),
        _ => task.run::<256, Wide, MOST_SIDES>(),
    }
}
