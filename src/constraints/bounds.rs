//! At least, at most, exactly.

use super::fields::{Field, Fields};
use super::need::{Asks, Need};
use crate::problem::LinearConstraint;

/// The least and the largest sum.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    least: Option<i64>,
    most: Option<i64>,
}

/// Of the kinds that have bounds.
pub(super) const NEED: Need = Need {
    asks: Asks::Any(&[Field::Bounds]),
    otherwise: "a bound is missing: `at_least`, `at_most` or `exactly`",
};

impl Bounds {
    pub fn of(fields: &Fields) -> Result<Bounds, String> {
        let (least, most) = match (fields.at_least, fields.at_most, fields.exactly) {
            (least, most, None) => (least, most),
            (None, None, Some(exactly)) => (Some(exactly), Some(exactly)),
            _ => return Err("`exactly` beside another bound".into()),
        };
        match (least, most) {
            (Some(least), Some(most)) if least > most => Err(format!(
                "`at_least: {least}` is more than `at_most: {most}`"
            )),
            _ => Ok(Bounds { least, most }),
        }
    }

    /// At least so much.
    pub fn at_least(least: i64) -> Bounds {
        Bounds {
            least: Some(least),
            most: None,
        }
    }

    /// How a number is out of bounds, for people.
    pub fn broken_by(&self, number: i64) -> Option<String> {
        match (self.least, self.most) {
            (Some(least), _) if number < least => {
                Some(format!("{number}, at least {least} expected"))
            }
            (_, Some(most)) if number > most => Some(format!("{number}, at most {most} allowed")),
            _ => None,
        }
    }

    /// A sum within the bounds; its own bound does not count.
    pub fn sums(&self, sum: &LinearConstraint) -> Vec<LinearConstraint> {
        let with = |bound| LinearConstraint {
            bound,
            ..sum.clone()
        };
        let least = self.least.map(|least| with(least).negated());
        let most = self.most.map(with);
        least.into_iter().chain(most).collect()
    }
}
