//! Constraints beside seams and border, as the other stages see them.
//!
//! The kinds are in the folder `constraints`, one file each. The checker asks a constraint whether
//! an arrangement obeys it; searches and model see a [`Formula`] over [`LinearConstraint`]s.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::arrangement::{Arrangement, Dependence, Placed};
use super::formula::Formula;
use super::linear::{LinearConstraint, Term, TilePlacements};
use crate::board::{Board, CellSide, Symmetry};
use crate::puzzle::{DocValue, Orientation, Puzzle};

/// Something asked of an arrangement.
///
/// A constraint needs a name, [`broken`](Constraint::broken) for the checker and
/// [`formula`](Constraint::formula) for searches and models. A [lazy](Constraint::is_lazy) one,
/// without a formula, or whose formula says less, is asked about whole arrangements. Here every tile that is
/// not turned touches another one that is not:
///
/// ```
/// use edgematch::{Arrangement, Board, Constraint, Dependence, Puzzle, load, solve};
///
/// #[derive(Debug)]
/// struct InCompany;
///
/// impl Constraint for InCompany {
///     fn name(&self) -> &'static str {
///         "in-company"
///     }
///
///     fn broken(&self, _: &Puzzle, board: &Board, all: &Arrangement) -> Option<String> {
///         let is_upright = |cell: usize| all.0[cell].orientation.rotation() == 0;
///         let is_alone = |&cell: &usize| {
///             let mut beside = board.beside(cell).iter().flatten();
///             is_upright(cell) && !beside.any(|&(other, _)| is_upright(other))
///         };
///         let cell = (0..board.size()).find(is_alone)?;
///         Some(format!("the tile in cell {} is alone", board.cells()[cell].name))
///     }
///
///     // Without this it may depend on everything, which is always right and may be slower.
///     fn depends_on(&self) -> Dependence {
///         Dependence { rotations: true, ..Dependence::EDGES }
///     }
/// }
///
/// let pair = load::from_str("{rows: 1, cols: 2, tiles: {1: [a, a, a, a], 2: [a, b, a, b]}}")?;
/// assert_eq!(solve(&pair).outcome.tally.solutions, 16u32.into());
/// let constrained = pair.with_constraints(vec![std::sync::Arc::new(InCompany)]);
/// assert_eq!(solve(&constrained).outcome.tally.solutions, 8u32.into());
/// # Ok::<(), load::LoadError>(())
/// ```
pub trait Constraint: fmt::Debug + Send + Sync {
    /// What it is called in a file.
    fn name(&self) -> &'static str;

    /// How an arrangement breaks it, as a message; the arrangement has a tile in each cell.
    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String>;

    /// A formula that every arrangement obeys which obeys the constraint, for searches and models; all
    /// arrangements obey the default.
    fn formula(&self, _puzzle: &Puzzle, _board: &Board) -> Formula {
        Formula::all([])
    }

    /// The formula where a tile may lie in several cells.
    fn formula_of_copies(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.formula(puzzle, board)
    }

    /// Returns false if the formula says all that the constraint does. Of any other constraint
    /// engines ask [`broken`](Constraint::broken) about each arrangement that obeys the formula, and
    /// do not prune by the rest.
    fn is_lazy(&self) -> bool {
        true
    }

    /// The differences between arrangements that can change the answer of a
    /// [lazy](Constraint::is_lazy) constraint; of any other, the formula tells them.
    ///
    /// Engines take arrangements for the same that differ in nothing that a constraint depends on,
    /// and ask about one of them. To declare less than everything makes a search faster, and what
    /// is found [fewer distinct solutions](crate::Solution). To declare too little makes
    /// results wrong: [`compare::check`](crate::analyse::compare::check) finds that, and runs fail if they
    /// meet it in a sample.
    fn depends_on(&self) -> Dependence {
        Dependence::EVERYTHING
    }

    /// A stronger cut for an arrangement that obeys the formula and yet breaks the constraint:
    /// cells with placements, one of which the arrangement has in each of them. Every arrangement
    /// with one of the placements in each of the cells must break the constraint. Without it, that
    /// arrangement alone is excluded.
    fn lazy_cut(
        &self,
        _puzzle: &Puzzle,
        _board: &Board,
        _arrangement: &Arrangement,
    ) -> Option<Vec<(usize, Arc<TilePlacements>)>> {
        None
    }

