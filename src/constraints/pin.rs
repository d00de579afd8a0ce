//! `pin`: such a placement.

use std::sync::Arc;

use super::Kind;
use super::fields::{Field, Fields, Scene};
use super::need::{Asks, Need};
use super::pattern::{FIELDS, Pattern};
use crate::board::Board;
use crate::problem::{Arrangement, Constraint, LinearConstraint};
use crate::puzzle::Puzzle;

/// One cell is filled so, or one tile lies so; without a tile all cells are filled so.
///
/// ```yaml
/// constraints:
///   - pin: {cell: [1, 1], tile: 5, rotation: 0}
/// ```
pub(super) const KIND: Kind = Kind {
    name: "pin",
    what: "A cell is filled so, or a tile lies so.",
    fields: FIELDS,
    needs: &[Need {
        asks: Asks::Any(&[Field::Cells, Field::Tiles]),
        otherwise: "`pin` without a cell or a tile",
    }],
    build,
};

/// Each pattern is met by at least one placement.
#[derive(Debug)]
pub(super) struct Needed {
    pub name: &'static str,
    pub patterns: Vec<Pattern>,
    /// How it is broken, for people.
    pub words: String,
}

fn build(scene: &Scene<'_>, fields: Fields) -> Result<Arc<dyn Constraint>, String> {
    let number = |list: &Option<Vec<usize>>| list.as_ref().map(Vec::len);
    let words = match (&fields.cells, &fields.tiles) {
        (Some(cells), _) => format!("cell {} is not filled so", scene.cell_names(cells)),
        (None, tiles) => {
            let tiles = tiles.as_deref().unwrap_or_default();
            format!("tile {} does not lie so", scene.tile_names(tiles))
        }
    };
    let is_clear = number(&fields.cells) == Some(1)
        || number(&fields.tiles) == Some(1)
        || number(&fields.tiles).is_none();
    if !is_clear {
        return Err("several tiles, and not one cell: pin one cell or one tile at a time".into());
    }
    let patterns = match (&fields.cells, &fields.tiles) {
        (Some(cells), None) => {
            let one = |&cell: &usize| {
                let cells = Some(vec![cell]);
                Pattern::of(
                    scene,
                    Fields {
                        cells,
                        ..fields.clone()
                    },
                )
            };
            cells.iter().map(one).collect()
        }
        _ => vec![Pattern::of(scene, fields)],
    };
    Ok(Arc::new(Needed {
        name: KIND.name,
        patterns,
        words,
    }))
}

impl Constraint for Needed {
    fn name(&self) -> &'static str {
        self.name
    }

    fn broken(&self, puzzle: &Puzzle, _board: &Board, arrangement: &Arrangement) -> Option<String> {
        let mut patterns = self.patterns.iter();
        let is_broken = patterns.any(|pattern| pattern.number(puzzle, arrangement) == 0);
        is_broken.then(|| format!("`{}`: {}", self.name, self.words))
    }

    fn sums(&self, puzzle: &Puzzle, _board: &Board) -> Vec<LinearConstraint> {
        let one = |p: &Pattern| LinearConstraint::at_least(&p.cells, &p.lying(puzzle), 1);
        self.patterns.iter().map(one).collect()
    }
}
