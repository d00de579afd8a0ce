//! Solutions for callers of the library, with the names of their cells and tiles.

use std::fmt;
use std::sync::Arc;

use num_bigint::BigUint;

use super::solution::ValueArrangement;
use crate::board::CellName;
use crate::problem::{Arrangement, Problem};
use crate::puzzle::{Face, Orientation};

/// A distinct solution, in the form that every engine would report.
///
/// ```
/// let problem = edgematch::load::from_str("{rows: 1, cols: 2, tiles: {1: [a+, b, b, c], 2: [c, c, a-, b]}}")?;
/// let solution = problem.solutions().next().expect("there are five");
/// assert_eq!(solution.to_string(), "1/0 2/0");
/// let (tile, orientation) = solution.get(1, 2).expect("a cell");
/// assert_eq!((tile, orientation.rotation()), ("2", 0));
/// for (cell, tile, orientation) in solution.iter() {
///     println!("{cell}: tile {tile}, {} quarter turns", orientation.rotation());
/// }
/// # Ok::<(), edgematch::load::LoadError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Solution {
    /// The distinct images under the group, ascending; the first one is the canonical form.
    pub orbit: Vec<ValueArrangement>,
    /// The image under the group with the most tiles in the orientation of the puzzle file, which
    /// is the natural one to lay; the first one if there are several.
    pub arrangement: Arrangement,
    /// An arrangement of the tiles that looks like the canonical form, with which programs compare
    /// solutions.
    pub canonical: Arrangement,
    /// The number of labelled solutions that it represents: images under the group and exchanges of
    /// tiles that look the same count separately.
    pub solutions: BigUint,
    pub(super) names: Arc<PuzzleNames>,
}

/// The names of a puzzle's cells and tiles.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PuzzleNames {
    cells: Vec<CellName>,
    tiles: Vec<String>,
}

impl PuzzleNames {
    /// Copies the names of the cells and tiles of a problem.
    pub fn new(problem: &Problem) -> PuzzleNames {
        PuzzleNames {
            cells: problem.board.cells().iter().map(|cell| cell.name.clone()).collect(),
            tiles: problem.puzzle.tiles.iter().map(|tile| tile.name.clone()).collect(),
        }
    }
}

impl Solution {
    /// Iterates over the cells in reading order, with the name and orientation of the tile in each.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&CellName, &str, Orientation)> {
        let placed = self.names.cells.iter().zip(&self.arrangement.0);
        placed.map(|(cell, placed)| {
            (cell, self.names.tiles[placed.tile].as_str(), placed.orientation)
        })
    }

    /// The name and orientation of the tile in a row and column, counted from 1; `None` if there is
    /// no such cell.
    pub fn get(&self, row: usize, column: usize) -> Option<(&str, Orientation)> {
        let wanted = CellName::At(row, column);
        let mut placed = self.iter();
        placed.find_map(|(cell, tile, lies)| (*cell == wanted).then_some((tile, lies)))
    }
}

/// Writes one line per row with `tile/rotation` for each cell, or one line per named cell. A tile
/// that is back up is written as `tile/rotation/back`.
impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row_before = None;
        for (index, (cell, tile, orientation)) in self.iter().enumerate() {
            let row = match cell {
                CellName::At(row, _) => Some(*row),
                CellName::Named(_) => None,
            };
            match index {
                0 => {}
                _ if row.is_some() && row == row_before => f.write_str(" ")?,
                _ => f.write_str("\n")?,
            }
            row_before = row;
            if let CellName::Named(name) = cell {
                write!(f, "{name}: ")?;
            }
            write!(f, "{tile}/{}", orientation.rotation())?;
            if orientation.face() == Face::Back {
                write!(f, "/{}", Face::Back.name())?;
            }
        }
        Ok(())
    }
}
