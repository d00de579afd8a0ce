//! Constraints beside seams and border, as the other stages see them.
//!
//! The kinds are in the folder `constraints`, one file each. The checker asks a constraint whether
//! an arrangement obeys it; searches and model see [`LinearConstraint`]s and clauses.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

use super::arrangement::{Arrangement, Placed};
use crate::board::{Board, CellSide, Symmetry};
use crate::puzzle::{DocValue, Orientation, Puzzle};

/// Something asked of an arrangement.
pub trait Constraint: fmt::Debug + Send + Sync {
    /// What it is called in a file.
    fn name(&self) -> &'static str;

    /// How an arrangement breaks it, as a message; the arrangement has a tile in each cell.
    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String>;

    /// The same in sums: an arrangement obeys it if and only if it obeys all of them.
    fn sums(&self, puzzle: &Puzzle, board: &Board) -> Vec<LinearConstraint>;

    /// The sums where a tile may lie in several cells: an arrangement obeys the constraint if and
    /// only if it obeys all of them and all [clauses](Constraint::clauses_of_copies).
    fn sums_of_copies(&self, puzzle: &Puzzle, board: &Board) -> Vec<LinearConstraint> {
        self.sums(puzzle, board)
    }

    /// What no sum says where a tile may lie in several cells.
    fn clauses_of_copies(&self, _puzzle: &Puzzle, _board: &Board) -> Vec<Clause> {
        Vec::new()
    }

    /// Sums that a symmetry of the board maps onto one another where it maps the constraint, as it
    /// is written, onto itself.
    fn symmetric_sums(&self, puzzle: &Puzzle, board: &Board) -> Vec<LinearConstraint> {
        self.sums(puzzle, board)
    }

    /// What a file says of it, its name with its fields; nothing of one that no file holds.
    fn source(&self, _puzzle: &Puzzle, _board: &Board) -> Option<DocValue> {
        None
    }

    /// The one cell that it fills, which a list of constraints may do once.
    fn pinned_cell(&self) -> Option<usize> {
        None
    }

    /// Pairs of sides that touch, and need not fit.
    fn free_seams(&self) -> &[[CellSide; 2]] {
        &[]
    }

    /// Pairs of sides that touch, and need not fit, but count where the best arrangement is sought.
    fn wanted_seams(&self) -> &[[CellSide; 2]] {
        &[]
    }
}

/// Tiles with their orientations, in whatever cell.
pub type TilePlacements = BTreeSet<Placed>;

/// Placements with one coefficient: these tiles in these cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The cells.
    pub cells: Vec<usize>,
    /// The tiles, with their orientations there.
    pub placements: Arc<TilePlacements>,
    /// The weight of each such placement.
    pub coefficient: i64,
}

/// Σ coefficient over the placements on the board ≤ bound: a pseudo-Boolean constraint. A placement
/// in several terms counts in each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearConstraint {
    /// What is counted.
    pub terms: Vec<Term>,
    /// The bound.
    pub bound: i64,
}

impl LinearConstraint {
    /// At most so many of the placements.
    pub fn at_most(
        cells: &[usize],
        placements: &Arc<TilePlacements>,
        bound: i64,
    ) -> LinearConstraint {
        LinearConstraint {
            terms: vec![Term {
                cells: cells.to_vec(),
                placements: Arc::clone(placements),
                coefficient: 1,
            }],
            bound,
        }
    }

    /// At least so many of the placements.
    pub fn at_least(
        cells: &[usize],
        placements: &Arc<TilePlacements>,
        least: i64,
    ) -> LinearConstraint {
        LinearConstraint::at_most(cells, placements, least).negated()
    }

    /// Whether an arrangement obeys the sum.
    pub fn holds(&self, arrangement: &Arrangement) -> bool {
        let of_term = |term: &Term| {
            let counts = |&&cell: &&usize| term.placements.contains(&arrangement.0[cell]);
            term.coefficient * term.cells.iter().filter(counts).count() as i64
        };
        self.terms.iter().map(of_term).sum::<i64>() <= self.bound
    }

    /// The sum with the other sign: at least what it was at most.
    pub fn negated(mut self) -> LinearConstraint {
        for term in &mut self.terms {
            term.coefficient = -term.coefficient;
        }
        self.bound = -self.bound;
        self
    }
}

