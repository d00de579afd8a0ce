//! Many sizes, each compiled for itself: a program has room for them.

use super::labels::{LabelSet, Task, Wide};
use crate::board::MOST_SIDES;
use crate::problem::Problem;

/// Runs a task with the smallest room that a problem fits in. Three words take up to three times as
/// long as four, as they do not fill registers.
///
/// # Panics
/// Where [`check_capacity`](super::labels::check_capacity) finds none.
pub(super) fn dispatch<T: Task>(problem: &Problem, task: T) -> T::Result {
    let words = problem.kinds.values.len().div_ceil(64);
    match problem.board.most_sides() {
        ..=4 => with_squares(problem, words, task),
        _ => with_many_sides(problem, words, task),
    }
}

/// The same for what is no inner loop, with few sizes to choose from: each takes time to compile.
///
/// # Panics
/// Where [`check_capacity`](super::labels::check_capacity) finds none.
pub(super) fn dispatch_among_few<T: Task>(problem: &Problem, task: T) -> T::Result {
    let words = problem.kinds.values.len().div_ceil(64);
    match (words, problem.puzzle.labels.len(), problem.board.most_sides()) {
        (..=1, ..=32, ..=4) => task.run::<1, u32, 4>(),
        (..=4, ..=64, ..=4) => task.run::<4, u64, 4>(),
        (..=16, ..=64, ..=4) => task.run::<16, u64, 4>(),
        (..=64, _, ..=4) => task.run::<64, Wide, 4>(),
        (..=4, ..=64, _) => task.run::<4, u64, MOST_SIDES>(),
        _ => task.run::<256, Wide, MOST_SIDES>(),
    }
}

fn with_squares<T: Task>(problem: &Problem, words: usize, task: T) -> T::Result {
    match problem.puzzle.labels.len() {
        ..=32 => match words {
            ..=1 => task.run::<1, u32, 4>(),
            2 => task.run::<2, u32, 4>(),
            3..=4 => task.run::<4, u32, 4>(),
            5..=8 => task.run::<8, u32, 4>(),
            9..=12 => task.run::<12, u32, 4>(),
            13..=16 => task.run::<16, u32, 4>(),
            _ => many_values::<T, u64>(words, task),
        },
        33..=64 => match words {
            ..=4 => task.run::<4, u64, 4>(),
            5..=8 => task.run::<8, u64, 4>(),
            9..=12 => task.run::<12, u64, 4>(),
            13..=16 => task.run::<16, u64, 4>(),
            _ => many_values::<T, u64>(words, task),
        },
        _ => match words {
            ..=8 => task.run::<8, Wide, 4>(),
            _ => many_values::<T, Wide>(words, task),
        },
    }
}

/// Few sizes: such boards are small, and each size takes time to compile.
fn with_many_sides<T: Task>(problem: &Problem, words: usize, task: T) -> T::Result {
    match (problem.puzzle.labels.len(), words) {
        (..=64, ..=2) => task.run::<2, u64, MOST_SIDES>(),
        (..=64, 3..=8) => task.run::<8, u64, MOST_SIDES>(),
        (_, ..=32) => task.run::<32, Wide, MOST_SIDES>(),
        _ => task.run::<256, Wide, MOST_SIDES>(),
    }
}

fn many_values<T: Task, M: LabelSet>(words: usize, task: T) -> T::Result {
    match words {
        ..=32 => task.run::<32, M, 4>(),
        33..=64 => task.run::<64, M, 4>(),
        _ => task.run::<256, M, 4>(),
    }
}
