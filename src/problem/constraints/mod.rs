//! The constraints available in puzzle files, beyond seams and border.
//!
//! Each kind has one file with its fields and validation, its check of an arrangement, and its
//! [linear constraints](crate::problem::LinearConstraint) for searches and models. A new kind is
//! one file and one line in [`KINDS`].

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
mod usage;

use std::collections::HashSet;
use std::sync::Arc;

pub use self::declare::{Asks, Field, FieldCombination, Mapping, Need, Range, Sort};
pub use self::fields::{FieldValue, Fields};
pub use self::linear::{Expression, NO_TERMS, TERM, TERMS};
pub use self::pattern::{PATTERN, PLACEMENTS};
pub use self::scene::{Cells, Scene};
use crate::board::Board;
use crate::problem::Constraint;

/// Builds a constraint from its fields, or returns an error message.
type Build = fn(&Scene<'_>, &Fields) -> Result<Arc<dyn Constraint>, String>;

/// A kind of constraint.
#[derive(Debug)]
pub struct Kind {
    /// The name in files.
    pub name: &'static str,
    /// A one-sentence description.
    pub what: &'static str,
    /// The fields that it allows, and those that it requires.
    pub takes: Mapping,
    /// The field whose value may be written instead of a mapping: `rotations: [0, 2]`.
    pub shorthand: Option<Field>,
    /// Builds a constraint from its fields.
    build: Build,
}

impl Kind {
    /// The kind with this name.
    pub fn named(name: &str) -> Option<&'static Kind> {
        KINDS.iter().copied().find(|kind| kind.name == name)
    }

    /// Returns true if the fields are written directly in the list item, one of them under the name
    /// of the kind (`if`).
    pub fn is_spread(&self) -> bool {
        let field = self.takes.field(self.name);
        field.is_some_and(|field| matches!(field.sort, Sort::Constraint))
    }

    /// Builds a constraint from fields with resolved names.
    ///
    /// # Errors
    /// If a requirement is not met or a field is invalid, as a message.
    pub fn make(&self, scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
        if let Some(missing) = fields.missing(&self.takes) {
            return Err(missing.to_owned());
        }
        (self.build)(scene, fields)
    }
}

/// Finds the first constraint of a list that pins a cell already pinned; returns its index and an
/// error message.
pub fn second_pin<'a>(
    board: &Board,
    list: impl IntoIterator<Item = &'a Arc<dyn Constraint>>,
) -> Option<(usize, String)> {
    let mut pinned = HashSet::new();
    let cells = list.into_iter().map(|constraint| constraint.pinned_cell());
    let mut pins = cells.enumerate().filter_map(|(index, cell)| Some((index, cell?)));
    let (index, cell) = pins.find(|(_, cell)| !pinned.insert(*cell))?;
    let name = &board.cells()[cell].name;
    Some((index, format!("cell {name} is pinned twice")))
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
