//! An arrangement: a placement for every cell, right or wrong.

use crate::board::Symmetry;
use crate::puzzle::{Orientation, Puzzle};

/// A tile as it lies in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placed {
    /// The tile's place in the puzzle's list.
    pub tile: usize,
    /// How it lies.
    pub orientation: Orientation,
}

impl Placed {
    /// Every way in which a tile can lie.
    pub fn every(puzzle: &Puzzle, tile: usize) -> impl Iterator<Item = Placed> + use<> {
        puzzle.tiles[tile].orientations().map(move |orientation| Placed { tile, orientation })
    }
}

/// A placement for every cell of a board, in the order of the cells. It need not fit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arrangement(pub Vec<Placed>);

/// The differences between arrangements that can change the answer of a lazy constraint.
///
/// The labels that the cells show always may. Copies of one tile have no identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dependence {
    /// Which tile is in a cell, not only the labels that it shows: twins are told apart.
    pub tiles: bool,
    /// The orientation of a tile, rotation and face, not only the labels that it then shows.
    /// Orientations in which a tile looks the same are told apart, and so are arrangements of which
    /// one becomes the other when the board is turned.
    pub rotations: bool,
    /// Where on the board a tile is. Arrangements are told apart of which one becomes the other when
    /// the board is turned, mirrored or shifted with all tiles on it.
    pub position: bool,
}

impl Dependence {
    /// On everything: no two arrangements are taken for the same.
    pub const EVERYTHING: Dependence = Dependence { tiles: true, rotations: true, position: true };

    /// On the labels that the cells show, and how the cells touch, alone.
    pub const EDGES: Dependence = Dependence { tiles: false, rotations: false, position: false };

    /// On whatever one of two depends on.
    #[must_use]
    pub fn or(self, other: Dependence) -> Dependence {
        Dependence {
            tiles: self.tiles || other.tiles,
            rotations: self.rotations || other.rotations,
            position: self.position || other.position,
        }
    }

    /// Returns true if moving the board by `symmetry` changes nothing of this.
    pub(super) fn is_kept_by(self, symmetry: &Symmetry) -> bool {
        let stays = (0..symmetry.image.len()).all(|cell| symmetry.fixes(cell));
        (stays || !self.position) && !(symmetry.turns() && (self.position || self.rotations))
    }

    /// A mark for a placement: equal for placements that look the same and are not told apart.
    pub(super) fn mark(self, placed: Placed) -> (Option<usize>, Option<Orientation>) {
        (self.tiles.then_some(placed.tile), self.rotations.then_some(placed.orientation))
    }
}
