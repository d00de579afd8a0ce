//! Extra constraints: what people ask of an arrangement beside its seams and its border.
//!
//! One file a kind: which fields it has and what it refuses, what it means for an arrangement, and
//! the same in [`Sum`](crate::board::Sum)s, which the searches and the model understand. A new kind is one file and one
//! line in [`KINDS`].

mod adjacent;
mod bounds;
mod count;
mod fields;
mod forbid;
mod linear;
mod pattern;
mod pin;
mod region;
mod rim;
mod rotations;
mod seam;
mod stated;
mod usage;

pub use fields::{Cells, Field, Fields, Fit, Scene};
pub use linear::Expression;

use std::collections::HashSet;
use std::sync::Arc;

use crate::board::Constraint;
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

/// The fields of a term of an expression.
pub const FIELDS_OF_TERM: &[Field] = &[
    Field::Weight,
    Field::Cells,
    Field::Tiles,
    Field::Rotations,
    Field::Face,
    Field::Shows,
];

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
