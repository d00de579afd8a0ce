//! Words of a text with their places: separated by blanks, commas and semicolons; `#` starts a
//! comment.

use crate::load::Result;
use crate::load::text::{LONGEST_SIDE, Source};
use crate::puzzle::beginning;

/// A word and where it begins, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl<'a> Word<'a> {
    /// Its characters as words.
    pub fn characters(self) -> impl Iterator<Item = Word<'a>> {
        self.text.char_indices().map(move |(place, c)| Word {
            text: &self.text[place..place + c.len_utf8()],
            at: self.at + place,
        })
    }
}

/// The words of each line that has some.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Vec<Word<'_>>> {
    let mut at = 0;
    let lines = text.split('\n').map(move |line| {
        let start = at;
        at += line.len() + 1;
        words(line, start)
    });
    lines.filter(|words| !words.is_empty())
}

fn words(line: &str, start: usize) -> Vec<Word<'_>> {
    let content = line.split('#').next().unwrap_or_default();
    let is_between = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let words = content.split(is_between).filter(|word| !word.is_empty()).map(|text| {
        let at = start + (text.as_ptr() as usize - line.as_ptr() as usize);
        Word { text, at }
    });
    words.collect()
}

/// The largest number of an image, or of a tile.
pub(super) const LARGEST: u32 = 65_535;

/// A number from 0 to [`LARGEST`].
pub(super) fn number(source: &Source<'_>, word: Word<'_>) -> Result<u32> {
    let is_number = !word.text.is_empty() && word.text.bytes().all(|b| b.is_ascii_digit());
    let shown = beginning(word.text);
    match word.text.parse() {
        Ok(number) if is_number && number <= LARGEST => Ok(number),
        _ if is_number => {
            let message = format!("{shown} is too large: at most {LARGEST} is expected");
            Err(source.error_at_byte(word.at, message))
        }
        _ => {
            let message = format!("`{shown}` is not a number from 0 to {LARGEST}");
            Err(source.error_at_byte(word.at, message))
        }
    }
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

/// Four words of a line, the edges of a tile; `form` is what a line looks like.
pub(super) fn four<'a>(
    source: &Source<'_>,
    words: &[Word<'a>],
    form: &str,
) -> Result<[Word<'a>; 4]> {
    <[Word<'a>; 4]>::try_from(words).map_err(|_| {
        let at = words.first().map_or(0, |word| word.at);
        let number = words.len();
        let message = format!("{number} numbers in this line, expected the 4 edges of a tile");
        source.error_at_byte(at, message).with_help(form)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_where_they_begin() {
        let text = "1, 2;3\r\n\n# none\n 44\t5 # rest\n";
        let found: Vec<Vec<(&str, usize)>> = lines(text)
            .map(|words| words.iter().map(|word| (word.text, word.at)).collect())
            .collect();
        let expected = vec![vec![("1", 0), ("2", 3), ("3", 5)], vec![("44", 17), ("5", 20)]];
        assert_eq!(found, expected);
    }
}
