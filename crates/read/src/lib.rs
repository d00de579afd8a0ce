//! Reads edge-matching puzzles from photographs of their cards.
//!
//! ```text
//!   photograph ─► cards ─────► sides ────► groups ──► pairs ────► readings
//!   decoded,      found, cut,  strips and  of sides   of groups   ranked; few solutions
//!   rotated       rectified    profiles    alike      that match  are more likely
//! ```
//!
//! Processing is local and uses no trained model: similarity is measured within the photographs
//! themselves.

mod alternatives;
mod card;
mod colour;
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
mod seams;
mod shapes;
mod sides;

use std::ops::ControlFlow;

use edgematch::board::side_of_square;
use edgematch::runtime::limits::{CancelToken, StopReason};
use thiserror::Error;

pub use self::alternatives::MOST_SOLUTIONS;
pub use self::card::Card;
#[cfg(feature = "files")]
pub use self::decode::decode;
pub use self::page::{CORRECTION_SCRIPT, REVIEW_SCRIPT, REVIEW_STYLE};
pub use self::photo::{MOST_PIXELS, Photo, PhotoContent};
pub use self::quad::{Point, Quad};
pub use self::reading::{Reading, Side};

/// The maximum number of cards of a puzzle.
pub const MOST_CARDS: usize = 1_024;

/// The maximum number of images on the cards of a puzzle.
pub const MOST_IMAGES: u16 = 30;

/// The minimum side of a card in the photograph, in pixels.
const SMALLEST: f32 = 16.0;

/// The number of rows and columns in which cards are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GridSize {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
}

impl GridSize {
    /// The size of a single card.
    pub const ONE: GridSize = GridSize { rows: 1, columns: 1 };

    /// The number of cards.
    pub fn cards(self) -> usize {
        self.rows * self.columns
    }

    /// The square with this number of cards; `None` if there are none, or that is not a square
    /// number.
    pub(crate) fn square(cards: usize) -> Option<GridSize> {
        let side = side_of_square(cards).filter(|&side| side > 0)?;
        Some(GridSize { rows: side, columns: side })
    }
}

/// What the edges of the cards show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeKind {
    /// Each edge shows one of two halves of an image.
    Halves,
    /// Each edge shows an image that matches itself.
    Whole,
}

/// Facts about the cards that the user provides; each `None` is determined from the photographs.
#[derive(Debug, Clone, Default)]
pub struct CardFacts {
    /// The rows and columns of the board, or of the cards in the photograph.
    pub size: Option<GridSize>,
    /// The number of images.
    pub images: Option<usize>,
    /// What the edges show; `None` allows a mixture.
    pub kind: Option<EdgeKind>,
    /// The corners of the board in the photograph, whose cards touch each other or have equal gaps.
    /// Used only if there is one photograph.
    pub corners: Option<Quad>,
    /// The outline of each card in the photograph; empty to find them. Used only if there is one
    /// photograph.
    pub cards: Vec<Quad>,
    /// The maximum number of pixels of a photograph; [`MOST_PIXELS`] by default.
    pub most_pixels: Option<u64>,
}

/// The result of reading.
pub type Result<T, E = ReadError> = std::result::Result<T, E>;

/// The reason why photographs cannot be read.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ReadError {
    /// A file is not a photograph, is damaged, or has too many pixels.
    #[error("{name} {what}")]
    Photo {
        /// The photograph.
        name: String,
        /// The rest of the message, such as `is not a JPEG or PNG picture`.
        what: String,
    },
    /// No quadrilaterals that can be cards are found on the ground.
    #[error("{photo}: no cards were found")]
    NoCards {
        /// The photograph.
        photo: String,
    },
    /// The number of cards differs from the expected one.
    #[error("{photo}: {found} cards were found, but {} × {} are expected", expected.rows, expected.columns)]
    Number {
        /// The photograph.
        photo: String,
        /// The number of cards found.
        found: usize,
        /// The expected size.
        expected: GridSize,
    },
    /// The cards do not form a rectangle, and no size is given.
    #[error("{photo}: {found} cards were found, which do not form a rectangle")]
    Uneven {
        /// The photograph.
        photo: String,
        /// The number of cards found.
        found: usize,
    },
    /// The number of photographs of single cards differs from the expected one.
    #[error("{found} photographs of single cards, but {} × {} are expected", expected.rows, expected.columns)]
    Photos {
        /// The number of photographs.
        found: usize,
        /// The expected size.
        expected: GridSize,
    },
    /// The number of photographs of single cards is not a square, and no size is given.
    #[error("{found} photographs of single cards do not form a square")]
    NoSquare {
        /// The number of photographs.
        found: usize,
    },
    /// There are more cards than [`MOST_CARDS`].
    #[error("{found} cards are too many: at most {MOST_CARDS} are read")]
    Many {
        /// The number of cards found or expected.
        found: usize,
    },
    /// The cards are less than 16 pixels wide in the photograph.
    #[error("{photo}: the cards are {pixels} pixels wide, too small to recognise their edges")]
    Small {
        /// The photograph.
        photo: String,
        /// The side of a card in pixels.
        pixels: u32,
    },
    /// A card is cut off by the border of the photograph.
    #[error("{photo}: a card is cut off by the border of the photograph")]
    Cut {
        /// The photograph.
        photo: String,
    },
    /// A card has hardly any contrast compared with the others.
    #[error("card {card} is blank: is it face down?")]
    Blank {
        /// The number of the card, from 1.
        card: usize,
    },
    /// All cards look the same.
    #[error("all cards look the same: are they face down?")]
    Alike,
    /// Sides do not resemble each other enough, or no puzzle can be built.
    #[error("no two sides look alike: these are not the cards of one puzzle")]
    Unlike,
    /// A limit was reached before the cards were read.
    #[error("{0}, before the cards were read")]
    Stopped(StopReason),
}

/// The values in ascending order.
fn sorted(values: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut sorted: Vec<f32> = values.collect();
    sorted.sort_by(f32::total_cmp);
    sorted
}

/// Returns [`ReadError::Stopped`] if the token reports an interrupt or an expired limit.
fn poll(token: &CancelToken<'_>) -> Result<()> {
    match token.check() {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(stop) => Err(ReadError::Stopped(stop)),
    }
}

impl ReadError {
    /// The error for a photograph with more than `most` pixels; `pixels` is its number, `None` if
    /// that is unknown.
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
