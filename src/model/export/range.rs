//! The ranges of numbers in which other programs compute the rows of a model.
//!
//! Beyond its range a program may reject the file or answer wrongly, so no such file is written.

use super::{ExportError, FORMATS, NamedModel};
use crate::model::{LARGEST_WEIGHT, Row};

/// The numbers in which the readers of a format compute.
#[derive(Debug, Clone, Copy)]
pub struct NumberRange {
    /// The name of these numbers, in the plural.
    pub numbers: &'static str,
    /// The largest absolute bound of a row, and the largest sum of its absolute weights.
    pub largest: i64,
    /// The largest weight that stays exact within the readers' tolerances; `None` if they compute
    /// without tolerances.
    pub largest_weight: Option<i64>,
}

/// The range of clingo and most MiniZinc solvers; 2^31 − 2 is the largest integer of Gecode.
pub(super) const INTEGERS_32: NumberRange =
    NumberRange { numbers: "32-bit integers", largest: (1 << 31) - 2, largest_weight: None };

/// The range of pseudo-Boolean solvers, and of the conversion to clauses. The difference of a sum
/// and its bound must also fit into 64 bits.
pub(super) const INTEGERS_64: NumberRange =
    NumberRange { numbers: "64-bit integers", largest: 1 << 62, largest_weight: None };

/// The range of linear programming solvers: all integers up to 2^53 are exact.
pub(super) const DOUBLES: NumberRange = NumberRange {
    numbers: "double-precision numbers",
    largest: 1 << 53,
    largest_weight: Some(LARGEST_WEIGHT),
};

impl NumberRange {
    /// Rejects a model with a row outside the range.
    pub(super) fn check(&self, named: &NamedModel<'_>) -> Result<(), ExportError> {
        let rows = named.rows.iter().zip(&named.model.rows);
        let mut sizes = rows.map(|(name, row)| (name, size(row)));
        let Some((name, size)) = sizes.find(|&(_, size)| !self.holds(size)) else {
            return Ok(());
        };
        let others = FORMATS.iter().filter(|format| format.range.holds(size));
        Err(ExportError::Range {
            row: name.clone(),
            size,
            range: *self,
            others: others.map(|format| format.name).collect(),
        })
    }

    fn holds(&self, size: u64) -> bool {
        size <= self.largest.unsigned_abs()
    }

    /// The name of a row with weights beyond the tolerances. Programs may return arrangements that
    /// violate it.
    pub fn loose_row<'n>(&self, named: &'n NamedModel<'_>) -> Option<&'n str> {
        let most = self.largest_weight?;
        let mut rows = named.rows.iter().zip(&named.model.rows);
        let loose = rows.find(|(_, row)| row.terms.iter().any(|&(_, weight)| weight.abs() > most));
        loose.map(|(name, _)| name.as_str())
    }
}

/// The largest absolute number that can occur while evaluating a row.
fn size(row: &Row) -> u64 {
    let weights = row.terms.iter().map(|&(_, weight)| weight.unsigned_abs());
    weights.fold(0, u64::saturating_add).max(row.bound.unsigned_abs())
}
