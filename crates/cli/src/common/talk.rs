//! Lines for people: messages on standard error, answers on standard output, and the terminal that
//! shows them.
//!
//! Names in them may come from anybody's files: no name commands the terminal or begins a line.

use std::io::{self, IsTerminal, Write};

use edgematch::load::{LoadError, printable};
use edgematch::problem::Problem;
use edgematch_draw::Ink;
use edgematch_report::WithAssumed;
use serde::Serialize;

/// Says a line. Where nobody listens, nothing is lost: exit code and standard output are the answer.
pub fn say(line: &str) {
    let _ = io::stderr().write_all((printable(line) + "\n").as_bytes());
}

/// Says a line unless it is quiet.
pub fn note(is_quiet: bool, line: &str) {
    if !is_quiet {
        say(line);
    }
}

/// Says what is wrong with a file, with its line and the way out.
pub fn say_of_file(kind: &str, error: &LoadError) {
    for line in format!("{kind}: {}", error.render()).split('\n') {
        say(line);
    }
}

/// Prints an answer.
pub fn print(answer: impl AsRef<[u8]>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(answer.as_ref())?;
    out.flush()
}

/// Prints an answer about a puzzle as a JSON object, with what was assumed of the puzzle.
pub fn print_json(answer: impl Serialize, problem: &Problem) -> io::Result<()> {
    print(serde_json::to_string(&WithAssumed::new(answer, problem))? + "\n")
}

/// Writes a line of an answer.
pub fn write_line(out: &mut dyn Write, line: &str) -> io::Result<()> {
    writeln!(out, "{}", printable(line))
}

/// An argument as a shell wants it.
pub fn quoted(value: &str) -> String {
    if value.chars().all(|c: char| c.is_alphanumeric() || "-_./=:,+".contains(c)) {
        value.to_owned()
    } else {
        format!("'{}'", value.replace('\'', r"'\''"))
    }
}

/// Columns of a terminal that does not say how many it has.
const USUAL_COLUMNS: usize = 80;

/// The width of the terminal.
pub fn columns() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    let asked = || match console::Term::stdout().size_checked() {
        Some((_, columns)) => usize::from(columns),
        None => USUAL_COLUMNS,
    };
    said.unwrap_or_else(asked)
}

/// Colour where standard output is a terminal and nobody asked for none.
pub fn ink() -> Ink {
    let is_refused = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    if io::stdout().is_terminal() && !is_refused { Ink::Colour } else { Ink::Plain }
}
