//! `left_of` and `above`: a tile is in an earlier column, or in a higher row, than another.

use std::ops::Range;
use std::sync::Arc;

use super::ConstraintKind;
use super::declare::{Field, FieldType, Mapping, Requirement};
use super::fields::Fields;
use super::pattern::TILES;
use super::scene::Scene;
use crate::board::{Board, CellName};
use crate::problem::{
    Arrangement, Constraint, Formula, LinearConstraint, Placed, Term, TilePlacements,
};
use crate::puzzle::Puzzle;

/// The constraint `left_of`: the first tile is in a column left of the second.
///
/// ```yaml
/// constraints:
///   - left_of: [1, 2]
///   - left_of: {tiles: [1, 2], immediate: true}
/// ```
pub(super) const LEFT_OF: ConstraintKind = ConstraintKind::new(
    "left_of",
    "The first tile is in a column left of the second, or just beside it.",
    PAIR,
    |scene, fields| build(scene, fields, Axis::Columns),
)
.or_just(TILES);

/// The constraint `above`: the first tile is in a row above the second.
///
/// ```yaml
/// constraints:
///   - above: [1, 2]
/// ```
pub(super) const ABOVE: ConstraintKind = ConstraintKind::new(
    "above",
    "The first tile is in a row above the second, or just on top of it.",
    PAIR,
    |scene, fields| build(scene, fields, Axis::Rows),
)
.or_just(TILES);

const PAIR: Mapping = Mapping {
    fields: &[TILES, IMMEDIATE],
    needs: &[Requirement::two(TILES, "two different `tiles` are required")],
};

const IMMEDIATE: Field = Field::new(
    "immediate",
    FieldType::Truth,
    "True if the second tile is in the next place of the same row or column.",
);

/// The lines that are compared.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Axis {
    Columns,
    Rows,
}

#[derive(Debug)]
struct TileOrder {
    axis: Axis,
    tiles: [usize; 2],
    is_immediate: bool,
    names: String,
}

/// Builds a constraint on the order of two tiles. Fails if the board has no rows.
fn build(scene: &Scene<'_>, fields: &Fields, axis: Axis) -> Result<Arc<dyn Constraint>, String> {
    if scene.board.squares().is_none() {
        let board = scene.board.description_with_article();
        return Err(format!("{board} has no rows and columns"));
    }
    let tiles = fields.numbers(TILES).unwrap_or_default();
    let &[first, second] = tiles else {
        return Err("two different `tiles` are required".into());
    };
    let names = scene.tile_names(tiles);
    let is_immediate = fields.is_true(IMMEDIATE);
    Ok(Arc::new(TileOrder { axis, tiles: [first, second], is_immediate, names }))
}

impl TileOrder {
    /// The placements of one of the tiles, in any orientation.
    fn placements(&self, puzzle: &Puzzle, which: usize) -> Arc<TilePlacements> {
        Arc::new(Placed::every(puzzle, self.tiles[which]).collect())
    }

    /// The index of the line of a cell, from 0.
    fn line_of(&self, board: &Board, cell: usize) -> usize {
        let (row, column) = place(board, cell);
        match self.axis {
            Axis::Columns => column,
            Axis::Rows => row,
        }
    }

    /// The cells whose lines are in a range.
    fn cells(&self, board: &Board, lines: Range<usize>) -> Vec<usize> {
        (0..board.size()).filter(|&cell| lines.contains(&self.line_of(board, cell))).collect()
    }

    /// The cell in the next place of the same row or column; `None` if there is none.
    fn next(&self, board: &Board, cell: usize) -> Option<usize> {
        let (row, column) = place(board, cell);
        match self.axis {
            Axis::Columns => board.squares()?.number(row, column + 1),
            Axis::Rows => board.squares()?.number(row + 1, column),
        }
    }

    /// Returns true if tiles in these two cells are in order.
    fn is_ordered(&self, board: &Board, first: usize, second: usize) -> bool {
        if self.is_immediate {
            self.next(board, first) == Some(second)
        } else {
            self.line_of(board, first) < self.line_of(board, second)
        }
    }

    /// Some copy of the first tile is in a cell, and some copy of the second in its next cell.
    fn some_pair(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        let [first, second] = [0, 1].map(|which| self.placements(puzzle, which));
        let at_least_one = |cells: &[usize], placements| {
            Formula::Linear(LinearConstraint::at_least(cells, placements, 1))
        };
        if self.is_immediate {
            let pairs = (0..board.size()).filter_map(|cell| Some((cell, self.next(board, cell)?)));
            return Formula::any(pairs.map(|(cell, next)| {
                Formula::all([at_least_one(&[cell], &first), at_least_one(&[next], &second)])
            }));
        }
        let lines = self.lines(board);
        Formula::any((1..lines).map(|line| {
            Formula::all([
                at_least_one(&self.cells(board, 0..line), &first),
                at_least_one(&self.cells(board, line..lines), &second),
            ])
        }))
    }

    /// The number of columns or rows.
    fn lines(&self, board: &Board) -> usize {
        board.squares().map_or(0, |area| match self.axis {
            Axis::Columns => area.columns(),
            Axis::Rows => area.rows(),
        })
    }
}

/// The row and column of a cell, from 0. Boards without rows are refused when the constraint is
/// read.
fn place(board: &Board, cell: usize) -> (usize, usize) {
    match board.cells()[cell].name {
        CellName::At(row, column) => (row - 1, column - 1),
        CellName::Named(_) => (0, 0),
    }
}

impl Constraint for TileOrder {
    fn name(&self) -> &'static str {
        match self.axis {
            Axis::Columns => LEFT_OF.name,
            Axis::Rows => ABOVE.name,
        }
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, _puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        let cells = |which: usize| {
            let placed = arrangement.0.iter().enumerate();
            placed.filter(move |(_, p)| p.tile == self.tiles[which]).map(|(cell, _)| cell)
        };
        let mut pairs = itertools::iproduct!(cells(0), cells(1));
        let is_ordered = pairs.any(|(first, second)| self.is_ordered(board, first, second));
        (!is_ordered).then(|| format!("`{}`: tiles {} are not in order", self.name(), self.names))
    }

    /// Both tiles are used. If `immediate`, wherever the first tile is, the second is in the next
    /// cell. Otherwise, for each line: the first tile is not in it or after it while the second is
    /// in it or before it.
    fn formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        if puzzle.has_copies() {
            return self.some_pair(puzzle, board);
        }
        let [first, second] = [0, 1].map(|which| self.placements(puzzle, which));
        let all: Vec<usize> = (0..board.size()).collect();
        let mut sums =
            [&first, &second].map(|all_of| LinearConstraint::at_least(&all, all_of, 1)).to_vec();
        let term = |cells: Vec<usize>, placements: &Arc<TilePlacements>, coefficient| Term {
            cells,
            placements: Arc::clone(placements),
            coefficient,
        };
        if self.is_immediate {
            sums.extend(all.iter().map(|&cell| {
                let next = self.next(board, cell);
                let terms = vec![
                    term(vec![cell], &first, 1),
                    term(next.into_iter().collect(), &second, -1),
                ];
                LinearConstraint { terms, bound: 0 }
            }));
        } else {
            let lines = self.lines(board);
            sums.extend((0..lines).map(|line| {
                let terms = vec![
                    term(self.cells(board, line..lines), &first, 1),
                    term(self.cells(board, 0..line + 1), &second, 1),
                ];
                LinearConstraint { terms, bound: 1 }
            }));
        }
        sums.into()
    }
}
