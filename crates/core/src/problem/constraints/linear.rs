//! `linear`: bounds a weighted sum of placements.
//!
//! The terms are patterns with weights. Overlapping patterns add up.

use std::sync::Arc;

use itertools::{Itertools, MinMaxResult};

use super::ConstraintKind;
use super::bounds::{AT_LEAST, AT_MOST, BOUNDED, Bounds, EXACTLY, EXACTLY_ALONE};
use super::declare::{Field, FieldType, Mapping, Requirement};
use super::fields::Fields;
use super::pattern::{CELLS, FACE, PLACEMENTS, Pattern, ROTATIONS, SHOWS, TILES};
use super::scene::Scene;
use crate::board::Board;
use crate::problem::{Arrangement, Constraint, Formula, LinearConstraint, Placed, Term};
use crate::puzzle::Puzzle;

/// The constraint `linear`: Σ weight · number of placements that match a pattern is within bounds.
///
/// ```yaml
/// constraints:
///   - linear: {terms: [{weight: 2, cells: row 1, rotation: 0}, {weight: -1, tile: 5}], at_most: 3}
/// ```
pub(super) const KIND: ConstraintKind = ConstraintKind::new(
    "linear",
    "Bounds a weighted sum over placements.",
    Mapping {
        fields: &[TERMS, AT_LEAST, AT_MOST, EXACTLY],
        needs: &[BOUNDED, EXACTLY_ALONE, Requirement::any(&[TERMS], "`linear` requires `terms`")],
    },
    build,
);

/// The error message for an expression without terms.
pub const NO_TERMS: &str = "no terms: expected a list such as [{weight: 2, tile: 5}]";

/// The field for the terms, which is also a key in files with an expression to optimise.
pub const TERMS: Field =
    Field::new("terms", FieldType::Terms(&TERM), "The patterns to count, each with its weight.");

/// The fields of a term of an expression: a pattern and its weight.
pub const TERM: Mapping =
    Mapping { fields: &[WEIGHT, CELLS, TILES, ROTATIONS, FACE, SHOWS, PLACEMENTS], needs: &[] };

const WEIGHT: Field =
    Field::new("weight", FieldType::WEIGHT, "The weight of each matching placement; 1 if omitted.");

/// A linear expression: Σ weight · number of placements that match a pattern.
#[derive(Debug, Clone)]
pub struct Expression {
    terms: Vec<(i64, Pattern)>,
}

impl Expression {
    /// Creates the sum of terms, given by their fields.
    ///
    /// # Errors
    /// If there are no terms, as a message.
    pub fn new(scene: &Scene<'_>, terms: &[Fields]) -> Result<Expression, String> {
        if terms.is_empty() {
            return Err(NO_TERMS.into());
        }
        let term = |term: &Fields| (term.number(WEIGHT).unwrap_or(1), Pattern::new(scene, term));
        Ok(Expression { terms: terms.iter().map(term).collect() })
    }

    /// Negates all weights.
    pub fn negate(mut self) -> Expression {
        for (weight, _) in &mut self.terms {
            *weight = -*weight;
        }
        self
    }

    /// The weighted number of matching placements in an arrangement.
    pub fn value(&self, puzzle: &Puzzle, arrangement: &Arrangement) -> i64 {
        let terms =
            self.terms.iter().map(|(weight, pattern)| weight * pattern.number(puzzle, arrangement));
        terms.sum()
    }

    /// A lower and an upper bound on the value of all arrangements: the sums over cells of the
    /// minimum and of the maximum that any placement contributes there.
    pub fn range(&self, puzzle: &Puzzle, board: &Board) -> (i64, i64) {
        let mut ranges = vec![(0, 0); board.size()];
        let sum = self.sum(puzzle);
        let tiles = 0..puzzle.tiles.len();
        let placements: Vec<Placed> = tiles.flat_map(|t| Placed::every(puzzle, t)).collect();
        for (cell, range) in ranges.iter_mut().enumerate() {
            let terms: Vec<&Term> =
                sum.terms.iter().filter(|term| term.cells.binary_search(&cell).is_ok()).collect();
            let counts = placements.iter().map(|way| {
                let meant = terms.iter().filter(|term| term.placements.contains(way));
                meant.map(|term| term.coefficient).sum::<i64>()
            });
            *range = match counts.minmax() {
                MinMaxResult::NoElements => (0, 0),
                MinMaxResult::OneElement(only) => (only, only),
                MinMaxResult::MinMax(least, most) => (least, most),
            };
        }
        (ranges.iter().map(|range| range.0).sum(), ranges.iter().map(|range| range.1).sum())
    }

    /// The constraint that the value is at least `least`.
    pub fn at_least(&self, least: i64) -> impl Constraint + use<> {
        Linear { expression: self.clone(), bounds: Bounds::at_least(least) }
    }

    /// The expression as the left-hand side of a linear constraint, with bound 0.
    pub(crate) fn sum(&self, puzzle: &Puzzle) -> LinearConstraint {
        let term = |(weight, pattern): &(i64, Pattern)| Term {
            cells: pattern.cells.clone(),
            placements: pattern.placements(puzzle),
            coefficient: *weight,
        };
        LinearConstraint { terms: self.terms.iter().map(term).collect(), bound: 0 }
    }
}

#[derive(Debug)]
struct Linear {
    expression: Expression,
    bounds: Bounds,
}

/// Builds a `linear`. Fails if the minimum exceeds the maximum, or a weight is too large.
fn build(scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
    let bounds = Bounds::new(fields)?;
    let expression = Expression::new(scene, fields.terms(TERMS))?;
    Ok(Arc::new(Linear { expression, bounds }))
}

impl Constraint for Linear {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, puzzle: &Puzzle, _board: &Board, arrangement: &Arrangement) -> Option<String> {
        let how = self.bounds.broken_by(self.expression.value(puzzle, arrangement))?;
        Some(format!("`linear`: {how}"))
    }

    fn formula(&self, puzzle: &Puzzle, _board: &Board) -> Formula {
        self.bounds.sums(&self.expression.sum(puzzle)).into()
    }
}
