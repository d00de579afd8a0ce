//! The interface of constraints other than seams and border.
//!
//! Each built-in constraint is a file in the folder `constraints`. The checker calls
//! [`Constraint::broken`]; searches and models use a [`Formula`] over [`LinearConstraint`]s.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::arrangement::{Arrangement, Dependence, Placed};
use super::formula::Formula;
use super::linear::{LinearConstraint, Term, TilePlacements};
use crate::board::{Board, CellSide, Symmetry};
use crate::puzzle::{DocValue, Orientation, Puzzle};

/// A constraint on arrangements.
///
/// An implementation needs a name, [`broken`](Constraint::broken) for the checker and
/// [`formula`](Constraint::formula) for searches and models. A [lazy](Constraint::is_lazy)
/// constraint has no formula or a weaker one, so engines check whole arrangements. In this example,
/// every tile that is not turned touches another one that is not:
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
///             let mut beside = board.touching_sides(cell).iter().flatten();
///             is_upright(cell) && !beside.any(|&(other, _)| is_upright(other))
///         };
///         let cell = (0..board.size()).find(is_alone)?;
///         Some(format!("the tile in cell {} is alone", board.cells()[cell].name))
///     }
///
///     // The default, everything, is always correct, but may be slower.
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
    /// The name in files.
    fn name(&self) -> &'static str;

    /// A message that explains how an arrangement breaks the constraint; `None` if it satisfies it.
    /// The arrangement has a tile in each cell.
    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String>;

    /// A formula for searches and models that holds for every arrangement that satisfies the
    /// constraint. In puzzles with [copies](Puzzle::has_copies), a tile may be placed in several
    /// cells. The default always holds.
    fn formula(&self, _puzzle: &Puzzle, _board: &Board) -> Formula {
        Formula::all([])
    }

    /// A formula that holds for every arrangement that breaks the constraint. The default is the
    /// negation of [`formula`](Constraint::formula), or always holds for a
    /// [lazy](Constraint::is_lazy) constraint.
    fn negated_formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        if self.is_lazy() { Formula::all([]) } else { self.formula(puzzle, board).negation() }
    }

    /// Returns false if the formula is equivalent to the constraint. Otherwise engines call
    /// [`broken`](Constraint::broken) for each arrangement that satisfies the formula, and prune
    /// only by the formula.
    fn is_lazy(&self) -> bool {
        true
    }

    /// The properties of an arrangement on which the result of a [lazy](Constraint::is_lazy)
    /// constraint depends; for other constraints they follow from the formula.
    ///
    /// Engines treat arrangements as equivalent if they differ in nothing that a constraint depends
    /// on, and check only one of them. Declaring less than everything makes the search faster and
    /// yields [fewer distinct solutions](crate::enumerate::Solution). Declaring too little makes
    /// results wrong: `edgematch::check_engines` detects this, and runs fail if a sample reveals it.
    fn depends_on(&self) -> Dependence {
        Dependence::EVERYTHING
    }

    /// A stronger cut for an arrangement that satisfies the formula but breaks the constraint:
    /// cells with sets of placements, each set containing the arrangement's placement. Every
    /// arrangement whose placements are in all these sets must break the constraint. `None`, the
    /// default, excludes only the arrangement itself.
    fn lazy_cut(
        &self,
        _puzzle: &Puzzle,
        _board: &Board,
        _arrangement: &Arrangement,
    ) -> Option<Vec<(usize, Arc<TilePlacements>)>> {
        None
    }

    /// A formula for comparison with its images: it must be invariant under every symmetry of the
    /// board that preserves the constraint as written. It is not used by searches.
    fn symmetric_formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.formula(puzzle, board)
    }

    /// The depth and size of nested constraints; the default is for a constraint without any.
    fn nesting(&self) -> Nesting {
        Nesting { depth: 0, size: 1 }
    }

    /// The only cell that this constraint pins; `None` if it pins none or several. A list of
    /// constraints may pin each cell only once.
    fn pinned_cell(&self) -> Option<usize> {
        None
    }

    /// The pairs of touching sides that need not match and do not count.
    fn free_seams(&self) -> &[[CellSide; 2]] {
        &[]
    }

    /// The pairs of touching sides that need not match, but count in the search for the best
    /// arrangement.
    fn wanted_seams(&self) -> &[[CellSide; 2]] {
        &[]
    }
}

/// A constraint of a problem, with its text in the puzzle file.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The constraint.
    pub constraint: Arc<dyn Constraint>,
    /// Its kind and fields as in the file; `None` if it is not from a file.
    pub source: Option<DocValue>,
    /// The name that the file gives it; `None` if it has none.
    pub name: Option<String>,
    /// The constraint and its weight if it is soft. Then `constraint` is a placeholder that always
    /// holds.
    pub soft: Option<Weighted>,
    /// The item of the file of which it is one of several copies; `None` if it is not a copy.
    pub repeated: Option<Arc<Repeated>>,
}

/// An item of a file that expands to several constraints, one for each value of its variables.
#[derive(Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The item as in the file.
    pub item: DocValue,
    /// The number of constraints.
    pub copies: usize,
}

