//! The rows of the extra constraints.
//!
//! A sum that must hold is one row. In a formula, each part has a variable that is 1 if the part
//! holds (Tseitin, *Studies in Constructive Mathematics* 2, 1968). With y for Σ ≤ b, and Σ between
//! least and most:
//!
//! ```text
//!   Σ + (most − b) · y       ≤ most      y = 1: Σ ≤ b
//!   Σ + (b + 1 − least) · y  ≥ b + 1     y = 0: Σ > b
//! ```
//!
//! No part is negated, so a solver that only needs placements can do with the first row (Plaisted
//! and Greenbaum, *Journal of Symbolic Computation* 2, 1986). With the second row, each arrangement
//! is exactly one point of the model.

use std::ops::ControlFlow;

use super::{LARGEST_WEIGHT, Meaning, ModelBuilder, Row, Sense, UNITS_PER_TERM};
use crate::domains::Domains;
use crate::problem::{CellFormula, CellSum, CoefficientLevel, Problem};
use crate::puzzle::ValueSet;
use crate::runtime::limits::Flow;

/// The extra constraints that a model contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConstraintDetail {
    /// Only rows that a solver with tolerances handles reliably: constraints with large weights are
    /// omitted, and parts of formulas only have the row for y = 1. The caller must check solutions.
    ForSolvers,
    /// All constraints, with both rows of each part, so that each arrangement is exactly one point.
    Exactly,
}

/// A part of a formula: a sum that must be at most `bound`. In the given domains, the sum is
/// between `least` and `most`.
struct Condition<'f> {
    counts: Terms<'f>,
    least: i64,
    most: i64,
    bound: i64,
}

/// The terms of a condition.
enum Terms<'f> {
    Placements(&'f CellSum<ValueSet>),
    /// The variables of the conditions at these indices, each with coefficient −1.
    Parts(Vec<usize>),
}

impl Condition<'_> {
    /// The factor of y in the row for y = 1; `None` if the condition always holds.
    fn forward(&self) -> Option<i64> {
        (self.most > self.bound).then(|| self.most - self.bound)
    }

    /// The factor of y in the row for y = 0; `None` if the condition never holds.
    fn backward(&self) -> Option<i64> {
        (self.least <= self.bound).then(|| self.bound + 1 - self.least)
    }

    /// The factors of y in the two rows; `None` for a row that is not needed.
    fn factors(&self, detail: ConstraintDetail) -> [Option<i64>; 2] {
        [self.forward(), self.backward().filter(|_| detail == ConstraintDetail::Exactly)]
    }
}

/// Appends the conditions of a formula to `found` in post-order, so that of the whole formula comes
/// last.
fn conditions<'f>(
    formula: &'f CellFormula<ValueSet>,
    domains: &Domains,
    found: &mut Vec<Condition<'f>>,
) {
    let condition = match formula {
        CellFormula::Linear(sum) => {
            let (least, most) = sum.range(&domains.cells);
            Condition { counts: Terms::Placements(sum), least, most, bound: sum.bound }
        }
        CellFormula::AtLeast(number, parts) => {
            let places = parts.iter().map(|part| {
                conditions(part, domains, found);
                found.len() - 1
            });
            let places: Vec<usize> = places.collect();
            Condition {
                least: -(places.len() as i64),
                most: 0,
                bound: -(*number as i64),
                counts: Terms::Parts(places),
            }
        }
    };
    found.push(condition);
}

/// The conditions of a formula in post-order; `None` if the model omits the formula, because
/// weights are too large for solvers.
fn parts_of<'f>(
    formula: &'f CellFormula<ValueSet>,
    domains: &Domains,
    detail: ConstraintDetail,
) -> Option<Vec<Condition<'f>>> {
    let mut parts = Vec::new();
    conditions(formula, domains, &mut parts);
    let is_small = |part: &Condition<'_>| {
        let mut factors = part.factors(detail).into_iter().flatten();
        let weights_are_small = match part.counts {
            Terms::Placements(sum) => has_small_weights(sum, domains),
            Terms::Parts(_) => true,
        };
        weights_are_small && factors.all(|factor| factor <= LARGEST_WEIGHT)
    };
    (detail == ConstraintDetail::Exactly || parts.iter().all(is_small)).then_some(parts)
}

