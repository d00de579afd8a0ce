//! `seam`: seams that need not match, and are ignored or counted when the best arrangement is
//! sought.
//!
//! It changes the board's requirement for a seam; tables, searches and the model follow from the
//! board.

use std::sync::Arc;

use super::ConstraintKind;
use super::declare::{Field, FieldType, Mapping, Requirement};
use super::fields::Fields;
use super::pattern::CELLS;
use super::scene::Scene;
use crate::board::{Board, CellSide};
use crate::problem::{Arrangement, Constraint, Formula};
use crate::puzzle::Puzzle;

/// The constraint `seam`: the seams between two cells, or of one cell with itself, need not match.
/// With `fit: wanted` they count in the search for the best arrangement.
///
/// ```yaml
/// constraints:
///   - seam: {cells: [[1, 1], [1, 2]], fit: free}
/// ```
pub(super) const KIND: ConstraintKind = ConstraintKind::new(
    "seam",
    "A seam that need not match. It is ignored, or counted only when searching for the best \
           arrangement.",
    Mapping {
        fields: &[CELLS, FIT],
        needs: &[
            Requirement::any(&[CELLS], EXPECTED),
            Requirement::any(&[FIT], "`seam` requires `fit`"),
        ],
    },
    build,
);

const FIT: Field = Field::new(
    "fit",
    FieldType::Word(&["free", WANTED]),
    "`free` ignores the seam; `wanted` counts it only when searching for the best arrangement.",
);

const WANTED: &str = "wanted";

const EXPECTED: &str = "`seam` requires two `cells`, or one `cell` that touches itself";

#[derive(Debug)]
struct FreeSeam {
    between: Vec<[CellSide; 2]>,
    /// True if the seams count in the search for the best arrangement.
    is_wanted: bool,
}

/// Creates a free seam. Fails if the cells do not touch, or there are more than two.
fn build(scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
    let cells = fields.numbers(CELLS).unwrap_or_default();
    let [one, other] = match *cells {
        [one] => [one, one],
        [one, other] => [one, other],
        _ => return Err(EXPECTED.into()),
    };
    let between: Vec<[CellSide; 2]> = scene
        .board
        .touching()
        .filter(|ends| {
            let cells = ends.map(|(cell, _)| cell);
            cells == [one, other] || cells == [other, one]
        })
        .collect();
    match between.is_empty() {
        true if one == other => {
            Err(format!("cell {} does not touch itself", scene.cell_names(cells)))
        }
        true => Err(format!("cells {} do not touch", scene.cell_names(cells))),
        false => Ok(Arc::new(FreeSeam { between, is_wanted: fields.word(FIT) == Some(WANTED) })),
    }
}

impl Constraint for FreeSeam {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, _: &Puzzle, _: &Board, _: &Arrangement) -> Option<String> {
        None
    }

    fn formula(&self, _: &Puzzle, _: &Board) -> Formula {
        Formula::all([])
    }

    fn free_seams(&self) -> &[[CellSide; 2]] {
        if self.is_wanted {
            return &[];
        }
        &self.between
    }

    fn wanted_seams(&self) -> &[[CellSide; 2]] {
        if self.is_wanted {
            return &self.between;
        }
        &[]
    }
}
