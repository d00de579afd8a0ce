//! The properties of a notation for lists of tiles.

use crate::puzzle::{EdgeName, Half};

/// How one reader and one writer treat a list of tiles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Notation {
    /// True if the width comes before the height.
    pub columns_first: bool,
    /// True if every word is a tile.
    pub are_packed: bool,
    /// True if images are read as numbers without halves.
    pub are_numbers: bool,
    /// The edges that words name; by default those of the first convention that explains all words.
    pub edges: Option<fn(&[&str]) -> Vec<EdgeName>>,
    /// The first line that is written, from rows, columns and the largest number.
    pub head: Option<fn([usize; 3]) -> String>,
    /// True if all written images have halves, false if none has.
    pub has_halves: bool,
    /// Returns true for the names that images keep.
    pub keeps: fn(&str) -> bool,
    /// The written names of images otherwise, from 0 on.
    pub nth: fn(usize) -> Option<String>,
    pub edge: fn(&str, Half) -> String,
    pub between: &'static str,
    /// True if the names of the tiles may be numbers before their edges.
    pub has_names: bool,
}

impl Notation {
    /// Numbers between blanks; read with whatever the text uses.
    pub const ANY: Notation = Notation {
        columns_first: false,
        are_packed: false,
        are_numbers: false,
        edges: None,
        head: None,
        has_halves: true,
        keeps: |image| is_number(image) && image != "0",
        nth: |index| Some((index + 1).to_string()),
        edge: |image, _| image.to_owned(),
        between: " ",
        has_names: false,
    };
}

/// The largest number of an image, or of a tile.
pub(super) const LARGEST: u32 = 65_535;

/// Returns true for a number that is written as Rust writes it.
pub(super) fn is_number(text: &str) -> bool {
    text.parse::<u32>().is_ok_and(|number| number <= LARGEST && number.to_string() == text)
}
