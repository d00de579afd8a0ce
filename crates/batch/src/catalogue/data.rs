//! Rows as data with all columns and unabbreviated counts, one line each: CSV for spreadsheets,
//! JSON lines for programs.

use std::io::{self, Write};

use edgematch_report::cells::csv_line;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::{RowWriter, Totals};
use crate::RunRow;
use crate::store::COLUMNS;

/// The names and values of a row's fields, in the order of [`COLUMNS`]. Fails if the row cannot be
/// serialised.
fn fields(row: &RunRow) -> io::Result<impl Iterator<Item = (&'static str, Value)>> {
    let mut row = serde_json::to_value(row)?;
    Ok(COLUMNS.iter().map(move |(name, _)| (*name, row[*name].take())))
}

/// Comma-separated values with a header; a missing value is empty.
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

/// One JSON object per line, with `"type": "result"`.
pub(super) struct JsonLines;

impl RowWriter for JsonLines {
    fn row(&mut self, out: &mut dyn Write, row: &RunRow) -> io::Result<()> {
        write_object(out, row)?;
        writeln!(out)
    }
}

/// A JSON array of the objects of [`JsonLines`].
#[derive(Default)]
pub(super) struct Json {
    has_rows: bool,
}

impl RowWriter for Json {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "[")
    }

    fn row(&mut self, out: &mut dyn Write, row: &RunRow) -> io::Result<()> {
        writeln!(out, "{}", if self.has_rows { "," } else { "" })?;
        self.has_rows = true;
        write_object(out, row)
    }

    fn end(&mut self, out: &mut dyn Write, _: &Totals) -> io::Result<()> {
        writeln!(out, "\n]")
    }
}

fn write_object(out: &mut dyn Write, row: &RunRow) -> io::Result<()> {
    write!(out, "{{\"type\":\"result\"")?;
    for (name, value) in fields(row)? {
        write!(out, ",\"{name}\":{}", raw(name, value)?)?;
    }
    write!(out, "}}")
}

/// A field's value as JSON. Counts are stored as digits and become numbers of any size, or `null`
/// if they are damaged; options are stored as JSON and are copied.
fn raw(name: &str, value: Value) -> io::Result<Box<RawValue>> {
    let is_count = ["distinct", "classes", "solutions"].contains(&name);
    let text = value.as_str().filter(|_| is_count || name == "options");
    let value = match text.map(|text| RawValue::from_string(text.to_owned())) {
        Some(Ok(json)) => return Ok(json),
        // The count is damaged.
        Some(Err(_)) if is_count => Value::Null,
        _ => value,
    };
    Ok(to_raw_value(&value)?)
}
