//! The canonical form of an arrangement: the smallest of its images under the group, with twins
//! treated as equal.

use std::ops::ControlFlow;

use crate::board::Symmetry;
use crate::problem::{Arrangement, Placed, Problem};
use crate::puzzle::Orientation;
use crate::runtime::limits::{CancelToken, Flow};

/// An arrangement without distinction between twins, or between orientations in which a tile looks
/// the same: one value per cell, in cell order.
///
/// They are ordered cell by cell, first by the first tile of the kind in the file, then by
/// rotation. The canonical form of an orbit therefore has the earliest possible tile in the first
/// cell.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueArrangement(Vec<u32>);

impl ValueArrangement {
    /// The values of an arrangement, which must have passed the checker.
    ///
    /// # Panics
    /// If a tile does not exist or has a forbidden orientation.
    pub fn new(problem: &Problem, arrangement: &Arrangement) -> ValueArrangement {
        let value = |p: &Placed| {
            let value = problem.kinds.value_of(p.tile, p.orientation);
            value.expect("the checker has rejected forbidden orientations") as u32
        };
        ValueArrangement(arrangement.0.iter().map(value).collect())
    }

    /// Creates an arrangement from one value per cell, in cell order.
    pub fn from_values(values: impl IntoIterator<Item = usize>) -> ValueArrangement {
        ValueArrangement(values.into_iter().map(|value| value as u32).collect())
    }

    /// The value in each cell.
    pub fn values(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.0.iter().map(|&value| value as usize)
    }

    /// The image under a symmetry of the board.
    ///
    /// # Panics
    /// If the symmetry is not in the group of the problem.
    pub fn image(&self, problem: &Problem, symmetry: &Symmetry) -> ValueArrangement {
        let image = problem.image(self.values(), symmetry);
        ValueArrangement::from_values(image.expect("the group keeps the allowed orientations"))
    }

    /// The distinct images under the group, ascending; the first one is the canonical form.
    pub fn orbit(&self, problem: &Problem) -> Vec<ValueArrangement> {
        self.orbit_under(&CancelToken::never(), problem).continue_value().unwrap_or_default()
    }

    /// Like [`ValueArrangement::orbit`], but breaks if the token stops the run.
    pub(crate) fn orbit_under(
        &self,
        token: &CancelToken<'_>,
        problem: &Problem,
    ) -> Flow<Vec<ValueArrangement>> {
        let mut orbit = Vec::new();
        for symmetry in &problem.group {
            orbit.push(self.image(problem, symmetry));
            token.work(4 * self.0.len())?;
        }
        orbit.sort_unstable();
        orbit.dedup();
        ControlFlow::Continue(orbit)
    }

    /// The number of tiles in the orientation of the puzzle file.
    pub fn upright(&self, problem: &Problem) -> usize {
        let is_upright =
            |value: &usize| problem.kinds.values[*value].orientation == Orientation::default();
        self.values().filter(is_upright).count()
    }

    /// An arrangement of tiles that looks the same: each value is shown by the first unused tile of
    /// its kind.
    pub fn arrangement(&self, problem: &Problem) -> Arrangement {
        problem.deal(self.values())
    }
}
