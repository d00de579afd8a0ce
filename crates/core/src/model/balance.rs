//! `balance`: both sides of a seam must show the same block of its table.
//!
//! For each seam (a, b) and block: Σ_{p in block} x\[a,p\] = Σ_{q in block} x\[b,q\]. This is the
//! smallest formulation, with one row per label. It is exact for 0-1 points, because the two sides
//! can only agree on one block; the all-different rows keep a tile from neighbouring itself.
//!
//! With unknown edges, a label can match several labels. The rows are then Σ_{p shows l} x\[a,p\] ≤
//! Σ_{q fits l} x\[b,q\], and the same from b to a.

use std::ops::ControlFlow;

use super::{Formulation, Model, ModelSize, Row, SeamEncoding, Sense, UNITS_PER_TERM};
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};
use crate::tables::Block;

/// The `balance` formulation: one row per seam and block of its table.
#[derive(Debug, Clone, Copy)]
pub struct Balance;

/// A row Σ coefficients\[0\] · x\[a,p\] + Σ coefficients\[1\] · x\[b,q\] over values p of the first
/// and q of the second cell of a seam; its right side is 0.
struct BalanceRow {
    name: String,
    first: Vec<usize>,
    second: Vec<usize>,
    coefficients: [i64; 2],
    sense: Sense,
}

impl Formulation for Balance {
    fn name(&self) -> &'static str {
        "balance"
    }

    fn encode(&self, seam: &SeamEncoding<'_>, model: &mut Model, token: &CancelToken<'_>) -> Flow {
        forbid_without_block(seam, model);
        // Every block is intersected with both domains.
        token.work(seam.table.blocks().len() * (seam.first.len() + seam.second.len()))?;
        let [a, b] = seam.cells();
        let (rows, implied) = rows(seam);
        let posted = rows.len();
        for (index, row) in rows.into_iter().chain(implied).enumerate() {
            let [of_first, of_second] = row.coefficients;
            let first = row.first.into_iter().map(|p| (a, p, of_first));
            let terms = first.chain(row.second.into_iter().map(|q| (b, q, of_second)));
            let terms = terms.map(|(cell, value, c)| (model.placement(cell, value), c));
            let terms: Vec<(usize, i64)> = terms.collect();
            let units = UNITS_PER_TERM * (1 + terms.len());
            if index < posted {
                model.post(row.name, terms, row.sense, 0);
            } else {
                model.implied.push(Row { name: row.name, terms, sense: row.sense, bound: 0 });
            }
            token.work(units)?;
        }
        ControlFlow::Continue(())
    }

    fn size(&self, seam: &SeamEncoding<'_>) -> ModelSize {
        let mut size = ModelSize::default();
        for row in rows(seam).0 {
            let rows = match row.sense {
                Sense::Equal => &mut size.equalities,
                Sense::AtMost | Sense::AtLeast => &mut size.inequalities,
            };
            rows.add_row(row.first.len() + row.second.len());
        }
        for forbidden in without_block(seam).iter().filter(|values| !values.is_empty()) {
            size.equalities.add_row(forbidden.len());
        }
        size
    }
}

/// The rows of a seam, and one that follows from them, if there is one. A row without values is
/// omitted.
fn rows(seam: &SeamEncoding<'_>) -> (Vec<BalanceRow>, Option<BalanceRow>) {
    let row = |block: &Block, name: String, coefficients, sense| BalanceRow {
        name,
        first: values_in_block(seam.first, &block.first),
        second: values_in_block(seam.second, &block.second),
        coefficients,
        sense,
    };
    let mut rows = Vec::new();
    for (index, block) in seam.table.blocks().iter().enumerate() {
        let name = format!("{}{}", seam.name, seam.block_names[index]);
        let sense = if seam.table.is_disjoint() { Sense::Equal } else { Sense::AtMost };
        rows.push(row(block, name, [1, -1], sense));
    }
    if seam.table.is_disjoint() {
        rows.retain(|row| !(row.first.is_empty() && row.second.is_empty()));
        // Each side's placements sum to 1 over all blocks, so the last row follows from the others.
        // This does not hold if placements without a block had to be forbidden.
        let is_covered = without_block(seam).iter().all(Vec::is_empty);
        let implied = if is_covered { rows.pop() } else { None };
        return (rows, implied);
    }
    rows.retain(|row| !row.first.is_empty());
    for (index, block) in seam.table.blocks_of_second().iter().enumerate() {
        let row = row(block, format!("{}[second]{index}", seam.name), [-1, 1], Sense::AtMost);
        rows.extend((!row.second.is_empty()).then_some(row));
    }
    (rows, None)
}

/// The values of a block that are in a domain.
fn values_in_block(domain: &ValueSet, block: &[usize]) -> Vec<usize> {
    block.iter().copied().filter(|&value| domain.contains(value)).collect()
}

/// The values in the domains of the two cells that match nothing across the seam.
fn without_block(seam: &SeamEncoding<'_>) -> [Vec<usize>; 2] {
    let domains = [seam.first, seam.second];
    std::array::from_fn(|end| {
        domains[end].iter().filter(|&value| !seam.table.may_fit(value)[end]).collect()
    })
}

/// Adds rows that exclude the placements that match nothing across the seam. Reduced domains
/// contain no such placement.
fn forbid_without_block(seam: &SeamEncoding<'_>, model: &mut Model) {
    for (cell, values) in seam.cells().into_iter().zip(without_block(seam)) {
        let terms: Vec<_> =
            values.into_iter().map(|value| (model.placement(cell, value), 1)).collect();
        if !terms.is_empty() {
            model.post(format!("{}none", seam.name), terms, Sense::Equal, 0);
        }
    }
}
