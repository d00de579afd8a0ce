//! What may be asked of an arrangement beside its seams and its border.
//!
//! The constraints themselves stand in the folder `constraints`, one file each; this is all that the
//! other stages know of them. To the checker a constraint is a question to an arrangement; to the
//! searches and the model it is [`Sum`]s, each a weighted number of placements with a bound.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

use super::arrangement::{Arrangement, Placed};
use crate::board::{Board, CellSide, Symmetry};
use crate::puzzle::{Orientation, Puzzle, Written};

/// Something asked of an arrangement.
pub trait Constraint: fmt::Debug + Send + Sync {
    /// What it is called in a file.
    fn name(&self) -> &'static str;

    /// How an arrangement breaks it, for people; the arrangement has a tile in each cell.
    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String>;

    /// The same in sums: an arrangement obeys it if and only if it obeys all of them.
    fn sums(&self, puzzle: &Puzzle, board: &Board) -> Vec<Sum>;

    /// The sums where a tile may lie in several cells: an arrangement obeys the constraint if and only if
    /// it obeys all of them and all [clauses](Constraint::clauses_of_copies).
    fn sums_of_copies(&self, puzzle: &Puzzle, board: &Board) -> Vec<Sum> {
        self.sums(puzzle, board)
    }

    /// What no sum says where a tile may lie in several cells.
    fn clauses_of_copies(&self, _puzzle: &Puzzle, _board: &Board) -> Vec<Clause> {
        Vec::new()
    }

    /// Sums that a symmetry of the board maps onto one another where it maps the constraint, as it is
    /// written, onto itself.
    fn written(&self, puzzle: &Puzzle, board: &Board) -> Vec<Sum> {
        self.sums(puzzle, board)
    }

    /// What a file says of it, its name with its fields; nothing of one that no file holds.
    fn stated(&self, _puzzle: &Puzzle, _board: &Board) -> Option<Written> {
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

/// Ways to lie: tiles with their orientations.
pub type Lying = BTreeSet<Placed>;

/// Placements that count alike: some ways to lie in some cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The cells.
    pub cells: Vec<usize>,
    /// How tiles lie there.
    pub lying: Arc<Lying>,
    /// What each such placement counts.
    pub weight: i64,
}

/// Σ weight over the blocks' placements ≤ most. A placement in several blocks counts in each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum {
    /// What is counted.
    pub blocks: Vec<Block>,
    /// The bound.
    pub most: i64,
}

impl Sum {
    /// At most so many of the placements.
    pub fn at_most(cells: &[usize], lying: &Arc<Lying>, most: i64) -> Sum {
        Sum {
            blocks: vec![Block {
                cells: cells.to_vec(),
                lying: Arc::clone(lying),
                weight: 1,
            }],
            most,
        }
    }

    /// At least so many of the placements.
    pub fn at_least(cells: &[usize], lying: &Arc<Lying>, least: i64) -> Sum {
        Sum::at_most(cells, lying, least).negated()
    }

    /// Whether an arrangement obeys the sum.
    pub fn holds(&self, arrangement: &Arrangement) -> bool {
        let of_block = |block: &Block| {
            let counts = |&&cell: &&usize| block.lying.contains(&arrangement.0[cell]);
            block.weight * block.cells.iter().filter(counts).count() as i64
        };
        self.blocks.iter().map(of_block).sum::<i64>() <= self.most
    }

    /// The sum with the other sign: at least what it was at most.
    pub fn negated(mut self) -> Sum {
        for block in &mut self.blocks {
            block.weight = -block.weight;
        }
        self.most = -self.most;
        self
    }
}

/// Some ways to lie in a cell.
pub type CellLying = (usize, Arc<Lying>);

/// Pairs of placements of which at least one lies on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// The pairs: one of these ways to lie in one cell, and one of those in another.
    pub pairs: Vec<[CellLying; 2]>,
}

/// What counts in a cell: ways to lie, by their address, and what each of them counts.
pub(super) type Counting = Vec<(*const Lying, i64)>;

/// Sums with what they count in a cell as a number, so that they can be compared.
#[derive(Default)]
struct Counted {
    numbers: HashMap<BTreeMap<Placed, i64>, usize>,
    /// What blocks count in a cell with so many sides after a motion.
    known: HashMap<(usize, Orientation, Counting), usize>,
}

impl Counted {
    /// What the blocks of a cell with so many sides count when all in it is moved so. Tiles with others
    /// are left out: they never lie there, and the motion is none of theirs.
    fn number(
        &mut self,
        puzzle: &Puzzle,
        (sides, motion): (usize, Orientation),
        blocks: Vec<&Block>,
    ) -> usize {
        let key = blocks.iter().map(|b| (Arc::as_ptr(&b.lying), b.weight));
        let numbers = &mut self.numbers;
        let known = self.known.entry((sides, motion, key.collect()));
        *known.or_insert_with(|| {
            let mut weights: BTreeMap<Placed, i64> = BTreeMap::new();
            for block in blocks {
                let lying = block.lying.iter();
                let fitting = lying.filter(|placed| puzzle.tiles[placed.tile].sides() == sides);
                for &Placed { tile, orientation } in fitting {
                    let orientation = orientation.then(motion, sides);
                    let moved = Placed { tile, orientation };
                    *weights.entry(moved).or_default() += block.weight;
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
        sum: &Sum,
        symmetry: &Symmetry,
    ) -> MovedSum {
        let nothing = self.number(puzzle, (0, Orientation::default()), Vec::new());
        let mut blocks_of: BTreeMap<usize, Vec<&Block>> = BTreeMap::new();
        for block in &sum.blocks {
            for &cell in &block.cells {
                blocks_of.entry(cell).or_default().push(block);
            }
        }
        let cells = blocks_of.into_iter().map(|(cell, blocks)| {
            let sides = board.cells()[cell].sides;
            let number = self.number(puzzle, (sides, symmetry.motion[cell]), blocks);
            (symmetry.image[cell], number)
        });
        let counting = cells.filter(|&(_, number)| number != nothing);
        (counting.collect(), sum.most)
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
    let sums: Vec<Vec<Sum>> = constraints
        .iter()
        .map(|c| c.written(puzzle, board))
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
    let written = moved(&first);
    let rest: Vec<Symmetry> = group
        .filter(|symmetry| moved(symmetry) == written)
        .collect();
    std::iter::once(first).chain(rest).collect()
}
