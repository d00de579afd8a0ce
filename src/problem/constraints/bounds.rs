//! Bounds on a number: at least, at most, exactly.

use super::declare::{Asks, Field, FieldCombination, Need, Sort};
use super::fields::Fields;
use crate::problem::LinearConstraint;

/// The minimum and maximum of a sum.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    least: Option<i64>,
    most: Option<i64>,
}

pub(super) const AT_LEAST: Field = Field::new("at_least", Sort::BOUND, "The minimum.");
pub(super) const AT_MOST: Field = Field::new("at_most", Sort::BOUND, "The maximum.");
pub(super) const EXACTLY: Field = Field::new("exactly", Sort::BOUND, "The exact number.");

/// At least one bound is required.
pub(super) const BOUNDED: Need = Need {
    asks: Asks::Any(&[AT_LEAST, AT_MOST, EXACTLY]),
    otherwise: "a bound is missing: `at_least`, `at_most` or `exactly`",
};

/// `exactly` excludes the other bounds.
pub(super) const EXACTLY_ALONE: Need = Need {
    asks: Asks::Either(&[
        FieldCombination { with: &[], without: &[EXACTLY] },
        FieldCombination { with: &[], without: &[AT_LEAST, AT_MOST] },
    ]),
    otherwise: "`exactly` excludes `at_least` and `at_most`",
};

impl Bounds {
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

    /// A lower bound alone.
    pub fn at_least(least: i64) -> Bounds {
        Bounds { least: Some(least), most: None }
    }

    /// A message if a number is out of bounds.
    pub fn broken_by(&self, number: i64) -> Option<String> {
        match (self.least, self.most) {
            (Some(least), _) if number < least => {
                Some(format!("{number} instead of at least {least}"))
            }
            (_, Some(most)) if number > most => Some(format!("{number} instead of at most {most}")),
            _ => None,
        }
    }

    /// The constraints that keep the left-hand side of `sum` within the bounds; `sum.bound` is
    /// ignored.
    pub fn sums(&self, sum: &LinearConstraint) -> Vec<LinearConstraint> {
        let with = |bound| LinearConstraint { bound, ..sum.clone() };
        let least = self.least.map(|least| with(least).at_least_bound());
        least.into_iter().chain(self.most.map(with)).collect()
    }
}
