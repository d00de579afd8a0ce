//! What a worker is told, and what it answers: a line of JSON each. What is wanted of every puzzle
//! comes first; a puzzle's text stands behind its order as it is.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use edgematch::load::ReadOverrides;
use serde::{Deserialize, Serialize};

use super::{Kept, Report};

/// What is wanted of every puzzle.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Wanted {
    /// Stop after so many distinct arrangements; 0 for all.
    pub solutions: u64,
    /// Stop after this time.
    pub time_limit: Option<Duration>,
    /// How each puzzle is to be read, and on which board.
    #[serde(flatten)]
    pub overrides: ReadOverrides,
    /// Files of extra constraints: their names and texts.
    pub constraints: Vec<(String, String)>,
    /// Constraints in a word that pin.
    pub pin: Vec<String>,
    /// Constraints in a word that forbid.
    pub forbid: Vec<String>,
    /// Whether arrangements are told as they are found.
    pub keeps_solutions: bool,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Order {
    pub label: String,
    pub name: String,
    /// Lines of the file in front of the text.
    pub lines_before: usize,
    pub engine: String,
    /// Bytes of the text.
    pub length: usize,
}

/// What a worker says.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Answer {
    /// An arrangement was found.
    Kept(Kept),
    /// The run is over.
    Report(Box<Report>),
}

impl Wanted {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        out.write_all(b"\n")
    }

    /// What stands in front of the orders; `None` where there is nothing.
    pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Wanted>> {
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line)? {
            0 => Ok(None),
            _ => Ok(Some(serde_json::from_slice(&line)?)),
        }
    }
}

impl Order {
    pub fn write(&self, out: &mut impl Write, text: &[u8]) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        out.write_all(b"\n")?;
        out.write_all(text)
    }

    /// The next order with its text; `None` where there are no more.
    pub fn read(input: &mut impl BufRead) -> io::Result<Option<(Order, Vec<u8>)>> {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let order: Order = serde_json::from_slice(&line)?;
        let mut text = vec![0; order.length];
        input.read_exact(&mut text)?;
        Ok(Some((order, text)))
    }
}

impl Answer {
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        out.write_all(b"\n")
    }

    /// The next answer; `None` where the worker has ended.
    pub fn read(input: &mut impl BufRead) -> io::Result<Option<Answer>> {
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line)? {
            0 => Ok(None),
            _ => Ok(Some(serde_json::from_slice(&line)?)),
        }
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
        wanted.write(&mut written).unwrap();
        order.write(&mut written, b"{\n\0\xFF").unwrap();
        order.write(&mut written, b"abcd").unwrap();
        let mut input = written.as_slice();
        assert_eq!(Wanted::read(&mut input).unwrap(), Some(wanted));
        let (read, text) = Order::read(&mut input).unwrap().unwrap();
        assert_eq!((read, text.as_slice()), (order, &b"{\n\0\xFF"[..]));
        assert_eq!(Order::read(&mut input).unwrap().unwrap().1, b"abcd");
        assert!(Order::read(&mut input).unwrap().is_none());
    }
}
