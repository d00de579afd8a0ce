//! Lines of streams that may never end: a line has a maximal length.

use std::io::{self, BufRead, Read};

use super::limits::LARGEST_FILE;

/// Reads a line with its end, in place of what `line` held; gives its length, 0 at the end of the
/// file.
///
/// # Errors
/// Where it can't be read, or is longer than [`LARGEST_FILE`].
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
