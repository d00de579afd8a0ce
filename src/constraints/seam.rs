//! `seam`: sides that touch and need not fit, or are only wanted to.

use std::sync::Arc;

use super::Kind;
use super::fields::{Field, Fields, Fit, Scene};
use super::need::{Asks, Need};
use crate::board::{Board, CellSide};
use crate::problem::{Arrangement, Constraint, LinearConstraint};
use crate::puzzle::Puzzle;

/// The seams between two cells, or those of one cell with itself, need not fit; where they are wanted
/// to, that counts.
///
/// ```yaml
/// constraints:
///   - seam: {cells: [[1, 1], [1, 2]], fit: free}
/// ```
pub(super) const KIND: Kind = Kind {
    name: "seam",
    what: "A seam need not fit: it makes no difference, or counts where the best is sought.",
    fields: &[Field::Cells, Field::Fit],
    needs: &[
        Need {
            asks: Asks::Any(&[Field::Cells]),
            otherwise: EXPECTED,
        },
        Need {
            asks: Asks::Any(&[Field::Fit]),
            otherwise: "`seam` without `fit`",
        },
    ],
    build,
};

const EXPECTED: &str = "`seam` expects two `cells`, or one `cell` that touches itself";

#[derive(Debug)]
struct Loose {
    between: Vec<[CellSide; 2]>,
    fit: Fit,
}

fn build(scene: &Scene<'_>, fields: Fields) -> Result<Arc<dyn Constraint>, String> {
    let cells = fields.cells.unwrap_or_default();
    let [one, other] = match cells[..] {
        [one] => [one, one],
        [one, other] => [one, other],
        _ => return Err(EXPECTED.into()),
    };
    let fit = fields.fit.unwrap_or(Fit::Free);
    let between = scene.board.touching().filter(|ends| {
        let cells = ends.map(|(cell, _)| cell);
        cells == [one, other] || cells == [other, one]
    });
    let between: Vec<[CellSide; 2]> = between.collect();
    match between.is_empty() {
        true if one == other => Err(format!(
            "cell {} does not touch itself",
            scene.cell_names(&cells)
        )),
        true => Err(format!(
            "there is no seam between {}",
            scene.cell_names(&cells)
        )),
        false => Ok(Arc::new(Loose { between, fit })),
    }
}

impl Constraint for Loose {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn broken(&self, _: &Puzzle, _: &Board, _: &Arrangement) -> Option<String> {
        None
    }

    fn sums(&self, _: &Puzzle, _: &Board) -> Vec<LinearConstraint> {
        Vec::new()
    }

    fn free_seams(&self) -> &[[CellSide; 2]] {
        match self.fit {
            Fit::Free => &self.between,
            Fit::Wanted => &[],
        }
    }

    fn wanted_seams(&self) -> &[[CellSide; 2]] {
        match self.fit {
            Fit::Free => &[],
            Fit::Wanted => &self.between,
        }
    }
}
