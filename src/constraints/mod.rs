//! Extra constraints: what people ask of an arrangement beside its seams and its border.
//!
//! One file a kind: which fields it has and what it refuses, what it means for an arrangement, and the
//! same in [linear constraints](crate::problem::LinearConstraint), which the searches and the model
//! understand. A new kind is one file and one line in [`KINDS`].

mod adjacent;
mod bounds;
mod count;
mod fields;
mod forbid;
mod linear;
mod need;
mod pattern;
mod pin;
mod region;
mod rim;
mod rotations;
mod seam;
mod stated;
mod usage;

pub use fields::{Cells, FIELDS_OF_TERM, Field, Fields, Fit, LARGEST_BOUND, LARGEST_WEIGHT, Scene};
pub use linear::Expression;
pub use need::{Asks, Choice, Need};

use std::collections::HashSet;
use std::sync::Arc;

use thiserror::Error;

use crate::problem::{Constraint, Problem};
use stated::Stated;

/// Makes a constraint of its fields, or says for people why not.
type Build = fn(&Scene<'_>, Fields) -> Result<Arc<dyn Constraint>, String>;

/// A kind of constraint.
#[derive(Debug)]
pub struct Kind {
    /// The name in a file.
    pub name: &'static str,
    /// What it asks, in a sentence.
    pub what: &'static str,
    /// The fields that it may have.
    pub fields: &'static [Field],
    /// What it cannot do without; each is asked for in this order.
    pub needs: &'static [Need],
    /// Makes a constraint of what was written.
    build: Build,
}

impl Kind {
    /// The kind with this name.
    pub fn named(name: &str) -> Option<&'static Kind> {
        KINDS.into_iter().find(|kind| kind.name == name)
    }

    /// Makes a constraint; `pinned` are the cells that others of its list have pinned.
    ///
    /// # Errors
    /// What is wrong with the fields, for people.
    pub fn make(
        &'static self,
        scene: &Scene<'_>,
        fields: Fields,
        pinned: &mut HashSet<usize>,
    ) -> Result<Arc<dyn Constraint>, String> {
        fields.refuse_unknown(scene, self.fields)?;
        if let Some(need) = self.needs.iter().find(|need| !need.is_met(&fields)) {
            return Err(need.otherwise.into());
        }
        if self.name == pin::KIND.name
            && let Some([cell]) = fields.cells.as_deref()
            && !pinned.insert(*cell)
        {
            let name = &scene.board.cells()[*cell].name;
            return Err(format!("cell {name} is pinned a second time"));
        }
        let means = (self.build)(scene, fields.clone())?;
        Ok(Arc::new(Stated {
            kind: self,
            fields,
            means,
        }))
    }
}

impl Problem {
    /// The problem with one more constraint of a kind that files know; constraints of one's own are
    /// [added](Problem::constrained) as they are.
    ///
    /// ```
    /// use edgematch::board::Board;
    /// use edgematch::problem::Problem;
    /// use edgematch::constraints::Fields;
    /// let problem = Problem::builder("pair")
    ///     .tile("1", ["a+", "b", "b", "c"])
    ///     .tile("2", ["c", "c", "a-", "b"])
    ///     .board(Board::grid(1, 2))
    ///     .build()?;
    /// let pin = Fields {
    ///     cells: Some(vec![0]),
    ///     tiles: Some(vec![1]),
    ///     rotations: Some(vec![0]),
    ///     ..Fields::default()
    /// };
    /// let pinned = problem.with("pin", pin)?;
    /// assert_eq!(edgematch::solve(&pinned).solutions.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Where there is no such kind, it does not have these fields, or they name what is not there.
    pub fn with(self, kind: &str, fields: Fields) -> Result<Problem, ConstraintError> {
        let fail = |reason: String| ConstraintError {
            kind: kind.to_owned(),
            reason,
        };
        let known = Kind::named(kind).ok_or_else(|| fail("there is no such kind".into()))?;
        let scene = Scene {
            puzzle: &self.puzzle,
            board: &self.board,
        };
        let made = known.make(&scene, fields, &mut HashSet::new());
        let constraint = made.map_err(fail)?;
        Ok(self.constrained(vec![constraint]))
    }
}

/// Why a constraint can't be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("constraint `{kind}`: {reason}")]
#[non_exhaustive]
pub struct ConstraintError {
    /// The kind that was asked for.
    pub kind: String,
    /// What is wrong, for people.
    pub reason: String,
}

/// Every kind of constraint.
pub const KINDS: [&Kind; 11] = [
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
];
