//! Reads formulas and proofs in the text formats of DIMACS and DRAT, with one clause per line.

use std::io::{self, BufRead, Read};

use edgematch::load::LoadError;

/// The maximum length of a line, in bytes; longer than any clause of a puzzle.
const LONGEST_LINE: u64 = 1 << 26;

/// A line of a file.
pub(super) struct ProofLine<'a> {
    file: &'a str,
    text: &'a [u8],
    /// The number of the line, from 1.
    pub number: usize,
}

impl<'a> ProofLine<'a> {
    /// The text without surrounding whitespace.
    pub fn words(&self) -> &'a [u8] {
        self.text.trim_ascii()
    }

    /// Parses the literals of a clause and stores them in `clause` in place of its content. `words`
    /// is the part of the line with the literals and the final 0.
    ///
    /// # Errors
    /// If a word is not a number or exceeds `variables`, or the 0 is missing or not last.
    pub fn clause(
        &self,
        words: &[u8],
        variables: i32,
        clause: &mut Vec<i32>,
    ) -> Result<(), LoadError> {
        clause.clear();
        let mut is_ended = false;
        for word in words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            let refuse = |message: &str| {
                let column = word.as_ptr() as usize - self.text.as_ptr() as usize + 1;
                Err(self.error(column, message))
            };
            if is_ended {
                return refuse("found text after the final 0: expected one clause per line");
            }
            let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<i64>().ok());
            match number {
                Some(0) => is_ended = true,
                Some(literal) if literal.unsigned_abs() <= u64::from(variables.unsigned_abs()) => {
                    clause.push(literal as i32);
                }
                Some(_) => return refuse(&format!("the formula has only {variables} variables")),
                None => return refuse("expected a number"),
            }
        }
        if is_ended { Ok(()) } else { Err(self.error(1, "the line does not end with 0")) }
    }

    /// An error at a column of the line, from 1.
    pub fn error(&self, column: usize, message: &str) -> LoadError {
        const LONGEST: usize = 200;
        let text = &self.text[..self.text.len().min(LONGEST)];
        let text = String::from_utf8_lossy(text).trim_end().to_owned();
        let is_shown = column <= text.len();
        LoadError {
            position: Some((self.number, column)),
            source_line: is_shown.then(|| text.into()),
            ..LoadError::whole_file(self.file, message.to_owned())
        }
    }
}

/// Reads the lines of a file, except comments and empty lines.
pub(super) struct Lines<'f, R> {
    text: R,
    file: &'f str,
    line: Vec<u8>,
    number: usize,
}

impl<'f, R: BufRead> Lines<'f, R> {
    /// Reads the lines of a text; `file` is its name in errors.
    pub fn new(text: R, file: &'f str) -> Self {
        Lines { text, file, line: Vec::new(), number: 0 }
    }

    /// Reads the next line that is neither empty nor a comment; `None` at the end of the file.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is longer than [`LONGEST_LINE`].
    pub fn next_line(&mut self) -> Result<Option<ProofLine<'_>>, LoadError> {
        loop {
            self.line.clear();
            let mut text = (&mut self.text).take(LONGEST_LINE);
            let read = text
                .read_until(b'\n', &mut self.line)
                .map_err(|e: io::Error| self.error(format!("it can't be read: {e}")))?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            let number = self.number;
            if self.line.len() as u64 == LONGEST_LINE && self.line.last() != Some(&b'\n') {
                let message = format!("line {number} has more than {LONGEST_LINE} characters");
                return Err(self.error(message));
            }
            let words = self.line.trim_ascii();
            if !words.is_empty() && !words.starts_with(b"c") {
                return Ok(Some(ProofLine { file: self.file, text: &self.line, number }));
            }
        }
    }

    /// An error about the file as a whole.
    pub fn error(&self, message: String) -> LoadError {
        LoadError::whole_file(self.file, message)
    }
}
