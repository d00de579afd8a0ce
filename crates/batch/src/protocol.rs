//! The protocol between a batch and its worker processes: lines of JSON. The first line says what is
//! wanted of every puzzle; each order is followed by the bytes of its puzzle's text.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use edgematch::load::ReadOverrides;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Kept, RunReport};

/// The request that all runs of a batch have in common.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Wanted {
    /// Stop after this number of distinct arrangements; 0 for all.
    pub solutions: u64,
    /// Stop after this time.
    pub time_limit: Option<Duration>,
    /// The way each puzzle is read, and its board.
    #[serde(flatten)]
    pub overrides: ReadOverrides,
    /// Files of extra constraints: their names and texts.
    pub constraints: Vec<(String, String)>,
    /// Pins in short form.
    pub pin: Vec<String>,
    /// Forbidden placements in short form.
    pub forbid: Vec<String>,
    /// True if workers report each arrangement that they find.
    pub keeps_solutions: bool,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Order {
    pub label: String,
    pub name: String,
    /// Lines of the file before the text.
    pub lines_before: usize,
    pub engine: String,
    /// Bytes of the text.
    pub length: usize,
}

/// A message from a worker.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum WorkerAnswer {
    /// An arrangement was found.
    Kept(Kept),
    /// The run is over.
    Report(Box<RunReport>),
}

impl Order {
    pub fn write(&self, out: &mut impl Write, text: &[u8]) -> io::Result<()> {
        write_line(out, self)?;
        out.write_all(text)
    }

    /// Reads the next order with its text; `None` at the end.
    pub fn read(input: &mut impl BufRead) -> io::Result<Option<(Order, Vec<u8>)>> {
        let Some(order) = read_line::<Order>(input)? else {
            return Ok(None);
        };
        let mut text = vec![0; order.length];
        input.read_exact(&mut text)?;
        Ok(Some((order, text)))
    }
}

pub(super) fn write_line(out: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, message)?;
    out.write_all(b"\n")
}

/// Reads the message on the next line; `None` at the end.
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
