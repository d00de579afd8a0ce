//! `rotations`: how tiles may be turned.

use std::sync::Arc;

use super::Kind;
use super::declare::{Asks, Mapping, Need};
use super::fields::{FieldValue, Fields};
use super::forbid::Forbidden;
use super::pattern::{Pattern, ROTATIONS, TILES};
use super::scene::Scene;
use crate::problem::Constraint;

/// The tiles, or all of them, lie in these rotations only.
///
/// ```yaml
/// constraints:
///   - rotations: {tile: 5, rotations: [0, 2]}
/// ```
pub(super) const KIND: Kind = Kind {
    name: "rotations",
    what: "A tile, or all of them, may lie in these rotations only.",
    takes: Mapping {
        fields: &[TILES, ROTATIONS],
        needs: &[Need {
            asks: Asks::Any(&[ROTATIONS]),
            otherwise: "`rotations` without the rotations that are allowed",
        }],
    },
    shorthand: Some(ROTATIONS),
    build,
};

fn build(scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
    let allowed = fields.numbers(ROTATIONS).unwrap_or_default();
    let mut others = scene.all_rotations();
    others.retain(|rotation| !allowed.contains(rotation));
    let tiles = fields.numbers(TILES);
    let words = match tiles {
        Some(tiles) => format!("tile {} is turned as it may not", scene.tile_names(tiles)),
        None => "a tile is turned as it may not".into(),
    };
    let tiles = tiles.map_or_else(|| scene.all_tiles(), <[_]>::to_vec);
    let forbidden = Fields::default()
        .with(TILES.key, FieldValue::Tiles(tiles))
        .with(ROTATIONS.key, FieldValue::Rotations(others));
    Ok(Arc::new(Forbidden {
        name: KIND.name,
        patterns: vec![Pattern::new(scene, &forbidden)],
        words,
    }))
}
