//! Named outlines of fields: masks of rows of triangles or hexagons.
//!
//! ```text
//!      ⬡ ⬡       flower        △▽△▽△     hexagon of      △▽△▽     rhombus of
//!     ⬡ ⬡ ⬡                   △▽△▽△▽△    triangles,     △▽△▽      triangles,
//!      ⬡ ⬡                    ▽△▽△▽△▽    of side 2                of side 2
//!                              ▽△▽△▽
//! ```

use std::ops::Range;

use super::build::BoardParts;
use super::{Area, Polygon, Shape, plane};

/// A named outline. Some have a side length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outline {
    /// A hexagon and the six around it.
    Flower,
    /// 6n² triangles in the form of a hexagon of side n.
    TriangleHexagon(usize),
    /// 2n² triangles in the form of a rhombus of side n.
    Rhombus(usize),
}

impl Outline {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Outline::Flower => "flower",
            Outline::TriangleHexagon(_) => "triangle-hexagon",
            Outline::Rhombus(_) => "rhombus",
        }
    }

    /// The side length; `None` for the flower, whose size is fixed.
    pub fn side(self) -> Option<usize> {
        match self {
            Outline::Flower => None,
            Outline::TriangleHexagon(side) | Outline::Rhombus(side) => Some(side),
        }
    }

    /// The polygon of the cells.
    pub fn polygon(self) -> Polygon {
        match self {
            Outline::Flower => Polygon::Hexagon,
            Outline::TriangleHexagon(_) | Outline::Rhombus(_) => Polygon::Triangle,
        }
    }

    /// The places that are cells, as a mask.
    ///
    /// # Panics
    /// If the side length is 0.
    pub fn area(self) -> Area {
        let rows: Vec<Range<usize>> = match self {
            Outline::Flower => vec![1..3, 0..3, 1..3],
            Outline::TriangleHexagon(side) => {
                let width = |row: usize| 2 * (side + row) + 1;
                let upper = (0..side).map(|row| first(side, row)..first(side, row) + width(row));
                upper.clone().chain(upper.rev()).collect()
            }
            Outline::Rhombus(side) => {
                (0..side).map(|row| first(side, row)..first(side, row) + 2 * side).collect()
            }
        };
        area_of(&rows, rows.iter().map(|row| row.end).max().unwrap_or_default())
    }
}

/// The places of a triangle of triangles with `side` triangles along each side, as part of a field.
///
/// # Panics
/// If `side` is 0.
pub fn triangle_area(side: usize) -> Area {
    let rows = (0..side).map(|row| first(side, row)..first(side, row) + 2 * row + 1);
    area_of(&rows.collect::<Vec<_>>(), 2 * side + (side + 1) % 2)
}

/// The column where a row of the upper half begins: one place further left than the row above,
/// always with a triangle on its base, whose row and column have an even sum.
fn first(side: usize, row: usize) -> usize {
    side - 1 + (side + 1) % 2 - row
}

/// The area with cells in these places of each row.
fn area_of(rows: &[Range<usize>], columns: usize) -> Area {
    let line = |row: &Range<usize>| (0..columns).map(|c| row.contains(&c)).collect();
    let mask: Vec<Vec<bool>> = rows.iter().map(line).collect();
    Area::from_mask(&mask).expect("the side length is at least 1")
}

/// The data of a board with this outline.
pub(super) fn board_parts(outline: Outline) -> BoardParts {
    let field = plane::board_parts(outline.polygon(), outline.area());
    let cells = field.cells.len();
    BoardParts {
        shape: Some(Shape::Outline(outline)),
        description: match outline {
            Outline::Flower => "flower of 7 hexagons".to_owned(),
            Outline::TriangleHexagon(_) => format!("hexagon of {cells} triangles"),
            Outline::Rhombus(_) => format!("rhombus of {cells} triangles"),
        },
        ..field
    }
}

#[cfg(test)]
mod tests {
    use super::super::Board;
    use super::*;

    fn board(outline: Outline) -> Board {
        Board::shaped(Shape::Outline(outline)).unwrap()
    }

    #[test]
    fn outlines_have_their_cells_rims_and_symmetries() {
        let sizes = |outline| {
            let board = board(outline);
            (board.size(), board.rim().len(), board.symmetries().len(), board.pieces().len())
        };
        assert_eq!(sizes(Outline::Flower), (7, 18, 12, 1));
        for n in 1..5 {
            assert_eq!(sizes(Outline::TriangleHexagon(n)), (6 * n * n, 6 * n, 12, 1));
            assert_eq!(sizes(Outline::Rhombus(n)), (2 * n * n, 4 * n, 4, 1));
        }
    }
}
