//! `rotations`: restricts how tiles may be turned.

use std::sync::Arc;

use super::ConstraintKind;
use super::declare::{Mapping, Requirement};
use super::fields::{FieldValue, Fields};
use super::forbid::ForbiddenPatterns;
use super::pattern::{Pattern, ROTATIONS, TILES};
use super::scene::Scene;
use crate::problem::Constraint;

/// The constraint `rotations`: the given tiles, or all tiles, are placed only in these rotations.
///
/// ```yaml
/// constraints:
///   - rotations: {tile: 5, rotations: [0, 2]}
/// ```
pub(super) const KIND: ConstraintKind = ConstraintKind::new(
    "rotations",
    "Restricts a tile, or all tiles, to these rotations.",
    Mapping {
        fields: &[TILES, ROTATIONS],
        needs: &[Requirement::any(&[ROTATIONS], "`rotations` requires the allowed rotations")],
    },
    build,
)
.or_just(ROTATIONS);

/// Builds a `rotations`: forbids all other rotations of the tiles, or of every tile.
fn build(scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
    let allowed = fields.numbers(ROTATIONS).unwrap_or_default();
    let mut others = scene.all_rotations();
    others.retain(|rotation| !allowed.contains(rotation));
    let tiles = fields.numbers(TILES);
    let words = match tiles {
        Some(tiles) => {
            format!("tile {} has a rotation that is not allowed", scene.tile_names(tiles))
        }
        None => "a tile has a rotation that is not allowed".into(),
    };
    let tiles = tiles.map_or_else(|| scene.all_tiles(), <[_]>::to_vec);
    let forbidden = Fields::default()
        .with(TILES.key, FieldValue::Tiles(tiles))
        .with(ROTATIONS.key, FieldValue::Rotations(others));
    Ok(Arc::new(ForbiddenPatterns {
        name: KIND.name,
        patterns: vec![Pattern::new(scene, &forbidden)],
        words,
    }))
}
