//! A YAML text with its tree, so that errors of nodes and of the parser can be located in the text.

use super::tree::{Node, ReadError};
use super::walk;
use crate::load::error::{LoadError, Result};
use crate::load::text::Source;

/// The single document of a text.
pub(in crate::load) struct Document<'a> {
    source: &'a Source<'a>,
    pub root: Node,
}

impl<'a> Document<'a> {
    /// Parses the text; `example` is the help of errors about the text as a whole.
    ///
    /// # Errors
    /// If the text is empty, is not YAML, is nested too deeply, or contains several documents.
    pub fn read(source: &'a Source<'a>, example: &str) -> Result<Document<'a>> {
        refuse_deep_nesting(source).map_err(|e| e.with_help(example))?;
        let is_blank = |l: &str| l.trim().is_empty() || l.trim_start().starts_with('#');
        if source.text.lines().all(is_blank) {
            let message = match source.text.trim() {
                "" => "the file is empty",
                _ => "the file holds nothing but comments",
            };
            return Err(source.error(message.into()).with_help(example));
        }
        let (root, has_more) = walk::read(source.text).map_err(|e| syntax_error(source, &e))?;
        if has_more {
            return Err(another_document(source));
        }
        Ok(Document { source, root })
    }

    /// Converts the error of a node to an error with a position.
    pub fn at(&self, error: ReadError) -> LoadError {
        let place = walk::failure_at(self.source.text, &error).and_then(|e| e.location());
        let message = shortened(&error.message);
        let placed = match place {
            Some(place) => self.source.error_at(place.line(), place.column(), message),
            None => self.source.error(message),
        };
        LoadError { help: error.help, ..placed }
    }

    /// An error at a key of the root mapping, or about the whole text if the key is missing.
    pub fn at_key(&self, key: &str, message: String) -> LoadError {
        match self.root.key(key) {
            Some(node) => self.at(node.error(message)),
            None => self.source.error(message),
        }
    }

    /// Converts the error of a node in a result.
    pub fn check<T>(&self, result: Result<T, ReadError>) -> Result<T> {
        result.map_err(|error| self.at(error))
    }
}

/// Rejects deep nesting, because the time of the YAML scanner is quadratic in the depth. No puzzle
/// nests more than ten levels.
fn refuse_deep_nesting(source: &Source<'_>) -> Result<()> {
    const DEEPEST: usize = 1000;
    let mut depth = 0usize;
    let deepest = source.text.find(|c| {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > DEEPEST
    });
    let message = || format!("more than {DEEPEST} brackets inside each other");
    deepest.map_or(Ok(()), |at| Err(source.error_at_byte(at, message())))
}

/// The error for a text with several YAML documents, at the start of the second one.
fn another_document(source: &Source<'_>) -> LoadError {
    let is_content = |l: &str| !l.trim().is_empty() && !l.starts_with(['#', '%']);
    let content = source.text.lines().zip(1..).filter(|(l, _)| is_content(l));
    let mut marks = content.skip(1).filter(|(l, _)| l.starts_with("---") || l.starts_with("..."));
    let message = "a second document starts here: a file holds one".to_owned();
    let error = match marks.next() {
        Some((_, line)) => source.error_at(line, 1, message),
        None => source.error(message),
    };
    error.with_help("split the file at its `---` lines")
}

/// The parser's message for a tab in an indentation, among other errors.
const NO_TOKEN: &str = "found character that cannot start any token";

/// Converts a syntax error; removes the position that `serde_yaml` writes into its message.
fn syntax_error(source: &Source<'_>, error: &serde_yaml::Error) -> LoadError {
    let message = error.to_string();
    let is_refused = |c: char| c.is_control() && !"\t\n\r\u{85}".contains(c);
    if message.starts_with("control characters")
        && let Some((at, found)) = source.text.char_indices().find(|(_, c)| is_refused(*c))
    {
        let message = format!("the character U+{:04X}, which YAML does not allow", found as u32);
        let help = format!("remove it, or write it as `\\x{:02X}` in double quotes", found as u32);
        return source.error_at_byte(at, message).with_help(help);
    }
    let Some(place) = error.location() else {
        return source.error(in_plain_words(&message));
    };
    let (line, column) = (place.line(), place.column());
    let message = message.replace(&format!(" at line {line} column {column}"), "");
    let error = source.error_at(line, column, in_plain_words(&message));
    let line = error.source_line.as_deref().unwrap_or_default();
    let is_tab = message.starts_with(NO_TOKEN) && line.trim_start_matches(' ').starts_with('\t');
    if is_tab {
        let message = "this line is indented with a tab, which YAML does not allow".to_owned();
        LoadError { message, ..error }.with_help("indent with spaces")
    } else if has_bare_question_mark(line) {
        error.with_help("write an unknown edge in quotes: \"?\"")
    } else {
        error
    }
}

/// Returns true if a list contains a bare `?`, which YAML takes for the start of a key.
fn has_bare_question_mark(line: &str) -> bool {
    line.match_indices('?').map(|(at, _)| at).any(|at| {
        let before = line[..at].trim_end();
        before.ends_with(['[', ',']) && line[at + 1..].trim_start().starts_with([',', ']'])
    })
}

/// Replaces technical messages about excessive texts by plain ones.
fn in_plain_words(message: &str) -> String {
    if let Some((_, most)) = message.split_once(", expected no more than ") {
        return format!("more than {most}, which no puzzle has");
    }
    if message.ends_with("repetition limit exceeded") {
        return "aliases that say far more than any puzzle holds".to_owned();
    }
    match message {
        "recursion limit exceeded" => "too many values inside each other".to_owned(),
        message => shortened(message),
    }
}

/// Truncates a message, which may quote much of a file.
fn shortened(message: &str) -> String {
    const LONGEST: usize = 300;
    match message.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}
