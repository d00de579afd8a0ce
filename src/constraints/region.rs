//! `region`: which tiles in which cells.

use std::sync::Arc;

use super::Kind;
use super::fields::{Field, Fields, Scene};
use super::forbid::Forbidden;
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
    build,
};

fn build(scene: &Scene<'_>, fields: Fields) -> Result<Arc<dyn Constraint>, String> {
    let others = |all: Vec<usize>, these: &[usize]| -> Vec<usize> {
        all.into_iter().filter(|one| !these.contains(one)).collect()
    };
    let (pattern, words) = match fields {
        Fields {
            tiles: Some(tiles),
            only_in: Some(only_in),
            cells: None,
            only_from: None,
            ..
        } => {
            let (names, places) = (scene.tile_names(&tiles), scene.cell_names(&only_in));
            let cells = others(scene.all_cells(), &only_in);
            let words = format!("tile {names} lies in another cell than {places}");
            (Pattern::lying_anyhow(scene, cells, tiles), words)
        }
        Fields {
            tiles: None,
            only_in: None,
            cells: Some(cells),
            only_from: Some(only_from),
            ..
        } => {
            let (names, places) = (scene.tile_names(&only_from), scene.cell_names(&cells));
            let tiles = others(scene.all_tiles(), &only_from);
            let words = format!("cell {places} holds another tile than {names}");
            (Pattern::lying_anyhow(scene, cells, tiles), words)
        }
        _ => {
            let expected = "`tiles` with `only_in`, or `cells` with `only_from`";
            return Err(format!("`region` expects {expected}"));
        }
    };
    Ok(Arc::new(Forbidden {
        name: KIND.name,
        patterns: vec![pattern],
        words,
    }))
}
