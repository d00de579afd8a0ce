//! Rows and columns of squares, with their ends joined or not: rectangle, cylinder, torus.
//!
//! In a grid one cell wide with joined ends, each cell touches itself; this seam is kept.

use itertools::iproduct;

use super::build::BoardParts;
use super::{Area, Cell, CellName, CellSide, SeamType, Shape};

const RIGHT: usize = 0;
const TOP: usize = 1;
const LEFT: usize = 2;
const BOTTOM: usize = 3;
const SIDES: usize = 4;

/// The ends of a grid that are joined to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrap {
    /// The ends of each row: an upright cylinder.
    Horizontal,
    /// The ends of each column: a horizontal cylinder.
    Vertical,
    /// Both: a torus.
    Both,
}

impl Wrap {
    /// Every variant with its name in files.
    pub const ALL: [(&str, Wrap); 3] =
        [("horizontal", Wrap::Horizontal), ("vertical", Wrap::Vertical), ("both", Wrap::Both)];
}

/// The side length of a square of `tiles` cells; `None` if `tiles` is not a square number.
pub fn side_of_square(tiles: usize) -> Option<usize> {
    let side = tiles.isqrt();
    (side * side == tiles).then_some(side)
}

/// The data of a board of squares. `None` joins no ends.
pub(super) fn board_parts(area: Area, wrap: Option<Wrap>) -> BoardParts {
    let (rows, columns) = (area.rows(), area.columns());
    let cell = |row: usize, column: usize| area.number(row, column);
    let joins_rows = matches!(wrap, Some(Wrap::Horizontal | Wrap::Both));
    let joins_columns = matches!(wrap, Some(Wrap::Vertical | Wrap::Both));
    let beside = |row, column| {
        Some([(cell(row, column)?, RIGHT), (cell(row, (column + 1) % columns)?, LEFT)])
    };
    let below =
        |row, column| Some([(cell(row, column)?, BOTTOM), (cell((row + 1) % rows, column)?, TOP)]);
    let mut seams: Vec<[CellSide; 2]> = Vec::new();
    for (row, column) in iproduct!(0..rows, 0..columns) {
        seams.extend((column + 1 < columns).then(|| beside(row, column)).flatten());
        seams.extend((row + 1 < rows).then(|| below(row, column)).flatten());
    }
    if joins_rows {
        seams.extend((0..rows).filter_map(|row| beside(row, columns - 1)));
    }
    if joins_columns {
        seams.extend((0..columns).filter_map(|column| below(rows - 1, column)));
    }
    let names = area.cells().map(|(row, column)| CellName::At(row + 1, column + 1));
    let grid = match wrap {
        None => "grid",
        Some(Wrap::Horizontal) => "grid with the ends of its rows joined",
        Some(Wrap::Vertical) => "grid with the ends of its columns joined",
        Some(Wrap::Both) => "torus",
    };
    BoardParts {
        cells: names.map(|name| Cell { name, sides: SIDES }).collect(),
        seams,
        named_types: vec![seam_type("horizontal", RIGHT, LEFT), seam_type("vertical", BOTTOM, TOP)],
        description: format!("{rows} × {columns} {grid}{}", area.describe()),
        shape: Some(Shape::Grid { area, wrap }),
    }
}

/// The type of a seam between two squares.
fn seam_type(name: &str, first_side: usize, second_side: usize) -> SeamType {
    SeamType {
        name: name.to_owned(),
        first_sides: SIDES,
        first_side,
        second_sides: SIDES,
        second_side,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Board;
    use super::*;

    #[test]
    fn a_grid_has_its_seams_and_rim() {
        let board = Board::grid(3, 4);
        assert_eq!(board.seams().len(), 3 * 3 + 2 * 4);
        assert_eq!(board.rim().len(), 2 * (3 + 4));
    }

    #[test]
    fn joined_ends_are_seams_instead_of_rim() {
        let count = |rows, columns, wrap| {
            let board = Board::wrapped(rows, columns, wrap).unwrap();
            (board.seams().len(), board.own_seams().len(), board.rim().len())
        };
        assert_eq!(count(2, 3, Wrap::Both), (12, 0, 0));
        assert_eq!(count(2, 3, Wrap::Horizontal), (9, 0, 6));
        assert_eq!(count(1, 3, Wrap::Both), (3, 3, 0));
        assert_eq!(count(1, 1, Wrap::Vertical), (0, 1, 2));
    }
}
