//! The canonical form of an arrangement: the smallest of its images under the group, twins not told
//! apart.

use std::ops::ControlFlow;

use crate::board::Symmetry;
use crate::problem::{Arrangement, Placed, Problem};
use crate::puzzle::Orientation;
use crate::runtime::limits::{CancelToken, Flow};

/// What an arrangement looks like when twins, and orientations in which a tile looks the same,
/// are not told apart: one value a cell, in the order of the cells.
///
/// Pictures compare cell by cell, by the first tile of the kind in the file and then by rotation;
/// so the canonical picture has the earliest tile it can at the first cell.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Picture(Vec<u32>);

impl Picture {
    /// The picture of an arrangement that passed the checker.
    ///
    /// # Panics
    /// Where a tile is not of the puzzle or lies as it may not.
    pub fn new(problem: &Problem, arrangement: &Arrangement) -> Picture {
        let value = |p: &Placed| {
            let value = problem.kinds.value_of(p.tile, p.orientation);
            value.expect("the checker refuses tiles that lie as they may not") as u32
        };
        Picture(arrangement.0.iter().map(value).collect())
    }

    /// A picture from one value a cell.
    pub fn from_values(values: impl IntoIterator<Item = usize>) -> Picture {
        Picture(values.into_iter().map(|value| value as u32).collect())
    }

    /// The value in each cell.
    pub fn values(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.0.iter().map(|&value| value as usize)
    }

    /// What the picture becomes when the board is moved.
    ///
    /// # Panics
    /// Where the symmetry is not of the problem's group.
    pub fn image(&self, problem: &Problem, symmetry: &Symmetry) -> Picture {
        let image = problem.image(self.values(), symmetry);
        Picture::from_values(image.expect("the group keeps the allowed orientations"))
    }

    /// All different images under the group, ascending: the first one is the canonical form.
    pub fn orbit(&self, problem: &Problem) -> Vec<Picture> {
        self.orbit_under(&CancelToken::never(), problem).continue_value().unwrap_or_default()
    }

    /// The same, which the token may break.
    pub(crate) fn orbit_under(
        &self,
        token: &CancelToken<'_>,
        problem: &Problem,
    ) -> Flow<Vec<Picture>> {
        let mut orbit = Vec::new();
        for symmetry in &problem.group {
            orbit.push(self.image(problem, symmetry));
            token.work(4 * self.0.len())?;
        }
        orbit.sort_unstable();
        orbit.dedup();
        ControlFlow::Continue(orbit)
    }

    /// How many tiles lie upright, as the file lists them.
    pub fn upright(&self, problem: &Problem) -> usize {
        let is_upright =
            |value: &usize| problem.kinds.values[*value].orientation == Orientation::default();
        self.values().filter(is_upright).count()
    }

    /// An arrangement that looks so.
    pub fn arrangement(&self, problem: &Problem) -> Arrangement {
        problem.deal(self.values())
    }
}
