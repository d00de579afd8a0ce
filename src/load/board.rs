//! A board as a file states it, before it is built.
//!
//! The number of tiles and the limits are compared with the size of the board first, so a short file
//! cannot ask for a huge board.

use super::error::{LoadError, Result};
use crate::board::{Area, Board, CellSide, Outline, Polygon, Shape, SymmetryError, with_article};
use crate::problem::{FillError, Problem};
use crate::puzzle::Puzzle;

/// A board as it is written, but for the seams between cells of one's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BoardForm {
    /// What needs no list.
    Shaped(Shape),
    /// Names and numbers of sides.
    Cells(Vec<(String, usize)>),
}

/// A board as it is written, in place of a puzzle's own.
#[derive(Debug, Clone)]
pub struct WrittenBoard {
    pub(super) form: BoardForm,
    pub(super) seams: Vec<[CellSide; 2]>,
}

/// The reason why tiles and a board are no puzzle, as a message about either.
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
    /// Rows and columns of squares.
    pub(super) fn grid(rows: usize, columns: usize) -> WrittenBoard {
        let shape = Shape::Grid { area: Area::full(rows, columns), wrap: None };
        WrittenBoard { form: BoardForm::Shaped(shape), seams: Vec::new() }
    }

    /// A triangle of triangles, this many along each side.
    pub(super) fn triangle(side: usize) -> WrittenBoard {
        // A triangle on its base lies in a place with an even sum of row and column.
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
                area: Area::masked(&mask).expect("a triangle has a cell"),
            }),
            seams: Vec::new(),
        }
    }

    /// A board of triangles or hexagons.
    pub(super) fn outline(outline: Outline) -> WrittenBoard {
        WrittenBoard { form: BoardForm::Shaped(Shape::Outline(outline)), seams: Vec::new() }
    }

    /// The board.
    ///
    /// # Errors
    /// Where it has more symmetries than can be kept.
    pub(super) fn build(self) -> Result<Board, SymmetryError> {
        match self.form {
            BoardForm::Shaped(shape) => Board::shaped(shape),
            BoardForm::Cells(cells) => Board::of_cells(cells, self.seams),
        }
    }

    /// The area of a board with rows and columns, which may be far larger than the file, and what
    /// the board is called.
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

    /// Checks that so many tiles can fill the board, before it is built.
    ///
    /// # Errors
    /// If they cannot.
    pub(super) fn refuse_unfilled(&self, tiles: usize) -> Result<(), FillError> {
        match self.area() {
            Some((area, board)) if tiles < area.size() => {
                Err(FillError { tiles, cells: area.size(), sides: None, board })
            }
            _ => Ok(()),
        }
    }

    /// Places tiles on it; `fail` makes an error of a misfit.
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
