//! Values of cells, by which constraints such as `sum` and `lex` compare them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::declare::{Field, FieldType};
use crate::problem::{LinearConstraint, Placed, Term, TilePlacements};
use crate::puzzle::Puzzle;

/// A value that each cell of an arrangement has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellValue {
    /// The rotation of the tile, in counter-clockwise steps.
    Rotation,
    /// A weight of the tile, by its index.
    OfTiles(Vec<i64>),
    /// The image on a side, in alphabetical order. Cells without this side have none.
    ImageAt(usize),
}

/// The field for the value that is compared.
pub const OF: Field = Field::new("of", FieldType::CellValue, "The value of each cell.");

impl CellValue {
    /// The value of a placement; `None` if it has none.
    pub(super) fn of(&self, puzzle: &Puzzle, placed: Placed) -> Option<i64> {
        match self {
            CellValue::Rotation => Some(placed.orientation.rotation() as i64),
            CellValue::OfTiles(weights) => Some(weights[placed.tile]),
            CellValue::ImageAt(side) => {
                let edges = puzzle.tiles[placed.tile].edges_in(placed.orientation);
                let image = &puzzle.labels.edge(*edges.get(*side)?).image;
                // Indices of labels depend on the order in which a file lists edges.
                let before = puzzle.labels.all().filter(|&l| puzzle.labels.edge(l).image < *image);
                Some(before.count() as i64)
            }
        }
    }

    /// The placements with each value.
    pub(super) fn placements(&self, puzzle: &Puzzle) -> BTreeMap<i64, Arc<TilePlacements>> {
        let mut placements: BTreeMap<i64, TilePlacements> = BTreeMap::new();
        for placed in (0..puzzle.tiles.len()).flat_map(|tile| Placed::every(puzzle, tile)) {
            if let Some(value) = self.of(puzzle, placed) {
                placements.entry(value).or_default().insert(placed);
            }
        }
        placements.into_iter().map(|(value, all)| (value, Arc::new(all))).collect()
    }
}

/// The sum of the values in these cells, each multiplied by the factor of its list, as the
/// left-hand side of a linear constraint with bound 0. `placements` are those with each value.
pub(super) fn sum_of(
    placements: &BTreeMap<i64, Arc<TilePlacements>>,
    lists: &[(&[usize], i64)],
) -> LinearConstraint {
    let terms = lists.iter().flat_map(|&(cells, factor)| {
        placements.iter().filter(|(value, _)| **value != 0).map(move |(value, placements)| Term {
            cells: cells.to_vec(),
            placements: Arc::clone(placements),
            coefficient: factor * value,
        })
    });
    LinearConstraint { terms: terms.collect(), bound: 0 }
}
