//! The sizes of sets that the innermost loop is compiled for, and whether a problem has room in one.

use super::labels::{LabelSet, Wide};
use crate::problem::Problem;

/// Something that is compiled once for each size.
pub(super) trait Task {
    type Result;

    /// Runs with sets of 64·`W` values and sets `M` of labels, on cells of at most `S` sides.
    fn run<const W: usize, M: LabelSet, const S: usize>(self) -> Self::Result;
}

const MOST_VALUES: usize = 64 * 256;

const MOST_LABELS: usize = Wide::MOST;

/// Whether there is room for a problem; else the limit that it exceeds, as a message.
pub(super) fn check_capacity(problem: &Problem) -> Result<(), String> {
    if problem.kinds.values.len() > MOST_VALUES {
        return Err(format!("it knows at most {MOST_VALUES} values"));
    }
    if problem.puzzle.labels.len() > MOST_LABELS {
        Err(format!("it knows at most {MOST_LABELS} labels"))
    } else {
        Ok(())
    }
}
