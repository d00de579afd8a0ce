//! What is said to people, on standard error.

use std::io::{self, Write};

/// Says a line. Where nobody listens, nothing is lost: exit code and standard output are the answer.
pub fn say(line: &str) {
    let mut line = printable(line);
    line.push('\n');
    let _ = io::stderr().write_all(line.as_bytes());
}

/// The text without characters that would do something to the terminal.
pub fn printable(text: &str) -> String {
    let harmless = |c: char| match c {
        '\n' => c,
        c if c.is_control() => '?',
        c => c,
    };
    text.chars().map(harmless).collect()
}
