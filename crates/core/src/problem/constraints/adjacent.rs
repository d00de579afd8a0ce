//! `adjacent` and `apart`: two tiles touch, or do not.
//!
//! `adjacent` requires one of the possible contacts between the two tiles; `apart` excludes all of
//! them.

use std::sync::Arc;

use super::ConstraintKind;
use super::declare::{Field, FieldType, Mapping, Requirement};
use super::fields::Fields;
use super::pattern::TILES;
use super::scene::Scene;
use crate::board::{Board, CellSide};
use crate::problem::{
    Arrangement, Constraint, Formula, LinearConstraint, Placed, Term, TilePlacements,
};
use crate::puzzle::Puzzle;

/// The constraint `adjacent`: both tiles are used and touch.
///
/// ```yaml
/// constraints:
///   - adjacent: {tiles: [1, 2], sides: [right, any]}
/// ```
pub(super) const ADJACENT: ConstraintKind = ConstraintKind::new(
    "adjacent",
    "Two tiles are used and touch, optionally with the given sides.",
    Mapping {
        fields: &[TILES, SIDES],
        needs: &[Requirement::two(TILES, "`adjacent` requires two different `tiles`")],
    },
    |scene, fields| Ok(Arc::new(Adjacent(TouchingTiles::new(scene, fields)))),
);

const SIDES: Field = Field::new(
    "sides",
    FieldType::Sides,
    "A side of the first tile and one of the second, as in the file; either may be `any`.",
);

/// The constraint `apart`: the tiles do not touch. It also holds if one is not used.
///
/// ```yaml
/// constraints:
///   - apart: {tiles: [1, 2]}
/// ```
pub(super) const APART: ConstraintKind = ConstraintKind::new(
    "apart",
    "Two tiles do not touch, or not with the given sides.",
    Mapping {
        fields: &[TILES, SIDES],
        needs: &[Requirement::two(TILES, "`apart` requires two different `tiles`")],
    },
    |scene, fields| Ok(Arc::new(Apart(TouchingTiles::new(scene, fields)))),
);

/// Two tiles and the sides with which they must touch: the sides of the unturned tiles, or `None`
/// for any side.
#[derive(Debug)]
struct TouchingTiles {
    tiles: [usize; 2],
    sides: [Option<usize>; 2],
    names: String,
}

impl TouchingTiles {
    /// Reads the two tiles and their sides from the fields of a constraint, which have been
    /// checked.
    fn new(scene: &Scene<'_>, fields: &Fields) -> TouchingTiles {
        let tiles = fields.numbers(TILES).unwrap_or_default();
        TouchingTiles {
            names: scene.tile_names(tiles),
            tiles: [0, 1].map(|which| tiles.get(which).copied().unwrap_or_default()),
            sides: fields.sides(SIDES),
        }
    }

    /// Every pair of touching sides of two different cells, in both directions: the side where the
    /// first tile may be, then that of the second.
    fn pairs(board: &Board) -> impl Iterator<Item = (CellSide, CellSide)> {
        let between = board.touching().filter(|[one, other]| one.0 != other.0);
        between.flat_map(|[one, other]| [(one, other), (other, one)])
    }

    /// The placements of one of the two tiles (`which` is 0 or 1) whose required side is at `side`
    /// of the cell.
    fn placements(&self, puzzle: &Puzzle, which: usize, side: usize) -> Arc<TilePlacements> {
        let placements = Placed::every(puzzle, self.tiles[which]);
        Arc::new(placements.filter(|way| self.admits(puzzle, which, side, way)).collect())
    }

    /// Returns true if `placed` is one of the two tiles (`which` is 0 or 1) with its required side
    /// at `side` of the cell.
    fn admits(&self, puzzle: &Puzzle, which: usize, side: usize, placed: &Placed) -> bool {
        let sides = puzzle.tiles[placed.tile].sides();
        placed.tile == self.tiles[which]
            && self.sides[which].is_none_or(|own| placed.orientation.move_side(own, sides) == side)
    }

    /// The results of [`TouchingTiles::placements`] for each side of a cell.
    fn placements_by_side(
        &self,
        puzzle: &Puzzle,
        board: &Board,
        which: usize,
    ) -> Vec<Arc<TilePlacements>> {
        (0..board.most_sides()).map(|side| self.placements(puzzle, which, side)).collect()
    }

