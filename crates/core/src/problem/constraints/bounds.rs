//! Bounds on a number, given by the fields `at_least`, `at_most` and `exactly`.

use super::declare::{Field, FieldCombination, FieldType, Requirement};
use super::fields::Fields;
use crate::problem::LinearConstraint;

/// The minimum and maximum of a number; `None` if unbounded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    least: Option<i64>,
    most: Option<i64>,
}

pub(super) const AT_LEAST: Field = Field::new("at_least", FieldType::BOUND, "The minimum.");
pub(super) const AT_MOST: Field = Field::new("at_most", FieldType::BOUND, "The maximum.");
pub(super) const EXACTLY: Field = Field::new("exactly", FieldType::BOUND, "The exact number.");

/// The requirement that at least one bound is given.
pub(super) const BOUNDED: Requirement = Requirement::any(
    &[AT_LEAST, AT_MOST, EXACTLY],
    "a bound is missing: `at_least`, `at_most` or `exactly`",
);

/// The requirement that `exactly` is not combined with the other bounds.
pub(super) const EXACTLY_ALONE: Requirement = Requirement::either(
    &[
        FieldCombination { with: &[], without: &[EXACTLY] },
        FieldCombination { with: &[], without: &[AT_LEAST, AT_MOST] },
    ],
    "`exactly` excludes `at_least` and `at_most`",
);

impl Bounds {
    /// Reads the bounds from the fields of a constraint.
    ///
    /// # Errors
    /// If the minimum exceeds the maximum, as a message.
    pub fn new(fields: &Fields) -> Result<Bounds, String> {
        let exactly = fields.number(EXACTLY);
        let least = exactly.or(fields.number(AT_LEAST));
        let most = exactly.or(fields.number(AT_MOST));
        match (least, most) {
            (Some(least), Some(most)) if least > most => {
                Err(format!("`at_least: {least}` is more than `at_most: {most}`"))
            }
            _ => Ok(Bounds { least, most }),
        }
    }

    /// Creates bounds with a minimum only.
    pub fn at_least(least: i64) -> Bounds {
        Bounds { least: Some(least), most: None }
    }

    /// A message if a number is out of bounds; otherwise `None`.
    pub fn broken_by(&self, number: i64) -> Option<String> {
        match (self.least, self.most) {
            (Some(least), _) if number < least => {
                Some(format!("{number}, expected at least {least}"))
            }
            (_, Some(most)) if number > most => Some(format!("{number}, expected at most {most}")),
            _ => None,
        }
    }

    /// The one or two linear constraints that keep the left-hand side of `sum` within the bounds.
    /// The bound of `sum` is ignored.
    pub fn sums(&self, sum: &LinearConstraint) -> Vec<LinearConstraint> {
        let with = |bound| LinearConstraint { bound, ..sum.clone() };
        let least = self.least.map(|least| with(least).at_least_bound());
        least.into_iter().chain(self.most.map(with)).collect()
    }
}
