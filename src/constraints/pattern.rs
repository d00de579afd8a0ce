//! Placements by cells, tiles, rotations, faces and what sides show.

use std::sync::Arc;

use super::fields::{Field, Fields, Scene};
use crate::problem::{Arrangement, Placed, TilePlacements};
use crate::puzzle::{Face, Label, Puzzle};

/// The fields of a pattern.
pub(super) const FIELDS: &[Field] = &[
    Field::Cells,
    Field::Tiles,
    Field::Rotations,
    Field::Face,
    Field::Shows,
];

/// Placements that are meant; all lists ascend.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub cells: Vec<usize>,
    tiles: Vec<usize>,
    rotations: Vec<usize>,
    face: Option<Face>,
    shows: Vec<(usize, Vec<Label>)>,
}

impl Pattern {
    /// What was not written is everything.
    pub fn of(scene: &Scene<'_>, fields: Fields) -> Self {
        let mut tiles = fields.tiles.unwrap_or_else(|| scene.all_tiles());
        tiles.sort_unstable();
        Pattern {
            cells: fields.cells.unwrap_or_else(|| scene.all_cells()),
            tiles,
            rotations: fields.rotations.unwrap_or_else(|| scene.all_rotations()),
            face: fields.face,
            shows: fields.shows,
        }
    }

    /// Some tiles in some cells, however they lie.
    pub fn lying_anyhow(scene: &Scene<'_>, cells: Vec<usize>, tiles: Vec<usize>) -> Self {
        let fields = Fields {
            cells: Some(cells),
            tiles: Some(tiles),
            ..Fields::default()
        };
        Pattern::of(scene, fields)
    }

    /// The ways to lie that are meant.
    pub fn lying(&self, puzzle: &Puzzle) -> Arc<TilePlacements> {
        let tiles = self.tiles.iter();
        let ways = tiles.flat_map(|&tile| Placed::every(puzzle, tile));
        Arc::new(ways.filter(|way| self.lies(puzzle, way)).collect())
    }

    /// Whether the tile of a placement, whichever it is, lies as it is meant.
    fn lies(&self, puzzle: &Puzzle, Placed { tile, orientation }: &Placed) -> bool {
        let look = puzzle.tiles[*tile].look(*orientation);
        let mut shows = self.shows.iter();
        self.rotations
            .binary_search(&orientation.rotation())
            .is_ok()
            && self.face.is_none_or(|face| orientation.face() == face)
            && shows.all(|(side, labels)| look.get(*side).is_some_and(|l| labels.contains(l)))
    }

    /// Whether a tile in a cell is meant.
    pub fn meets(&self, puzzle: &Puzzle, cell: usize, placed: &Placed) -> bool {
        self.cells.binary_search(&cell).is_ok()
            && self.tiles.binary_search(&placed.tile).is_ok()
            && self.lies(puzzle, placed)
    }

    /// How many placements of an arrangement are meant.
    pub fn number(&self, puzzle: &Puzzle, arrangement: &Arrangement) -> i64 {
        let placed = arrangement.0.iter().enumerate();
        let meant = placed.filter(|(cell, placed)| self.meets(puzzle, *cell, placed));
        meant.count() as i64
    }
}
