//! The properties of a notation for lists of tiles.

use crate::puzzle::{EdgeName, Half};

/// A function that converts words to edges.
pub(super) type Edges = fn(&[&str]) -> Vec<EdgeName>;

/// A notation for lists of tiles: the settings of the common reader and writer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Notation {
    /// True if the width comes before the height.
    pub columns_first: bool,
    /// True if every word is a tile.
    pub are_packed: bool,
    /// True if images are read as numbers without halves.
    pub are_numbers: bool,
    /// Converts words to edges; by default the first convention that explains all words is used.
    pub edges: Option<Edges>,
    /// Formats the first line, given rows, columns and the largest number.
    pub head: Option<fn([usize; 3]) -> String>,
    /// True if all written images have halves, false if none has.
    pub has_halves: bool,
    /// Returns true for image names that can be written unchanged.
    pub keeps: fn(&str) -> bool,
    /// The written name of the image with an index from 0, if images are renamed.
    pub nth: fn(usize) -> Option<String>,
    /// Formats an edge, given its image and half.
    pub edge: fn(&str, Half) -> String,
    /// The separator of edges.
    pub between: &'static str,
    /// True if the edges may be preceded by the number of the tile.
    pub has_names: bool,
}

impl Notation {
    /// Numbers separated by blanks. The reader accepts any notation.
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

/// The largest number of an image or a tile.
pub(super) const LARGEST: u32 = 65_535;

/// Returns true for a number in canonical decimal form, up to [`LARGEST`].
pub(super) fn is_number(text: &str) -> bool {
    text.parse::<u32>().is_ok_and(|number| number <= LARGEST && number.to_string() == text)
}