    /// Returns true if the two tiles touch in an arrangement with their required sides.
    fn is_in(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> bool {
        TouchingTiles::pairs(board).any(|(first, second)| {
            self.admits(puzzle, 0, first.1, &arrangement.0[first.0])
                && self.admits(puzzle, 1, second.1, &arrangement.0[second.0])
        })
    }
}

#[derive(Debug)]
struct Adjacent(TouchingTiles);

impl Adjacent {
    /// Some copy of the first tile touches some copy of the second. The requirement that both are
    /// used is implied, but prunes more.
    fn formula_of_copies(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        let cells: Vec<usize> = (0..board.size()).collect();
        let used = |tile| {
            let anyhow = Arc::new(Placed::every(puzzle, tile).collect());
            Formula::Linear(LinearConstraint::at_least(&cells, &anyhow, 1))
        };
        let [first, second] = [0, 1].map(|which| self.0.placements_by_side(puzzle, board, which));
        let lies = |by_side: &[Arc<TilePlacements>], (cell, side): CellSide| {
            Formula::Linear(LinearConstraint::at_least(&[cell], &by_side[side], 1))
        };
        let pairs = TouchingTiles::pairs(board);
        let touching =
            pairs.map(|(here, there)| Formula::all([lies(&first, here), lies(&second, there)]));
        Formula::all(self.0.tiles.map(used).into_iter().chain([Formula::any(touching)]))
    }
}

impl Constraint for Adjacent {
    fn name(&self) -> &'static str {
        ADJACENT.name
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        let names = &self.0.names;
        let is_in = self.0.is_in(puzzle, board, arrangement);
        (!is_in).then(|| format!("`adjacent`: tiles {names} do not touch as required"))
    }

    /// The first tile is used. For each cell and, if its side is given, each orientation of it: if
    /// it is placed there in this way, one of the neighbours is the second tile.
    fn formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        if puzzle.has_copies() {
            return self.formula_of_copies(puzzle, board);
        }
        let tile = self.0.tiles[0];
        let anyhow: Arc<TilePlacements> = Arc::new(Placed::every(puzzle, tile).collect());
        let cells: Vec<usize> = (0..board.size()).collect();
        let mut sums = vec![LinearConstraint::at_least(&cells, &anyhow, 1)];
        let one = |&way: &Placed| Arc::new(TilePlacements::from([way]));
        let placements: Vec<Arc<TilePlacements>> = match self.0.sides[0] {
            None => vec![anyhow],
            Some(_) => anyhow.iter().map(one).collect(),
        };
        let second = self.0.placements_by_side(puzzle, board, 1);
        for (&cell, way) in itertools::iproduct!(&cells, &placements) {
            let term = |cell: usize, placements: &Arc<TilePlacements>, coefficient: i64| Term {
                cells: vec![cell],
                placements: Arc::clone(placements),
                coefficient,
            };
            let mut terms = vec![term(cell, way, 1)];
            for (here, there) in TouchingTiles::pairs(board).filter(|(here, _)| here.0 == cell) {
                if way.is_subset(&self.0.placements(puzzle, 0, here.1)) {
                    terms.push(term(there.0, &second[there.1], -1));
                }
            }
            sums.push(LinearConstraint { terms, bound: 0 });
        }
        sums.into()
    }
}

#[derive(Debug)]
struct Apart(TouchingTiles);

impl Constraint for Apart {
    fn name(&self) -> &'static str {
        APART.name
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        let names = &self.0.names;
        self.0.is_in(puzzle, board, arrangement).then(|| format!("`apart`: tiles {names} touch"))
    }

    fn formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        let one_of = |(first, second): (CellSide, CellSide)| {
            let term = |which: usize, (cell, side): CellSide| Term {
                cells: vec![cell],
                placements: self.0.placements(puzzle, which, side),
                coefficient: 1,
            };
            Formula::Linear(LinearConstraint {
                terms: vec![term(0, first), term(1, second)],
                bound: 1,
            })
        };
        Formula::all(TouchingTiles::pairs(board).map(one_of))
    }
}
