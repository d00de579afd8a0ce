//! Reads whole numbers within limits. `1e3` is accepted, because it is whole.

use super::tree::{Node, ReadError, Result, Scalar};
use crate::load::text::LONGEST_SIDE;
use crate::problem::constraints::Range;

/// Reads a number of rows or columns.
pub(in crate::load) fn length(node: &Node) -> Result<usize> {
    positive(node, LONGEST_SIDE, "a number of rows or columns")
}

/// Reads a number from 1 to `most`; `noun` names the number in errors.
pub(super) fn positive(node: &Node, most: usize, noun: &str) -> Result<usize> {
    let expected = format!("a whole number from 1 to {most}");
    let Some((Scalar::Whole(_) | Scalar::Real(_), text)) = node.scalar() else {
        return Err(node.unexpected(&expected));
    };
    let number = whole_number(node).and_then(|number| usize::try_from(number).ok());
    let number = number.filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| node.error(format!("{text} is not {noun}: expected {expected}")))
}

/// Reads a whole number within a range; `1e3` is whole.
pub(super) fn whole(node: &Node, range: &Range) -> Result<i64> {
    let number = whole_number(node).ok_or_else(|| match node.scalar() {
        Some((Scalar::Real(number), _)) => no_whole_number(node, number, range),
        _ => node.unexpected("a whole number"),
    })?;
    let Range { what, largest, .. } = range;
    if number.unsigned_abs() > largest.unsigned_abs() {
        return Err(node.error(format!("too large for {what}: at most ±{largest}")));
    }
    Ok(number)
}

/// A whole number, saturated to 64 bits; `None` for any other node.
pub(super) fn whole_number(node: &Node) -> Option<i64> {
    match node.scalar()?.0 {
        Scalar::Whole(number) => Some(number.clamp(i64::MIN.into(), i64::MAX.into()) as i64),
        Scalar::Real(number) if number.fract() == 0.0 => Some(number as i64),
        _ => None,
    }
}

/// An error for a number that is not whole. If numbers can be scaled, the help gives the factor
/// that makes all weights and bounds whole.
fn no_whole_number(node: &Node, number: f64, range: &Range) -> ReadError {
    let error = node.error(format!("{number} is not a whole number"));
    let mut scales = (1..=9).map(|digits| 10f64.powi(digits));
    let is_whole = |scale: &f64| ((number * scale).round() - number * scale).abs() < 1e-6;
    match scales.find(is_whole).filter(|_| number.is_finite() && range.scales) {
        Some(scale) => error.with_help(format!(
            "multiply every weight and the bounds by {scale}: {number} becomes {}",
            (number * scale).round()
        )),
        None => error,
    }
}
