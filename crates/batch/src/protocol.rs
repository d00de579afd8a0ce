//! The protocol between a batch and its worker processes: lines of JSON. The first line has the
//! settings of all runs; each order is followed by the bytes of its puzzle's text.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use edgematch::load::ReadOverrides;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Kept, RunReport};

/// The settings that all runs of a batch share.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Wanted {
    /// Stop after this number of solutions (not counting symmetric ones); 0 means find all.
    pub solutions: u64,
    /// Stop a run after this time, including the time to load its puzzle; `None` means no limit.
    pub time_limit: Option<Duration>,
    /// The settings of the reader, including another board.
    #[serde(flatten)]
    pub overrides: ReadOverrides,
    /// The paths and texts of files of extra constraints.
    pub constraints: Vec<(String, String)>,
    /// Pins in the short form of `--pin`.
    pub pin: Vec<String>,
    /// Forbidden placements in the short form of `--forbid`.
    pub forbid: Vec<String>,
    /// True if workers report each solution that they find, so that it is stored.
    pub keeps_solutions: bool,
}

/// A request to run an engine on a puzzle, whose text follows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Order {
    /// The text's name in messages.
    pub label: String,
    /// The puzzle's name if its text has none.
    pub name: String,
    /// The number of lines of the file before the text, which positions in errors add.
    pub lines_before: usize,
    pub engine: String,
    /// The number of bytes of the text.
    pub length: usize,
}

/// A message from a worker: for each order any number of `Kept`, then one `Report`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum WorkerAnswer {
    /// A solution was found; sent only if [`Wanted::keeps_solutions`].
    Kept(Kept),
    /// The run has ended.
    Report(Box<RunReport>),
}

impl Order {
    /// Writes the order as a line of JSON, followed by the text, which must have `length` bytes.
    /// The output is not flushed.
    pub fn write(&self, out: &mut impl Write, text: &[u8]) -> io::Result<()> {
        write_line(out, self)?;
        out.write_all(text)
    }

    /// Reads the next order and its text; `None` at the end of the input. A truncated text is an
    /// error.
    pub fn read(input: &mut impl BufRead) -> io::Result<Option<(Order, Vec<u8>)>> {
        let Some(order) = read_line::<Order>(input)? else {
            return Ok(None);
        };
        let mut text = vec![0; order.length];
        input.read_exact(&mut text)?;
        Ok(Some((order, text)))
    }
}

/// Writes a message as a line of JSON, without flushing.
pub(super) fn write_line(out: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, message)?;
    out.write_all(b"\n")
}

/// Parses the next line as JSON; `None` at the end of the input. A line that is not JSON of this
/// type is an error.
pub(super) fn read_line<T: DeserializeOwned>(input: &mut impl BufRead) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    match input.read_until(b'\n', &mut line)? {
        0 => Ok(None),
        _ => Ok(Some(serde_json::from_slice(&line)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_follow_one_another() {
        let order = Order {
            label: "a\n\"b\".yaml".into(),
            name: "a".into(),
            lines_before: 3,
            engine: "auto".into(),
            length: 4,
        };
        let wanted = Wanted { time_limit: Some(Duration::from_millis(1500)), ..Wanted::default() };
        let mut written = Vec::new();
        write_line(&mut written, &wanted).unwrap();
        order.write(&mut written, b"{\n\0\xFF").unwrap();
        order.write(&mut written, b"abcd").unwrap();
        let mut input = written.as_slice();
        assert_eq!(read_line(&mut input).unwrap(), Some(wanted));
        let (read, text) = Order::read(&mut input).unwrap().unwrap();
        assert_eq!((read, text.as_slice()), (order, &b"{\n\0\xFF"[..]));
        assert_eq!(Order::read(&mut input).unwrap().unwrap().1, b"abcd");
        assert!(Order::read(&mut input).unwrap().is_none());
    }
}
