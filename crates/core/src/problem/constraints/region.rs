//! `region`: restricts tiles to cells, or cells to tiles.
//!
//! It becomes a constraint that forbids the tiles outside the cells, or all other tiles in the
//! cells.

use std::sync::Arc;

use super::ConstraintKind;
use super::declare::{Field, FieldCombination, FieldType, Mapping, Requirement};
use super::fields::Fields;
use super::forbid::ForbiddenPatterns;
use super::pattern::{CELLS, Pattern, TILES};
use super::scene::Scene;
use crate::problem::Constraint;

/// The constraint `region`: the tiles may be placed only in these cells, or the cells may contain
/// only these tiles.
///
/// ```yaml
/// constraints:
///   - region: {tiles: [1, 2], only_in: border}
///   - region: {cells: corners, only_from: [1, 2, 3, 4, 5]}
/// ```
pub(super) const KIND: ConstraintKind = ConstraintKind::new(
    "region",
    "Tiles are placed only in these cells, or cells contain only these tiles.",
    Mapping {
        fields: &[TILES, ONLY_IN, CELLS, ONLY_FROM],
        needs: &[Requirement::either(
            &[
                FieldCombination { with: &[TILES, ONLY_IN], without: &[CELLS, ONLY_FROM] },
                FieldCombination { with: &[CELLS, ONLY_FROM], without: &[TILES, ONLY_IN] },
            ],
            "`region` requires `tiles` with `only_in`, or `cells` with `only_from`",
        )],
    },
    build,
);

const ONLY_IN: Field =
    Field::new("only_in", FieldType::Cells, "The cells that are allowed for the tiles.");

const ONLY_FROM: Field =
    Field::new("only_from", FieldType::Tiles, "The tiles that are allowed in the cells.");

/// Builds a `region`: forbids the tiles in all other cells, or all other tiles in the cells.
fn build(scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
    let others = |all: Vec<usize>, these: &[usize]| -> Vec<usize> {
        all.into_iter().filter(|one| !these.contains(one)).collect()
    };
    let (cells, tiles, words) = match (fields.numbers(TILES), fields.numbers(ONLY_IN)) {
        (Some(tiles), Some(only_in)) => {
            let names = scene.tile_names(tiles);
            let places = scene.cell_names(only_in);
            let words = format!("tile {names} is placed outside {places}");
            (others(scene.all_cells(), only_in), tiles.to_vec(), words)
        }
        _ => {
            let cells = fields.numbers(CELLS).unwrap_or_default();
            let only_from = fields.numbers(ONLY_FROM).unwrap_or_default();
            let names = scene.tile_names(only_from);
            let places = scene.cell_names(cells);
            let words = format!("cell {places} contains a tile other than {names}");
            (cells.to_vec(), others(scene.all_tiles(), only_from), words)
        }
    };
    let pattern = Pattern::any_orientation(scene, cells, tiles);
    Ok(Arc::new(ForbiddenPatterns { name: KIND.name, patterns: vec![pattern], words }))
}
