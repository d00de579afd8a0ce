//! The sizes that searches are compiled for: each takes time to compile, and room.
//!
//! On boards of 4×6 to 16×16 (24 to 1,024 values) `propagate` takes 4 to 7 % longer with sets of 64
//! labels than of 32, 10 % with twice as many words as needed, half as long again with 32 instead of
//! 16 words, and 13 times as long with the widest sets of labels. Two words save 1 to 3 % against four.

use super::labels::{Task, Wide};
use crate::board::MOST_SIDES;
use crate::problem::Problem;

/// Runs a search with the smallest room that a problem fits in.
///
/// # Panics
/// Where [`check_capacity`](super::labels::check_capacity) finds none.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(super) fn dispatch<T: Task>(problem: &Problem, task: T) -> T::Result {
    let words = problem.kinds.values.len().div_ceil(64);
    match (words, problem.tables().labels(), problem.board.most_sides()) {
        (..=1, ..=32, ..=4) => task.run::<1, u32, 4>(),
        (..=4, ..=32, ..=4) => task.run::<4, u32, 4>(),
        (..=8, ..=32, ..=4) => task.run::<8, u32, 4>(),
        (..=12, ..=32, ..=4) => task.run::<12, u32, 4>(),
        (..=16, ..=32, ..=4) => task.run::<16, u32, 4>(),
        (..=64, ..=64, ..=4) if words > 16 => task.run::<64, u64, 4>(),
        _ => dispatch_among_few(problem, task),
    }
}

/// Where code is downloaded before it runs, there are few sizes.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(super) use self::dispatch_among_few as dispatch;

/// Runs what is no inner loop.
///
/// # Panics
/// Where [`check_capacity`](super::labels::check_capacity) finds no room.
pub(super) fn dispatch_among_few<T: Task>(problem: &Problem, task: T) -> T::Result {
    let words = problem.kinds.values.len().div_ceil(64);
    match (words, problem.tables().labels(), problem.board.most_sides()) {
        (..=4, ..=64, ..=4) => task.run::<4, u64, 4>(),
        (..=16, ..=64, ..=4) => task.run::<16, u64, 4>(),
        (..=64, _, ..=4) => task.run::<64, Wide, 4>(),
        (..=4, ..=64, _) => task.run::<4, u64, MOST_SIDES>(),
        _ => task.run::<256, Wide, MOST_SIDES>(),
    }
}
