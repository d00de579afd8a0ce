//! `sum`: bounds the sum of a value over cells.

use std::sync::Arc;

use super::ConstraintKind;
use super::bounds::{AT_LEAST, AT_MOST, BOUNDED, Bounds, EXACTLY, EXACTLY_ALONE};
use super::cell_value::{CellValue, OF, sum_of};
use super::declare::{Mapping, Requirement};
use super::fields::Fields;
use super::pattern::CELLS;
use super::scene::Scene;
use crate::board::Board;
use crate::problem::{Arrangement, Constraint, Formula};
use crate::puzzle::Puzzle;

/// The constraint `sum`: the sum of the values of these cells is within bounds.
///
/// ```yaml
/// constraints:
///   - sum: {cells: row 1, of: number, exactly: 15}
/// ```
pub(super) const KIND: ConstraintKind = ConstraintKind::new(
    "sum",
    "Bounds the sum of a value over cells: at least, at most or exactly.",
    Mapping {
        fields: &[CELLS, OF, AT_LEAST, AT_MOST, EXACTLY],
        needs: &[
            BOUNDED,
            EXACTLY_ALONE,
            Requirement::any(&[OF], "`sum` requires `of`: the value to add, such as `of: number`"),
        ],
    },
    build,
);

#[derive(Debug)]
struct Sum {
    cells: Vec<usize>,
    value: CellValue,
    bounds: Bounds,
}

/// Builds a `sum`. Fails if the minimum exceeds the maximum, or the value is not a number.
fn build(scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
    let bounds = Bounds::new(fields)?;
    let cells = fields.numbers(CELLS).map_or_else(|| scene.all_cells(), <[_]>::to_vec);
    match fields.cell_value(OF) {
        None | Some(CellValue::ImageAt(_)) => {
            Err("images cannot be added: expected numbers, rotations or weights".into())
        }
        Some(value) => Ok(Arc::new(Sum { cells, value: value.clone(), bounds })),
    }
}

impl Constraint for Sum {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, puzzle: &Puzzle, _board: &Board, arrangement: &Arrangement) -> Option<String> {
        let values = self.cells.iter().map(|&cell| self.value.of(puzzle, arrangement.0[cell]));
        let how = self.bounds.broken_by(values.flatten().sum())?;
        Some(format!("`sum`: {how}"))
    }

    fn formula(&self, puzzle: &Puzzle, _board: &Board) -> Formula {
        self.bounds.sums(&sum_of(&self.value.placements(puzzle), &[(&self.cells, 1)])).into()
    }
}
