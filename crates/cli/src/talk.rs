//! Messages on standard error.

use std::io::{self, BufRead, Write};

use edgematch_draw::printable;
use itertools::Itertools;

/// Says a line or several. Where nobody listens, nothing is lost: exit code and standard output are
/// the answer.
pub fn say(line: &str) {
    let mut line = line.split('\n').map(printable).join("\n");
    line.push('\n');
    let _ = io::stderr().write_all(line.as_bytes());
}

/// Asks for a line of standard input; nothing where there is no more.
pub fn ask(question: &str) -> io::Result<Option<String>> {
    // The cursor stays behind the question.
    let _ = io::stderr().write_all(printable(question).as_bytes());
    let mut line = Vec::new();
    let read = io::stdin().lock().read_until(b'\n', &mut line)?;
    let line = String::from_utf8_lossy(&line);
    Ok((read > 0).then(|| line.trim().to_owned()))
}

/// Writes a picture of characters, which is fit for a terminal.
pub fn show(picture: &str) {
    let _ = io::stderr().write_all(picture.as_bytes());
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
