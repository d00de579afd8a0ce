//! The objective of `--best`: as many matching seams as possible.

use super::portfolio::Portfolio;
use super::{Aim, Goal, Guesser};
use crate::problem::{Arrangement, Problem};
use crate::solution::broken_seams;

/// The number of seams that fit, of those that [count](crate::board::Board::counted). Tiles, border
/// and extra constraints stay as they are.
#[derive(Debug, Clone, Copy)]
pub struct Fit<'a>(pub &'a Problem);

impl Fit<'_> {
    /// The seams that count.
    pub fn seams(&self) -> usize {
        self.0.board.counted().count()
    }
}

impl Aim for Fit<'_> {
    fn goal(&self) -> Goal {
        Goal::Seams(self.seams())
    }

    fn reaching(&self, value: i64) -> Problem {
        let broken = self.seams() as i64 - value;
        self.0.breaking(usize::try_from(broken).unwrap_or(0))
    }

    fn value(&self, arrangement: &Arrangement) -> i64 {
        (self.seams() - broken_seams(self.0, arrangement).len()) as i64
    }

    /// Each seam that fits takes a pair of edges.
    fn range(&self) -> (i64, i64) {
        let most = if self.0.unlimited.is_empty() {
            self.seams().min(self.0.puzzle.pairs())
        } else {
            self.seams()
        };
        (0, most as i64)
    }

    /// From the top: the fewer may break the sooner it is proven.
    fn next(&self, _reached: i64, bound: i64) -> i64 {
        bound
    }

    fn guesser(&self) -> Option<Box<dyn Guesser + '_>> {
        Some(Box::new(Portfolio::new(self.0)))
    }
}
