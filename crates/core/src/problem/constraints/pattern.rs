//! Patterns of placements: by cell, tile, rotation, face, and labels of sides.
//!
//! A pattern is a conjunction: a placement matches if every given field admits it.

use std::sync::Arc;

use super::declare::{Field, FieldType, Mapping, Requirement};
use super::fields::{FieldValue, Fields};
use super::scene::Scene;
use crate::problem::{Arrangement, Placed, TilePlacements};
use crate::puzzle::{Face, Label, Puzzle};

pub(super) const CELLS: Field = Field {
    singular: Some("cell"),
    ..Field::new(
        "cells",
        FieldType::Cells,
        "Cells, by row and column, by name, or parts of the board.",
    )
};

pub(super) const TILES: Field =
    Field { singular: Some("tile"), ..Field::new("tiles", FieldType::Tiles, "Tiles, by name.") };

pub(super) const ROTATIONS: Field = Field {
    singular: Some("rotation"),
    ..Field::new("rotations", FieldType::Rotations, "Rotations, in counter-clockwise steps.")
};

pub(super) const FACE: Field = Field::new("face", FieldType::Face, "The face that is up.");

pub(super) const SHOWS: Field =
    Field::new("shows", FieldType::Shows, "Sides with the edges that they show.");

/// Named placements. The reader replaces this field by the fields of those placements.
pub const PLACEMENTS: Field = Field {
    singular: Some("placement"),
    ..Field::new("placements", FieldType::Placements, "Placements that are named in the same file.")
};

/// The fields of a pattern.
pub(super) const FIELDS: &[Field] = &[CELLS, TILES, ROTATIONS, FACE, SHOWS, PLACEMENTS];

/// The fields of a named placement, which is a pattern.
pub const PATTERN: Mapping = Mapping {
    fields: FIELDS,
    needs: &[Requirement::any(
        FIELDS,
        "a named placement requires a field, such as `cell` or `tile`",
    )],
};

/// A set of placements: those whose cell, tile, rotation, face and labels are all admitted. All
/// lists are ascending.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub cells: Vec<usize>,
    tiles: Vec<usize>,
    rotations: Vec<usize>,
    face: Option<Face>,
    shows: Vec<(usize, Vec<Label>)>,
}

impl Pattern {
    /// Creates a pattern from its fields; a missing field admits everything.
    pub fn new(scene: &Scene<'_>, fields: &Fields) -> Self {
        let or_all =
            |field: Field, all: Vec<usize>| fields.numbers(field).map_or(all, <[_]>::to_vec);
        let mut tiles = or_all(TILES, scene.all_tiles());
        tiles.sort_unstable();
        Pattern {
            cells: or_all(CELLS, scene.all_cells()),
            tiles,
            rotations: or_all(ROTATIONS, scene.all_rotations()),
            face: fields.face(FACE),
            shows: fields.shows(SHOWS).to_vec(),
        }
    }

    /// Creates a pattern of tiles in cells, in any orientation.
    pub fn any_orientation(scene: &Scene<'_>, cells: Vec<usize>, tiles: Vec<usize>) -> Self {
        let fields = Fields::default()
            .with(CELLS.key, FieldValue::Cells(cells))
            .with(TILES.key, FieldValue::Tiles(tiles));
        Pattern::new(scene, &fields)
    }

    /// A copy of the pattern that only matches in `cell`.
    pub fn in_cell(&self, cell: usize) -> Pattern {
        Pattern { cells: vec![cell], ..self.clone() }
    }

    /// The placements, without cell, that match in each of the pattern's cells.
    pub fn placements(&self, puzzle: &Puzzle) -> Arc<TilePlacements> {
        let placements = self.tiles.iter().flat_map(|&tile| Placed::every(puzzle, tile));
        Arc::new(placements.filter(|way| self.admits(puzzle, way)).collect())
    }

    /// Returns true if the rotation, the face and the labels of a placement match, regardless of
    /// its tile and cell.
    fn admits(&self, puzzle: &Puzzle, Placed { tile, orientation }: &Placed) -> bool {
        let edges = puzzle.tiles[*tile].edges_in(*orientation);
        let mut shows = self.shows.iter();
        self.rotations.binary_search(&orientation.rotation()).is_ok()
            && self.face.is_none_or(|face| orientation.face() == face)
            && shows.all(|(side, labels)| edges.get(*side).is_some_and(|l| labels.contains(l)))
    }

    /// Returns true if a placement in `cell` matches.
    pub fn meets(&self, puzzle: &Puzzle, cell: usize, placed: &Placed) -> bool {
        self.cells.binary_search(&cell).is_ok()
            && self.tiles.binary_search(&placed.tile).is_ok()
            && self.admits(puzzle, placed)
    }

    /// The number of placements of an arrangement that match.
    pub fn number(&self, puzzle: &Puzzle, arrangement: &Arrangement) -> i64 {
        let placed = arrangement.0.iter().enumerate();
        placed.filter(|(cell, placed)| self.meets(puzzle, *cell, placed)).count() as i64
    }
}

/// The placements of all tiles whose labels, in the order of the sides, satisfy a condition.
pub(super) fn placements_that(
    puzzle: &Puzzle,
    is_so: impl Fn(&[Label]) -> bool,
) -> Arc<TilePlacements> {
    let placements = (0..puzzle.tiles.len()).flat_map(|tile| Placed::every(puzzle, tile));
    let so = placements.filter(|way| is_so(&puzzle.tiles[way.tile].edges_in(way.orientation)));
    Arc::new(so.collect())
}
