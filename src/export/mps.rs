//! Free MPS: the coefficients by column, the oldest and most widely supported format.

use std::collections::HashMap;
use std::io::Write;

use super::names::safe;
use super::range::DOUBLES;
use super::{ExportError, ExportFormat, NOTHING, NamedModel, is_both};
use crate::model::Sense;

pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: "mps",
    what: "free MPS",
    has_objective: true,
    has_rows: true,
    range: DOUBLES,
    write,
};

/// Writes the model in free MPS format. Its readers minimise, so the objective is negated.
fn write(named: &NamedModel<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    named.write_head(out, "*")?;
    if !named.objective().is_empty() {
        writeln!(out, "* the row obj is the negated objective, to be minimised")?;
    }
    let rows = || named.model.rows.iter().zip(&named.rows);
    writeln!(out, "NAME {}\nROWS\n N obj", title(named))?;
    for (row, name) in rows() {
        let sense = match row.sense {
            Sense::Equal => 'E',
            Sense::AtMost => 'L',
            Sense::AtLeast => 'G',
        };
        writeln!(out, " {sense} {name}")?;
    }
    writeln!(out, "COLUMNS")?;
    write_columns(named, out)?;
    writeln!(out, "RHS")?;
    for (row, name) in rows().filter(|(row, _)| row.bound != 0) {
        writeln!(out, " RHS {name} {}", row.bound)?;
    }
    writeln!(out, "BOUNDS")?;
    for (variable, name) in named.model.variables.iter().zip(&named.columns) {
        if is_both(variable) {
            writeln!(out, " UP BND {name} 1")?;
        } else {
            writeln!(out, " BV BND {name}")?;
        }
    }
    if named.has_empty_row() {
        writeln!(out, " FX BND {NOTHING} 0")?;
    }
    writeln!(out, "ENDATA")?;
    Ok(())
}

/// The name of the puzzle as one word of safe characters; `puzzle` if none remain.
fn title(named: &NamedModel<'_>) -> String {
    match safe(&named.problem.puzzle.name.replace('-', "_")) {
        name if name.is_empty() => "puzzle".to_owned(),
        name => name,
    }
}

/// Writes the coefficients of each column; markers enclose groups of integer columns. Fails if
/// writing does.
fn write_columns(named: &NamedModel<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let mut entries: Vec<Vec<(usize, i64)>> = vec![Vec::new(); named.columns.len()];
    for (index, row) in named.model.rows.iter().enumerate() {
        for &(variable, coefficient) in &row.terms {
            entries[variable].push((index, coefficient));
        }
    }
    let weights: HashMap<usize, i64> = named.objective().iter().copied().collect();
    let mut is_whole = false;
    let mut markers = 0;
    let mut mark = |out: &mut dyn Write, wanted: bool| {
        if wanted == is_whole {
            return Ok(());
        }
        (is_whole, markers) = (wanted, markers + 1);
        let end = if wanted { "ORG" } else { "END" };
        writeln!(out, " MARKER{markers} 'MARKER' 'INT{end}'")
    };
    for (index, name) in named.columns.iter().enumerate() {
        mark(out, !is_both(&named.model.variables[index]))?;
        match weights.get(&index) {
            Some(weight) => writeln!(out, " {name} obj {}", -weight)?,
            None if entries[index].is_empty() => writeln!(out, " {name} obj 0")?,
            None => {}
        }
        for &(row, coefficient) in &entries[index] {
            writeln!(out, " {name} {} {coefficient}", named.rows[row])?;
        }
    }
    mark(out, false)?;
    let rows = named.model.rows.iter().zip(&named.rows);
    for (_, name) in rows.filter(|(row, _)| row.terms.is_empty()) {
        writeln!(out, " {NOTHING} {name} 1")?;
    }
    Ok(())
}
