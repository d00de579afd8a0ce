//! The LP format of `lp_solve`, which OR-Tools reads as LP, too. It has no comments, as OR-Tools takes
//! none: the names of the columns say what they are.

use std::io::Write;

use itertools::Itertools;

use super::lp::write_row;
use super::range::DOUBLES;
use super::{ExportError, Format, NOTHING, NamedModel, is_both, wrapped};

pub(super) const FORMAT: Format = Format {
    name: "lp-solve",
    what: "LP of lp_solve and OR-Tools",
    has_rows: true,
    range: DOUBLES,
    write,
};

fn write(named: &NamedModel<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let first = named.columns.first().map_or(NOTHING, String::as_str);
    writeln!(out, "min: 0 {first};")?;
    let nothing = format!("0 {NOTHING}");
    for (row, name) in named.model.rows.iter().zip(&named.rows) {
        write_row(named, (row, name), [&nothing, ";"], out)?;
    }
    let variables = || named.model.variables.iter().zip(&named.columns);
    for (_, name) in variables().filter(|(v, _)| is_both(v)) {
        writeln!(out, "{name} <= 1;")?;
    }
    let binaries = variables().filter(|(v, _)| !is_both(v));
    let binaries = binaries.map(|(_, name)| name).collect_vec();
    if let Some((last, others)) = binaries.split_last() {
        let others = others.iter().map(|name| format!("{name},"));
        // lp_solve knows the word only at the start of a line.
        write!(out, "bin")?;
        wrapped(out, others.chain([format!("{last};")]))?;
    }
    Ok(())
}
