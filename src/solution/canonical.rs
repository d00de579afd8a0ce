//! The canonical form: of all pictures that look alike up to the group, the smallest.

use crate::board::Symmetry;
use crate::problem::{Arrangement, Placed, Problem};

/// What an arrangement looks like when twins, and orientations in which a tile looks the same,
/// are not told apart: one look a cell, in the order of the cells.
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
    pub fn of(problem: &Problem, arrangement: &Arrangement) -> Picture {
        let look = |p: &Placed| {
            let look = problem.kinds.look_of(p.tile, p.orientation);
            look.expect("the checker refuses tiles that lie as they may not") as u32
        };
        Picture(arrangement.0.iter().map(look).collect())
    }

    /// A picture from one look a cell.
    pub fn from_looks(looks: impl IntoIterator<Item = usize>) -> Picture {
        Picture(looks.into_iter().map(|look| look as u32).collect())
    }

    /// The look in each cell.
    pub fn looks(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.0.iter().map(|&look| look as usize)
    }

    /// What the picture becomes when the board is moved.
    ///
    /// # Panics
    /// Where the symmetry is not of the problem's group.
    pub fn image(&self, problem: &Problem, symmetry: &Symmetry) -> Picture {
        let image = problem.image(self.looks(), symmetry);
        Picture::from_looks(image.expect("the group keeps the allowed orientations"))
    }

    /// All different images under the group, ascending: the first one is the canonical form.
    pub fn orbit(&self, problem: &Problem) -> Vec<Picture> {
        let images = problem.group.iter().map(|s| self.image(problem, s));
        let mut orbit: Vec<_> = images.collect();
        orbit.sort_unstable();
        orbit.dedup();
        orbit
    }

    /// An arrangement that looks so.
    pub fn arrangement(&self, problem: &Problem) -> Arrangement {
        problem.deal(self.looks())
    }
}
