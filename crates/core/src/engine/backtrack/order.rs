//! The cell orders of the plain backtrackers: spiral and rows.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::board::{Area, Board};
use crate::runtime::limits::{CancelToken, Flow};

/// An order of the cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Starts in the middle to the right, then turns clockwise outwards; cells off the board are
    /// skipped. On a board without rows, starts in the most central cell and continues with the
    /// cell that has the most filled neighbours; ties go to the one nearest to the first cell.
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

    /// The cells of a board in this order. Breaks if the token stops the run.
    pub(super) fn cells(self, board: &Board, token: &CancelToken<'_>) -> Flow<Vec<usize>> {
        match (self, board.squares()) {
            (Order::Rows, _) => ControlFlow::Continue((0..board.size()).collect()),
            (Order::Spiral, Some(area)) => ControlFlow::Continue(spiral(area)),
            (Order::Spiral, None) => spiral_without_rows(board, token),
        }
    }
}

/// The order [`Order::Spiral`] of a board without rows, in O(n log n) if there are few candidates
/// for the centre. Breaks if the token stops the run.
fn spiral_without_rows(board: &Board, token: &CancelToken<'_>) -> Flow<Vec<usize>> {
    let from_first = distances(board, most_central(board, token)?);
    let mut filled_beside = vec![0; board.size()];
    let cells = (0..board.size()).map(|cell| (Reverse(0), from_first[cell], cell));
    let mut open: BTreeSet<_> = cells.collect();
    let mut order = Vec::new();
    while let Some((_, _, cell)) = open.pop_first() {
        order.push(cell);
        token.work(board.most_sides())?;
        for &(other, _) in board.touching_sides(cell).iter().flatten() {
            let rank = |filled| (Reverse(filled), from_first[other], other);
            if open.remove(&rank(filled_beside[other])) {
                filled_beside[other] += 1;
                open.insert(rank(filled_beside[other]));
            }
        }
    }
    ControlFlow::Continue(order)
}

/// The cell with the smallest maximum distance to others. Ties go to the smallest sum of distances,
/// then to the lowest index. Breaks if the token stops the run.
///
/// By the triangle inequality, each measured cell bounds the maximum distance of all others, so few
/// cells need to be measured on most boards.
fn most_central(board: &Board, token: &CancelToken<'_>) -> Flow<usize> {
    let mut at_least = vec![0; board.size()];
    let mut best = (usize::MAX, usize::MAX, 0);
    let cells = 0..board.size();
    while let Some(cell) = cells.clone().min_by_key(|&cell| at_least[cell])
        && at_least[cell] <= best.0
    {
        token.work(board.most_sides() * board.size())?;
        let from_cell = distances(board, cell);
        let largest = from_cell.iter().copied().max().unwrap_or_default();
        best = best.min((largest, from_cell.iter().sum(), cell));
        for (bound, distance) in at_least.iter_mut().zip(from_cell) {
            *bound = distance.max(largest - distance).max(*bound);
        }
        at_least[cell] = usize::MAX;
    }
    ControlFlow::Continue(best.2)
}

/// The distance of each cell from `from`; the number of cells for unreachable ones.
fn distances(board: &Board, from: usize) -> Vec<usize> {
    board.distances(from).into_iter().map(|distance| distance.unwrap_or(board.size())).collect()
}

/// The cells of a board of squares in the order [`Order::Spiral`].
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
    use crate::board::{Polygon, Solid};

    #[test]
    fn the_most_central_cell_is_nearest_to_its_farthest() {
        let planes = [(1, 1), (3, 7), (8, 5), (9, 12)].into_iter().flat_map(|(rows, columns)| {
            let polygons = [Polygon::Triangle, Polygon::Hexagon];
            polygons.map(|polygon| Board::plane(polygon, rows, columns))
        });
        for board in planes.chain(Solid::ALL.map(Board::solid)) {
            let rank = |&cell: &usize| {
                let distances = distances(&board, cell);
                let farthest = distances.iter().copied().max();
                (farthest, distances.iter().sum::<usize>())
            };
            let expected = (0..board.size()).min_by_key(rank);
            let found = most_central(&board, &CancelToken::never()).continue_value();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn on_a_solid_each_next_cell_touches_those_before() {
        for solid in Solid::ALL {
            let board = Board::solid(solid);
            let order = Order::Spiral.cells(&board, &CancelToken::never());
            let order = order.continue_value().unwrap();
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
            let board = Board::grid(rows, columns);
            let cells = Order::Spiral.cells(&board, &CancelToken::never());
            let cells = cells.continue_value().unwrap();
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
