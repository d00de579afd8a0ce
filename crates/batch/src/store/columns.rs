//! The columns of a row of results, listed once for SQL statements and for output as CSV and JSON
//! lines.

use rusqlite::types::{Type, Value as Cell, ValueRef};
use serde::de::DeserializeOwned;
use serde::de::value::MapDeserializer;
use serde_json::Value;

/// The serialised fields of a [`RunRow`](super::RunRow) in the order of output, each with its SQL
/// expression. Expressions for columns of the table `runs` start with `r.`.
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

/// The list of columns for a `SELECT`, each renamed to its field; with `runs_only`, those of the
/// table `runs`.
pub(super) fn select_list(runs_only: bool) -> String {
    let wanted = COLUMNS.iter().filter(|(_, sql)| !runs_only || sql.starts_with("r."));
    itertools::join(wanted.map(|(name, sql)| format!("{sql} AS \"{name}\"")), ", ")
}

/// The list of assignments for an `UPDATE` of the table `runs`, with a `?` for each value, and the
/// values. Fields of the JSON object that are no columns of `runs` are ignored.
pub(super) fn update_list(object: &Value) -> (String, Vec<Cell>) {
    let columns = COLUMNS
        .iter()
        .filter_map(|(name, sql)| Some((sql.strip_prefix("r.")?, object.get(*name)?)));
    let (names, cells): (Vec<_>, Vec<_>) =
        columns.map(|(column, value)| (format!("{column} = ?"), json_to_sql(value))).unzip();
    (names.join(", "), cells)
}

/// Deserialises a row whose columns have the names of the fields of `T`. Fails if a column is
/// missing or its value is invalid.
pub(super) fn read_row<T: DeserializeOwned>(row: &rusqlite::Row<'_>) -> rusqlite::Result<T> {
    let statement: &rusqlite::Statement<'_> = row.as_ref();
    let mut fields = Vec::with_capacity(statement.column_count());
    for index in 0..statement.column_count() {
        let name = statement.column_name(index)?;
        fields.push((name, sql_to_json(name, row.get_ref(index)?)));
    }
    T::deserialize(MapDeserializer::new(fields.into_iter())).map_err(|error: serde_json::Error| {
        rusqlite::Error::FromSqlConversionFailure(0, Type::Null, error.into())
    })
}

/// Converts a JSON value for SQLite: booleans become 0 or 1; arrays and objects become `NULL`.
fn json_to_sql(value: &Value) -> Cell {
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

/// Converts the value of a column to JSON: the two flags become booleans; blobs become `null`.
fn sql_to_json(name: &str, cell: ValueRef<'_>) -> Value {
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
