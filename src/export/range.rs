//! The ranges of numbers in which other programs compute the rows of a model exactly.
//!
//! Beyond its range, a program may reject the file or return wrong answers, so no such file is
//! written.

use super::{ExportError, FORMATS, NamedModel};
use crate::model::LARGEST_WEIGHT;

/// The range of numbers in which the programs that read a format compute.
#[derive(Debug, Clone, Copy)]
pub struct NumberRange {
    /// The name of the number type in messages, in the plural.
    pub numbers: &'static str,
    /// The maximum of both the absolute bound of a row and the sum of its absolute weights.
    pub largest: i64,
    /// The largest weight that stays exact within the readers' tolerances; `None` if they compute
    /// without tolerances.
    pub largest_weight: Option<i64>,
}

/// The range of clingo and most MiniZinc solvers. Gecode supports integers up to 2^31 − 2.
pub(super) const INTEGERS_32: NumberRange =
    NumberRange { numbers: "32-bit integers", largest: (1 << 31) - 2, largest_weight: None };

/// The range of pseudo-Boolean solvers, and of the conversion to clauses. With half of the positive
/// range, the difference of a sum and its bound also fits into 64 bits.
pub(super) const INTEGERS_64: NumberRange =
    NumberRange { numbers: "64-bit integers", largest: 1 << 62, largest_weight: None };

/// The range of linear programming solvers: all integers up to 2^53 are exact.
pub(super) const DOUBLES: NumberRange = NumberRange {
    numbers: "double-precision numbers",
    largest: 1 << 53,
    largest_weight: Some(LARGEST_WEIGHT),
};

impl NumberRange {
    /// Checks that all rows of a model are in the range.
    ///
    /// # Errors
    /// The first row outside the range, with the formats that support its size.
    pub(super) fn check(&self, named: &NamedModel<'_>) -> Result<(), ExportError> {
        let rows = named.rows.iter().zip(&named.model.rows);
        let rows = rows.map(|(name, row)| (name.as_str(), largest_number(&row.terms, row.bound)));
        let objective = ("obj", largest_number(named.objective(), 0));
        let mut sizes = std::iter::once(objective).chain(rows);
        let Some((name, size)) = sizes.find(|&(_, size)| !self.holds(size)) else {
            return Ok(());
        };
        let others = FORMATS.iter().filter(|format| format.range.holds(size));
        Err(ExportError::Range {
            row: name.to_owned(),
            size,
            range: *self,
            others: others.map(|format| format.name).collect(),
        })
    }

    /// Returns true if a row whose [largest number](largest_number) is `size` is in the range.
    fn holds(&self, size: u64) -> bool {
        size <= self.largest.unsigned_abs()
    }

    /// The name of the first row with weights beyond the tolerances, which arrangements returned by
    /// a program may violate; `None` if there is no such row.
    pub fn loose_row<'n>(&self, named: &'n NamedModel<'_>) -> Option<&'n str> {
        let most = self.largest_weight?;
        let mut rows = named.rows.iter().zip(&named.model.rows);
        let loose = rows.find(|(_, row)| row.terms.iter().any(|&(_, weight)| weight.abs() > most));
        loose.map(|(name, _)| name.as_str())
    }
}

/// The maximum of a row's absolute bound and the sum of its absolute weights.
fn largest_number(terms: &[(usize, i64)], bound: i64) -> u64 {
    let weights = terms.iter().map(|&(_, weight)| weight.unsigned_abs());
    weights.fold(0, u64::saturating_add).max(bound.unsigned_abs())
}
