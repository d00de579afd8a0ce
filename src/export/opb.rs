//! OPB: the rows as pseudo-Boolean constraints, for the solvers of the pseudo-Boolean competitions
//! (Roussel, Manquinho, *Input/Output Format and Solver Requirements for the Competitions of
//! Pseudo-Boolean Solvers*, 2012).
//!
//! Variables are called x1, x2, …, and comments map them to names. Every row is an equation or a
//! lower bound.

use std::io::Write;

use itertools::Itertools;

use super::range::INTEGERS_64;
use super::{ExportError, ExportFormat, NOTHING, NamedModel};
use crate::model::{Row, Sense};

pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: "opb",
    what: "pseudo-Boolean OPB",
    has_objective: true,
    has_rows: true,
    range: INTEGERS_64,
    write,
};

/// Writes the model as pseudo-Boolean constraints.
fn write(named: &NamedModel<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let variables = named.columns.len();
    let rows = named.rows.len();
    // A sum needs at least one term; an empty sum gets a variable that is fixed to 0.
    let nothing = named.has_empty_row().then_some(variables);
    writeln!(
        out,
        "* #variable= {} #constraint= {}",
        variables + usize::from(nothing.is_some()),
        rows + usize::from(nothing.is_some())
    )?;
    named.write_head(out, "*")?;
    for (index, name) in named.columns.iter().enumerate() {
        writeln!(out, "* {name} = x{}", index + 1)?;
    }
    if !named.objective().is_empty() {
        let negated: Vec<_> = named.objective().iter().map(|&(v, c)| (v, -c)).collect();
        writeln!(out, "* the negated objective\nmin: {} ;", sum(&negated))?;
    }
    if let Some(nothing) = nothing {
        writeln!(out, "* {NOTHING} is always 0\n{} = 0 ;", sum(&[(nothing, 1)]))?;
    }
    for (row, name) in named.model.rows.iter().zip(&named.rows) {
        writeln!(out, "* {name}\n{}", constraint(row, nothing.unwrap_or(0)))?;
    }
    Ok(())
}

/// A row as a constraint in OPB. A row without terms uses the variable `nothing`.
fn constraint(row: &Row, nothing: usize) -> String {
    let (sign, sense) = match row.sense {
        Sense::Equal => (1, "="),
        Sense::AtLeast => (1, ">="),
        Sense::AtMost => (-1, ">="),
    };
    let terms = row.terms.iter().map(|&(v, c)| (v, sign * c)).collect_vec();
    let sum = match &terms[..] {
        [] => sum(&[(nothing, 1)]),
        terms => sum(terms),
    };
    format!("{sum} {sense} {} ;", sign * row.bound)
}

/// Formats terms as in `+1 x3 -2 x1`.
fn sum(terms: &[(usize, i64)]) -> String {
    terms.iter().map(|(v, c)| format!("{c:+} x{}", v + 1)).join(" ")
}
