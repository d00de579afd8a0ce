//! Images and labels: what an edge shows, and which label fits which.
//!
//! A [`Label`] is one half of an image (`ylw+`) or a whole one (`grey`). Every label has exactly
//! one mate: the other half, or itself. One image is never both halved and whole.

use std::collections::HashMap;
use std::fmt;

use thiserror::Error;

use super::LONGEST_NAME;

/// What one side of a tile shows; an index into [`Labels`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(u32);

impl Label {
    /// A number from 0 to [`Labels::len`] − 1, for tables indexed by label.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which half of an image an edge shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Half {
    /// The half written with `+`.
    Plus,
    /// The half written with `-`.
    Minus,
    /// No half: the image matches itself.
    Whole,
}

/// Hyphens, dashes, minus and wide signs that people take for `-` and `+`.
const LOOK_LIKE_SIGNS: [char; 8] = [
    '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}', '\u{ff0b}', '\u{ff0d}',
];

/// An edge as it is written: an image and a half.
///
/// ```
/// use edgematch::puzzle::{EdgeName, Half};
/// let edge = EdgeName::parse("sea-horse-").unwrap();
/// assert_eq!((edge.image.as_str(), edge.half), ("sea-horse", Half::Minus));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EdgeName {
    /// The image's name without a sign.
    pub image: String,
    /// The half shown.
    pub half: Half,
}

/// Why a text is not the name of an edge.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EdgeNameError {
    /// Nothing before the sign, or nothing at all.
    #[error("an edge needs the name of an image")]
    Empty,
    /// More than [`LONGEST_NAME`] characters.
    #[error(
        "the image name starting `{start}` has {length} characters, at most {LONGEST_NAME} are \
         allowed"
    )]
    TooLong {
        /// The first few characters.
        start: String,
        /// The number of characters.
        length: usize,
    },
    /// `+3` where `3+` is meant.
    #[error("`{0}` starts with its sign: the sign of a half stands behind the image, as in `ylw+`")]
    LeadingSign(String),
    /// A character that only looks like the plus or minus of the keyboard.
    #[error("`{0}` ends in a typographic sign: write the `+` or `-` of a keyboard, as in `ylw-`")]
    TypographicSign(String),
    /// A sign other than `+` and `-`.
    #[error("`{0}` is not a half of an image: a half is `+` or `-`")]
    NoHalf(String),
}

impl EdgeName {
    /// Reads `ylw+`, `ylw-` or `grey`. Only the last character can be a sign.
    pub fn parse(text: &str) -> Result<Self, EdgeNameError> {
        let text = text.trim();
        let (image, half) = match text.strip_suffix('+') {
            Some(image) => (image, Half::Plus),
            None => match text.strip_suffix('-') {
                Some(image) => (image, Half::Minus),
                None => (text, Half::Whole),
            },
        };
        EdgeName::new(image, half)
    }

    /// Reads an image and its sign given apart, as in `['ylw', '+']`.
    pub fn from_pair(image: &str, sign: &str) -> Result<Self, EdgeNameError> {
        match sign {
            "+" => EdgeName::new(image, Half::Plus),
            "-" => EdgeName::new(image, Half::Minus),
            other => Err(EdgeNameError::NoHalf(beginning(other))),
        }
    }

    pub(super) fn new(image: &str, half: Half) -> Result<Self, EdgeNameError> {
        let image = image.trim();
        let length = image.chars().count();
        if length == 0 {
            return Err(EdgeNameError::Empty);
        }
        if length > LONGEST_NAME {
            return Err(EdgeNameError::TooLong {
                start: beginning(image),
                length,
            });
        }
        if image.starts_with(['+', '-']) {
            return Err(EdgeNameError::LeadingSign(beginning(image)));
        }
        if half == Half::Whole && image.ends_with(LOOK_LIKE_SIGNS) {
            return Err(EdgeNameError::TypographicSign(beginning(image)));
        }
        Ok(EdgeName {
            image: image.to_owned(),
            half,
        })
    }
}

impl fmt::Display for EdgeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.image)?;
        match self.half {
            Half::Plus => f.write_str("+"),
            Half::Minus => f.write_str("-"),
            Half::Whole => Ok(()),
        }
    }
}

/// The first characters of a text that may be very long.
pub(crate) fn beginning(text: &str) -> String {
    const SHOWN: usize = 24;
    let start: String = text.chars().take(SHOWN).collect();
    if start.len() < text.len() {
        start + "…"
    } else {
        start
    }
}

/// An image was written both with and without a sign.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "image `{image}` stands here {here}, but {before} before: one image has halves or has none"
)]
pub struct MixedImageError {
    /// The image.
    pub image: String,
    here: &'static str,
    before: &'static str,
}

