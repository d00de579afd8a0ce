//! JSON values with their positions in the text, for errors with line and column; JSON strings.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::Result;
use super::text::Source;

/// The consecutive JSON values of a text.
pub(super) fn values<'a>(source: &Source<'a>) -> impl Iterator<Item = Result<&'a RawValue>> {
    let source = *source;
    serde_json::Deserializer::from_str(source.text).into_iter::<&RawValue>().map(move |value| {
        value.map_err(|e| source.error_at_byte(byte_of(&source, &e), without_place(&e)))
    })
}

/// Deserialises a value that was borrowed from the source text.
pub(super) fn parse<'a, T: Deserialize<'a>>(source: &Source<'_>, value: &'a RawValue) -> Result<T> {
    serde_json::from_str(value.get())
        .map_err(|e| source.error_at_part(value.get(), without_place(&e)))
}

/// The byte offset at which `serde_json` stopped. It counts the bytes of a line from 1, and reports
/// 0 at the very start.
fn byte_of(source: &Source<'_>, e: &serde_json::Error) -> usize {
    let lines = source.text.split_inclusive('\n').take(e.line().saturating_sub(1));
    let at = lines.map(str::len).sum::<usize>() + e.column().saturating_sub(1);
    (0..=at.min(source.text.len())).rev().find(|&at| source.text.is_char_boundary(at)).unwrap_or(0)
}

/// The message without the position that `serde_json` appends.
fn without_place(e: &serde_json::Error) -> String {
    let message = e.to_string();
    message.trim_end_matches(&format!(" at line {} column {}", e.line(), e.column())).to_owned()
}

/// A JSON string in which these characters are escaped, too; each must be at most U+FFFF.
pub(super) fn quoted(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let escaped = |c: char| {
        if is_escaped(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() }
    };
    Value::from(text).to_string().chars().map(escaped).collect()
}
