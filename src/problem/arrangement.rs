//! An arrangement: a placement for every cell, right or wrong.

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