/// All labels of a puzzle, their names and mates.
///
/// ```
/// use edgematch::puzzle::{EdgeName, Labels};
/// let mut labels = Labels::default();
/// let plus = labels.add(&EdgeName::parse("ylw+").unwrap()).unwrap();
/// assert_eq!(labels.name(labels.mate(plus)), "ylw-");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Labels {
    edges: Vec<EdgeName>,
    mates: Vec<Label>,
    images: HashMap<String, Label>,
}

impl Labels {
    /// The label of an edge; a new image enters with its two halves or as a whole.
    pub fn add(&mut self, edge: &EdgeName) -> Result<Label, MixedImageError> {
        let first = match self.images.get(&edge.image) {
            Some(&first) => first,
            None => self.enter(edge),
        };
        let is_whole = self.edges[first.index()].half == Half::Whole;
        match edge.half {
            Half::Whole if is_whole => Ok(first),
            Half::Plus if !is_whole => Ok(first),
            Half::Minus if !is_whole => Ok(self.mate(first)),
            Half::Whole => Err(mixed(edge, "without a sign", "with one")),
            _ => Err(mixed(edge, "with a sign", "without one")),
        }
    }

    fn enter(&mut self, edge: &EdgeName) -> Label {
        let first = Label(self.edges.len() as u32);
        let halves: &[Half] = match edge.half {
            Half::Whole => &[Half::Whole],
            _ => &[Half::Plus, Half::Minus],
        };
        for &half in halves {
            let image = edge.image.clone();
            self.edges.push(EdgeName { image, half });
        }
        let last = Label(self.edges.len() as u32 - 1);
        self.mates.push(last);
        if last != first {
            self.mates.push(first);
        }
        self.images.insert(edge.image.clone(), first);
        first
    }

    /// The label that fits against this one; itself for a whole image.
    pub fn mate(&self, label: Label) -> Label {
        self.mates[label.index()]
    }

    /// The label as it is written, `ylw+`.
    pub fn name(&self, label: Label) -> String {
        self.edges[label.index()].to_string()
    }

    /// The image and half of a label.
    pub fn edge(&self, label: Label) -> &EdgeName {
        &self.edges[label.index()]
    }

    /// Number of labels; an image with halves has two.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether no image has been seen.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Every label, images in the order in which they were met.
    pub fn all(&self) -> impl Iterator<Item = Label> + use<> {
        (0..self.edges.len() as u32).map(Label)
    }

    /// The first label of each image: its `+`, or the whole image.
    pub fn firsts(&self) -> impl Iterator<Item = Label> + '_ {
        self.all().filter(|&label| label <= self.mate(label))
    }

    /// Number of images.
    pub fn images(&self) -> usize {
        self.images.len()
    }

    /// Number of images that have halves.
    pub fn halved_images(&self) -> usize {
        self.edges.iter().filter(|e| e.half == Half::Plus).count()
    }
}

fn mixed(edge: &EdgeName, here: &'static str, before: &'static str) -> MixedImageError {
    MixedImageError {
        image: edge.image.clone(),
        here,
        before,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_character_is_a_sign() {
        let edge = EdgeName::parse("a-b+").unwrap();
        assert_eq!((edge.image.as_str(), edge.half), ("a-b", Half::Plus));
        assert_eq!(EdgeName::parse("+"), Err(EdgeNameError::Empty));
        assert!(matches!(
            EdgeName::parse("-3"),
            Err(EdgeNameError::LeadingSign(_))
        ));
        assert!(matches!(
            EdgeName::parse("red\u{2212}"),
            Err(EdgeNameError::TypographicSign(_))
        ));
        assert!(EdgeName::parse("red\u{ff0b}").is_err());
    }

    #[test]
    fn spaces_around_an_edge_do_not_hide_its_sign() {
        assert_eq!(EdgeName::parse(" ylw+ "), EdgeName::parse("ylw+"));
        assert_eq!(EdgeName::from_pair(" ylw ", "+"), EdgeName::parse("ylw+"));
    }

    #[test]
    fn halves_are_mates_and_a_whole_image_is_its_own() {
        let mut labels = Labels::default();
        let minus = labels.add(&EdgeName::parse("a-").unwrap()).unwrap();
        let grey = labels.add(&EdgeName::parse("grey").unwrap()).unwrap();
        assert_eq!(labels.name(labels.mate(minus)), "a+");
        assert_eq!(labels.mate(labels.mate(minus)), minus);
        assert_eq!(labels.mate(grey), grey);
        assert_eq!((labels.images(), labels.halved_images()), (2, 1));
    }

    #[test]
    fn an_image_is_never_both_halved_and_whole() {
        let mut labels = Labels::default();
        labels.add(&EdgeName::parse("a-").unwrap()).unwrap();
        assert!(labels.add(&EdgeName::parse("a").unwrap()).is_err());
        labels.add(&EdgeName::parse("b").unwrap()).unwrap();
        assert!(labels.add(&EdgeName::parse("b+").unwrap()).is_err());
    }
}
