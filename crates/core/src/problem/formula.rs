//! Formulas over linear constraints: conditions on arrangements that searches, models and proofs
//! can process.
//!
//! Negation is not needed: the negation of Σ ≤ b is Σ ≥ b + 1, and that of "at least k of n" is "at
//! least n − k + 1 of the negations".

use super::arrangement::Arrangement;
use super::linear::{LinearConstraint, Term};

/// A condition on arrangements: a linear constraint, or a lower bound on how many of several
/// conditions hold.
///
/// The linear constraints have type `L`: over placements by default, or over values as in
/// [`CellSum`](crate::problem::CellSum).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula<L = LinearConstraint> {
    /// The constraint holds.
    Linear(L),
    /// At least the given number of the parts hold. Always true for 0; false if there are fewer
    /// parts.
    AtLeast(usize, Vec<Formula<L>>),
}

impl<L> Formula<L> {
    /// The conjunction of formulas; true if there are none.
    pub fn all(parts: impl IntoIterator<Item = Formula<L>>) -> Formula<L> {
        let parts: Vec<Formula<L>> = parts.into_iter().collect();
        Formula::AtLeast(parts.len(), parts)
    }

    /// The disjunction of formulas; false if there are none.
    pub fn any(parts: impl IntoIterator<Item = Formula<L>>) -> Formula<L> {
        Formula::AtLeast(1, parts.into_iter().collect())
    }

    /// A copy of the formula with each linear constraint replaced by the result of `linear`.
    pub fn map<M>(&self, linear: &mut impl FnMut(&L) -> M) -> Formula<M> {
        match self {
            Formula::Linear(sum) => Formula::Linear(linear(sum)),
            Formula::AtLeast(number, parts) => {
                Formula::AtLeast(*number, parts.iter().map(|part| part.map(linear)).collect())
            }
        }
    }

    /// Returns true if the formula holds, given by `holds` whether each of its linear constraints
    /// does.
    pub fn holds_where(&self, holds: &impl Fn(&L) -> bool) -> bool {
        match self {
            Formula::Linear(sum) => holds(sum),
            Formula::AtLeast(number, parts) => {
                parts.iter().filter(|part| part.holds_where(holds)).take(*number).count() == *number
            }
        }
    }
}

impl Formula {
    /// The negation.
    #[must_use]
    pub fn negation(self) -> Formula {
        match self {
            Formula::Linear(sum) => Formula::Linear(sum.negation()),
            Formula::AtLeast(number, parts) => {
                let needed = (parts.len() + 1).saturating_sub(number);
                Formula::AtLeast(needed, parts.into_iter().map(Formula::negation).collect())
            }
        }
    }

    /// Returns true if an arrangement satisfies the formula.
    pub fn holds(&self, arrangement: &Arrangement) -> bool {
        self.holds_where(&|sum| sum.holds(arrangement))
    }

    /// The terms of all its linear constraints.
    pub(super) fn terms(&self) -> Vec<&Term> {
        match self {
            Formula::Linear(sum) => sum.terms.iter().collect(),
            Formula::AtLeast(_, parts) => parts.iter().flat_map(Formula::terms).collect(),
        }
    }

    /// An equivalent formula without constant parts, unless the whole formula is constant, and with
    /// nested conjunctions and disjunctions flattened.
    pub(super) fn simplified(self) -> Formula {
        let Formula::AtLeast(mut needed, parts) = self else {
            return self;
        };
        let mut kept = Vec::new();
        for part in parts.into_iter().map(Formula::simplified) {
            match part {
                Formula::AtLeast(0, _) => needed = needed.saturating_sub(1),
                Formula::AtLeast(number, parts) if number > parts.len() => {}
                part => kept.push(part),
            }
        }
        if needed == 0 {
            return Formula::all([]);
        }
        if needed > kept.len() {
            return Formula::any([]);
        }
        if kept.len() == 1 {
            return kept.remove(0);
        }
        let is_all = needed == kept.len();
        let mut parts = Vec::new();
        for part in kept {
            match part {
                Formula::AtLeast(number, inner) if is_all && number == inner.len() => {
                    parts.extend(inner);
                }
                Formula::AtLeast(1, inner) if needed == 1 => parts.extend(inner),
                part => parts.push(part),
            }
        }
        if is_all { Formula::all(parts) } else { Formula::AtLeast(needed, parts) }
    }

