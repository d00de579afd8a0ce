//! The orders in which cells are filled.

use std::collections::HashMap;

use crate::board::{Board, Cell, CellName};

/// An order of the cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// From the middle to the right, then clockwise outwards; cells off the board are skipped.
    ///
    /// ```text
    ///   6 7 8
    ///   5 0 1
    ///   4 3 2
    /// ```
    #[default]
    Spiral,
    /// Row by row from the top left.
    Rows,
}

impl Order {
    /// Every order, the default first.
    pub const ALL: [Order; 2] = [Order::Spiral, Order::Rows];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Order::Spiral => "spiral",
            Order::Rows => "rows",
        }
    }

    /// The cells of a board in this order.
    pub(super) fn cells(self, board: &Board) -> Vec<usize> {
        match self {
            Order::Rows => (0..board.size()).collect(),
            Order::Spiral => spiral(board),
        }
    }
}

fn spiral(board: &Board) -> Vec<usize> {
    let columns = board.line_length();
    let rows = board.size() / columns;
    let places = board.cells().iter().enumerate();
    let cell_at: HashMap<(isize, isize), usize> = places
        .map(
            |(
                cell,
                Cell {
                    name: CellName::At(row, column),
                    ..
                },
            )| { ((*row as isize, *column as isize), cell) },
        )
        .collect();
    let at = |row: isize, column: isize| cell_at.get(&(row, column)).copied();
    const RIGHT_DOWN_LEFT_UP: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let (mut row, mut column) = (rows.div_ceil(2) as isize, columns.div_ceil(2) as isize);
    let mut cells: Vec<usize> = at(row, column).into_iter().collect();
    // Arms of 1, 1, 2, 2, 3, 3, … steps.
    for arm in 0.. {
        let (down, right) = RIGHT_DOWN_LEFT_UP[arm % 4];
        for _ in 0..arm / 2 + 1 {
            if cells.len() == board.size() {
                return cells;
            }
            row += down;
            column += right;
            cells.extend(at(row, column));
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spiral_turns_clockwise_outwards() {
        let places = |rows, columns| {
            let cells = Order::Spiral.cells(&Board::grid(rows, columns));
            let mut order = vec![0; cells.len()];
            for (index, cell) in cells.into_iter().enumerate() {
                order[cell] = index;
            }
            order
        };
        assert_eq!(places(3, 3), [6, 7, 8, 5, 0, 1, 4, 3, 2]);
        assert_eq!(places(2, 2), [0, 1, 3, 2]);
        assert_eq!(places(1, 4), [2, 0, 1, 3]);
        for (rows, columns) in [(4, 4), (5, 3), (1, 7), (7, 1), (1, 1)] {
            let mut order = places(rows, columns);
            order.sort();
            assert_eq!(order, (0..rows * columns).collect::<Vec<_>>());
        }
    }
}
