//! A board as described by a file, before it is built.
//!
//! The cell count is checked against the number of tiles and the limits first, so that a short file
//! cannot cause a huge allocation.

use super::error::{LoadError, Result};
use crate::board::{Area, Board, CellSide, Outline, Polygon, Shape, SymmetryError, with_article};
use crate::problem::{FillError, Problem};
use crate::puzzle::Puzzle;

/// The description of a board, without the seams between custom cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BoardForm {
    /// A shape, which needs no list of cells.
    Shaped(Shape),
    /// The name and number of sides of each custom cell.
    Cells(Vec<(String, usize)>),
}

/// The description of a board, which may replace the puzzle's own.
#[derive(Debug, Clone)]
pub struct WrittenBoard {
    pub(super) form: BoardForm,
    pub(super) seams: Vec<[CellSide; 2]>,
}

/// The reason why a puzzle and a board do not fit, as a message about one of the two.
pub(super) enum Misfit {
    Board(String),
    Tiles(String),
}

impl Misfit {
    pub fn message(self) -> String {
        let (Misfit::Board(message) | Misfit::Tiles(message)) = self;
        message
    }
}

impl WrittenBoard {
    /// A grid of squares.
    pub(super) fn grid(rows: usize, columns: usize) -> WrittenBoard {
        let shape = Shape::Grid { area: Area::full(rows, columns), wrap: None };
        WrittenBoard { form: BoardForm::Shaped(shape), seams: Vec::new() }
    }

    /// A triangle of triangles with `side` triangles along each side.
    pub(super) fn triangle(side: usize) -> WrittenBoard {
        // In a field, a cell with an even sum of row and column is a triangle resting on its base.
        let first = |row: usize| side - 1 + (side + 1) % 2 - row;
        let columns = 2 * side + (side + 1) % 2;
        let row = |row: usize| {
            let triangles = first(row)..=first(row) + 2 * row;
            (0..columns).map(|column| triangles.contains(&column)).collect()
        };
        let mask: Vec<Vec<bool>> = (0..side).map(row).collect();
        WrittenBoard {
            form: BoardForm::Shaped(Shape::Field {
                polygon: Polygon::Triangle,
                area: Area::from_mask(&mask).expect("a triangle has a cell"),
            }),
            seams: Vec::new(),
        }
    }

    /// A predefined board of triangles or hexagons.
    pub(super) fn outline(outline: Outline) -> WrittenBoard {
        WrittenBoard { form: BoardForm::Shaped(Shape::Outline(outline)), seams: Vec::new() }
    }

    /// Builds the board.
    ///
    /// # Errors
    /// If the board has more symmetries than can be stored.
    pub(super) fn build(self) -> Result<Board, SymmetryError> {
        match self.form {
            BoardForm::Shaped(shape) => Board::shaped(shape),
            BoardForm::Cells(cells) => Board::from_cells(cells, self.seams),
        }
    }

    /// The area of a board with rows and columns, and the board's name in errors. The area may be
    /// far larger than the file.
    fn area(&self) -> Option<(&Area, String)> {
        let BoardForm::Shaped(shape) = &self.form else {
            return None;
        };
        let (Shape::Grid { area, .. } | Shape::Field { area, .. }) = shape else {
            return None;
        };
        let (rows, columns) = (area.rows(), area.columns());
        let name = match shape {
            Shape::Grid { .. } => with_article(&format!("{rows} × {columns} grid")),
            _ => format!("a field of {rows} × {columns} cells"),
        };
        Some((area, name))
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

    /// Builds the board and combines it with the puzzle; `fail` converts a misfit to an error.
    pub(super) fn lay(
        self,
        puzzle: Puzzle,
        most_cells: usize,
        fail: impl Fn(Misfit) -> LoadError,
    ) -> Result<Problem> {
        let tiles = puzzle.pieces().unwrap_or(usize::MAX);
        let misfilled = |e: FillError| fail(Misfit::Tiles(e.to_string()));
        self.refuse_unfilled(tiles).map_err(misfilled)?;
        if let Some((area, board)) = self.area().filter(|(area, _)| area.size() > most_cells) {
            let cells = area.size();
            let message = format!("{board} has {cells} cells: at most {most_cells} are read");
            return Err(fail(Misfit::Board(message)));
        }
        let board = self.build().map_err(|e| fail(Misfit::Board(e.to_string())))?;
        let sides = board.numbers_of_sides();
        if let Some(tile) = puzzle.tiles.iter().find(|tile| !sides.contains(&tile.sides())) {
            let (name, number, expected) =
                (&tile.name, tile.sides(), itertools::join(&sides, " or "));
            let message = format!("tile `{name}` has {number} edges, expected {expected}");
            return Err(fail(Misfit::Tiles(message)));
        }
        Problem::new(puzzle, board).map_err(misfilled)
    }
}
