//! `rotations`: how tiles may be turned.

use std::sync::Arc;

use super::Kind;
use super::fields::{Field, Fields, Scene};
use super::forbid::Forbidden;
use super::need::{Asks, Need};
use super::pattern::Pattern;
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
    fields: &[Field::Tiles, Field::Rotations],
    needs: &[Need {
        asks: Asks::Any(&[Field::Rotations]),
        otherwise: "`rotations` without the rotations that are allowed",
    }],
    build,
};

fn build(scene: &Scene<'_>, fields: Fields) -> Result<Arc<dyn Constraint>, String> {
    let allowed = fields.rotations.unwrap_or_default();
    let others = scene
        .all_rotations()
        .into_iter()
        .filter(|r| !allowed.contains(r));
    let words = match &fields.tiles {
        Some(tiles) => format!("tile {} is turned as it may not", scene.tile_names(tiles)),
        None => "a tile is turned as it may not".into(),
    };
    let forbidden = Fields {
        tiles: fields.tiles,
        rotations: Some(others.collect()),
        ..Fields::default()
    };
    Ok(Arc::new(Forbidden {
        name: KIND.name,
        patterns: vec![Pattern::of(scene, forbidden)],
        words,
    }))
}
