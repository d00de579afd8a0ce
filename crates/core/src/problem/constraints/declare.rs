//! Declarations of the fields of constraints: keys, types of the values, and required combinations.
//! The reader, the schema and the table in the documentation are derived from them.

/// The range of a number in a field.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// The noun for the number in errors, with its article.
    pub what: &'static str,
    /// The largest absolute value.
    pub largest: i64,
    /// True if the number may have up to nine decimals. The reader then multiplies all numbers of
    /// the constraint by the power of ten that makes them whole.
    pub scales: bool,
}

/// The largest absolute value of a coefficient. With at most 10^6 cells every sum fits into 64 bits.
pub(super) const LARGEST_WEIGHT: i64 = 1_000_000_000;

/// The range of coefficients.
pub const WEIGHT: Range = Range { what: "a weight", largest: LARGEST_WEIGHT, scales: true };

/// The range of bounds.
const BOUND: Range = Range { what: "a bound", largest: 1_000_000_000_000_000, scales: false };

/// A field of a constraint.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The key in files.
    pub key: &'static str,
    /// The alternative key for a single value, such as `cell` for `cells`.
    pub singular: Option<&'static str>,
    /// The type of the value.
    pub field_type: FieldType,
    /// A one-sentence description.
    pub what: &'static str,
}

/// The type of a field's value.
#[derive(Debug, Clone, Copy)]
pub enum FieldType {
    /// One or several cells, or parts of the board.
    Cells,
    /// Names of tiles.
    Tiles,
    /// Rotations, in counter-clockwise steps.
    Rotations,
    /// `front` or `back`.
    Face,
    /// Sides, each with the edge that it shows.
    Shows,
    /// A side of each of two tiles, or `any`.
    Sides,
    /// An image, or one half of it.
    Image,
    /// `true` or `false`.
    Truth,
    /// One of the given words.
    Word(&'static [&'static str]),
    /// A number in a range.
    Number(Range),
    /// A list of mappings with these fields.
    Terms(&'static Mapping),
    /// Names of placements.
    Placements,
    /// A value of each cell, such as the rotation of its tile.
    CellValue,
    /// Two or more lists of cells, whose order matters.
    Lines,
    /// Another constraint.
    Constraint,
    /// A list of other constraints.
    Constraints,
}

impl FieldType {
    /// The type of a coefficient of a sum.
    pub const WEIGHT: FieldType = FieldType::Number(WEIGHT);
    /// The type of a bound of a sum.
    pub const BOUND: FieldType = FieldType::Number(BOUND);
}

impl Field {
    /// Creates a field without a singular key.
    pub(super) const fn new(key: &'static str, field_type: FieldType, what: &'static str) -> Field {
        Field { key, singular: None, field_type, what }
    }

    /// Returns true if `key` is one of its keys.
    pub fn has_key(self, key: &str) -> bool {
        self.keys().any(|own| own == key)
    }

    /// Its keys: the singular one, if there is one, then the usual one.
    pub fn keys(self) -> impl Iterator<Item = &'static str> {
        self.singular.into_iter().chain([self.key])
    }
}

/// The allowed fields of a mapping, and the required ones.
#[derive(Debug, Clone, Copy)]
pub struct Mapping {
    /// The allowed fields.
    pub fields: &'static [Field],
    /// The required combinations, in the order in which they are checked.
    pub needs: &'static [Requirement],
}

impl Mapping {
    /// The allowed field with this key or singular key; `None` if there is none.
    pub fn field(&self, key: &str) -> Option<Field> {
        let mut fields = self.fields.iter().copied();
        fields.find(|field| field.has_key(key))
    }

    /// The keys of all fields, plural and singular.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> + use<'_> {
        self.fields.iter().flat_map(|field| field.keys())
    }
}

/// A required field or combination of fields.
#[derive(Debug)]
pub struct Requirement {
    /// The condition.
    pub condition: FieldCondition,
    /// The error message if it is not met.
    pub error: &'static str,
}

impl Requirement {
    /// Requires at least one of these fields.
    pub(super) const fn any(fields: &'static [Field], error: &'static str) -> Requirement {
        Requirement { condition: FieldCondition::Any(fields), error }
    }

    /// Requires at least one of these combinations.
    pub(super) const fn either(
        choices: &'static [FieldCombination],
        error: &'static str,
    ) -> Requirement {
        Requirement { condition: FieldCondition::Either(choices), error }
    }

    /// Requires two different tiles in a field.
    pub(super) const fn two(field: Field, error: &'static str) -> Requirement {
        Requirement { condition: FieldCondition::Two(field), error }
    }
}

/// A condition on the fields of a constraint.
#[derive(Debug)]
pub enum FieldCondition {
    /// At least one of these fields is present.
    Any(&'static [Field]),
    /// At least one of these combinations is given.
    Either(&'static [FieldCombination]),
    /// The field has exactly two different tiles.
    Two(Field),
}

/// A combination of fields.
#[derive(Debug)]
pub struct FieldCombination {
    /// Fields that must all be present.
    pub with: &'static [Field],
    /// Fields that must all be absent.
    pub without: &'static [Field],
}
