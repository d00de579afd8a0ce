//! What kinds declare: fields with their keys, what stands behind them and what a kind cannot do
//! without. The reader, the schema and the table in the documentation follow from it.

/// What a whole number may be.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// What errors call the number.
    pub what: &'static str,
    /// The largest, up and down.
    pub largest: i64,
    /// Whether all numbers of the constraint may be multiplied, where this one is not whole.
    pub scales: bool,
}

/// A factor of a sum. With at most 10^6 cells no sum leaves 64 bits.
const WEIGHT: Range = Range { what: "a weight", largest: 1_000_000_000, scales: true };

/// What a sum is held against.
const BOUND: Range = Range { what: "a bound", largest: 1_000_000_000_000_000, scales: false };

/// A key of a constraint, with what stands behind it.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// The key where there is one alone: `cell` for `cells`.
    pub singular: Option<&'static str>,
    /// What stands behind the key.
    pub sort: Sort,
    /// What it means, in a sentence.
    pub what: &'static str,
}

/// What stands behind a key.
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
    /// A factor of a sum.
    pub const WEIGHT: Sort = Sort::Number(WEIGHT);
    /// What a sum is held against.
    pub const BOUND: Sort = Sort::Number(BOUND);

    /// What stands behind the key, in words.
    pub fn in_words(self) -> String {
        match self {
            Sort::Cells => "a cell, a part of the board, or a list of them".to_owned(),
            Sort::Tiles => "the name of a tile, or a list of names".to_owned(),
            Sort::Rotations => "a rotation, or a list of them".to_owned(),
            Sort::Face => "`front` or `back`".to_owned(),
            Sort::Shows => "sides with what they show, such as `{top: red+}`".to_owned(),
            Sort::Sides => "two sides, each of which may be `any`".to_owned(),
            Sort::Image => "an image, or one half of it".to_owned(),
            Sort::Truth => "`true` or `false`".to_owned(),
            Sort::Word(words) => itertools::join(words.iter().map(|w| format!("`{w}`")), " or "),
            Sort::Number(_) => "a whole number".to_owned(),
            Sort::Placements => "the name of placements, or a list of names".to_owned(),
            Sort::Constraint => "a constraint".to_owned(),
            Sort::Constraints => "a list of constraints".to_owned(),
            Sort::Terms(_) => "a list of patterns, each with its `weight`".to_owned(),
        }
    }
}

impl Field {
    /// A field with one key.
    pub(super) const fn new(key: &'static str, sort: Sort, what: &'static str) -> Field {
        Field { key, singular: None, sort, what }
    }

    /// Whether it has this key.
    pub fn has_key(self, key: &str) -> bool {
        self.keys().any(|own| own == key)
    }

    /// Its keys.
    pub fn keys(self) -> impl Iterator<Item = &'static str> {
        self.singular.into_iter().chain([self.key])
    }
}

/// What may stand in a mapping, and what must.
#[derive(Debug, Clone, Copy)]
pub struct Mapping {
    /// The fields that it may have.
    pub fields: &'static [Field],
    /// What it cannot do without; each is asked for in this order.
    pub needs: &'static [Need],
}

impl Mapping {
    /// The field with this key.
    pub fn field(&self, key: &str) -> Option<Field> {
        let mut fields = self.fields.iter().copied();
        fields.find(|field| field.has_key(key))
    }
}

/// Something that a kind cannot do without.
#[derive(Debug)]
pub struct Need {
    /// What is asked for.
    pub asks: Asks,
    /// What is said where it is not there, as a message.
    pub otherwise: &'static str,
}

/// What is asked of the fields of a constraint.
#[derive(Debug)]
pub enum Asks {
    /// One of these fields at least.
    Any(&'static [Field]),
    /// The fields of one of these choices.
    Either(&'static [Choice]),
    /// Two tiles behind this field, and not the same one.
    Two(Field),
}

/// Fields that go together, and those that do not go with them.
#[derive(Debug)]
pub struct Choice {
    /// All of these are there.
    pub with: &'static [Field],
    /// None of these is.
    pub without: &'static [Field],
}
