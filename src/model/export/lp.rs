//! CPLEX LP: rows in a readable form.

use std::io::{self, Write};

use super::{ExportError, Format, NOTHING, NamedModel, is_both, signed, wrapped};
use crate::model::{Row, Sense};

pub(super) const FORMAT: Format = Format {
    name: "lp",
    what: "CPLEX LP",
    write,
};

fn write(named: &NamedModel<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    named.comment(out, "\\")?;
    let variables = || named.model.variables.iter().zip(&named.columns);
    // Any solution is as good as another; some readers want a term.
    let first = named.columns.first().map_or(NOTHING, String::as_str);
    writeln!(out, "Minimize\n obj: 0 {first}\nSubject To")?;
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
    let mut binaries = variables()
        .filter(|(v, _)| !is_both(v))
        .map(|(_, name)| name.clone())
        .peekable();
    if binaries.peek().is_some() {
        writeln!(out, "Binaries")?;
        wrapped(out, binaries)?;
    }
    writeln!(out, "End")?;
    Ok(())
}

fn write_row(named: &NamedModel<'_>, row: &Row, name: &str, out: &mut dyn Write) -> io::Result<()> {
    let sense = match row.sense {
        Sense::Equal => "=",
        Sense::AtMost => "<=",
        Sense::AtLeast => ">=",
    };
    let terms = row
        .terms
        .iter()
        .enumerate()
        .map(|(place, &(variable, coefficient))| {
            signed(place, coefficient, &named.columns[variable])
        });
    let nothing = row.terms.is_empty().then(|| NOTHING.to_owned());
    let start = std::iter::once(format!("{name}:"));
    let end = std::iter::once(format!("{sense} {}", row.bound));
    wrapped(out, start.chain(nothing).chain(terms).chain(end))
}
