//! The columns of runs, listed once: for the statements that read and write them, and for output as
//! CSV and JSON lines.

use rusqlite::types::{Type, Value as Cell, ValueRef};
use serde::de::DeserializeOwned;
use serde::de::value::MapDeserializer;
use serde_json::Value;

/// The fields of a [`RunRow`](super::RunRow) as it is serialised, in the order of output, each with its
/// expression in SQL. Columns of the table `runs` begin with `r.`.
pub(crate) const COLUMNS: [(&str, &str); 31] = [
    ("file", "f.path"),
    ("document", "coalesce(f.document, 1)"),
    ("hash", "r.hash"),
    ("name", "p.name"),
    ("title", "p.title"),
    ("source", "p.source"),
    ("board", "p.board"),
    ("tiles", "p.tiles"),
    ("kinds", "p.kinds"),
    ("engine", "r.engine"),
    ("chosen", "r.chosen"),
    ("options", "r.options"),
    ("version", "r.version"),
    ("revision", "r.revision"),
    ("started_at", "r.started_at"),
    ("status", "r.status"),
    ("complete", "r.complete"),
    ("reason", "r.reason"),
    ("error", "r.error"),
    ("exit_code", "r.exit_code"),
    ("distinct", "r.distinct_count"),
    ("classes", "r.class_count"),
    ("solutions", "r.solution_count"),
    ("has_solutions", "r.has_solutions"),
    ("nodes", "r.nodes"),
    ("tries", "r.tries"),
    ("solves", "r.solves"),
    ("cuts", "r.cuts"),
    ("seconds", "r.seconds"),
    ("run", "r.id"),
    ("documents", "coalesce((SELECT max(document) FROM files g WHERE g.path = f.path), 1)"),
];

/// The list of columns for a `SELECT`, named as fields: all, or those of the table `runs`.
pub(super) fn selected(of_runs_only: bool) -> String {
    let wanted = COLUMNS.iter().filter(|(_, sql)| !of_runs_only || sql.starts_with("r."));
    itertools::join(wanted.map(|(name, sql)| format!("{sql} AS \"{name}\"")), ", ")
}

/// The list of assignments for an `UPDATE` of `runs` with the fields of an object, and their values.
pub(super) fn assigned(object: &Value) -> (String, Vec<Cell>) {
    let columns = COLUMNS
        .iter()
        .filter_map(|(name, sql)| Some((sql.strip_prefix("r.")?, object.get(*name)?)));
    let (names, cells): (Vec<_>, Vec<_>) =
        columns.map(|(column, value)| (format!("{column} = ?"), cell(value))).unzip();
    (names.join(", "), cells)
}

/// Reads a row whose columns are named as the fields of `T`.
pub(super) fn read<T: DeserializeOwned>(row: &rusqlite::Row<'_>) -> rusqlite::Result<T> {
    let statement: &rusqlite::Statement<'_> = row.as_ref();
    let mut fields = Vec::with_capacity(statement.column_count());
    for index in 0..statement.column_count() {
        let name = statement.column_name(index)?;
        fields.push((name, value(name, row.get_ref(index)?)));
    }
    T::deserialize(MapDeserializer::new(fields.into_iter())).map_err(|error: serde_json::Error| {
        rusqlite::Error::FromSqlConversionFailure(0, Type::Null, error.into())
    })
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::Bool(is) => Cell::Integer(i64::from(*is)),
        Value::Number(number) => match number.as_u64() {
            Some(whole) => Cell::Integer(whole.cast_signed()),
            None => number.as_f64().map_or(Cell::Null, Cell::Real),
        },
        Value::String(text) => Cell::Text(text.clone()),
        _ => Cell::Null,
    }
}

fn value(name: &str, cell: ValueRef<'_>) -> Value {
    match cell {
        ValueRef::Integer(whole) if ["complete", "has_solutions"].contains(&name) => {
            Value::Bool(whole != 0)
        }
        ValueRef::Integer(whole) => Value::from(whole),
        ValueRef::Real(real) => Value::from(real),
        ValueRef::Text(text) => Value::from(String::from_utf8_lossy(text)),
        ValueRef::Null | ValueRef::Blob(_) => Value::Null,
    }
}
