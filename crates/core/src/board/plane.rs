//! Fields of hexagons and triangles in the plane.
//!
//! ```text
//!    ⬡ ⬡ ⬡      Hexagons: every second row is half a cell to the right; side 0 is on the right.
//!     ⬡ ⬡ ⬡     Triangles: alternately on their base and on their tip. On the base, the sides are
//!    △▽△▽△      right, left, bottom; a triangle on its tip is the same after a half turn.
//! ```

use super::build::BoardParts;
use super::{Area, Cell, CellName, CellSide, Shape};

/// A regular polygon, other than the square, that fills the plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Polygon {
    /// Three sides.
    Triangle,
    /// Six sides.
    Hexagon,
}

impl Polygon {
    /// The number of sides.
    pub fn sides(self) -> usize {
        match self {
            Polygon::Triangle => 3,
            Polygon::Hexagon => 6,
        }
    }

    /// The plural noun, which is also the key of such a board in files.
    pub fn plural(self) -> &'static str {
        match self {
            Polygon::Triangle => "triangles",
            Polygon::Hexagon => "hexagons",
        }
    }

    /// The neighbours to the right and below a place: the own side, the row and column of the
    /// neighbour, and the neighbour's side. They may be holes or outside the area.
    fn later_neighbours(self, row: usize, column: usize) -> Vec<(usize, [usize; 2], usize)> {
        match self {
            Polygon::Triangle => {
                let is_on_base = (row + column).is_multiple_of(2);
                // A triangle on its tip touches the next triangle in its row with side 1, which is
                // on the right after a half turn.
                let (beside, below) = if is_on_base { (0, Some(2)) } else { (1, None) };
                let right = (beside, [row, column + 1], beside);
                let below = below.map(|side| (side, [row + 1, column], side));
                std::iter::once(right).chain(below).collect()
            }
            Polygon::Hexagon => {
                let shift = row % 2;
                let lower_left =
                    (column + shift).checked_sub(1).map(|column| (4, [row + 1, column], 1));
                let others = [(0, [row, column + 1], 3), (5, [row + 1, column + shift], 2)];
                others.into_iter().chain(lower_left).collect()
            }
        }
    }
}

/// The data of a board of rows of triangles or hexagons.
pub(super) fn board_parts(polygon: Polygon, area: Area) -> BoardParts {
    let mut seams: Vec<[CellSide; 2]> = Vec::new();
    for (cell, (row, column)) in area.cells().enumerate() {
        for (side, [other_row, other_column], other_side) in polygon.later_neighbours(row, column) {
            if let Some(other) = area.number(other_row, other_column) {
                seams.push([(cell, side), (other, other_side)]);
            }
        }
    }
    let cells = area.cells().map(|(row, column)| Cell {
        name: CellName::Named(format!("r{}c{}", row + 1, column + 1)),
        sides: polygon.sides(),
    });
    let cells = cells.collect();
    let (rows, columns) = (area.rows(), area.columns());
    let polygons = polygon.plural();
    let holes = area.describe();
    let description = format!("field of {rows} × {columns} {polygons}{holes}");
    BoardParts::with_unnamed_seam_types(
        Some(Shape::Field { polygon, area }),
        cells,
        seams,
        description,
    )
}

#[cfg(test)]
mod tests {
    use itertools::iproduct;

    use super::super::Board;
    use super::*;

    fn sizes(polygon: Polygon, rows: usize, columns: usize) -> (usize, usize, usize) {
        let board = Board::plane(polygon, rows, columns);
        let sides = polygon.sides() * board.size();
        assert_eq!(2 * board.seams().len() + board.rim().len(), sides);
        (board.seams().len(), board.rim().len(), board.symmetries().len())
    }

    #[test]
    fn fields_have_their_seams_and_rim() {
        assert_eq!(sizes(Polygon::Hexagon, 1, 1), (0, 6, 12));
        // One seam within each row, and three between the rows.
        assert_eq!(sizes(Polygon::Hexagon, 2, 2), (5, 14, 4));
        assert_eq!(sizes(Polygon::Hexagon, 3, 2), (3 + 2 * 3, 18, 2));
        assert_eq!(sizes(Polygon::Triangle, 1, 3), (2, 5, 2));
        // Six triangles around a point are a hexagon.
        assert_eq!(sizes(Polygon::Triangle, 2, 3), (4 + 2, 6, 12));
    }

    /// An inner corner is surrounded by six triangles, or by three hexagons.
    #[test]
    fn cells_close_around_a_corner() {
        for (polygon, around) in [(Polygon::Triangle, 6), (Polygon::Hexagon, 3)] {
            let board = Board::plane(polygon, 6, 6);
            let beside = |(cell, side): CellSide| {
                let mut seams = board.seams().iter();
                seams.find_map(|seam| match (cell, side) {
                    end if end == seam.first => Some(seam.second),
                    end if end == seam.second => Some(seam.first),
                    _ => None,
                })
            };
            let sides = polygon.sides();
            let starts = iproduct!(0..board.size(), 0..sides);
            let mut closed = 0;
            for start in starts {
                let mut at = start;
                let mut steps = 0;
                // Crosses a side, then takes the next side of that cell, around the corner between
                // them.
                while let Some((cell, side)) = beside(at) {
                    at = (cell, (side + 1) % sides);
                    steps += 1;
                    if at == start {
                        assert_eq!(steps, around, "{polygon:?}");
                        closed += 1;
                        break;
                    }
                }
            }
            assert!(closed > 0);
        }
    }
}
