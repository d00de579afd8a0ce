//! The numbers with which other programs compute the rows of a model.
//!
//! Beyond their range some programs refuse a file, and some answer wrongly, so no such file is written.

use super::{ExportError, FORMATS, NamedModel};
use crate::model::{LARGEST_WEIGHT, Row};

/// The numbers of those who read a format.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// Their name, in the plural.
    pub numbers: &'static str,
    /// The largest absolute bound of a row, and the largest sum of its absolute weights.
    pub largest: i64,
    /// The largest weight that stays exact within the tolerances of those programs; `None` if they
    /// have none.
    pub largest_weight: Option<i64>,
}

/// Those of clingo and of most solvers for MiniZinc. Gecode takes no number above this.
pub(super) const INTEGERS_32: Range =
    Range { numbers: "32-bit integers", largest: (1 << 31) - 2, largest_weight: None };

/// Those of pseudo-Boolean solvers, and of our own conversion to clauses. A sum less its bound has
/// 64 bits, too.
pub(super) const INTEGERS_64: Range =
    Range { numbers: "64-bit integers", largest: 1 << 62, largest_weight: None };

/// Those of solvers for linear programs. All whole numbers up to 2^53 are among them.
pub(super) const DOUBLES: Range = Range {
    numbers: "double-precision numbers",
    largest: 1 << 53,
    largest_weight: Some(LARGEST_WEIGHT),
};

impl Range {
    /// Refuses a model with a row beyond the range.
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

    /// The name of a row whose weights exceed the tolerances: programs may return arrangements that
    /// break it.
    pub fn loose_row<'n>(&self, named: &'n NamedModel<'_>) -> Option<&'n str> {
        let most = self.largest_weight?;
        let mut rows = named.rows.iter().zip(&named.model.rows);
        let loose = rows.find(|(_, row)| row.terms.iter().any(|&(_, weight)| weight.abs() > most));
        loose.map(|(name, _)| name.as_str())
    }
}

/// The largest number that a program may meet when it computes a row.
fn size(row: &Row) -> u64 {
    let weights = row.terms.iter().map(|&(_, weight)| weight.unsigned_abs());
    weights.fold(0, u64::saturating_add).max(row.bound.unsigned_abs())
}
