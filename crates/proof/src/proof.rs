//! Reads proofs in the text format of DRAT: one clause per line, with `d` before a clause to
//! delete.

use std::io::{self, BufRead, Read};

use edgematch::load::LoadError;

/// The maximum length of a line, in bytes; longer than any clause of a puzzle.
const LONGEST_LINE: u64 = 1 << 26;

/// A line of a file, numbered from 1.
pub(super) struct ProofLine<'a> {
    pub text: &'a [u8],
    pub number: usize,
}

impl ProofLine<'_> {
    /// Parses the literals of a clause into a list; the line ends with 0.
    pub fn clause(
        &self,
        words: &[u8],
        variables: i32,
        file: &str,
        clause: &mut Vec<i32>,
    ) -> Result<(), LoadError> {
        clause.clear();
        let mut is_ended = false;
        for word in words.split(u8::is_ascii_whitespace) {
            if word.is_empty() {
                continue;
            }
            let refuse = |message: &str| {
                let column = word.as_ptr() as usize - self.text.as_ptr() as usize + 1;
                self.error(file, column, message.into())
            };
            if is_ended {
                return Err(refuse("found text after the final 0: expected one clause per line"));
            }
            let number: Option<i64> =
                std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
            match number {
                Some(0) => is_ended = true,
                Some(literal) if literal.unsigned_abs() <= u64::from(variables.unsigned_abs()) => {
                    clause.push(literal as i32);
                }
                Some(_) => {
                    return Err(refuse(&format!("the formula has only {variables} variables")));
                }
                None => return Err(refuse("expected a number")),
            }
        }
        if is_ended { Ok(()) } else { Err(junk(self, file, "the line does not end with 0")) }
    }

    fn error(&self, file: &str, column: usize, message: String) -> LoadError {
        const LONGEST: usize = 200;
        let text = &self.text[..self.text.len().min(LONGEST)];
        let text = String::from_utf8_lossy(text).trim_end().to_owned();
        let is_shown = column <= text.len();
        LoadError {
            position: Some((self.number, column)),
            source_line: is_shown.then(|| text.into()),
            ..LoadError::whole_file(file, message)
        }
    }
}

/// An error at the start of a line.
pub(super) fn junk(line: &ProofLine<'_>, file: &str, message: &str) -> LoadError {
    line.error(file, 1, message.to_owned())
}

/// The lines of a file.
pub(super) struct Lines<'f, R> {
    text: R,
    file: &'f str,
    line: Vec<u8>,
    number: usize,
}

impl<'f, R: BufRead> Lines<'f, R> {
    pub fn new(text: R, file: &'f str) -> Self {
        Lines { text, file, line: Vec::new(), number: 0 }
    }

    /// Reads the next line; `None` at the end of the file.
    pub fn next_line(&mut self) -> Result<Option<ProofLine<'_>>, LoadError> {
        self.line.clear();
        let mut text = (&mut self.text).take(LONGEST_LINE);
        let read = text.read_until(b'\n', &mut self.line);
        let read = read.map_err(|e: io::Error| {
            LoadError::whole_file(self.file, format!("it can't be read: {e}"))
        });
        if read? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.line.len() as u64 == LONGEST_LINE && self.line.last() != Some(&b'\n') {
            let number = self.number;
            let message = format!("line {number} has more than {LONGEST_LINE} characters");
            return Err(self.error(message));
        }
        Ok(Some(ProofLine { text: &self.line, number: self.number }))
    }

    /// An error about the file as a whole.
    pub fn error(&self, message: String) -> LoadError {
        LoadError::whole_file(self.file, message)
    }
}

/// A kind of proof step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepKind {
    /// Add the clause.
    Add,
    /// Delete the clause.
    Delete,
}

/// The steps of a proof.
pub(super) struct Proof<'f, R> {
    lines: Lines<'f, R>,
    variables: i32,
    /// The clause of the current step.
    pub clause: Vec<i32>,
}

impl<'f, R: BufRead> Proof<'f, R> {
    pub fn new(text: R, file: &'f str, variables: i32) -> Self {
        Proof { lines: Lines::new(text, file), variables, clause: Vec::new() }
    }

    /// The number of the current line.
    pub fn line(&self) -> usize {
        self.lines.number
    }

    /// Reads the next step; `None` at the end of the proof.
    pub fn next_step(&mut self) -> Result<Option<StepKind>, LoadError> {
        let file = self.lines.file;
        while let Some(line) = self.lines.next_line()? {
            let words = line.text.trim_ascii();
            if words.is_empty() || words.starts_with(b"c") {
                continue;
            }
            let (step, words) = match words.strip_prefix(b"d ") {
                Some(words) => (StepKind::Delete, words),
                None => (StepKind::Add, words),
            };
            line.clause(words, self.variables, file, &mut self.clause)?;
            return Ok(Some(step));
        }
        Ok(None)
    }
}
