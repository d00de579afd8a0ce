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
        let (cells, domains) = (seam.cells(), [seam.first, seam.second]);
        for (end, other) in [(0, 1), (1, 0)] {
            for value in domains[end].iter() {
                let allows = |&mate: &usize| match end {
                    0 => seam.table.allows(value, mate),
                    _ => seam.table.allows(mate, value),
                };
                let placement = model.placement(cells[end], value);
                let mates = domains[other].iter().filter(allows);
                let supports = mates.map(|mate| (model.placement(cells[other], mate), -1));
                let terms: Vec<_> = std::iter::once((placement, 1)).chain(supports).collect();
                let units = UNITS_PER_TERM * terms.len() + domains[other].len();
                let name = format!("{}{}", seam.name, model.variables[placement].name);
                model.post(name, terms, Sense::AtMost, 0);
                token.work(units)?;
            }
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
