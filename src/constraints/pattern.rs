//! Placements by cells, tiles, rotations and what sides show.

use std::sync::Arc;

use super::fields::{Fields, Scene};
use crate::board::{Arrangement, Lying, Placed};
use crate::puzzle::{Label, Orientation, Puzzle};

/// Placements that are meant; all lists ascend.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub cells: Vec<usize>,
    tiles: Vec<usize>,
    rotations: Vec<usize>,
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
    pub fn lying(&self, puzzle: &Puzzle) -> Arc<Lying> {
        let ways = itertools::iproduct!(self.tiles.iter().copied(), self.rotations.iter().copied());
        let lie = |&(tile, rotation): &(usize, usize)| {
            rotation < puzzle.tiles[tile].sides() && self.lies(puzzle, tile, rotation)
        };
        Arc::new(ways.filter(lie).collect())
    }

    fn lies(&self, puzzle: &Puzzle, tile: usize, rotation: usize) -> bool {
        let shown = |side| puzzle.tiles[tile].shows(side, Orientation::turned(rotation));
        let mut shows = self.shows.iter();
        shows.all(|(side, labels)| labels.contains(&shown(*side)))
    }

    /// Whether a tile in a cell is meant.
    pub fn meets(&self, puzzle: &Puzzle, cell: usize, placed: &Placed) -> bool {
        let rotation = placed.orientation.rotation();
        self.cells.binary_search(&cell).is_ok()
            && self.tiles.binary_search(&placed.tile).is_ok()
            && self.rotations.binary_search(&rotation).is_ok()
            && self.lies(puzzle, placed.tile, rotation)
    }

    /// How many placements of an arrangement are meant.
    pub fn number(&self, puzzle: &Puzzle, arrangement: &Arrangement) -> i64 {
        let placed = arrangement.0.iter().enumerate();
        let meant = placed.filter(|(cell, placed)| self.meets(puzzle, *cell, placed));
        meant.count() as i64
    }
}
