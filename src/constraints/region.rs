//! `region`: which tiles in which cells.

use std::sync::Arc;

use super::Kind;
use super::fields::{Field, Fields, Scene};
use super::forbid::Forbidden;
use super::need::{Asks, Choice, Need};
use super::pattern::Pattern;
use crate::problem::Constraint;

/// These tiles only in these cells, or these cells only from these tiles.
///
/// ```yaml
/// constraints:
///   - region: {tiles: [1, 2], only_in: border}
///   - region: {cells: corners, only_from: [1, 2, 3, 4, 5]}
/// ```
pub(super) const KIND: Kind = Kind {
    name: "region",
    what: "Tiles lie only in these cells, or cells take only these tiles.",
    fields: &[Field::Tiles, Field::OnlyIn, Field::Cells, Field::OnlyFrom],
    needs: &[Need {
        asks: Asks::Either(&[
            Choice {
                with: &[Field::Tiles, Field::OnlyIn],
                without: &[Field::Cells, Field::OnlyFrom],
            },
            Choice {
                with: &[Field::Cells, Field::OnlyFrom],
                without: &[Field::Tiles, Field::OnlyIn],
            },
        ]),
        otherwise: "`region` expects `tiles` with `only_in`, or `cells` with `only_from`",
    }],
    build,
};

fn build(scene: &Scene<'_>, fields: Fields) -> Result<Arc<dyn Constraint>, String> {
    let others = |all: Vec<usize>, these: &[usize]| -> Vec<usize> {
        all.into_iter().filter(|one| !these.contains(one)).collect()
    };
    let (cells, tiles, words) = match (fields.tiles, fields.only_in) {
        (Some(tiles), Some(only_in)) => {
            let (names, places) = (scene.tile_names(&tiles), scene.cell_names(&only_in));
            let words = format!("tile {names} lies in another cell than {places}");
            (others(scene.all_cells(), &only_in), tiles, words)
        }
        _ => {
            let cells = fields.cells.unwrap_or_default();
            let only_from = fields.only_from.unwrap_or_default();
            let (names, places) = (scene.tile_names(&only_from), scene.cell_names(&cells));
            let words = format!("cell {places} holds another tile than {names}");
            (cells, others(scene.all_tiles(), &only_from), words)
        }
    };
    let pattern = Pattern::lying_anyhow(scene, cells, tiles);
    Ok(Arc::new(Forbidden {
        name: KIND.name,
        patterns: vec![pattern],
        words,
    }))
}
