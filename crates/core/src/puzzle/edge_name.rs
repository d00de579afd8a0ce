//! Edge names as written in files: `ylw+`, `grey`, `?`.

use std::fmt;

use thiserror::Error;

use super::LONGEST_NAME;

/// The name of an unknown edge, or of an unknown corner of an edge.
pub const UNKNOWN: &str = "?";

/// The half of an image that an edge shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Half {
    /// The half written with `+`.
    Plus,
    /// The half written with `-`.
    Minus,
    /// No half: the image matches itself.
    Whole,
}

impl Half {
    /// The half that matches this one; a whole image matches itself.
    pub fn mate(self) -> Half {
        match self {
            Half::Plus => Half::Minus,
            Half::Minus => Half::Plus,
            Half::Whole => Half::Whole,
        }
    }
}

/// Typographic characters that look like `-` or `+`: hyphens, dashes, the minus sign, full-width
/// signs.
const LOOK_LIKE_SIGNS: [char; 8] = [
    '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}', '\u{ff0b}', '\u{ff0d}',
];

/// The name of an edge: an image, and which half of it the edge shows.
///
/// ```
/// use edgematch::puzzle::{EdgeName, Half};
/// let edge = EdgeName::parse("sea-horse-").unwrap();
/// assert_eq!((edge.image.as_str(), edge.half), ("sea-horse", Half::Minus));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EdgeName {
    /// The image's name without a sign.
    pub image: String,
    /// The half shown.
    pub half: Half,
}

/// The error for a text that is not the name of an edge.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EdgeNameError {
    /// The text, or the part before its sign, is empty.
    #[error("an edge needs the name of an image")]
    Empty,
    /// The image has more than [`LONGEST_NAME`] characters.
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
    /// The sign is at the beginning, as in `+3` instead of `3+`.
    #[error("`{0}` starts with its sign: write the sign of a half after the image, as in `ylw+`")]
    LeadingSign(String),
    /// The text ends in a typographic character that looks like a sign.
    #[error("`{0}` ends in a typographic sign: write the `+` or `-` of a keyboard, as in `ylw-`")]
    TypographicSign(String),
    /// An unknown edge has a sign, as in `?+`.
    #[error("`{0}`: an unknown edge, `?`, has no halves")]
    UnknownHalf(String),
    /// The sign of a pair is neither `+` nor `-`.
    #[error("`{0}` is not a half of an image: a half is `+` or `-`")]
    NoHalf(String),
}

impl EdgeName {
    /// Parses an edge such as `ylw+`, `ylw-` or `grey`, ignoring white space around it. Only the
    /// last character can be a sign.
    ///
    /// # Errors
    /// If the name of the image is empty, too long, starts with a sign, or ends in a character that
    /// only looks like one, or if the unknown edge `?` has a sign.
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

    /// Creates an edge from an image and the sign of a half, which must be `+` or `-`, as in
    /// `['ylw', '+']`.
    ///
    /// # Errors
    /// If the sign is another text, or like [`EdgeName::parse`].
    pub fn from_pair(image: &str, sign: &str) -> Result<Self, EdgeNameError> {
        match sign {
            "+" => EdgeName::new(image, Half::Plus),
            "-" => EdgeName::new(image, Half::Minus),
            other => Err(EdgeNameError::NoHalf(abbreviate(other))),
        }
    }

    /// Creates an edge, after validating the name of the image. Fails like [`EdgeName::parse`].
    pub(super) fn new(image: &str, half: Half) -> Result<Self, EdgeNameError> {
        let image = image.trim();
        let length = image.chars().count();
        if length == 0 {
            return Err(EdgeNameError::Empty);
        }
        if length > LONGEST_NAME {
            return Err(EdgeNameError::TooLong { start: abbreviate(image), length });
        }
        if image.starts_with(['+', '-']) {
            return Err(EdgeNameError::LeadingSign(abbreviate(image)));
        }
        if half == Half::Whole && image.ends_with(LOOK_LIKE_SIGNS) {
            return Err(EdgeNameError::TypographicSign(abbreviate(image)));
        }
        let edge = EdgeName { image: image.to_owned(), half };
        if image == UNKNOWN && half != Half::Whole {
            return Err(EdgeNameError::UnknownHalf(edge.to_string()));
        }
        Ok(edge)
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

/// The text, or its first 24 characters and `…` if it is longer.
pub fn abbreviate(text: &str) -> String {
    const SHOWN: usize = 24;
    let start: String = text.chars().take(SHOWN).collect();
    if start.len() < text.len() { start + "…" } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_character_is_a_sign() {
        let edge = EdgeName::parse("a-b+").unwrap();
        assert_eq!((edge.image.as_str(), edge.half), ("a-b", Half::Plus));
        assert_eq!(EdgeName::parse("+"), Err(EdgeNameError::Empty));
        assert!(matches!(EdgeName::parse("-3"), Err(EdgeNameError::LeadingSign(_))));
        assert!(matches!(EdgeName::parse("red\u{2212}"), Err(EdgeNameError::TypographicSign(_))));
        assert!(EdgeName::parse("red\u{ff0b}").is_err());
    }

    #[test]
    fn spaces_around_an_edge_do_not_hide_its_sign() {
        assert_eq!(EdgeName::parse(" ylw+ "), EdgeName::parse("ylw+"));
        assert_eq!(EdgeName::from_pair(" ylw ", "+"), EdgeName::parse("ylw+"));
    }
}
