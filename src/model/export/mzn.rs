//! MiniZinc: flat variables and rows, and an `output` that prints as `solve` does.

use std::io::{self, Write};

use itertools::Itertools;

use super::range::INTEGERS_32;
use super::{ExportError, Format, NamedModel, texts};
use crate::load::{HOLE, cell_text};
use crate::model::Row;

pub(super) const FORMAT: Format =
    Format { name: "mzn", what: "MiniZinc", has_rows: true, range: INTEGERS_32, write };

/// What prints a placement where it is taken; of twins each one lies once.
const FUNCTIONS: &str = "\
function string: lying(var 0..1: x, string: text) = if fix(x) = 1 then text else \"\" endif;
function string: dealt(var 0..1: x, array[int] of var 0..1: before, array[int] of string: texts) =
  if fix(x) = 1 then texts[1 + sum(fix(before))] else \"\" endif;";

fn write(named: &NamedModel<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    named.comment(out, "%")?;
    for name in &named.columns {
        writeln!(out, "var 0..1: {name};")?;
    }
    for (row, name) in named.model.rows.iter().zip(&named.rows) {
        let text = constraint(named, row);
        writeln!(out, "constraint :: \"{name}\" {text};")?;
    }
    writeln!(out, "solve satisfy;")?;
    write_output(named, out)?;
    Ok(())
}

/// Terms with a minus stand on the right, so that each side is a sum without signs.
fn constraint(named: &NamedModel<'_>, row: &Row) -> String {
    let side = |is_left: bool| {
        let terms = row.terms.iter().filter(|(_, c)| (*c > 0) == is_left);
        terms
            .map(|&(variable, coefficient)| {
                let column = &named.columns[variable];
                match coefficient.unsigned_abs() {
                    1 => column.clone(),
                    factor => format!("{factor}*{column}"),
                }
            })
            .collect_vec()
    };
    let sense = row.sense.sign();
    let left = sum(&side(true));
    let right = sum(&side(false));
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

fn write_output(named: &NamedModel<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{FUNCTIONS}\noutput [")?;
    let of_cells = named.placements();
    for line in named.problem.board.lines() {
        let cells = line.iter().flatten();
        let before = cells.map(|&cell| cell_text(&named.problem.board.cells()[cell].name));
        let before: String = before.collect();
        if !before.is_empty() {
            writeln!(out, "  {},", quoted(&before))?;
        }
        for (place, cell) in line.iter().enumerate() {
            let behind = if place + 1 < line.len() { " " } else { "\\n" };
            let Some(cell) = *cell else {
                writeln!(out, "  \"{HOLE}{behind}\",")?;
                continue;
            };
            for &(value, variable) in &of_cells[cell] {
                let before = of_cells[..cell].iter().flatten();
                writeln!(out, "  {},", printed(named, (value, variable), before))?;
            }
            writeln!(out, "  \"{behind}\",")?;
        }
    }
    writeln!(out, "];")
}

/// What prints one placement, given those of the cells before.
fn printed<'a>(
    named: &NamedModel<'_>,
    (value, variable): (usize, usize),
    before: impl Iterator<Item = &'a (usize, usize)>,
) -> String {
    let kinds = &named.problem.kinds;
    let texts = texts(named.problem, kinds, value);
    let column = &named.columns[variable];
    if let [text] = &texts[..] {
        return format!("lying({column}, {})", quoted(text));
    }
    let kind = kinds.values[value].kind;
    let before = before
        .filter(|(value, _)| kinds.values[*value].kind == kind)
        .map(|&(_, variable)| &named.columns[variable]);
    let before = before.format(", ");
    let texts = texts.iter().map(|text| quoted(text));
    format!("dealt({column}, [{before}], [{}])", texts.format(", "))
}

/// A text as MiniZinc writes it.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}
