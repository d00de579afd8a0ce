//! The sizes of sets for which searches are compiled. Each one costs compile time and code size.
//!
//! Measured with `propagate` on boards of 4×6 to 16×16 (24 to 1,024 values): sets of 64 labels take
//! 4 to 7 % longer than sets of 32, twice the required words 10 %, 32 instead of 16 words 50 %, and
//! the widest sets of labels 13 times as long. Two words save 1 to 3 % compared with four.

use super::labels::{LabelSetTask, Wide};
use crate::board::MOST_SIDES;
use crate::problem::Problem;

/// Runs a search with the smallest sets that hold the problem.
///
/// # Panics
/// If [`check_capacity`](super::labels::check_capacity) returns an error.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(super) fn dispatch<T: LabelSetTask>(problem: &Problem, task: T) -> T::Result {
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

/// Runs a search with one of few sizes, because WebAssembly is downloaded before it runs.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(super) use self::dispatch_among_few as dispatch;

/// Runs a task outside the innermost loop, which is compiled for few sizes.
///
/// # Panics
/// If [`check_capacity`](super::labels::check_capacity) returns an error.
pub(super) fn dispatch_among_few<T: LabelSetTask>(problem: &Problem, task: T) -> T::Result {
    let words = problem.kinds.values.len().div_ceil(64);
    match (words, problem.tables().labels(), problem.board.most_sides()) {
        (..=4, ..=64, ..=4) => task.run::<4, u64, 4>(),
        (..=16, ..=64, ..=4) => task.run::<16, u64, 4>(),
        (..=64, _, ..=4) => task.run::<64, Wide, 4>(),
        (..=4, ..=64, _) => task.run::<4, u64, MOST_SIDES>(),
        _ => task.run::<256, Wide, MOST_SIDES>(),
    }
}
