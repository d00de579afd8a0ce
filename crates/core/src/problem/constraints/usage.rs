//! `use`: requires or excludes the use of tiles, if there are more tiles than cells.

use std::sync::Arc;

use super::ConstraintKind;
use super::declare::{Field, FieldCombination, FieldType, Mapping, Requirement};
use super::fields::Fields;
use super::forbid::ForbiddenPatterns;
use super::pattern::{Pattern, TILES};
use super::pin::RequiredPatterns;
use super::scene::Scene;
use crate::problem::Constraint;

/// The constraint `use`: each of `tiles` is used, or none of `without` is.
///
/// ```yaml
/// constraints:
///   - use: {tiles: [1, 2]}
///   - use: {without: 10}
/// ```
pub(super) const KIND: ConstraintKind = ConstraintKind::new(
    "use",
    "Tiles must be used, or must not, if there are more tiles than cells.",
    Mapping {
        fields: &[TILES, WITHOUT],
        needs: &[Requirement::either(
            &[
                FieldCombination { with: &[TILES], without: &[WITHOUT] },
                FieldCombination { with: &[WITHOUT], without: &[TILES] },
            ],
            "`use` requires `tiles` that must be used, or `without` those that must not",
        )],
    },
    build,
);

const WITHOUT: Field = Field::new("without", FieldType::Tiles, "Tiles that must not be used.");

/// Builds a `use`: requires each of the tiles, or forbids them everywhere.
fn build(scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
    let cells = scene.all_cells();
    match (fields.numbers(TILES), fields.numbers(WITHOUT)) {
        (Some(tiles), _) => {
            let one = |&tile: &usize| Pattern::any_orientation(scene, cells.clone(), vec![tile]);
            Ok(Arc::new(RequiredPatterns {
                name: KIND.name,
                patterns: tiles.iter().map(one).collect(),
                cell: None,
                words: format!("not every required tile is used: {}", scene.tile_names(tiles)),
            }))
        }
        (None, without) => {
            let tiles = without.unwrap_or_default();
            let words = format!("tile {} must not be used", scene.tile_names(tiles));
            Ok(Arc::new(ForbiddenPatterns {
                name: KIND.name,
                patterns: vec![Pattern::any_orientation(scene, cells, tiles.to_vec())],
                words,
            }))
        }
    }
}
