//! DIMACS CNF: the rows as clauses, for SAT solvers and model counters.
//!
//! The placements are the first variables and determine all others, so the formula has exactly one
//! model for each arrangement of values.

use std::io::Write;

use itertools::Itertools;

use super::clauses::ClauseSet;
use super::range::INTEGERS_64;
use super::{ExportError, ExportFormat, NamedModel};

pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: "cnf",
    what: "DIMACS CNF",
    has_objective: false,
    has_rows: true,
    range: INTEGERS_64,
    write,
};

/// Writes the model as clauses in DIMACS format. Fails if a row would need too many clauses.
fn write(named: &NamedModel<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let mut formula = ClauseSet::new(named.columns.len());
    for (row, name) in named.model.rows.iter().zip(&named.rows) {
        formula.add(row, name)?;
    }
    named.write_head(out, "c")?;
    for (index, name) in named.columns.iter().enumerate() {
        writeln!(out, "c {name} = {}", index + 1)?;
    }
    writeln!(out, "p cnf {} {}", formula.variables(), formula.len())?;
    for clause in formula.clauses() {
        writeln!(out, "{} 0", clause.iter().format(" "))?;
    }
    Ok(())
}
