//! CPLEX LP: rows in a readable form.

use std::io::{self, Write};

use super::range::DOUBLES;
use super::{ExportError, ExportFormat, NOTHING, NamedModel, is_both, wrapped};
use crate::model::Row;

pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: "lp",
    what: "CPLEX LP",
    has_objective: true,
    has_rows: true,
    range: DOUBLES,
    write,
};

/// Writes the model in the LP format of CPLEX, with a constant objective.
fn write(named: &NamedModel<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    named.write_head(out, "\\")?;
    let variables = || named.model.variables.iter().zip(&named.columns);
    if named.objective().is_empty() {
        // Some readers require a term.
        let first = named.columns.first().map_or(NOTHING, String::as_str);
        writeln!(out, "Minimize\n obj: 0 {first}")?;
    } else {
        writeln!(out, "Maximize")?;
        let start = std::iter::once("obj:".to_owned());
        wrapped(out, start.chain(terms(named, named.objective())))?;
    }
    writeln!(out, "Subject To")?;
    for (row, name) in named.model.rows.iter().zip(&named.rows) {
        write_row(named, row, name, out)?;
    }
    let mut both = variables().filter(|(v, _)| is_both(v)).peekable();
    if both.peek().is_some() || named.has_empty_row() {
        writeln!(out, "Bounds")?;
    }
    both.try_for_each(|(_, name)| writeln!(out, " 0 <= {name} <= 1"))?;
    if named.has_empty_row() {
        writeln!(out, " 0 <= {NOTHING} <= 0")?;
    }
    let mut binaries =
        variables().filter(|(v, _)| !is_both(v)).map(|(_, name)| name.clone()).peekable();
    if binaries.peek().is_some() {
        writeln!(out, "Binaries")?;
        wrapped(out, binaries)?;
    }
    writeln!(out, "End")?;
    Ok(())
}

/// Writes a row as `name: 2 x - y <= 3`.
fn write_row(named: &NamedModel<'_>, row: &Row, name: &str, out: &mut dyn Write) -> io::Result<()> {
    let nothing = row.terms.is_empty().then(|| NOTHING.to_owned());
    let start = std::iter::once(format!("{name}:"));
    let end = std::iter::once(format!("{} {}", row.sense.sign(), row.bound));
    wrapped(out, start.chain(nothing).chain(terms(named, &row.terms)).chain(end))
}

/// The terms of a sum as words such as `2 x` and `- y`.
fn terms(named: &NamedModel<'_>, terms: &[(usize, i64)]) -> impl Iterator<Item = String> {
    terms.iter().enumerate().map(|(place, &(variable, coefficient))| {
        let sign = match (coefficient < 0, place) {
            (true, 0) => "-",
            (true, _) => "- ",
            (false, 0) => "",
            (false, _) => "+ ",
        };
        let column = &named.columns[variable];
        match coefficient.unsigned_abs() {
            1 => format!("{sign}{column}"),
            factor => format!("{sign}{factor} {column}"),
        }
    })
}
