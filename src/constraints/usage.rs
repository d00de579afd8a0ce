//! `use`: which tiles lie on the board, where there are more tiles than cells.

use std::sync::Arc;

use super::Kind;
use super::fields::{Field, Fields, Scene};
use super::forbid::Forbidden;
use super::need::{Asks, Choice, Need};
use super::pattern::Pattern;
use super::pin::Needed;
use crate::problem::Constraint;

/// Each of the tiles is used, or none of those `without` is.
///
/// ```yaml
/// constraints:
///   - use: {tiles: [1, 2]}
///   - use: {without: 10}
/// ```
pub(super) const KIND: Kind = Kind {
    name: "use",
    what: "Tiles are used, or stay out, where there are more tiles than cells.",
    fields: &[Field::Tiles, Field::Without],
    needs: &[Need {
        asks: Asks::Either(&[
            Choice {
                with: &[Field::Tiles],
                without: &[Field::Without],
            },
            Choice {
                with: &[Field::Without],
                without: &[Field::Tiles],
            },
        ]),
        otherwise: "`use` expects `tiles` that must be used, or `without` those that must not",
    }],
    build,
};

fn build(scene: &Scene<'_>, fields: Fields) -> Result<Arc<dyn Constraint>, String> {
    let cells = scene.all_cells();
    match (fields.tiles, fields.without) {
        (Some(tiles), _) => {
            let one = |&tile: &usize| Pattern::lying_anyhow(scene, cells.clone(), vec![tile]);
            Ok(Arc::new(Needed {
                name: KIND.name,
                patterns: tiles.iter().map(one).collect(),
                words: format!("not all of tile {} are used", scene.tile_names(&tiles)),
            }))
        }
        (None, without) => {
            let tiles = without.unwrap_or_default();
            let words = format!("tile {} must not be used", scene.tile_names(&tiles));
            Ok(Arc::new(Forbidden {
                name: KIND.name,
                patterns: vec![Pattern::lying_anyhow(scene, cells, tiles)],
                words,
            }))
        }
    }
}
