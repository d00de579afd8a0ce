//! Where tiles go: cells, their sides, seams, rim, and the symmetries of the board.
//!
//! ```text
//!        ┌─────┬─────┐      A seam is a pair of sides that touch: here side 0 of cell 0 with
//!   rim  │  0  │  1  │      side 2 of cell 1. All seams between the same two sides are of one
//!        ├─────┼─────┤      type and share one table: `horizontal` (left cell's right side,
//!        │  2  │  3  │      right cell's left side) and `vertical` (upper cell's bottom,
//!        └─────┴─────┘      lower cell's top). Sides that touch nothing are the rim.
//! ```
//!
//! A new board is one new file that builds a [`Board`]; nothing else asks what shape it has.

mod arrangement;
mod constraint;
mod grid;
mod levels;
mod problem;
mod symmetry;

pub use arrangement::{Arrangement, Placed};
pub use constraint::{Block, Constraint, Lying, Sum};
pub use levels::{Level, LookSum};
pub use problem::{Misfilled, Problem};
pub use symmetry::Symmetry;

use std::collections::HashSet;
use std::fmt;

/// A place for one tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// What people call it.
    pub name: CellName,
    /// The number of sides.
    pub sides: usize,
}

/// What people call a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellName {
    /// Row and column of a grid, from 1.
    At(usize, usize),
}

impl fmt::Display for CellName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CellName::At(row, column) = self;
        write!(f, "[{row},{column}]")
    }
}

/// A side of a cell: the cell's index and the side, counter-clockwise from the right.
pub type CellSide = (usize, usize);

/// Two sides that touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seam {
    /// The first side; on a grid that of the left or upper cell.
    pub first: CellSide,
    /// The side that touches it.
    pub second: CellSide,
    /// The seam's type, an index into [`Board::seam_types`].
    pub seam_type: usize,
}

/// Seams between the same two sides, which share one compatibility table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeamType {
    /// `horizontal` or `vertical` on a grid.
    pub name: String,
    /// The side of the first cell.
    pub first_side: usize,
    /// The side of the second cell.
    pub second_side: usize,
}

/// Cells, seams, rim and symmetries.
#[derive(Debug, Clone)]
pub struct Board {
    cells: Vec<Cell>,
    seam_types: Vec<SeamType>,
    seams: Vec<Seam>,
    /// Sides that touch and need not fit, but count where they do.
    wanted_seams: Vec<Seam>,
    /// Sides that touch and need not fit.
    free_seams: Vec<Seam>,
    rim: Vec<CellSide>,
    symmetries: Vec<Symmetry>,
    line_length: usize,
    description: String,
}

impl Board {
    /// A board of `rows` × `columns` squares.
    ///
    /// # Panics
    /// Where either is 0.
    pub fn grid(rows: usize, columns: usize) -> Board {
        assert!(rows > 0 && columns > 0, "a board has at least one cell");
        grid::build(rows, columns)
    }

    /// The board where the first sides need not fit, and the others need not but count; the symmetries
    /// that are left map both onto themselves.
    fn freed<'a>(
        mut self,
        free: impl Iterator<Item = &'a [CellSide; 2]>,
        wanted: impl Iterator<Item = &'a [CellSide; 2]>,
    ) -> Board {
        let free: HashSet<[CellSide; 2]> = free.map(|&ends| sorted(ends)).collect();
        let wanted: HashSet<[CellSide; 2]> = wanted.map(|&ends| sorted(ends)).collect();
        let is_among = |set: &HashSet<[CellSide; 2]>, seam: &Seam| {
            set.contains(&sorted([seam.first, seam.second]))
        };
        let is_free = |seam: &mut Seam| is_among(&free, seam);
        self.free_seams.extend(self.seams.extract_if(.., is_free));
        self.free_seams
            .extend(self.wanted_seams.extract_if(.., is_free));
        let is_wanted = |seam: &mut Seam| is_among(&wanted, seam);
        self.wanted_seams
            .extend(self.seams.extract_if(.., is_wanted));
        let cells = &self.cells;
        self.symmetries.retain(|symmetry| {
            let moved = |(cell, side): CellSide| {
                let turned = (side + symmetry.turn[cell]) % cells[cell].sides;
                (symmetry.image[cell], turned)
            };
            let keeps = |set: &HashSet<[CellSide; 2]>| {
                set.iter()
                    .all(|ends| set.contains(&sorted(ends.map(moved))))
            };
            keeps(&free) && keeps(&wanted)
        });
        self
    }

    /// The board where all seams that count may break, or none of them.
    fn with_counted(mut self, may_break: bool) -> Board {
        let mut counted: Vec<Seam> = self.counted().copied().collect();
        counted.sort_by_key(|seam| (seam.first, seam.second));
        let (seams, wanted_seams) = match may_break {
            true => (Vec::new(), counted),
            false => (counted, Vec::new()),
        };
        self.seams = seams;
        self.wanted_seams = wanted_seams;
        self
    }

    /// Whether all sides that touch must fit.
    pub fn is_whole(&self) -> bool {
        self.free_seams.is_empty() && self.wanted_seams.is_empty()
    }

    /// Every pair of sides that touch, whether they must fit or not.
    pub fn touching(&self) -> impl Iterator<Item = &Seam> {
        self.counted().chain(&self.free_seams)
    }

    /// Every pair of touching sides of which it counts whether they fit: those that must, and those
    /// that are wanted to.
    pub fn counted(&self) -> impl Iterator<Item = &Seam> {
        self.seams.iter().chain(&self.wanted_seams)
    }

    /// Every pair of touching sides that need not fit, but are wanted to.
    pub fn wanted_seams(&self) -> &[Seam] {
        &self.wanted_seams
    }

    /// The cells in reading order; a cell is referred to by its place in this list.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Number of cells.
    pub fn size(&self) -> usize {
        self.cells.len()
    }

    /// Every pair of touching sides that must fit.
    pub fn seams(&self) -> &[Seam] {
        &self.seams
    }

    /// The types of seam; each has one compatibility table.
    pub fn seam_types(&self) -> &[SeamType] {
        &self.seam_types
    }

    /// Every side that touches nothing.
    pub fn rim(&self) -> &[CellSide] {
        &self.rim
    }

    /// Every way of moving the board onto itself; the first one moves nothing.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The cells line by line, as they are printed: the rows of a grid.
    pub fn lines(&self) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let (length, size) = (self.line_length, self.size());
        (0..size)
            .step_by(length)
            .map(move |start| start..(start + length).min(size))
    }

    /// Number of cells in a printed line: the columns of a grid.
    pub fn line_length(&self) -> usize {
        self.line_length
    }

    /// A few words: `3 × 3 grid`.
    pub fn description(&self) -> &str {
        &self.description
    }
}

/// Two sides, the smaller one first.
fn sorted(mut ends: [CellSide; 2]) -> [CellSide; 2] {
    ends.sort_unstable();
    ends
}
