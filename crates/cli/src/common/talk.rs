//! Messages on standard error, answers on standard output, and properties of the terminal.
//!
//! Names in messages come from untrusted files, so control characters and line breaks are escaped.

use std::io::{self, IsTerminal, Write};

use edgematch::load::{LoadError, printable};
use edgematch::problem::Problem;
use edgematch_draw::Ink;
use edgematch_report::WithRemarks;
use serde::Serialize;

use crate::args::{Color, When};

/// Prints a line on standard error, with control characters escaped. Failures are ignored: the
/// answer is the exit code and standard output.
pub fn say(line: &str) {
    let _ = io::stderr().write_all((printable(line) + "\n").as_bytes());
}

/// Prints a line on standard error unless `is_quiet`.
pub fn note(is_quiet: bool, line: &str) {
    if !is_quiet {
        say(line);
    }
}

/// Prints what is wrong with a file on standard error, with the offending line and help; `kind` is
/// "error" or "warning".
pub fn say_of_file(kind: &str, error: &LoadError) {
    for line in format!("{kind}: {}", error.render()).split('\n') {
        say(line);
    }
}

/// Prints an answer on standard output and flushes it.
pub fn print(answer: impl AsRef<[u8]>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(answer.as_ref())?;
    out.flush()
}

/// Prints an answer about a puzzle on standard output as a JSON object on one line, with what the
/// reader assumed and the warnings about the puzzle.
pub fn print_json(answer: impl Serialize, problem: &Problem) -> io::Result<()> {
    print(serde_json::to_string(&WithRemarks::new(answer, problem))? + "\n")
}

/// Writes a line with control characters escaped.
pub fn write_line(out: &mut dyn Write, line: &str) -> io::Result<()> {
    writeln!(out, "{}", printable(line))
}

/// Quotes an argument for a POSIX shell if it contains special characters.
pub fn quoted(value: &str) -> String {
    if value.chars().all(|c: char| c.is_alphanumeric() || "-_./=:,+".contains(c)) {
        value.to_owned()
    } else {
        format!("'{}'", value.replace('\'', r"'\''"))
    }
}

/// The width of a terminal that does not report one.
const USUAL_COLUMNS: usize = 80;

/// The width of the terminal in characters: `COLUMNS`, otherwise that of standard output, otherwise
/// 80.
pub fn columns() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    let size = || console::Term::stdout().size_checked();
    said.unwrap_or_else(|| size().map_or(USUAL_COLUMNS, |(_, columns)| columns.into()))
}

/// Colour as requested, or if standard output is a terminal and `NO_COLOR` is unset or empty.
pub fn ink(color: Color) -> Ink {
    let is_refused = || std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let is_coloured = match color.color.unwrap_or_default() {
        When::Auto => io::stdout().is_terminal() && !is_refused(),
        when => when == When::Always,
    };
    if is_coloured { Ink::Colour } else { Ink::Plain }
}
