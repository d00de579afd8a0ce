//! What a kind cannot do without, said once: a file that lacks it is refused, and the schema tells
//! editors.

use super::fields::{Field, Fields};

/// Something that a kind cannot do without.
#[derive(Debug)]
pub struct Need {
    /// What is asked for.
    pub asks: Asks,
    /// What is said where it is not there, for people.
    pub otherwise: &'static str,
}

/// What is asked of the fields of a constraint.
#[derive(Debug)]
pub enum Asks {
    /// One of these fields at least.
    Any(&'static [Field]),
    /// The fields of one of these choices.
    Either(&'static [Choice]),
    /// Two tiles, and not the same one.
    TwoTiles,
}

/// Fields that go together, and those that do not go with them.
#[derive(Debug)]
pub struct Choice {
    /// All of these are there.
    pub with: &'static [Field],
    /// None of these is.
    pub without: &'static [Field],
}

impl Need {
    /// Whether the fields have what is asked for.
    pub(super) fn is_met(&self, fields: &Fields) -> bool {
        let has = |field: &Field| fields.has(*field);
        match self.asks {
            Asks::Any(of) => of.iter().any(has),
            Asks::Either(choices) => choices
                .iter()
                .any(|Choice { with, without }| with.iter().all(has) && !without.iter().any(has)),
            Asks::TwoTiles => {
                matches!(fields.tiles.as_deref(), Some([one, other]) if one != other)
            }
        }
    }
}
