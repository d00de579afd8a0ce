//! Extra constraints: what people ask of an arrangement beside its seams and its border.
//!
//! One file a kind: which fields it has and what it refuses, what it means for an arrangement, and
//! the same in [linear constraints](crate::problem::LinearConstraint), which the searches and the
//! model understand. A new kind is one file and one line in [`KINDS`].

mod adjacent;
mod bounds;
mod count;
mod declare;
mod fields;
mod forbid;
mod line;
mod linear;
mod logic;
mod pattern;
mod pin;
mod region;
mod rim;
mod rotations;
mod scene;
mod seam;
mod source;
mod usage;

use std::collections::HashSet;
use std::sync::Arc;

use thiserror::Error;

pub use self::declare::{Asks, Choice, Field, Mapping, Need, Range, Sort};
pub use self::fields::{FieldValue, Fields};
pub use self::linear::{Expression, NO_TERMS, TERM, TERMS};
pub use self::pattern::{PATTERN, PLACEMENTS};
pub use self::scene::{Cells, Scene};
use self::source::SourceConstraint;
use crate::board::Board;
use crate::problem::{Constraint, Problem};

/// Makes a constraint of its fields, or says why not.
type Build = fn(&Scene<'_>, &Fields) -> Result<Arc<dyn Constraint>, String>;

/// A kind of constraint.
#[derive(Debug)]
pub struct Kind {
    /// The name in a file.
    pub name: &'static str,
    /// What it asks, in a sentence.
    pub what: &'static str,
    /// Its fields.
    pub takes: Mapping,
    /// The field whose value may stand in place of all fields: `rotations: [0, 2]`.
    pub shorthand: Option<Field>,
    /// Makes a constraint of what was written.
    build: Build,
}

impl Kind {
    /// The kind with this name.
    pub fn named(name: &str) -> Option<&'static Kind> {
        KINDS.iter().copied().find(|kind| kind.name == name)
    }

    /// Whether its fields stand side by side in the item of a list, one of them under its name.
    pub fn is_spread(&self) -> bool {
        let field = self.takes.field(self.name);
        field.is_some_and(|field| matches!(field.sort, Sort::Constraint))
    }

    /// Makes a constraint.
    ///
    /// # Errors
    /// What is wrong with the fields, as a message.
    pub fn make(
        &'static self,
        scene: &Scene<'_>,
        fields: Fields,
    ) -> Result<Arc<dyn Constraint>, String> {
        fields.refuse_wrong(scene, &self.takes)?;
        let means = (self.build)(scene, &fields)?;
        Ok(Arc::new(SourceConstraint { kind: self, fields, means }))
    }
}

impl Problem {
    /// The problem with one more constraint of a kind that files know; constraints of one's own are
    /// [added](Problem::constrained) as they are.
    ///
    /// ```
    /// use edgematch::board::Board;
    /// use edgematch::problem::Problem;
    /// use edgematch::constraints::{FieldValue, Fields};
    /// let problem = Problem::builder("pair")
    ///     .tile("1", ["a+", "b", "b", "c"])
    ///     .tile("2", ["c", "c", "a-", "b"])
    ///     .board(Board::grid(1, 2))
    ///     .build()?;
    /// let pin = Fields::default()
    ///     .with("cell", FieldValue::Cells(vec![0]))
    ///     .with("tile", FieldValue::Tiles(vec![1]))
    ///     .with("rotation", FieldValue::Rotations(vec![0]));
    /// let pinned = problem.with("pin", pin)?;
    /// assert_eq!(edgematch::solve(&pinned).solutions.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Where there is no such kind, it does not have these fields, or they name what is not there.
    pub fn with(self, kind: &str, fields: Fields) -> Result<Problem, ConstraintError> {
        let fail = |reason: String| ConstraintError { kind: kind.to_owned(), reason };
        let known = Kind::named(kind).ok_or_else(|| fail("there is no such kind".into()))?;
        let constraint = known.make(&Scene::new(&self), fields).map_err(fail)?;
        Ok(self.constrained(vec![constraint]))
    }
}

/// The first constraint of a list that pins a cell once more, by its index, and what is wrong with
/// it, as a message: a list pins a cell once.
pub fn second_pin(board: &Board, list: &[Arc<dyn Constraint>]) -> Option<(usize, String)> {
    let mut pinned = HashSet::new();
    let cells = list.iter().map(|constraint| constraint.pinned_cell());
    let mut pins = cells.enumerate().filter_map(|(index, cell)| Some((index, cell?)));
    let (index, cell) = pins.find(|(_, cell)| !pinned.insert(*cell))?;
    let name = &board.cells()[cell].name;
    Some((index, format!("cell {name} is pinned a second time")))
}

/// Why a constraint can't be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("constraint `{kind}`: {reason}")]
#[non_exhaustive]
pub struct ConstraintError {
    /// The kind that was asked for.
    pub kind: String,
    /// What is wrong, as a message.
    pub reason: String,
}

/// Every kind of constraint.
pub const KINDS: &[&Kind] = &[
    &pin::KIND,
    &forbid::KIND,
    &rotations::KIND,
    &region::KIND,
    &adjacent::ADJACENT,
    &adjacent::APART,
    &rim::KIND,
    &count::KIND,
    &linear::KIND,
    &usage::KIND,
    &seam::KIND,
    &line::LOOP,
    &line::PATH,
    &logic::ANY,
    &logic::ALL,
    &logic::NOT,
    &logic::CONDITION,
    &logic::EXACTLY,
    &logic::AT_LEAST,
    &logic::AT_MOST,
];
