//! DIMACS CNF: the rows as clauses, for SAT solvers and model counters.
//!
//! The placements come first; every other variable is decided by them, so that the formula has as
//! many models as there are pictures.

use std::io::Write;

use itertools::Itertools;

use super::clauses::Formula;
use super::{ExportError, Format, NamedModel};

pub(super) const FORMAT: Format = Format {
    name: "cnf",
    what: "DIMACS CNF",
    write,
};

fn write(stated: &NamedModel<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let mut formula = Formula::new(stated.columns.len());
    for (row, name) in stated.model.rows.iter().zip(&stated.rows) {
        formula.add(row, name)?;
    }
    stated.comment(out, "c")?;
    for (index, name) in stated.columns.iter().enumerate() {
        writeln!(out, "c {name} = {}", index + 1)?;
    }
    writeln!(out, "p cnf {} {}", formula.variables(), formula.len())?;
    for clause in formula.clauses() {
        writeln!(out, "{} 0", clause.iter().format(" "))?;
    }
    Ok(())
}