    /// A formula that a symmetry of the board maps onto itself where it maps the constraint, as it
    /// is written, onto itself.
    fn symmetric_formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.formula(puzzle, board)
    }

    /// How it contains others; a constraint that contains none has nothing to say here.
    fn nesting(&self) -> Nesting {
        Nesting { depth: 0, size: 1 }
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

/// A constraint of a problem, with what a file says of it.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The constraint.
    pub constraint: Arc<dyn Constraint>,
    /// Its name with its fields, as they are written again; `None` of one that no file holds.
    pub source: Option<DocValue>,
}

impl Deref for Listed {
    type Target = dyn Constraint;

    fn deref(&self) -> &Self::Target {
        &*self.constraint
    }
}

impl From<Arc<dyn Constraint>> for Listed {
    fn from(constraint: Arc<dyn Constraint>) -> Listed {
        Listed { constraint, source: None }
    }
}

impl<C: Constraint + 'static> From<Arc<C>> for Listed {
    fn from(constraint: Arc<C>) -> Listed {
        Listed { constraint, source: None }
    }
}

/// A constraint that allows everything, and depends on everything.
#[derive(Debug)]
pub(super) struct ToldApart;

impl Constraint for ToldApart {
    fn name(&self) -> &'static str {
        "told-apart"
    }

    fn broken(&self, _: &Puzzle, _: &Board, _: &Arrangement) -> Option<String> {
        None
    }
}

/// How constraints contain one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nesting {
    /// How deep.
    pub depth: usize,
    /// How many constraints without others are in the formula.
    pub size: usize,
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
        let key = terms.iter().map(|t| (Arc::as_ptr(&t.placements), t.coefficient));
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
    fn moved_sum(
        &mut self,
        puzzle: &Puzzle,
        board: &Board,
        sum: &LinearConstraint,
        symmetry: &Symmetry,
    ) -> Moved {
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
        Moved::Linear(cells.filter(|&(_, number)| number != nothing).collect(), sum.bound)
    }

    /// The formula when the board is moved.
    fn moved(
        &mut self,
        puzzle: &Puzzle,
        board: &Board,
        formula: &Formula,
        symmetry: &Symmetry,
    ) -> Moved {
        let (number, parts) = match formula {
            Formula::Linear(sum) => return self.moved_sum(puzzle, board, sum, symmetry),
            Formula::AtLeast(number, parts) => (*number, parts),
        };
        let moved = parts.iter().map(|part| self.moved(puzzle, board, part, symmetry));
        let mut moved: Vec<Moved> = moved.collect();
        moved.sort_unstable();
        let needed = if number == parts.len() {
            // To say a thing twice says no more.
            moved.dedup();
            moved.len()
        } else {
            number
        };
        Moved::AtLeast(needed, moved)
    }
}

/// A formula when the board is moved, with its parts in order.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Moved {
    /// By cell the number of what counts there; the bound.
    Linear(BTreeMap<usize, usize>, i64),
    AtLeast(usize, Vec<Moved>),
}

/// The symmetries that map a written list of constraints onto itself.
pub(super) fn keeping(
    puzzle: &Puzzle,
    board: &Board,
    constraints: &[Listed],
    group: Vec<Symmetry>,
) -> Vec<Symmetry> {
    if constraints.is_empty() || group.len() == 1 {
        return group;
    }
    let formulas: Vec<Formula> =
        constraints.iter().map(|c| c.symmetric_formula(puzzle, board)).collect();
    let mut counted = Counted::default();
    let mut moved = |symmetry: &Symmetry| -> BTreeSet<Moved> {
        formulas.iter().map(|formula| counted.moved(puzzle, board, formula, symmetry)).collect()
    };
    let mut group = group.into_iter();
    // The first one moves nothing.
    let Some(first) = group.next() else {
        return Vec::new();
    };
    let unmoved = moved(&first);
    let rest: Vec<Symmetry> = group.filter(|symmetry| moved(symmetry) == unmoved).collect();
    std::iter::once(first).chain(rest).collect()
}
