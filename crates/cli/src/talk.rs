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

/// An argument as a shell wants it.
pub fn quoted(value: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+".contains(c);
    if value.chars().all(is_plain) {
        value.to_owned()
    } else {
        format!("'{}'", value.replace('\'', r"'\''"))
    }
}
