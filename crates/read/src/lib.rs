//! Edge-matching puzzles from photographs of their cards.
//!
//! ```text
//!   photograph ─► cards ─────► sides ────► groups ──► pairs ────► readings
//!   decoded,      found, cut,  strips and  of sides   of halves   those with few solutions
//!   turned        straightened profiles    alike      that join   first
//! ```
//!
//! Nothing leaves the machine, and there is no model that was trained: what is alike is told by the
//! photographs themselves.

mod alternatives;
mod card;
mod contact;
#[cfg(feature = "files")]
mod decode;
mod find;
mod groups;
mod page;
mod pairs;
mod photo;
mod quad;
mod reading;
mod sides;

use std::ops::ControlFlow;

use edgematch::runtime::limits::{CancelToken, StopReason};
use thiserror::Error;

pub use self::alternatives::MOST_SOLUTIONS;
pub use self::card::Card;
#[cfg(feature = "files")]
pub use self::decode::decode;
pub use self::page::{CORRECTION_SCRIPT, REVIEW_SCRIPT, REVIEW_STYLE};
pub use self::photo::{MOST_PIXELS, Photo, Picture};
pub use self::quad::{Point, Quad};
pub use self::reading::{Reading, Side};

/// The most cards that are read.
pub const MOST_CARDS: usize = 1_024;

/// The most images that are told apart.
pub const MOST_IMAGES: u16 = 30;

/// Rows and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Cards below each other.
    pub rows: usize,
    /// Cards beside each other.
    pub columns: usize,
}

impl Size {
    /// One card.
    pub const ONE: Size = Size { rows: 1, columns: 1 };

    /// So many cards.
    pub fn cards(self) -> usize {
        self.rows * self.columns
    }
}

/// What edges show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One of two halves of an image.
    Halves,
    /// An image that matches itself.
    Whole,
}

/// What is known of the cards before they are read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Rows and columns.
    pub size: Option<Size>,
    /// So many images.
    pub images: Option<usize>,
    /// What edges show.
    pub kind: Option<Kind>,
    /// Where the board lies, with cards that touch each other: its corners in the photograph.
    pub corners: Option<Quad>,
    /// Photographs with more pixels are refused; without it those with more than [`MOST_PIXELS`].
    pub most_pixels: Option<u64>,
}

/// A result of reading.
pub type Result<T, E = ReadError> = std::result::Result<T, E>;

/// Why photographs can't be read.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ReadError {
    /// A photograph is none, or too large.
    #[error("{name} {what}")]
    Photo {
        /// The photograph.
        name: String,
        /// What is the matter.
        what: String,
    },
    /// Nothing with four sides lies on the ground.
    #[error("{photo}: no cards are found")]
    NoCards {
        /// The photograph.
        photo: String,
    },
    /// More or fewer cards than there should be.
    #[error("{photo}: {found} cards are found, {} × {} are expected", expected.rows, expected.columns)]
    Number {
        /// The photograph.
        photo: String,
        /// As many were found.
        found: usize,
        /// As many should be there.
        expected: Size,
    },
    /// The cards make no rectangle.
    #[error("{photo}: {found} cards are found, which make no rectangle")]
    Uneven {
        /// The photograph.
        photo: String,
        /// As many were found.
        found: usize,
    },
    /// As many photographs of one card each, but not as many as the puzzle has.
    #[error("{found} photographs of a card each, {} × {} are expected", expected.rows, expected.columns)]
    Photos {
        /// As many were given.
        found: usize,
        /// As many should be there.
        expected: Size,
    },
    /// As many photographs of one card each, which make no square.
    #[error("{found} photographs of a card each make no square")]
    NoSquare {
        /// As many were given.
        found: usize,
    },
    /// More cards than [`MOST_CARDS`].
    #[error("{found} cards are too many: at most {MOST_CARDS} are read")]
    Many {
        /// As many were found, or should be there.
        found: usize,
    },
    /// The cards are too small in the photograph.
    #[error("{photo}: the cards are {pixels} pixels wide, too small to tell what they show")]
    Small {
        /// The photograph.
        photo: String,
        /// The side of a card.
        pixels: u32,
    },
    /// A card lies beyond the border of the photograph.
    #[error("{photo}: a card is cut off by the border of the photograph")]
    Cut {
        /// The photograph.
        photo: String,
    },
    /// A card shows nothing.
    #[error("card {card} shows nothing: does it lie face down?")]
    Blank {
        /// Its number.
        card: usize,
    },
    /// The cards are all the same.
    #[error("the cards all look alike: do they lie face down?")]
    Alike,
    /// Nothing that is on a card is on another one.
    #[error("no side of a card looks like another one: these are no cards of one puzzle")]
    Unlike,
    /// A limit was reached before the cards were read.
    #[error("{0}, before the cards were read")]
    Stopped(StopReason),
}

/// Asks whether to go on.
fn go_on(token: &CancelToken<'_>) -> Result<()> {
    match token.check() {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(stop) => Err(ReadError::Stopped(stop)),
    }
}

impl ReadError {
    /// Rejects a photograph with more than `most` pixels; `pixels` is `None` if nobody counted them.
    pub(crate) fn too_large(name: &str, pixels: Option<u64>, most: u64) -> ReadError {
        let has = pixels.map_or(String::new(), |pixels| {
            format!("has {} million pixels: ", pixels.div_ceil(1_000_000))
        });
        let most = most / 1_000_000;
        ReadError::Photo {
            name: name.to_owned(),
            what: format!("{has}at most {most} million are read; make it smaller"),
        }
    }
}
