//! Arrangements: a placement for every cell, whether it violates rules or not.

use crate::board::Symmetry;
use crate::puzzle::{Orientation, Puzzle};

/// A tile in an orientation, as placed in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placed {
    /// The tile's index in the puzzle's list.
    pub tile: usize,
    /// The orientation.
    pub orientation: Orientation,
}

impl Placed {
    /// Every placement of a tile, one for each orientation of its faces, whether the puzzle allows
    /// it or not.
    pub fn every(puzzle: &Puzzle, tile: usize) -> impl Iterator<Item = Placed> + use<> {
        puzzle.tiles[tile].orientations().map(move |orientation| Placed { tile, orientation })
    }
}

/// A placement for every cell of a board, in the order of the cells. It may violate rules.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arrangement(pub Vec<Placed>);

/// The properties of an arrangement on which the result of a lazy constraint may depend.
///
/// The labels that the cells show are always among them. Copies of one tile have no identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dependence {
    /// The tile in a cell, beyond the labels that it shows: twins are distinguished.
    pub tiles: bool,
    /// The orientation of a tile (rotation and face), beyond the labels that it shows. Orientations
    /// in which a tile looks the same are distinguished, and so are the images of an arrangement
    /// under symmetries that turn tiles.
    pub rotations: bool,
    /// The position of a tile on the board: the images of an arrangement under rotations,
    /// reflections and translations of the board are distinguished.
    pub position: bool,
}

impl Dependence {
    /// Depends on everything: no two arrangements are equivalent.
    pub const EVERYTHING: Dependence = Dependence { tiles: true, rotations: true, position: true };

    /// Depends only on the labels that the cells show and on adjacency.
    pub const EDGES: Dependence = Dependence { tiles: false, rotations: false, position: false };

    /// The union of two dependences.
    #[must_use]
    pub fn union(self, other: Dependence) -> Dependence {
        Dependence {
            tiles: self.tiles || other.tiles,
            rotations: self.rotations || other.rotations,
            position: self.position || other.position,
        }
    }

    /// Returns true if moving the board by `symmetry` preserves everything that this depends on.
    pub(super) fn is_kept_by(self, symmetry: &Symmetry) -> bool {
        let stays = (0..symmetry.image.len()).all(|cell| symmetry.fixes(cell));
        (stays || !self.position) && !(symmetry.turns() && (self.position || self.rotations))
    }

    /// A key for a placement: its tile and its orientation, each only if this depends on it.
    /// Placements that show the same labels are equivalent exactly if their keys are equal.
    pub(super) fn mark(self, placed: Placed) -> (Option<usize>, Option<Orientation>) {
        (self.tiles.then_some(placed.tile), self.rotations.then_some(placed.orientation))
    }
}
