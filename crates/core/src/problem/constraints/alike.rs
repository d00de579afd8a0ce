//! `all_different` and `all_equal`: the values of cells differ pairwise, or are all the same.

use std::sync::Arc;

use itertools::Itertools;

use super::ConstraintKind;
use super::cell_value::{CellValue, OF};
use super::declare::{Mapping, Requirement};
use super::fields::Fields;
use super::pattern::CELLS;
use super::scene::Scene;
use crate::board::Board;
use crate::problem::{Arrangement, Constraint, Formula, LinearConstraint, Term};
use crate::puzzle::Puzzle;

/// The constraint `all_different`: no two of these cells have the same value.
///
/// ```yaml
/// constraints:
///   - all_different: {cells: row 1, of: rotation}
/// ```
pub(super) const DIFFERENT: ConstraintKind = ConstraintKind::new(
    "all_different",
    "The cells have different values.",
    COMPARED,
    |scene, fields| Ok(Arc::new(AllDifferent(Compared::new(scene, fields)?))),
);

/// The constraint `all_equal`: all of these cells have the same value.
///
/// ```yaml
/// constraints:
///   - all_equal: {cells: corners, of: rotation}
/// ```
pub(super) const EQUAL: ConstraintKind = ConstraintKind::new(
    "all_equal",
    "The cells have the same value.",
    COMPARED,
    |scene, fields| Ok(Arc::new(AllEqual(Compared::new(scene, fields)?))),
);

const COMPARED: Mapping = Mapping {
    fields: &[CELLS, OF],
    needs: &[Requirement::any(
        &[OF],
        "`of` is missing: the value to compare, such as `of: rotation`",
    )],
};

/// Cells and the value by which they are compared.
#[derive(Debug)]
struct Compared {
    cells: Vec<usize>,
    value: CellValue,
}

impl Compared {
    fn new(scene: &Scene<'_>, fields: &Fields) -> Result<Compared, String> {
        let cells = fields.numbers(CELLS).map_or_else(|| scene.all_cells(), <[_]>::to_vec);
        let value = fields.cell_value(OF).cloned().ok_or("`of` is missing")?;
        Ok(Compared { cells, value })
    }

    /// The values of the cells that have one.
    fn values(&self, puzzle: &Puzzle, arrangement: &Arrangement) -> Vec<i64> {
        let values = self.cells.iter().map(|&cell| self.value.of(puzzle, arrangement.0[cell]));
        values.flatten().collect()
    }
}

#[derive(Debug)]
struct AllDifferent(Compared);

impl Constraint for AllDifferent {
    fn name(&self) -> &'static str {
        DIFFERENT.name
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, puzzle: &Puzzle, _board: &Board, arrangement: &Arrangement) -> Option<String> {
        let is_broken = !self.0.values(puzzle, arrangement).iter().all_unique();
        is_broken.then(|| "`all_different`: two cells have the same value".to_owned())
    }

    /// At most one cell has each value.
    fn formula(&self, puzzle: &Puzzle, _board: &Board) -> Formula {
        let placements = self.0.value.placements(puzzle);
        let once = |all| LinearConstraint::at_most(&self.0.cells, all, 1);
        placements.values().map(once).collect::<Vec<LinearConstraint>>().into()
    }
}

#[derive(Debug)]
struct AllEqual(Compared);

impl AllEqual {
    /// For each of these pairs of cells and each value: if the first cell has it, so does the
    /// second.
    fn implications(
        &self,
        puzzle: &Puzzle,
        pairs: impl Iterator<Item = (usize, usize)>,
    ) -> Formula {
        let placements = self.0.value.placements(puzzle);
        let sums = pairs.cartesian_product(placements.values()).map(|((first, second), all)| {
            let term = |cell, coefficient| Term {
                cells: vec![cell],
                placements: Arc::clone(all),
                coefficient,
            };
            LinearConstraint { terms: vec![term(first, 1), term(second, -1)], bound: 0 }
        });
        sums.collect::<Vec<LinearConstraint>>().into()
    }

    /// The cells that have a value: those with enough sides.
    fn cells<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = usize> + Clone + 'a {
        let has_value = |cell: &usize| match self.0.value {
            CellValue::ImageAt(side) => side < board.cells()[*cell].sides,
            CellValue::Rotation | CellValue::OfTiles(_) => true,
        };
        self.0.cells.iter().copied().filter(has_value)
    }
}

impl Constraint for AllEqual {
    fn name(&self) -> &'static str {
        EQUAL.name
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, puzzle: &Puzzle, _board: &Board, arrangement: &Arrangement) -> Option<String> {
        let is_broken = !self.0.values(puzzle, arrangement).iter().all_equal();
        is_broken.then(|| "`all_equal`: two cells have different values".to_owned())
    }

    /// Every cell has the value of the cell before it in the list.
    fn formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.implications(puzzle, self.cells(board).tuple_windows())
    }

    /// The list of cells has an order, but the constraint does not depend on it.
    fn symmetric_formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        let cells = self.cells(board);
        self.implications(puzzle, cells.clone().cartesian_product(cells))
    }
}
