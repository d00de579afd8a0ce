//! Errors in files: file, line, column, message, the source line with a caret, and help.

use std::fmt;

use thiserror::Error;
use unicode_width::UnicodeWidthStr;

/// A fix for an error that depends on the caller's interface. A front end describes it in its own
/// terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// State the rows and columns of the board.
    Size,
    /// Name the exported model that the numbers of an answer refer to.
    Model,
    /// Read a puzzle from a picture.
    Photograph,
    /// Read each puzzle of a folder.
    EachPuzzle,
}

/// A result of reading.
pub type Result<T, E = LoadError> = std::result::Result<T, E>;

/// An error in an input file, such as a puzzle, constraints, a solution or a proof.
///
/// Displays as one line, `FILE:LINE:COLUMN: message`, without a position if there is none;
/// [`LoadError::render`] adds the source line with a caret and the help.
#[derive(Debug, Clone, Default, PartialEq, Eq, Error)]
pub struct LoadError {
    /// The file name as given by the caller.
    pub file: String,
    /// The line and column, both from 1; columns count characters.
    pub position: Option<(usize, usize)>,
    /// The fault and the expected content.
    pub message: String,
    /// A suggested fix.
    pub help: Option<String>,
    /// A fix that the caller describes, as a continuation of the help.
    pub remedy: Option<Remedy>,
    /// The source line, for the caret.
    pub source_line: Option<Box<str>>,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some((line, column)) = self.position {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.message)
    }
}

impl LoadError {
    /// An error about a file as a whole.
    pub fn whole_file(file: impl fmt::Display, message: String) -> Self {
        LoadError { file: file.to_string(), message, ..LoadError::default() }
    }

    /// Sets the suggested fix, which replaces an earlier one.
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the suggested fix, and a remedy whose description the caller appends to it.
    pub(crate) fn with_remedy(self, remedy: Remedy, help: impl Into<String>) -> Self {
        LoadError { remedy: Some(remedy), ..self.with_help(help) }
    }

    /// Moves the error down by a number of lines, for a text that is part of a larger file.
    pub fn moved_down(mut self, lines: usize) -> Self {
        self.position = self.position.map(|(line, column)| (line + lines, column));
        // The parser mentions a second position in its message.
        const AT: &str = " at line ";
        let mut parts = self.message.split(AT);
        let mut message = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
            let (number, rest) = part.split_at(end);
            let moved = number.parse::<usize>().map(|line| (line + lines).to_string());
            message += &format!("{AT}{}{rest}", moved.unwrap_or_else(|_| number.to_owned()));
        }
        self.message = message;
        self
    }

    /// Formats the error on several lines: the message, the source line with a caret under the
    /// wrong word, and the help.
    pub fn render(&self) -> String {
        let mut text = printable(&self.to_string());
        if let (Some((line, column)), Some(source)) = (self.position, &self.source_line) {
            let number = line.to_string();
            let margin = " ".repeat(number.len());
            let (shown, caret) = excerpt(source, column);
            text += &format!("\n {margin} |\n {number} | {shown}\n {margin} | {caret}");
        }
        if let Some(help) = &self.help {
            text += &format!("\n  help: {}", printable(help));
        }
        text
    }
}

/// The part of a line around a column, and a line with carets under the word that starts there.
fn excerpt(line: &str, column: usize) -> (String, String) {
    const BEFORE: usize = 60;
    const SHOWN: usize = 100;
    let chars: Vec<char> = line.chars().map(|c| if is_unprintable(c) { ' ' } else { c }).collect();
    let at = column.saturating_sub(1).min(chars.len());
    let start = at.saturating_sub(BEFORE);
    let end = (start + SHOWN).min(chars.len());
    let mut shown: String = chars[start..end].iter().collect();
    if end < chars.len() {
        shown.push('…');
    }
    let is_word = |c: &&char| !c.is_whitespace() && !",]}[{".contains(**c);
    let word = chars[at..end].iter().take_while(is_word).count();
    let width = |chars: &[char]| chars.iter().collect::<String>().width();
    let caret =
        " ".repeat(width(&chars[start..at])) + &"^".repeat(width(&chars[at..at + word]).max(1));
    (shown, caret)
}

/// Returns true for characters that can control a terminal: control characters, and those that
/// change the text direction.
pub fn is_unprintable(c: char) -> bool {
    let changes_direction = matches!(
        c,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    changes_direction || c.is_control()
}

/// Replaces [characters that can control a terminal](is_unprintable) by `?`, so that the text is a
/// single line.
pub fn printable(text: &str) -> String {
    text.replace(is_unprintable, "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_the_word() {
        let (shown, caret) = excerpt("  3: [red-, grn*, blu+]", 13);
        assert_eq!(shown, "  3: [red-, grn*, blu+]");
        assert_eq!(caret, "            ^^^^");
    }

    #[test]
    fn all_places_of_an_error_move() {
        let message = "no tuple, while parsing at line 2 column 12".into();
        let error = LoadError { position: Some((3, 1)), ..LoadError::whole_file("f", message) };
        let moved = error.moved_down(15).to_string();
        assert_eq!(moved, "f:18:1: no tuple, while parsing at line 17 column 12");
    }

    #[test]
    fn a_very_long_line_is_cut_around_the_culprit() {
        let line = "x".repeat(10_000);
        let (shown, caret) = excerpt(&line, 5_000);
        assert!(shown.chars().count() <= 101);
        assert!(caret.len() <= 101);
    }

    #[test]
    fn a_column_behind_the_line_is_no_panic() {
        assert_eq!(excerpt("", 1), (String::new(), "^".into()));
        assert_eq!(excerpt("ab", 9).1, "  ^");
    }
}
