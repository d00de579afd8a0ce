//! Text from anybody's files, made fit for a terminal.

/// Returns true for characters that command a terminal: control characters, and those that change
/// the direction of the text after them.
pub fn is_unprintable(c: char) -> bool {
    let changes_direction = matches!(
        c,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    changes_direction || c.is_control()
}

/// The text with `?` in place of [characters that command a terminal](is_unprintable), so that it
/// is one line.
pub fn printable(text: &str) -> String {
    text.replace(is_unprintable, "?")
}
