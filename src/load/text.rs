//! Decodes bytes to text, and converts byte offsets to lines and columns.
//!
//! Text that is not UTF-8 or contains a NUL byte is rejected with the position of the byte.

use std::io::{self, BufRead, Read};

use super::{LoadError, Remedy, Result};

/// The line breaks of YAML 1.1, by which `serde_yaml` counts lines.
const LINE_ENDS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// The text of a file, and the name of the file for errors.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub file: &'a str,
    pub text: &'a str,
    /// The name of a puzzle whose text gives none.
    pub default_name: &'a str,
}

impl<'a> Source<'a> {
    /// Removes a byte order mark. Rejects NUL bytes and everything that is not UTF-8.
    pub fn decode(bytes: &'a [u8], file: &'a str) -> Result<Self> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        if bytes.starts_with(b"%PDF") {
            return Err(LoadError::whole_file(file, "a PDF, not a text".into())
                .with_help("save the page as a picture, or type its text"));
        }
        if bytes.starts_with(b"\x89PNG") || bytes.starts_with(b"\xFF\xD8\xFF") {
            return Err(LoadError::whole_file(file, "a picture, not a text".into())
                .with_remedy(Remedy::Photograph, "read the cards from the photograph"));
        }
        let source = |text| Source { file, text, default_name: "" };
        let is_utf16 = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
        let error = match std::str::from_utf8(bytes) {
            Ok(text) => match text.find('\0') {
                None => return Ok(source(text)),
                Some(at) => source(text).error_at_byte(at, "a NUL byte, which no text has".into()),
            },
            Err(_) if !is_utf16 && bytes.contains(&0) => {
                return Err(LoadError::whole_file(file, "a binary file, not a text".into()));
            }
            Err(e) => {
                let text = std::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default();
                let message = if is_utf16 {
                    "this is UTF-16, not UTF-8".into()
                } else {
                    format!("byte {:#04x} is not UTF-8", bytes[e.valid_up_to()])
                };
                source(text).error_at_byte(text.len(), message)
            }
        };
        Err(error.with_help("save the file as UTF-8"))
    }

    /// The line and column of a byte of the text, both from 1; columns count characters.
    pub fn position(&self, byte: usize) -> (usize, usize) {
        let before = self.text[..byte].replace("\r\n", "\n");
        let line = before.matches(LINE_ENDS).count() + 1;
        let column = before.rsplit(LINE_ENDS).next().map_or(0, |l| l.chars().count()) + 1;
        (line, column)
    }

    /// An error at a byte of the text.
    pub fn error_at_byte(&self, byte: usize, message: String) -> LoadError {
        let (line, column) = self.position(byte);
        self.error_at(line, column, message)
    }

    /// The byte offset of a part of the text.
    pub fn at(&self, part: &str) -> usize {
        part.as_ptr() as usize - self.text.as_ptr() as usize
    }

    /// An error at the start of a part of the text.
    pub fn error_at_part(&self, part: &str, message: String) -> LoadError {
        self.error_at_byte(self.at(part), message)
    }

    /// An error at a line and column, both from 1; a later position is moved to the end of the
    /// text.
    pub fn error_at(&self, line: usize, column: usize, message: String) -> LoadError {
        let (line, column) = self.position(self.text.len()).min((line, column));
        let lines = self.text.replace("\r\n", "\n");
        LoadError {
            position: Some((line, column)),
            source_line: lines.split(LINE_ENDS).nth(line - 1).map(Box::from),
            ..self.error(message)
        }
    }

    /// An error about the text as a whole.
    pub fn error(&self, message: String) -> LoadError {
        LoadError::whole_file(self.file, message)
    }
}

/// The largest file that is read, in bytes. No puzzle comes close to it.
pub const LARGEST_FILE: u64 = 16 << 20;

/// The largest number of tiles, which no real puzzle exceeds.
pub(super) const MOST_TILES: usize = 10_000;

/// The largest number of cells, which no real puzzle exceeds. A tile with unlimited copies would
/// fill any larger board.
pub(super) const MOST_CELLS: usize = 100_000;

/// The largest number of rows or columns.
pub(super) const LONGEST_SIDE: usize = 1_000;

/// Reads a line with its line break into `line`, replacing the previous content. Returns its length
/// in bytes, 0 at the end of the file.
///
/// # Errors
/// If the line cannot be read, or is longer than [`LARGEST_FILE`].
pub fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    line.clear();
    let read = reader.by_ref().take(LARGEST_FILE + 1).read_until(b'\n', line)?;
    if read as u64 > LARGEST_FILE {
        let most = LARGEST_FILE >> 20;
        let message = format!("a line is longer than {most} MiB");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn lines_come_one_by_one_and_none_is_endless() {
        let mut reader = BufReader::new(&b"one\n\ntwo"[..]);
        let mut line = Vec::new();
        let mut lines = Vec::new();
        while next_line(&mut reader, &mut line).unwrap() > 0 {
            lines.push(line.clone());
        }
        assert_eq!(lines, [&b"one\n"[..], b"\n", b"two"]);
        let error = next_line(&mut BufReader::new(io::repeat(0)), &mut line).unwrap_err();
        assert_eq!(error.to_string(), "a line is longer than 16 MiB");
    }
}
