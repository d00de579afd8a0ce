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
mod usage;

use std::collections::HashSet;
use std::sync::Arc;

pub use self::declare::{Asks, Choice, Field, Mapping, Need, Range, Sort};
pub use self::fields::{FieldValue, Fields};
pub use self::linear::{Expression, NO_TERMS, TERM, TERMS};
pub use self::pattern::{PATTERN, PLACEMENTS};
pub use self::scene::{Cells, Scene};
use crate::board::Board;
use crate::problem::Constraint;

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

    /// Makes a constraint of fields that name what is there.
    ///
    /// # Errors
    /// What is wrong with the fields, as a message.
    pub fn make(&self, scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
        if let Some(missing) = fields.missing(&self.takes) {
            return Err(missing.to_owned());
        }
        (self.build)(scene, fields)
    }
}

/// The first constraint of a list that pins a cell once more, by its index, and what is wrong with
/// it, as a message: a list pins a cell once.
pub fn second_pin<'a>(
    board: &Board,
    list: impl IntoIterator<Item = &'a Arc<dyn Constraint>>,
) -> Option<(usize, String)> {
    let mut pinned = HashSet::new();
    let cells = list.into_iter().map(|constraint| constraint.pinned_cell());
    let mut pins = cells.enumerate().filter_map(|(index, cell)| Some((index, cell?)));
    let (index, cell) = pins.find(|(_, cell)| !pinned.insert(*cell))?;
    let name = &board.cells()[cell].name;
    Some((index, format!("cell {name} is pinned a second time")))
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
