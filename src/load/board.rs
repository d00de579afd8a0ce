//! A board as a file states it, before it is built.
//!
//! The number of tiles is compared with the size of the board first, so a short file cannot ask for
//! a huge board.

use super::error::LoadError;
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

    /// Whether so many tiles can fill it, before a board is built that may be far larger than the
    /// file.
    ///
    /// # Errors
    /// Where they can't.
    pub(super) fn refuse_unfilled(&self, tiles: usize) -> Result<(), FillError> {
        let (area, board): (&Area, fn(usize, usize) -> String) = match &self.form {
            BoardForm::Shaped(Shape::Grid { area, .. }) => {
                (area, |rows, columns| with_article(&format!("{rows} × {columns} grid")))
            }
            BoardForm::Shaped(Shape::Field { area, .. }) => {
                (area, |rows, columns| format!("a field of {rows} × {columns} cells"))
            }
            BoardForm::Shaped(Shape::Outline(_) | Shape::Solid(_)) | BoardForm::Cells(_) => {
                return Ok(());
            }
        };
        let cells = area.size();
        if tiles >= cells {
            Ok(())
        } else {
            Err(FillError { tiles, cells, sides: None, board: board(area.rows(), area.columns()) })
        }
    }

    /// Lays tiles on it; `fail` makes an error of what is wrong.
    pub(super) fn lay(
        self,
        puzzle: Puzzle,
        fail: impl Fn(String) -> LoadError,
    ) -> Result<Problem, LoadError> {
        let tiles = puzzle.pieces().unwrap_or(usize::MAX);
        let misfilled = |e: FillError| fail(e.to_string());
        self.refuse_unfilled(tiles).map_err(misfilled)?;
        let board = self.build().map_err(|e| fail(e.to_string()))?;
        let sides = board.numbers_of_sides();
        if let Some(tile) = puzzle.tiles.iter().find(|tile| !sides.contains(&tile.sides())) {
            let (name, number, expected) =
                (&tile.name, tile.sides(), itertools::join(&sides, " or "));
            return Err(fail(format!("tile `{name}` has {number} edges, expected {expected}")));
        }
        Problem::new(puzzle, board).map_err(misfilled)
    }
}
