//! Messages on standard error.

use std::io::{self, Write};

use edgematch_draw::printable;
use itertools::Itertools;

/// Says a line or several. Where nobody listens, nothing is lost: exit code and standard output are
/// the answer.
pub fn say(line: &str) {
    let mut line = line.split('\n').map(printable).join("\n");
    line.push('\n');
    let _ = io::stderr().write_all(line.as_bytes());
}

/// Asks for a line: the cursor stays behind the question.
pub fn prompt(question: &str) {
    let _ = io::stderr().write_all(printable(question).as_bytes());
}

/// Writes a picture of characters, which is fit for a terminal.
pub fn show(picture: &str) {
    let _ = io::stderr().write_all(picture.as_bytes());
}
