//! `balance`: what one side shows of a block, the other side shows too.
//!
//! For each seam (a, b) and block: Σ_{p in block} x\[a,p\] = Σ_{q in block} x\[b,q\]. The smallest
//! formulation: one row a label. Exact for 0-1 points, as the two sides can only agree on one
//! block; that a tile does not lie beside itself follows from all-different.

use super::{Formulation, Model, Rows, SeamEncoding, Sense, Size};
use crate::puzzle::{ValueId, ValueSet};

/// One row for each seam and label.
#[derive(Debug, Clone, Copy)]
pub struct Balance;

impl Formulation for Balance {
    fn name(&self) -> &'static str {
        "balance"
    }

    fn encode(&self, seam: &SeamEncoding<'_>, model: &mut Model) {
        forbid_without_block(seam, model);
        let [a, b] = seam.cells();
        let mut rows = Vec::new();
        for (index, block) in seam.table.blocks().iter().enumerate() {
            let first = seam.first.iter().filter(|&p| block.first.contains(p));
            let second = seam.second.iter().filter(|&q| block.second.contains(q));
            let first = first.map(|p| (model.placement(a, ValueId(p)), 1));
            let second = second.map(|q| (model.placement(b, ValueId(q)), -1));
            let terms: Vec<_> = first.chain(second).collect();
            if !terms.is_empty() {
                rows.push((format!("{}{}", seam.name, seam.block_names[index]), terms));
            }
        }
        // Each side's placements sum to 1 over all blocks, so the last row follows from the
        // others; not where a placement without a block had to be forbidden above.
        if is_covered(seam) {
            rows.pop();
        }
        for (name, terms) in rows {
            model.post(name, terms, Sense::Equal, 0);
        }
    }

    fn size(&self, seam: &SeamEncoding<'_>) -> Size {
        let blocks = seam.table.blocks().iter();
        let terms = blocks
            .map(|block| block.first.number_in(seam.first) + block.second.number_in(seam.second));
        let mut rows: Vec<usize> = terms.filter(|&terms| terms > 0).collect();
        if is_covered(seam) {
            rows.pop();
        }
        let forbidden = without_block(seam).map(|values| values.len());
        rows.extend(forbidden.into_iter().filter(|&terms| terms > 0));
        Size {
            equalities: rows.into_iter().map(Rows::one).sum(),
            ..Size::default()
        }
    }
}

fn without_block(seam: &SeamEncoding<'_>) -> [Vec<usize>; 2] {
    let outside = |set: &ValueSet, block: &dyn Fn(usize) -> Option<usize>| {
        set.iter().filter(|&value| block(value).is_none()).collect()
    };
    [
        outside(seam.first, &|p| seam.table.block_of_first(p)),
        outside(seam.second, &|q| seam.table.block_of_second(q)),
    ]
}

fn is_covered(seam: &SeamEncoding<'_>) -> bool {
    without_block(seam).iter().all(Vec::is_empty)
}

/// Placements whose label nothing matches are 0. There are none where the domains were reduced.
fn forbid_without_block(seam: &SeamEncoding<'_>, model: &mut Model) {
    for (cell, values) in seam.cells().into_iter().zip(without_block(seam)) {
        let terms: Vec<_> = values
            .into_iter()
            .map(|value| (model.placement(cell, ValueId(value)), 1))
            .collect();
        if !terms.is_empty() {
            model.post(format!("{}none", seam.name), terms, Sense::Equal, 0);
        }
    }
}