/// A constraint that may be violated, with the cost of violating it.
#[derive(Debug, Clone)]
pub struct Weighted {
    /// The constraint.
    pub constraint: Arc<dyn Constraint>,
    /// The cost, at least 1.
    pub weight: u32,
}

impl Listed {
    /// Like [`Constraint::broken`]; the message begins with the name in the file, if there is one.
    pub fn describe_broken(
        &self,
        puzzle: &Puzzle,
        board: &Board,
        arrangement: &Arrangement,
    ) -> Option<String> {
        let message = self.constraint.broken(puzzle, board, arrangement)?;
        Some(match &self.name {
            Some(name) => format!("`{name}`: {message}"),
            None => message,
        })
    }

    /// The name in the file, or else the kind.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or_else(|| self.constraint.name())
    }
}

impl Deref for Listed {
    type Target = dyn Constraint;

    fn deref(&self) -> &Self::Target {
        &*self.constraint
    }
}

impl From<Arc<dyn Constraint>> for Listed {
    fn from(constraint: Arc<dyn Constraint>) -> Listed {
        Listed { constraint, source: None, name: None, soft: None, repeated: None }
    }
}

impl<C: Constraint + 'static> From<Arc<C>> for Listed {
    fn from(constraint: Arc<C>) -> Listed {
        Listed::from(constraint as Arc<dyn Constraint>)
    }
}

/// A constraint that allows everything but depends on everything, so that all arrangements count as
/// different.
#[derive(Debug)]
pub(super) struct DistinguishAll;

impl Constraint for DistinguishAll {
    fn name(&self) -> &'static str {
        "told-apart"
    }

    fn broken(&self, _: &Puzzle, _: &Board, _: &Arrangement) -> Option<String> {
        None
    }
}

/// The nesting of constraints that contain others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nesting {
    /// The number of levels of constraints inside this one; 0 if it contains none.
    pub depth: usize,
    /// The number of constraints that contain no others, counted as often as the formula uses them.
    pub size: usize,
}

/// The terms of a cell: placement sets, identified by address, each with its coefficient.
pub(super) type Counting = Vec<(*const TilePlacements, i64)>;

/// A numbering of the different maps from placements to coefficients, so that sums can be compared.
#[derive(Default)]
struct WeightNumbering {
    numbers: HashMap<BTreeMap<Placed, i64>, usize>,
    /// The results of [`WeightNumbering::number`] by number of sides, motion and terms.
    known: HashMap<(usize, Orientation, Counting), usize>,
}

impl WeightNumbering {
    /// The number of the coefficients that the terms of a cell with `sides` sides give to
    /// placements after `motion`; equal for equal coefficients. Tiles with another number of sides
    /// are ignored: they are never placed there, and the motion does not apply to them.
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

    /// The normal form of the image of a sum under a symmetry.
    fn moved_sum(
        &mut self,
        puzzle: &Puzzle,
        board: &Board,
        sum: &LinearConstraint,
        symmetry: &Symmetry,
    ) -> MovedFormula {
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
        MovedFormula::Linear(cells.filter(|&(_, number)| number != nothing).collect(), sum.bound)
    }

    /// The normal form of the image of a formula under a symmetry.
    fn moved(
        &mut self,
        puzzle: &Puzzle,
        board: &Board,
        formula: &Formula,
        symmetry: &Symmetry,
    ) -> MovedFormula {
        let (number, parts) = match formula {
            Formula::Linear(sum) => return self.moved_sum(puzzle, board, sum, symmetry),
            Formula::AtLeast(number, parts) => (*number, parts),
        };
        let moved = parts.iter().map(|part| self.moved(puzzle, board, part, symmetry));
        let mut moved: Vec<MovedFormula> = moved.collect();
        moved.sort_unstable();
        let needed = if number == parts.len() {
            // Duplicates in a conjunction are redundant.
            moved.dedup();
            moved.len()
        } else {
            number
        };
        MovedFormula::AtLeast(needed, moved)
    }
}

/// The normal form of the image of a formula under a symmetry, with its parts sorted. Equal normal
/// forms mean equivalent formulas.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MovedFormula {
    /// The number of each cell's coefficients, and the bound.
    Linear(BTreeMap<usize, usize>, i64),
    AtLeast(usize, Vec<MovedFormula>),
}

/// The symmetries of `group`, whose first must be the identity, that map the set of constraints, as
/// written, onto itself.
pub(super) fn preserved_symmetries(
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
    let mut counted = WeightNumbering::default();
    let mut moved = |symmetry: &Symmetry| -> BTreeSet<MovedFormula> {
        formulas.iter().map(|formula| counted.moved(puzzle, board, formula, symmetry)).collect()
    };
    let mut group = group.into_iter();
    // The first symmetry is the identity.
    let Some(first) = group.next() else {
        return Vec::new();
    };
    let unmoved = moved(&first);
    let rest: Vec<Symmetry> = group.filter(|symmetry| moved(symmetry) == unmoved).collect();
    std::iter::once(first).chain(rest).collect()
}
