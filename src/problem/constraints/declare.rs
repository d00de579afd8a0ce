//! Declarations of constraint kinds: their fields, the types of the values, and required
//! combinations. The reader, the schema and the table in the documentation are derived from them.

/// The range of a whole number.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// The noun for the number in errors.
    pub what: &'static str,
    /// The largest absolute value.
    pub largest: i64,
    /// True if a fractional value is allowed; then all numbers of the constraint are scaled.
    pub scales: bool,
}

/// The range of coefficients. With at most 10^6 cells every sum fits into 64 bits.
const WEIGHT: Range = Range { what: "a weight", largest: 1_000_000_000, scales: true };

/// The range of right-hand sides.
const BOUND: Range = Range { what: "a bound", largest: 1_000_000_000_000_000, scales: false };

/// A field of a constraint.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// The key for a single value: `cell` for `cells`.
    pub singular: Option<&'static str>,
    /// The type of the value.
    pub sort: Sort,
    /// A one-sentence description.
    pub what: &'static str,
}

/// The type of a field's value.
#[derive(Debug, Clone, Copy)]
pub enum Sort {
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
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number.
    Number(Range),
    /// A list of mappings with these fields.
    Terms(&'static Mapping),
    /// Names of placements.
    Placements,
    /// Another constraint.
    Constraint,
    /// A list of other constraints.
    Constraints,
}

impl Sort {
    /// A coefficient of a sum.
    pub const WEIGHT: Sort = Sort::Number(WEIGHT);
    /// A right-hand side.
    pub const BOUND: Sort = Sort::Number(BOUND);

    /// A description of the expected value.
    pub fn in_words(self) -> String {
        match self {
            Sort::Cells => "a cell, a part of the board, or a list of them".to_owned(),
            Sort::Tiles => "the name of a tile, or a list of names".to_owned(),
            Sort::Rotations => "a rotation, or a list of them".to_owned(),
            Sort::Face => "`front` or `back`".to_owned(),
            Sort::Shows => "sides with the edges that they show, such as `{top: red+}`".to_owned(),
            Sort::Sides => "two sides, each of which may be `any`".to_owned(),
            Sort::Image => "an image, or one half of it".to_owned(),
            Sort::Truth => "`true` or `false`".to_owned(),
            Sort::Word(words) => itertools::join(words.iter().map(|w| format!("`{w}`")), " or "),
            Sort::Number(_) => "a whole number".to_owned(),
            Sort::Placements => "the name of a placement, or a list of names".to_owned(),
            Sort::Constraint => "a constraint".to_owned(),
            Sort::Constraints => "a list of constraints".to_owned(),
            Sort::Terms(_) => "a list of patterns, each with its `weight`".to_owned(),
        }
    }
}

impl Field {
    /// Creates a field without a singular key.
    pub(super) const fn new(key: &'static str, sort: Sort, what: &'static str) -> Field {
        Field { key, singular: None, sort, what }
    }

    /// Returns true if `key` is one of its keys.
    pub fn has_key(self, key: &str) -> bool {
        self.keys().any(|own| own == key)
    }

    /// Its keys: the singular one, if any, and the key.
    pub fn keys(self) -> impl Iterator<Item = &'static str> {
        self.singular.into_iter().chain([self.key])
    }
}

/// The allowed fields of a mapping, and the required ones.
#[derive(Debug, Clone, Copy)]
pub struct Mapping {
    /// The allowed fields.
    pub fields: &'static [Field],
    /// The requirements, in the order in which they are checked.
    pub needs: &'static [Need],
}

impl Mapping {
    /// The field with this key.
    pub fn field(&self, key: &str) -> Option<Field> {
        let mut fields = self.fields.iter().copied();
        fields.find(|field| field.has_key(key))
    }
}

/// A required field or combination of fields.
#[derive(Debug)]
pub struct Need {
    /// The condition.
    pub asks: Asks,
    /// The error message if it is not met.
    pub otherwise: &'static str,
}

/// A condition on the fields of a constraint.
#[derive(Debug)]
pub enum Asks {
    /// At least one of these fields is present.
    Any(&'static [Field]),
    /// At least one of these choices applies.
    Either(&'static [FieldCombination]),
    /// The field names two different tiles.
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