impl ModelBuilder<'_> {
    /// Adds the rows of the extra constraints that the domains do not already enforce.
    pub(super) fn post_constraints(&mut self) -> Flow {
        let (problem, domains) = (self.problem, self.domains);
        for (index, sum) in problem.sums.iter().enumerate() {
            if has_row(sum, domains, self.detail) {
                let terms = self.terms_of(sum)?;
                self.model.post(problem.condition_name(index), terms, Sense::AtMost, sum.bound);
            }
        }
        for (formula, index) in problem.formulas.iter().zip(problem.sums.len()..) {
            if let Some(parts) = parts_of(formula, domains, self.detail) {
                self.post_formula(&parts, index)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The terms (variable, coefficient) of a sum for the placements in the domains.
    pub(super) fn terms_of(&self, sum: &CellSum<ValueSet>) -> Flow<Vec<(usize, i64)>> {
        let mut terms = Vec::new();
        for (cell, level) in counting_levels(sum) {
            let domain = &self.domains.cells[cell];
            let values = level.values.iter().filter(|&value| domain.contains(value));
            let variables = values.map(|value| self.model.placement(cell, value));
            terms.extend(variables.map(|variable| (variable, level.coefficient)));
            self.token.work(UNITS_PER_TERM * level.values.len())?;
        }
        ControlFlow::Continue(terms)
    }

    /// Adds the rows and variables of a formula. `place` is its index after all sums.
    fn post_formula(&mut self, parts: &[Condition<'_>], place: usize) -> Flow {
        let Some((whole, parts)) = parts.split_last() else {
            return ControlFlow::Continue(());
        };
        let variables = self.reify_parts(parts, &format!("holds[{}", place + 1))?;
        let terms = self.terms_of_part(whole, &variables)?;
        let name = self.problem.condition_name(place);
        self.model.post(name, terms, Sense::AtMost, whole.bound);
        ControlFlow::Continue(())
    }

    /// Adds a variable that is 1 if a formula holds, with its rows and variables; `name` is the start
    /// of their names. Returns the variable.
    pub(super) fn reify(&mut self, formula: &CellFormula<ValueSet>, name: &str) -> Flow<usize> {
        let mut parts = Vec::new();
        conditions(formula, self.domains, &mut parts);
        let variables = self.reify_parts(&parts, name)?;
        ControlFlow::Continue(variables[parts.len() - 1])
    }

    /// The terms of a part, whose own parts have these variables.
    fn terms_of_part(&self, part: &Condition<'_>, variables: &[usize]) -> Flow<Vec<(usize, i64)>> {
        match &part.counts {
            Terms::Placements(sum) => self.terms_of(sum),
            Terms::Parts(places) => {
                ControlFlow::Continue(places.iter().map(|&place| (variables[place], -1)).collect())
            }
        }
    }

    /// Adds a variable for each part, which is 1 if the part holds. Returns them in the same order.
    fn reify_parts(&mut self, parts: &[Condition<'_>], start: &str) -> Flow<Vec<usize>> {
        let mut variables: Vec<usize> = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let terms = self.terms_of_part(part, &variables)?;
            let bound = part.bound;
            let name = format!("{start},{}]", index + 1);
            let variable = self.model.declare(name.clone(), Meaning::Holds);
            let with = |factor: i64| [&terms[..], &[(variable, factor)]].concat();
            let [forward, backward] = part.factors(self.detail);
            if let Some(factor) = forward {
                self.model.post(format!("{name}then"), with(factor), Sense::AtMost, part.most);
            }
            if let Some(factor) = backward {
                self.model.post(format!("{name}else"), with(factor), Sense::AtLeast, bound + 1);
            }
            variables.push(variable);
            let row = Row { name, terms, sense: Sense::AtMost, bound };
            self.model.reified.push((variable, row));
        }
        ControlFlow::Continue(variables)
    }
}

/// The number of variables, and the number of terms of each row, that
/// [`Model::build`](super::Model::build) adds for the extra constraints.
pub(super) fn sizes(problem: &Problem, domains: &Domains) -> (usize, Vec<usize>) {
    let detail = ConstraintDetail::ForSolvers;
    let mut rows = Vec::new();
    for sum in &problem.sums {
        let terms = counted_terms(sum, domains);
        if has_row(sum, domains, detail) && (terms > 0 || sum.bound < 0) {
            rows.push(terms);
        }
    }
    let mut variables = 0;
    for parts in problem.formulas.iter().filter_map(|f| parts_of(f, domains, detail)) {
        let terms = |part: &Condition<'_>| match &part.counts {
            Terms::Placements(sum) => counted_terms(sum, domains),
            Terms::Parts(places) => places.len(),
        };
        let Some((whole, parts)) = parts.split_last() else {
            continue;
        };
        variables += parts.len();
        rows.push(terms(whole));
        for part in parts {
            let factors = part.factors(detail).into_iter().flatten();
            rows.extend(factors.map(|_| terms(part) + 1));
        }
    }
    (variables, rows)
}

/// Returns true if the model contains a row for a sum: the domains do not enforce it, and its
/// weights are not too large.
fn has_row(sum: &CellSum<ValueSet>, domains: &Domains, detail: ConstraintDetail) -> bool {
    let (_, most) = sum.range(&domains.cells);
    most > sum.bound && (detail == ConstraintDetail::Exactly || has_small_weights(sum, domains))
}

/// The levels of a sum that have a non-zero coefficient, each with its cell.
fn counting_levels(
    sum: &CellSum<ValueSet>,
) -> impl Iterator<Item = (usize, &CoefficientLevel<ValueSet>)> {
    let cells = sum.cells.iter();
    let levels = cells.flat_map(|(cell, levels)| levels.iter().map(|level| (*cell, level)));
    levels.filter(|(_, level)| level.coefficient != 0)
}

/// Returns true if no placement in the domains has a coefficient beyond ±[`LARGEST_WEIGHT`] in a
/// sum.
fn has_small_weights(sum: &CellSum<ValueSet>, domains: &Domains) -> bool {
    let mut counting = counting_levels(sum);
    counting.all(|(cell, level)| {
        level.coefficient.abs() <= LARGEST_WEIGHT || !level.values.meets(&domains.cells[cell])
    })
}

/// The number of terms in the row of a sum: placements in the domains with a non-zero coefficient.
fn counted_terms(sum: &CellSum<ValueSet>, domains: &Domains) -> usize {
    counting_levels(sum).map(|(cell, level)| level.values.number_in(&domains.cells[cell])).sum()
}
