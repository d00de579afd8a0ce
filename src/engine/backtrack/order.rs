//! The orders in which the plain backtrackers fill the cells: spiral and rows.

use std::cmp::Reverse;

use crate::board::{Area, Board};

/// An order of the cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// From the middle to the right, then clockwise outwards; cells off the board are skipped.
    /// Where cells do not lie in rows: from the most central one, each time the cell with the
    /// most filled neighbours, of several the one nearest to the first.
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
            Order::Spiral => match board.squares() {
                Some(area) => spiral(area),
                None => grown(board),
            },
        }
    }
}

/// From the most central cell on.
fn grown(board: &Board) -> Vec<usize> {
    // As far as there are cells where no seams lead.
    let distances = |from: usize| {
        let distances = board.distances(from).into_iter();
        distances
            .map(|distance| distance.unwrap_or(board.size()))
            .collect::<Vec<_>>()
    };
    let far = |cell: usize| {
        let distances = distances(cell);
        let farthest = distances.iter().copied().max();
        (farthest, distances.iter().sum::<usize>())
    };
    let first = (0..board.size())
        .min_by_key(|&cell| far(cell))
        .unwrap_or_default();
    let from_first = distances(first);
    let mut filled_beside = vec![0; board.size()];
    let mut open: Vec<usize> = (0..board.size()).collect();
    let mut order = Vec::new();
    let mut next = Some(first);
    while let Some(cell) = next {
        order.push(cell);
        open.retain(|&other| other != cell);
        for &(other, _) in board.beside(cell).iter().flatten() {
            filled_beside[other] += 1;
        }
        let rank = |&cell: &usize| (Reverse(filled_beside[cell]), from_first[cell], cell);
        next = open.iter().copied().min_by_key(rank);
    }
    order
}

fn spiral(area: &Area) -> Vec<usize> {
    let at = |row: isize, column: isize| {
        let row = usize::try_from(row - 1).ok()?;
        area.number(row, usize::try_from(column - 1).ok()?)
    };
    const RIGHT_DOWN_LEFT_UP: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let mut row = area.rows().div_ceil(2) as isize;
    let mut column = area.columns().div_ceil(2) as isize;
    let mut cells: Vec<usize> = at(row, column).into_iter().collect();
    // Arms of 1, 1, 2, 2, 3, 3, … steps.
    for arm in 0.. {
        let (down, right) = RIGHT_DOWN_LEFT_UP[arm % 4];
        for _ in 0..arm / 2 + 1 {
            if cells.len() == area.size() {
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
    use itertools::Itertools;

    use super::*;
    use crate::board::Solid;

    #[test]
    fn on_a_solid_each_next_cell_touches_those_before() {
        for solid in Solid::ALL {
            let board = Board::solid(solid);
            let order = Order::Spiral.cells(&board);
            for (index, &cell) in order.iter().enumerate().skip(1) {
                let touches = board.touching().any(|ends| {
                    let ends = ends.map(|(cell, _)| cell);
                    let is_before = |end: &usize| order[..index].contains(end);
                    ends.contains(&cell) && ends.iter().any(is_before)
                });
                assert!(touches, "{solid:?}");
            }
            assert_eq!(order.iter().unique().count(), board.size());
        }
    }

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
