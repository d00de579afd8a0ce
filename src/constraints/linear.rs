//! `linear`: a weighted number of placements.

use std::sync::Arc;

use super::Kind;
use super::bounds::Bounds;
use super::fields::{Field, Fields, Scene};
use super::pattern::Pattern;
use crate::board::{Arrangement, Block, Board, Constraint, Sum};
use crate::puzzle::Puzzle;

/// Σ weight · the number of placements that a pattern means, within bounds.
///
/// ```yaml
/// constraints:
///   - linear: {terms: [{weight: 2, cells: row 1, rotation: 0}, {weight: -1, tile: 5}], at_most: 3}
/// ```
pub(super) const KIND: Kind = Kind {
    name: "linear",
    fields: &[Field::Terms, Field::Bounds],
    build,
};

#[derive(Debug)]
struct Linear {
    terms: Vec<(i64, Pattern)>,
    bounds: Bounds,
}

fn build(scene: &Scene<'_>, mut fields: Fields) -> Result<Arc<dyn Constraint>, String> {
    let bounds = Bounds::of(&fields)?;
    if fields.terms.is_empty() {
        return Err("`linear` without `terms`".into());
    }
    let term = |term: Fields| {
        let weight = term.weight.ok_or("a term without its `weight`")?;
        Ok((weight, Pattern::of(scene, term)))
    };
    let terms: Result<_, String> = fields.terms.drain(..).map(term).collect();
    Ok(Arc::new(Linear {
        terms: terms?,
        bounds,
    }))
}

impl Constraint for Linear {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn broken(&self, puzzle: &Puzzle, _board: &Board, arrangement: &Arrangement) -> Option<String> {
        let terms = self.terms.iter();
        let sum = terms.map(|(weight, pattern)| weight * pattern.number(puzzle, arrangement));
        let how = self.bounds.broken_by(sum.sum())?;
        Some(format!("`linear`: {how}"))
    }

    fn sums(&self, puzzle: &Puzzle, _board: &Board) -> Vec<Sum> {
        let block = |(weight, pattern): &(i64, Pattern)| Block {
            cells: pattern.cells.clone(),
            lying: pattern.lying(puzzle),
            weight: *weight,
        };
        let blocks = self.terms.iter().map(block).collect();
        self.bounds.sums(&Sum { blocks, most: 0 })
    }
}
