//! The cell orders of the fast backtracker: from a corner, along rows or columns.

use crate::problem::Problem;

/// An order of the cells of a rectangle. With an order along columns, a "row" is a column.
pub(super) struct CellOrder {
    pub cells: Vec<usize>,
    /// The number of cells per row.
    pub length: usize,
    /// The side towards the next cell in the row, and the side towards the next row.
    pub ahead: usize,
    pub down: usize,
}

impl CellOrder {
    /// The side towards the previous cell in the row.
    pub fn side_behind(&self) -> usize {
        (self.ahead + 2) % 4
    }

    /// The side towards the previous row.
    pub fn side_above(&self) -> usize {
        (self.down + 2) % 4
    }
}

/// The eight orders of a rectangle: from each corner, along the rows and along the columns. Empty
/// if the board is not a rectangle.
pub(super) fn cell_orders(problem: &Problem) -> Vec<CellOrder> {
    let Some((rows, columns)) = problem.board.rectangle() else {
        return Vec::new();
    };
    let mut cell_orders = Vec::new();
    for (from_bottom, from_right, by_columns) in
        itertools::iproduct!([false, true], [false, true], [false, true])
    {
        let across = if from_right { 2 } else { 0 };
        let along = if from_bottom { 1 } else { 3 };
        let (outer, inner) = if by_columns { (columns, rows) } else { (rows, columns) };
        let (ahead, down) = if by_columns { (along, across) } else { (across, along) };
        let cell = |(outer, inner): (usize, usize)| {
            let (row, column) = if by_columns { (inner, outer) } else { (outer, inner) };
            let row = if from_bottom { rows - 1 - row } else { row };
            let column = if from_right { columns - 1 - column } else { column };
            row * columns + column
        };
        cell_orders.push(CellOrder {
            cells: itertools::iproduct!(0..outer, 0..inner).map(cell).collect(),
            length: inner,
            ahead,
            down,
        });
    }
    cell_orders
}
