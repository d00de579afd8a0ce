//! Rows and columns of squares.

use itertools::iproduct;

use super::{Board, Cell, CellName, Seam, SeamType, Symmetry};

const RIGHT: usize = 0;
const TOP: usize = 1;
const LEFT: usize = 2;
const BOTTOM: usize = 3;
const SIDES: usize = 4;
const HORIZONTAL: usize = 0;
const VERTICAL: usize = 1;

/// A board of `rows` × `columns` squares whose group are the turns that map it onto itself.
pub(super) fn build(rows: usize, columns: usize) -> Board {
    let cell = |row: usize, column: usize| row * columns + column;
    let mut seams = Vec::new();
    let mut rim = Vec::new();
    for (row, column) in iproduct!(0..rows, 0..columns) {
        let here = cell(row, column);
        if column + 1 < columns {
            seams.push(Seam {
                first: (here, RIGHT),
                second: (cell(row, column + 1), LEFT),
                seam_type: HORIZONTAL,
            });
        }
        if row + 1 < rows {
            seams.push(Seam {
                first: (here, BOTTOM),
                second: (cell(row + 1, column), TOP),
                seam_type: VERTICAL,
            });
        }
        let on_rim = [
            (RIGHT, column + 1 == columns),
            (TOP, row == 0),
            (LEFT, column == 0),
            (BOTTOM, row + 1 == rows),
        ];
        rim.extend(on_rim.iter().filter(|s| s.1).map(|s| (here, s.0)));
    }
    Board {
        cells: iproduct!(1..=rows, 1..=columns)
            .map(|(row, column)| Cell {
                name: CellName::At(row, column),
                sides: SIDES,
            })
            .collect(),
        seam_types: vec![
            seam_type("horizontal", RIGHT, LEFT),
            seam_type("vertical", BOTTOM, TOP),
        ],
        seams,
        wanted_seams: Vec::new(),
        free_seams: Vec::new(),
        rim,
        symmetries: turns(rows, columns),
        line_length: columns,
        description: format!("{rows} × {columns} grid"),
    }
}

fn seam_type(name: &str, first_side: usize, second_side: usize) -> SeamType {
    SeamType {
        name: name.to_owned(),
        first_side,
        second_side,
    }
}

/// Quarter turns of a square, half turns of an oblong; counter-clockwise like the tiles.
fn turns(rows: usize, columns: usize) -> Vec<Symmetry> {
    let step = if rows == columns { 1 } else { 2 };
    (0..SIDES)
        .step_by(step)
        .map(|turn| Symmetry {
            image: iproduct!(0..rows, 0..columns)
                .map(|(row, column)| {
                    let (row, column) = match turn {
                        0 => (row, column),
                        1 => (columns - 1 - column, row),
                        2 => (rows - 1 - row, columns - 1 - column),
                        _ => (column, rows - 1 - row),
                    };
                    row * columns + column
                })
                .collect(),
            turn: vec![turn; rows * columns],
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_its_seams_and_rim() {
        let board = build(3, 4);
        assert_eq!(board.seams().len(), 3 * 3 + 2 * 4);
        assert_eq!(board.rim().len(), 2 * (3 + 4));
        assert_eq!(board.symmetries().len(), 2);
        assert_eq!(build(1, 1).symmetries().len(), 4);
    }

    #[test]
    fn every_symmetry_maps_seams_onto_seams() {
        for board in [build(3, 3), build(2, 4), build(1, 5), build(4, 4)] {
            let touching: Vec<_> = board
                .seams()
                .iter()
                .flat_map(|s| [(s.first, s.second), (s.second, s.first)])
                .collect();
            for symmetry in board.symmetries() {
                let moved = |(cell, side): (usize, usize)| {
                    (symmetry.image[cell], (side + symmetry.turn[cell]) % SIDES)
                };
                for &(first, second) in &touching {
                    assert!(touching.contains(&(moved(first), moved(second))));
                }
            }
        }
    }
}
