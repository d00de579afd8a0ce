//! A way of moving the board onto itself.

/// What a symmetry does to each cell and to the tile in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetry {
    /// The cell that each cell goes to.
    pub image: Vec<usize>,
    /// By how many counter-clockwise steps the tile in each cell is turned on the way.
    pub turn: Vec<usize>,
}

impl Symmetry {
    /// Whether the cell stays where it is.
    pub fn fixes(&self, cell: usize) -> bool {
        self.image[cell] == cell
    }
}
