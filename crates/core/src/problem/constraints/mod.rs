//! The constraints of puzzle files, in addition to matching seams and the border.
//!
//! Each kind of constraint is a file with its fields and validation, its check of an arrangement,
//! and its [linear constraints](crate::problem::LinearConstraint) for searches and models. A new
//! kind is one file and one line in [`KINDS`].

mod adjacent;
mod alike;
mod bounds;
mod cell_value;
mod connected;
mod count;
mod declare;
mod fields;
mod forbid;
mod lex;
mod line;
mod linear;
mod logic;
mod net;
mod order;
mod pattern;
mod pin;
mod region;
mod rim;
mod rotations;
mod scene;
mod seam;
mod soft;
mod sum;
mod usage;

use std::collections::HashSet;
use std::sync::Arc;

pub use self::cell_value::{CellValue, OF};
pub use self::declare::{
    Field, FieldCombination, FieldCondition, FieldType, Mapping, Range, Requirement, WEIGHT,
};
pub use self::fields::{FieldValue, Fields};
pub use self::linear::{Expression, NO_TERMS, TERM, TERMS};
pub use self::logic::all_of;
pub use self::pattern::{PATTERN, PLACEMENTS};
pub use self::scene::{Scene, WrittenCells};
pub(crate) use self::soft::CostLimit;
pub use self::soft::{check_total, cost, soft};
use crate::board::Board;
use crate::problem::Constraint;

/// A function that builds a constraint from its fields, or returns an error message.
type Build = fn(&Scene<'_>, &Fields) -> Result<Arc<dyn Constraint>, String>;

/// A kind of constraint, such as `pin`.
#[derive(Debug)]
pub struct ConstraintKind {
    /// The name in files.
    pub name: &'static str,
    /// A one-sentence description.
    pub what: &'static str,
    /// The fields that it allows, and those that it requires.
    pub takes: Mapping,
    /// The field whose value may be written instead of a mapping, as in `rotations: [0, 2]`; `None`
    /// if a mapping is required.
    pub shorthand: Option<Field>,
    /// Builds a constraint from its fields.
    build: Build,
}

impl ConstraintKind {
    /// Creates a kind of constraint that is always written as a mapping.
    const fn new(name: &'static str, what: &'static str, takes: Mapping, build: Build) -> Self {
        ConstraintKind { name, what, takes, shorthand: None, build }
    }

    /// The same kind, which may be written as the value of this field alone.
    const fn or_just(self, field: Field) -> Self {
        ConstraintKind { shorthand: Some(field), ..self }
    }

    /// The kind with this name in files; `None` if there is none.
    pub fn named(name: &str) -> Option<&'static ConstraintKind> {
        KINDS.iter().copied().find(|kind| kind.name == name)
    }

    /// Returns true if the name of the kind is itself the key of a field (`if`), so that all fields
    /// are keys of the list item instead of a nested mapping.
    pub fn is_spread(&self) -> bool {
        let field = self.takes.field(self.name);
        field.is_some_and(|field| matches!(field.field_type, FieldType::Constraint))
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

/// The index of the first constraint of a list that pins a cell which an earlier one pins, and an
/// error message; `None` if there is none.
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

/// Returns true for the name of a kind of constraint or of a field.
pub fn is_key(name: &str) -> bool {
    let mappings = KINDS.iter().map(|kind| &kind.takes).chain([&TERM]);
    mappings.flat_map(Mapping::keys).any(|key| key == name) || ConstraintKind::named(name).is_some()
}

/// Every kind of constraint, in the order of the documentation.
pub const KINDS: &[&ConstraintKind] = &[
    &pin::KIND,
    &forbid::KIND,
    &rotations::KIND,
    &region::KIND,
    &adjacent::ADJACENT,
    &adjacent::APART,
    &rim::KIND,
    &count::KIND,
    &linear::KIND,
    &sum::KIND,
    &alike::DIFFERENT,
    &alike::EQUAL,
    &lex::KIND,
    &order::LEFT_OF,
    &order::ABOVE,
    &usage::KIND,
    &seam::KIND,
    &line::LOOP,
    &line::PATH,
    &net::ACYCLIC,
    &net::TREE,
    &connected::KIND,
    &logic::ANY,
    &logic::ALL,
    &logic::NOT,
    &logic::CONDITION,
    &logic::EXACTLY,
    &logic::AT_LEAST,
    &logic::AT_MOST,
];
