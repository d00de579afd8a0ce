//! MiniZinc: flat variables and rows, and an `output` that prints as `solve` does.

use std::io::{self, Write};
use std::ops::Range;

use itertools::Itertools;

use super::{ExportError, Format, NamedModel, texts};
use crate::load::cell_text;
use crate::model::{Meaning, Row, Sense};

pub(super) const FORMAT: Format = Format {
    name: "mzn",
    what: "MiniZinc",
    write,
};

/// What prints a placement where it is taken; of twins each one lies once.
const FUNCTIONS: &str = "\
function string: lying(var 0..1: x, string: text) = if fix(x) = 1 then text else \"\" endif;
function string: dealt(var 0..1: x, array[int] of var 0..1: before, array[int] of string: texts) =
  if fix(x) = 1 then texts[1 + sum(fix(before))] else \"\" endif;";

fn write(stated: &NamedModel<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    stated.comment(out, "%")?;
    for name in &stated.columns {
        writeln!(out, "var 0..1: {name};")?;
    }
    for (row, name) in stated.model.rows.iter().zip(&stated.rows) {
        let text = constraint(stated, row);
        writeln!(out, "constraint :: \"{name}\" {text};")?;
    }
    writeln!(out, "solve satisfy;")?;
    write_output(stated, out)?;
    Ok(())
}

/// Terms with a minus stand on the right, so that each side is a sum without signs.
fn constraint(stated: &NamedModel<'_>, row: &Row) -> String {
    let side = |is_left: bool| {
        let terms = row.terms.iter().filter(|(_, c)| (*c > 0) == is_left);
        terms
            .map(|&(variable, coefficient)| {
                let column = &stated.columns[variable];
                match coefficient.unsigned_abs() {
                    1 => column.clone(),
                    factor => format!("{factor}*{column}"),
                }
            })
            .collect_vec()
    };
    let sense = match row.sense {
        Sense::Equal => "=",
        Sense::AtMost => "<=",
        Sense::AtLeast => ">=",
    };
    let (left, right) = (sum(&side(true)), sum(&side(false)));
    let right = match (right.as_str(), row.bound) {
        ("0", bound) => bound.to_string(),
        (_, 0) => right,
        (_, bound) => format!("{right} + {bound}"),
    };
    format!("{left} {sense} {right}")
}

fn sum(terms: &[String]) -> String {
    match terms {
        [] => "0".to_owned(),
        [term] => term.clone(),
        terms => format!("sum([{}])", terms.join(", ")),
    }
}

/// The placements of each cell with their variables, in the order of the cells and values.
fn of_cells(stated: &NamedModel<'_>) -> Vec<Vec<(usize, usize)>> {
    let mut of_cells = vec![Vec::new(); stated.problem.board.size()];
    for (index, variable) in stated.model.variables.iter().enumerate() {
        if let Meaning::Placement { cell, value } = variable.meaning {
            of_cells[cell].push((value, index));
        }
    }
    of_cells.iter_mut().for_each(|cell| cell.sort_unstable());
    of_cells
}

fn write_output(stated: &NamedModel<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{FUNCTIONS}\noutput [")?;
    let of_cells = of_cells(stated);
    for line in stated.problem.board.lines() {
        let Range { start, end } = line;
        let before = cell_text(&stated.problem.board.cells()[start].name);
        if !before.is_empty() {
            writeln!(out, "  {},", quoted(&before))?;
        }
        for cell in start..end {
            for &(value, variable) in &of_cells[cell] {
                let before = of_cells[..cell].iter().flatten();
                writeln!(out, "  {},", printed(stated, (value, variable), before))?;
            }
            let behind = if cell + 1 < end { " " } else { "\\n" };
            writeln!(out, "  \"{behind}\",")?;
        }
    }
    writeln!(out, "];")
}

/// What prints one placement, given those of the cells before.
fn printed<'a>(
    stated: &NamedModel<'_>,
    (value, variable): (usize, usize),
    before: impl Iterator<Item = &'a (usize, usize)>,
) -> String {
    let kinds = &stated.problem.kinds;
    let texts = texts(stated.problem, kinds, value);
    let column = &stated.columns[variable];
    if let [text] = &texts[..] {
        return format!("lying({column}, {})", quoted(text));
    }
    let kind = kinds.values[value].kind;
    let before = before.filter(|(value, _)| kinds.values[*value].kind == kind);
    let before = before.map(|&(_, variable)| &stated.columns[variable]);
    let (before, texts) = (before.format(", "), texts.iter().map(|text| quoted(text)));
    format!("dealt({column}, [{before}], [{}])", texts.format(", "))
}

/// A text as MiniZinc writes it.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}
