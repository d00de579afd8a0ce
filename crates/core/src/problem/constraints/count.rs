//! `count`: bounds the number of placements that match a pattern.

use std::sync::Arc;

use super::ConstraintKind;
use super::bounds::{AT_LEAST, AT_MOST, BOUNDED, Bounds, EXACTLY, EXACTLY_ALONE};
use super::declare::Mapping;
use super::fields::Fields;
use super::pattern::{CELLS, FACE, PLACEMENTS, Pattern, ROTATIONS, SHOWS, TILES};
use super::scene::Scene;
use crate::board::Board;
use crate::problem::{Arrangement, Constraint, Formula, LinearConstraint};
use crate::puzzle::Puzzle;

/// The constraint `count`: the number of placements that match a pattern is at least, at most or
/// exactly the given number.
///
/// ```yaml
/// constraints:
///   - count: {cells: border, shows: {top: red+}, at_most: 2}
/// ```
pub(super) const KIND: ConstraintKind = ConstraintKind::new(
    "count",
    "Bounds the number of matching placements: at least, at most or exactly.",
    Mapping {
        fields: &[CELLS, TILES, ROTATIONS, FACE, SHOWS, PLACEMENTS, AT_LEAST, AT_MOST, EXACTLY],
        needs: &[BOUNDED, EXACTLY_ALONE],
    },
    build,
);

#[derive(Debug)]
struct Count {
    pattern: Pattern,
    bounds: Bounds,
}

/// Builds a `count`. Fails if the minimum exceeds the maximum.
fn build(scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
    let bounds = Bounds::new(fields)?;
    let pattern = Pattern::new(scene, fields);
    Ok(Arc::new(Count { pattern, bounds }))
}

impl Constraint for Count {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, puzzle: &Puzzle, _board: &Board, arrangement: &Arrangement) -> Option<String> {
        let number = self.pattern.number(puzzle, arrangement);
        let how = self.bounds.broken_by(number)?;
        Some(format!("`count`: {how}"))
    }

    fn formula(&self, puzzle: &Puzzle, _board: &Board) -> Formula {
        let pattern = &self.pattern;
        let sum = LinearConstraint::at_most(&pattern.cells, &pattern.placements(puzzle), 0);
        self.bounds.sums(&sum).into()
    }
}
