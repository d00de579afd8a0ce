//! A placement for every cell, right or wrong.

use crate::puzzle::Orientation;

/// A tile as it lies in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placed {
    /// The tile's place in the puzzle's list.
    pub tile: usize,
    /// How it lies.
    pub orientation: Orientation,
}

/// A placement for every cell of a board, in the order of the cells. It need not fit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arrangement(pub Vec<Placed>);