    /// Splits a simplified formula into a conjunction: appends linear constraints to `sums` and all
    /// other formulas to `rest`.
    pub(super) fn split(self, sums: &mut Vec<LinearConstraint>, rest: &mut Vec<Formula>) {
        match self {
            Formula::Linear(sum) => sums.push(sum),
            Formula::AtLeast(number, parts) if number > parts.len() => {
                sums.push(LinearConstraint::never());
            }
            Formula::AtLeast(number, parts) if number == parts.len() => {
                parts.into_iter().for_each(|part| part.split(sums, rest));
            }
            formula => rest.push(formula),
        }
    }
}

impl From<LinearConstraint> for Formula {
    fn from(sum: LinearConstraint) -> Formula {
        Formula::Linear(sum)
    }
}

/// The conjunction of linear constraints.
impl From<Vec<LinearConstraint>> for Formula {
    fn from(sums: Vec<LinearConstraint>) -> Formula {
        Formula::all(sums.into_iter().map(Formula::Linear))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::problem::{Placed, TilePlacements};
    use crate::puzzle::Orientation;

    /// The formula that holds if cell 0 contains this tile.
    fn holds(tile: usize) -> Formula {
        let orientation = Orientation::default();
        let placements = Arc::new(TilePlacements::from([Placed { tile, orientation }]));
        LinearConstraint::at_least(&[0], &placements, 1).into()
    }

    fn laid(tile: usize) -> Arrangement {
        let orientation = Orientation::default();
        Arrangement(vec![Placed { tile, orientation }])
    }

    /// All formulas over three tiles with at most two levels.
    fn formulas() -> Vec<Formula> {
        let mut made = vec![holds(0), holds(1), Formula::all([]), Formula::any([])];
        for _ in 0..2 {
            let before = made.clone();
            for (one, other) in itertools::iproduct!(before.iter().take(8), before.iter().take(8)) {
                let pair = || [one.clone(), other.clone()];
                made.push(Formula::all(pair()));
                made.push(Formula::any(pair()));
                made.push(Formula::AtLeast(1, pair().map(Formula::negation).to_vec()));
                made.push(Formula::AtLeast(2, [pair().to_vec(), vec![holds(2)]].concat()));
            }
        }
        made
    }

    #[test]
    fn a_denial_holds_where_the_formula_does_not() {
        for formula in formulas() {
            for tile in 0..4 {
                let holds = formula.holds(&laid(tile));
                assert_eq!(formula.clone().negation().holds(&laid(tile)), !holds);
            }
        }
    }

    #[test]
    fn what_is_simplified_and_split_says_the_same() {
        for formula in formulas() {
            let (mut sums, mut rest) = (Vec::new(), Vec::new());
            formula.clone().simplified().split(&mut sums, &mut rest);
            for tile in 0..4 {
                let laid = laid(tile);
                let says =
                    sums.iter().all(|sum| sum.holds(&laid)) && rest.iter().all(|f| f.holds(&laid));
                assert_eq!(says, formula.holds(&laid), "{formula:?}");
            }
        }
    }

    #[test]
    fn parts_of_one_sort_are_one_list() {
        let nested = Formula::any([holds(0), Formula::any([holds(1), Formula::any([holds(2)])])]);
        assert_eq!(nested.simplified(), Formula::any([holds(0), holds(1), holds(2)]));
        let always = Formula::any([holds(0), Formula::all([])]);
        assert_eq!(always.simplified(), Formula::all([]));
    }
}
