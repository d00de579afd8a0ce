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
mod usage;

pub use fields::{Cells, Field, Fields, Scene};

use std::sync::Arc;

use crate::board::Constraint;

/// Makes a constraint of its fields, or says for people why not.
pub type Build = fn(&Scene<'_>, Fields) -> Result<Arc<dyn Constraint>, String>;

/// A kind of constraint.
pub struct Kind {
    /// The name in a file.
    pub name: &'static str,
    /// The fields that it may have.
    pub fields: &'static [Field],
    /// Makes a constraint of what was written.
    pub build: Build,
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
