//! A board as described by a file, before it is built.
//!
//! The cell count is checked against the number of tiles and the limits first, so that a short file
//! cannot cause a huge allocation.

use itertools::Itertools;
use thiserror::Error;

use crate::board::{Area, Board, CellSide, Shape, SymmetryError, with_article};
use crate::problem::{FillError, Problem};
use crate::puzzle::Puzzle;

/// The description of a board, which may replace the puzzle's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoardSpec {
    /// A shape, which needs no list of cells.
    Shaped(Shape),
    /// Custom cells, each with its name and number of sides, and the pairs of sides that touch.
    Cells(Vec<(String, usize)>, Vec<[CellSide; 2]>),
}

/// The reason why a puzzle and a board do not fit, as a message about one of them.
#[derive(Debug, Error)]
pub(super) enum Misfit {
    #[error("{0}")]
    Tiles(String),
    #[error("{0}")]
    Board(String),
}

impl BoardSpec {
    /// A grid of squares.
    pub(super) fn grid(rows: usize, columns: usize) -> BoardSpec {
        BoardSpec::Shaped(Shape::Grid { area: Area::full(rows, columns), wrap: None })
    }

    /// The distinct numbers of sides of the cells, in ascending order.
    pub(super) fn sides(&self) -> Vec<usize> {
        match self {
            BoardSpec::Shaped(shape) => vec![shape.sides()],
            BoardSpec::Cells(cells, _) => {
                cells.iter().map(|(_, sides)| *sides).sorted_unstable().dedup().collect()
            }
        }
    }

    /// Builds the board.
    ///
    /// # Errors
    /// If the board has more symmetries than can be stored.
    pub(super) fn build(self) -> Result<Board, SymmetryError> {
        match self {
            BoardSpec::Shaped(shape) => Board::shaped(shape),
            BoardSpec::Cells(cells, seams) => Board::from_cells(cells, seams),
        }
    }

    /// The area of a board with rows and columns, and the board's name in errors; `None` for other
    /// boards. The area may be far larger than the file.
    fn area(&self) -> Option<(&Area, String)> {
        match self {
            BoardSpec::Shaped(Shape::Grid { area, .. }) => {
                let grid = format!("{} × {} grid", area.rows(), area.columns());
                Some((area, with_article(&grid)))
            }
            BoardSpec::Shaped(Shape::Field { area, .. }) => {
                Some((area, format!("a field of {} × {} cells", area.rows(), area.columns())))
            }
            _ => None,
        }
    }

    /// Checks that the number of tiles can fill the board, before the board is built.
    ///
    /// # Errors
    /// If there are fewer tiles than cells.
    pub(super) fn refuse_unfilled(&self, tiles: usize) -> Result<(), FillError> {
        match self.area() {
            Some((area, board)) if tiles < area.size() => {
                Err(FillError { tiles, cells: area.size(), sides: None, board })
            }
            _ => Ok(()),
        }
    }

    /// Builds the board and combines it with the puzzle.
    ///
    /// # Errors
    /// If the board has too many cells or symmetries, or the tiles do not fit it.
    pub(super) fn lay(self, puzzle: Puzzle, most_cells: usize) -> Result<Problem, Misfit> {
        let unfilled = |error: FillError| Misfit::Tiles(error.to_string());
        self.refuse_unfilled(puzzle.pieces().unwrap_or(usize::MAX)).map_err(unfilled)?;
        if let Some((area, board)) = self.area().filter(|(area, _)| area.size() > most_cells) {
            let cells = area.size();
            let message = format!("{board} has {cells} cells: at most {most_cells} are read");
            return Err(Misfit::Board(message));
        }
        let board = self.build().map_err(|error| Misfit::Board(error.to_string()))?;
        let sides = board.numbers_of_sides();
        if let Some(tile) = puzzle.tiles.iter().find(|tile| !sides.contains(&tile.sides())) {
            let (name, number) = (&tile.name, tile.sides());
            let expected = itertools::join(&sides, " or ");
            let message = format!("tile `{name}` has {number} edges, expected {expected}");
            return Err(Misfit::Tiles(message));
        }
        Problem::new(puzzle, board).map_err(unfilled)
    }
}
