//! `pin`: fixes the tile or orientation in a cell, or the cell or orientation of a tile.
//!
//! Each pin is a linear constraint: at least one placement matches its pattern.

use std::sync::Arc;

use itertools::Itertools;

use super::ConstraintKind;
use super::declare::{Mapping, Requirement};
use super::fields::Fields;
use super::pattern::{CELLS, FIELDS, PLACEMENTS, Pattern, TILES};
use super::scene::Scene;
use crate::board::Board;
use crate::problem::{Arrangement, Constraint, Formula, LinearConstraint};
use crate::puzzle::Puzzle;

/// The constraint `pin`. With one cell or one tile, some placement matches the given fields; with
/// several cells and no tile, each of the cells has a placement that matches.
///
/// ```yaml
/// constraints:
///   - pin: {cell: [1, 1], tile: 5, rotation: 0}
/// ```
pub(super) const KIND: ConstraintKind = ConstraintKind::new(
    "pin",
    "Fixes the content of a cell, or the placement of a tile.",
    Mapping {
        fields: FIELDS,
        needs: &[Requirement::any(&[CELLS, TILES, PLACEMENTS], "`pin` requires a cell or a tile")],
    },
    build,
);

/// The constraint that each pattern is matched by at least one placement.
#[derive(Debug)]
pub(super) struct RequiredPatterns {
    pub name: &'static str,
    pub patterns: Vec<Pattern>,
    /// The pinned cell; `None` unless the pin names exactly one.
    pub cell: Option<usize>,
    /// The message if it is broken, without the name.
    pub words: String,
}

/// Creates a pin. Fails if it names several tiles but not exactly one cell.
fn build(scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
    let cells = fields.numbers(CELLS);
    let tiles = fields.numbers(TILES);
    let words = match (cells, tiles) {
        (Some(cells), _) => format!("cell {} is not filled as pinned", scene.cell_names(cells)),
        (None, tiles) => {
            let names = scene.tile_names(tiles.unwrap_or_default());
            format!("tile {names} is not placed as pinned")
        }
    };
    if cells.is_some() && fields.entries().count() == 1 {
        return Err("`pin` of a cell requires what it holds, such as `tile: 5`".into());
    }
    let patterns = match (cells, tiles) {
        (Some([_]), _) | (_, Some([_])) => vec![Pattern::new(scene, fields)],
        (Some(cells), None) => {
            let pattern = Pattern::new(scene, fields);
            cells.iter().map(|&cell| pattern.in_cell(cell)).collect()
        }
        _ => {
            let reason = "`pin` with several tiles requires one cell, so pin one tile at a time";
            return Err(reason.into());
        }
    };
    Ok(Arc::new(RequiredPatterns {
        name: KIND.name,
        patterns,
        cell: cells.and_then(|cells| cells.iter().copied().exactly_one().ok()),
        words,
    }))
}

impl Constraint for RequiredPatterns {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, puzzle: &Puzzle, _board: &Board, arrangement: &Arrangement) -> Option<String> {
        let mut patterns = self.patterns.iter();
        let is_broken = patterns.any(|pattern| pattern.number(puzzle, arrangement) == 0);
        is_broken.then(|| format!("`{}`: {}", self.name, self.words))
    }

    fn formula(&self, puzzle: &Puzzle, _board: &Board) -> Formula {
        let one = |p: &Pattern| LinearConstraint::at_least(&p.cells, &p.placements(puzzle), 1);
        Formula::all(self.patterns.iter().map(one).map(Formula::Linear))
    }

    fn pinned_cell(&self) -> Option<usize> {
        self.cell
    }
}
