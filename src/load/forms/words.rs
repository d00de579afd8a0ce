//! Words of a text with their byte offsets.

use crate::load::Result;
use crate::load::notation::LARGEST;
use crate::load::text::{LONGEST_SIDE, Source};
use crate::puzzle::abbreviate;

/// A word and its byte offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl<'a> Word<'a> {
    /// Its characters as words of one character.
    pub fn characters(self) -> impl Iterator<Item = Word<'a>> {
        self.text.char_indices().map(move |(place, c)| Word {
            text: &self.text[place..place + c.len_utf8()],
            at: self.at + place,
        })
    }
}

/// Reads a number from 0 to [`LARGEST`].
pub(super) fn number(source: &Source<'_>, word: Word<'_>) -> Result<u32> {
    let is_number = !word.text.is_empty() && word.text.bytes().all(|b| b.is_ascii_digit());
    let shown = abbreviate(word.text);
    let message = match word.text.parse() {
        Ok(number) if is_number && number <= LARGEST => return Ok(number),
        _ if is_number => format!("{shown} is too large: at most {LARGEST} is expected"),
        _ => format!("`{shown}` is not a number from 0 to {LARGEST}"),
    };
    Err(source.error_at_byte(word.at, message))
}

/// Reads a number of rows or columns.
pub(super) fn length(source: &Source<'_>, word: Word<'_>) -> Result<usize> {
    let number = number(source, word)?;
    let length = usize::try_from(number).ok().filter(|length| (1..=LONGEST_SIDE).contains(length));
    length.ok_or_else(|| {
        let message =
            format!("{number} is not a number of rows or columns: expected 1 to {LONGEST_SIDE}");
        source.error_at_byte(word.at, message)
    })
}
