//! `forbid`: excludes all placements that match a pattern.

use std::sync::Arc;

use super::ConstraintKind;
use super::declare::{Mapping, Requirement};
use super::fields::Fields;
use super::pattern::{CELLS, FIELDS, Pattern, TILES};
use super::scene::Scene;
use crate::board::Board;
use crate::problem::{Arrangement, Constraint, Formula, LinearConstraint};
use crate::puzzle::Puzzle;

/// The constraint `forbid`: no placement on the board matches the pattern.
///
/// ```yaml
/// constraints:
///   - forbid: {cells: corners, tile: 3}
/// ```
pub(super) const KIND: ConstraintKind = ConstraintKind::new(
    "forbid",
    "Forbids the matching placements.",
    Mapping {
        fields: FIELDS,
        needs: &[Requirement::any(
            FIELDS,
            "`forbid` requires a cell, tile, rotation, face, shown edge or named placement",
        )],
    },
    build,
);

/// The constraint that no placement matches any of the patterns, which several kinds in files
/// create.
#[derive(Debug)]
pub(super) struct ForbiddenPatterns {
    pub name: &'static str,
    pub patterns: Vec<Pattern>,
    /// The message if it is broken, without the name.
    pub words: String,
}

/// Builds a `forbid` from its pattern.
fn build(scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
    let words = match (fields.numbers(CELLS), fields.numbers(TILES)) {
        (Some(cells), Some(tiles)) => {
            let cells = scene.cell_names(cells);
            let tiles = scene.tile_names(tiles);
            format!("this placement of tile {tiles} in cell {cells} is forbidden")
        }
        (Some(cells), None) => {
            format!("this placement in cell {} is forbidden", scene.cell_names(cells))
        }
        (None, Some(tiles)) => {
            format!("this placement of tile {} is forbidden", scene.tile_names(tiles))
        }
        (None, None) => "this placement is forbidden for every tile".into(),
    };
    Ok(Arc::new(ForbiddenPatterns {
        name: KIND.name,
        patterns: vec![Pattern::new(scene, fields)],
        words,
    }))
}

impl Constraint for ForbiddenPatterns {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, puzzle: &Puzzle, _board: &Board, arrangement: &Arrangement) -> Option<String> {
        let mut patterns = self.patterns.iter();
        let is_broken = patterns.any(|pattern| pattern.number(puzzle, arrangement) > 0);
        is_broken.then(|| format!("`{}`: {}", self.name, self.words))
    }

    fn formula(&self, puzzle: &Puzzle, _board: &Board) -> Formula {
        let none = |p: &Pattern| LinearConstraint::at_most(&p.cells, &p.placements(puzzle), 0);
        Formula::all(self.patterns.iter().map(none).map(Formula::Linear))
    }
}
