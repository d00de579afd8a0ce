//! The fields of a constraint with their values, after names are resolved.
//!
//! A `build` function reads its fields through the constants that declare them; it never sees YAML.

use std::sync::Arc;

use super::cell_value::CellValue;
use super::declare::{Field, FieldCombination, FieldCondition, Mapping, Requirement};
use crate::problem::Constraint;
use crate::puzzle::{Face, Label};

/// The fields given for a constraint: keys with their values, in the order of the text.
///
/// ```
/// use edgematch::problem::constraints::{FieldValue, Fields};
/// let fields = Fields::default()
///     .with("cell", FieldValue::Cells(vec![4]))
///     .with("rotation", FieldValue::Rotations(vec![0]));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Fields(Vec<(&'static str, FieldValue)>);

/// The value of a field, with names resolved.
#[derive(Debug, Clone)]
pub enum FieldValue {
    /// Indices of cells, ascending.
    Cells(Vec<usize>),
    /// Indices of tiles, in the order of the text.
    Tiles(Vec<usize>),
    /// Rotations in counter-clockwise steps, ascending.
    Rotations(Vec<usize>),
    /// The face that is up.
    Face(Face),
    /// Sides, each with the labels that it may show.
    Shows(Vec<(usize, Vec<Label>)>),
    /// A side of each of two tiles; `None` for any side.
    Sides([Option<usize>; 2]),
    /// The labels of an image or of one half.
    Image(Vec<Label>),
    /// A truth value.
    Truth(bool),
    /// One of the words that the field allows.
    Word(&'static str),
    /// A whole number.
    Number(i64),
    /// Mappings, each with its fields.
    Terms(Vec<Fields>),
    /// A value of each cell.
    CellValue(CellValue),
    /// Lists of cells, in the order of the text.
    Lines(Vec<Vec<usize>>),
    /// Other constraints.
    Constraints(Vec<Arc<dyn Constraint>>),
}

/// The value of a field if it is present and of the given variant of [`FieldValue`]; otherwise
/// `None`.
macro_rules! value {
    ($fields:expr, $field:expr, $kind:ident) => {
        match $fields.value($field) {
            Some(FieldValue::$kind(value)) => Some(value),
            _ => None,
        }
    };
}

impl Fields {
    /// The error message of the first requirement of `mapping` that the fields do not meet; `None`
    /// if they meet all.
    pub fn missing(&self, mapping: &Mapping) -> Option<&'static str> {
        mapping.needs.iter().find(|need| !self.meets(need)).map(|need| need.error)
    }

    /// Returns true if the fields meet a requirement.
    fn meets(&self, need: &Requirement) -> bool {
        let has = |field: &Field| self.has(*field);
        match need.condition {
            FieldCondition::Any(of) => of.iter().any(has),
            FieldCondition::Either(choices) => {
                choices.iter().any(|FieldCombination { with, without }| {
                    with.iter().all(has) && !without.iter().any(has)
                })
            }
            FieldCondition::Two(field) => {
                matches!(self.numbers(field), Some([one, other]) if one != other)
            }
        }
    }

    /// Adds a field at the end.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: FieldValue) -> Fields {
        self.0.push((key, value));
        self
    }

    /// The keys with their values, in the order of the text.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, &FieldValue)> {
        self.0.iter().map(|(key, value)| (*key, value))
    }

    /// Returns true if the field is present under one of its keys.
    pub fn has(&self, field: Field) -> bool {
        self.value(field).is_some()
    }

    /// The value of a field under any of its keys; `None` if it is absent.
    pub(super) fn value(&self, field: Field) -> Option<&FieldValue> {
        let mut all = self.0.iter();
        all.find(|(key, _)| field.has_key(key)).map(|(_, value)| value)
    }

    /// The cells, tiles or rotations of a field; `None` if it is absent or of another type.
    pub(super) fn numbers(&self, field: Field) -> Option<&[usize]> {
        match self.value(field)? {
            FieldValue::Cells(numbers)
            | FieldValue::Tiles(numbers)
            | FieldValue::Rotations(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// The value of a field of type `Face`; `None` if it is
    /// absent.
    pub(super) fn face(&self, field: Field) -> Option<Face> {
        value!(self, field, Face).copied()
    }

    /// The sides and labels of a field; empty if it is absent.
    pub(super) fn shows(&self, field: Field) -> &[(usize, Vec<Label>)] {
        value!(self, field, Shows).map_or(&[], Vec::as_slice)
    }

    /// The sides of two tiles in a field; both `None` if it is absent.
    pub(super) fn sides(&self, field: Field) -> [Option<usize>; 2] {
        value!(self, field, Sides).copied().unwrap_or_default()
    }

    /// The labels of an image in a field; `None` if it is absent.
    pub(super) fn image(&self, field: Field) -> Option<&[Label]> {
        value!(self, field, Image).map(Vec::as_slice)
    }

    /// Returns true if the field is present and `true`.
    pub(super) fn is_true(&self, field: Field) -> bool {
        value!(self, field, Truth).copied().unwrap_or_default()
    }

    /// The word in a field; `None` if it is absent.
    pub(super) fn word(&self, field: Field) -> Option<&'static str> {
        value!(self, field, Word).copied()
    }

    /// The number in a field; `None` if it is absent.
    pub(super) fn number(&self, field: Field) -> Option<i64> {
        value!(self, field, Number).copied()
    }

    /// The value of each cell in a field; `None` if it is absent.
    pub(super) fn cell_value(&self, field: Field) -> Option<&CellValue> {
        value!(self, field, CellValue)
    }

    /// The lines of cells in a field; empty if it is absent.
    pub(super) fn lines(&self, field: Field) -> &[Vec<usize>] {
        value!(self, field, Lines).map_or(&[], Vec::as_slice)
    }

    /// The constraints in a field; empty if it is absent.
    pub(super) fn constraints(&self, field: Field) -> &[Arc<dyn Constraint>] {
        value!(self, field, Constraints).map_or(&[], Vec::as_slice)
    }

    /// The fields of each term in a field; empty if it is absent.
    pub(super) fn terms(&self, field: Field) -> &[Fields] {
        value!(self, field, Terms).map_or(&[], Vec::as_slice)
    }
}