/// Some tiles in a cell.
pub type CellPlacements = (usize, Arc<TilePlacements>);

/// Pairs of placements of which at least one lies on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// The pairs: one of these in one cell, and one of those in another.
    pub pairs: Vec<[CellPlacements; 2]>,
}

/// What counts in a cell: tiles with orientations, by their address, and what each of them counts.
pub(super) type Counting = Vec<(*const TilePlacements, i64)>;

/// Sums with what they count in a cell as a number, so that they can be compared.
#[derive(Default)]
struct Counted {
    numbers: HashMap<BTreeMap<Placed, i64>, usize>,
    /// What terms count in a cell with so many sides after a motion.
    known: HashMap<(usize, Orientation, Counting), usize>,
}

impl Counted {
    /// What the terms of a cell with so many sides count when all in it is moved so. Tiles with
    /// others are left out: they never lie there, and the motion is none of theirs.
    fn number(
        &mut self,
        puzzle: &Puzzle,
        (sides, motion): (usize, Orientation),
        terms: Vec<&Term>,
    ) -> usize {
        let key = terms
            .iter()
            .map(|t| (Arc::as_ptr(&t.placements), t.coefficient));
        let numbers = &mut self.numbers;
        let known = self.known.entry((sides, motion, key.collect()));
        *known.or_insert_with(|| {
            let mut weights: BTreeMap<Placed, i64> = BTreeMap::new();
            for term in terms {
                let placements = term.placements.iter();
                let fitting =
                    placements.filter(|placed| puzzle.tiles[placed.tile].sides() == sides);
                for &Placed { tile, orientation } in fitting {
                    let orientation = orientation.then(motion, sides);
                    let moved = Placed { tile, orientation };
                    *weights.entry(moved).or_default() += term.coefficient;
                }
            }
            weights.retain(|_, weight| *weight != 0);
            let next = numbers.len();
            *numbers.entry(weights).or_insert(next)
        })
    }

    /// The sum when the board is moved.
    fn moved(
        &mut self,
        puzzle: &Puzzle,
        board: &Board,
        sum: &LinearConstraint,
        symmetry: &Symmetry,
    ) -> MovedSum {
        let nothing = self.number(puzzle, (0, Orientation::default()), Vec::new());
        let mut terms_of: BTreeMap<usize, Vec<&Term>> = BTreeMap::new();
        for term in &sum.terms {
            for &cell in &term.cells {
                terms_of.entry(cell).or_default().push(term);
            }
        }
        let cells = terms_of.into_iter().map(|(cell, terms)| {
            let sides = board.cells()[cell].sides;
            let number = self.number(puzzle, (sides, symmetry.motion[cell]), terms);
            (symmetry.image[cell], number)
        });
        let counting = cells.filter(|&(_, number)| number != nothing);
        (counting.collect(), sum.bound)
    }
}

/// By cell the number of what counts there; the bound.
type MovedSum = (BTreeMap<usize, usize>, i64);

/// The symmetries that map a written list of constraints onto itself.
pub(super) fn keeping(
    puzzle: &Puzzle,
    board: &Board,
    constraints: &[Arc<dyn Constraint>],
    group: Vec<Symmetry>,
) -> Vec<Symmetry> {
    if constraints.is_empty() || group.len() == 1 {
        return group;
    }
    let sums: Vec<Vec<LinearConstraint>> = constraints
        .iter()
        .map(|c| c.symmetric_sums(puzzle, board))
        .collect();
    let mut counted = Counted::default();
    let mut moved = |symmetry: &Symmetry| -> BTreeSet<BTreeSet<MovedSum>> {
        let mut list = BTreeSet::new();
        for sums in &sums {
            let of_one = sums
                .iter()
                .map(|sum| counted.moved(puzzle, board, sum, symmetry));
            list.insert(of_one.collect());
        }
        list
    };
    let mut group = group.into_iter();
    // The first one moves nothing.
    let Some(first) = group.next() else {
        return Vec::new();
    };
    let symmetric_sums = moved(&first);
    let rest: Vec<Symmetry> = group
        .filter(|symmetry| moved(symmetry) == symmetric_sums)
        .collect();
    std::iter::once(first).chain(rest).collect()
}
