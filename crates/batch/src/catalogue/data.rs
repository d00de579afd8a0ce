//! Rows as data: every column, counts in full, one line a row. CSV for spreadsheets, JSON lines for
//! programs.

use std::io::{self, Write};

use edgematch_report::cells::csv_line;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::RowWriter;
use crate::RunRow;
use crate::store::COLUMNS;

/// The fields of a row in the order of its columns.
fn fields(row: &RunRow) -> io::Result<impl Iterator<Item = (&'static str, Value)>> {
    let mut row = serde_json::to_value(row)?;
    Ok(COLUMNS.iter().map(move |(name, _)| (*name, row[*name].take())))
}

/// Comma-separated values.
pub(super) struct Csv;

impl RowWriter for Csv {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(csv_line(&COLUMNS.map(|(name, _)| name.to_owned())).as_bytes())
    }

    fn row(&mut self, out: &mut dyn Write, row: &RunRow) -> io::Result<()> {
        let cells: Vec<String> = fields(row)?
            .map(|(_, value)| match value {
                Value::Null => String::new(),
                Value::String(text) => text,
                other => other.to_string(),
            })
            .collect();
        out.write_all(csv_line(&cells).as_bytes())
    }
}

/// A JSON object per line.
pub(super) struct JsonLines;

impl RowWriter for JsonLines {
    fn row(&mut self, out: &mut dyn Write, row: &RunRow) -> io::Result<()> {
        write!(out, "{{\"type\":\"result\"")?;
        for (name, value) in fields(row)? {
            write!(out, ",\"{name}\":{}", raw(name, value)?)?;
        }
        writeln!(out, "}}")
    }
}

/// A value as JSON. Counts of any size become numbers, and options are JSON already.
fn raw(name: &str, value: Value) -> io::Result<Box<RawValue>> {
    let is_count = ["distinct", "classes", "solutions"].contains(&name);
    let text = value.as_str().filter(|_| is_count || name == "options");
    let value = match text.map(|text| RawValue::from_string(text.to_owned())) {
        Some(Ok(json)) => return Ok(json),
        // A damaged count.
        Some(Err(_)) if is_count => Value::Null,
        _ => value,
    };
    Ok(to_raw_value(&value)?)
}
