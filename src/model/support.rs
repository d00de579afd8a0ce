//! `support`: each placement needs a matching placement in the neighbouring cell.
//!
//! For each seam (a, b) and placement p of a: x\[a,p\] ≤ Σ_{q: allows(p,q)} x\[b,q\], and the same
//! from b to a. One row per placement and side; the weakest relaxation of the three.

use std::ops::ControlFlow;

use super::{Formulation, Model, ModelSize, RowsSize, SeamEncoding, Sense, UNITS_PER_TERM};
use crate::runtime::limits::{CancelToken, Flow};

/// The `support` formulation: one row for each seam and placement on either side.
#[derive(Debug, Clone, Copy)]
pub struct Support;

impl Formulation for Support {
    fn name(&self) -> &'static str {
        "support"
    }

    fn encode(&self, seam: &SeamEncoding<'_>, model: &mut Model, token: &CancelToken<'_>) -> Flow {
        let [a, b] = seam.cells();
        for p in seam.first.iter() {
            let supports: Vec<_> = seam
                .second
                .iter()
                .filter(|&q| seam.table.allows(p, q))
                .map(|q| model.placement(b, q))
                .collect();
            post_support(model, seam, model.placement(a, p), &supports);
            token.work(UNITS_PER_TERM * (1 + supports.len()) + seam.second.len())?;
        }
        for q in seam.second.iter() {
            let supports: Vec<_> = seam
                .first
                .iter()
                .filter(|&p| seam.table.allows(p, q))
                .map(|p| model.placement(a, p))
                .collect();
            post_support(model, seam, model.placement(b, q), &supports);
            token.work(UNITS_PER_TERM * (1 + supports.len()) + seam.first.len())?;
        }
        ControlFlow::Continue(())
    }

    fn size(&self, seam: &SeamEncoding<'_>) -> ModelSize {
        ModelSize { inequalities: rows_of_placements(seam), ..ModelSize::default() }
    }
}

/// The size of one row for each placement on either side, which contains that placement and those
/// that match it.
pub(super) fn rows_of_placements(seam: &SeamEncoding<'_>) -> RowsSize {
    let placements = seam.first.len() + seam.second.len();
    RowsSize {
        number: placements,
        nonzeros: placements + 2 * seam.table.number_of_tuples(seam.first, seam.second),
    }
}

/// Adds the row placement ≤ Σ supports.
fn post_support(model: &mut Model, seam: &SeamEncoding<'_>, placement: usize, supports: &[usize]) {
    let name = format!("{}{}", seam.name, model.variables[placement].name);
    let supports = supports.iter().map(|&support| (support, -1));
    let terms = std::iter::once((placement, 1)).chain(supports).collect();
    model.post(name, terms, Sense::AtMost, 0);
}
