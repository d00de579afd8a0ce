//! Idiomatic MiniZinc (Nethercote et al., *MiniZinc: Towards a Standard CP Modelling Language*, CP
//! 2007): a fixed model with `alldifferent` and `table`, followed by the data of one puzzle.

use std::collections::HashMap;
use std::fmt::Display;
use std::io::{self, Write};

use itertools::Itertools;

use super::choices::Choices;
use super::names::{cell_name, value_name};
use super::range::INTEGERS_32;
use super::{ExportError, ExportFormat, NamedModel};
use crate::model::Meaning;

pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: "mzn",
    what: "MiniZinc with tables and alldifferent",
    has_objective: true,
    has_rows: false,
    range: INTEGERS_32,
    write,
};

/// The model, which is the same for every puzzle; it follows its data.
const MODEL: &str = include_str!("model.mzn");

/// Writes a MiniZinc model and the data of the puzzle.
fn write(named: &NamedModel<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let choices = Choices::new(named);
    let problem = named.problem;
    let values = problem.kinds.values.len();
    named.write_head_of_tables(out, "%")?;
    write!(out, "\n{MODEL}\n")?;
    match named.objective().len() {
        0 => writeln!(out, "solve satisfy;\n")?,
        // Its terms are the last ones.
        terms => {
            let first = format!("length(weight) - {}", terms - 1);
            writeln!(out, "solve maximize total({first}, length(weight));\n")?;
        }
    }
    let cell_names = || (0..choices.cells.len()).map(|cell| cell_name(problem, cell));
    let value_names = || (0..values).map(|value| value_name(problem, value));
    let quoted = |name: String| format!("\"{name}\"");
    writeln!(out, "cells = {};\nvalues = {values};", choices.cells.len())?;
    write_list(out, "cell_name", cell_names().map(quoted))?;
    write_list(out, "value_name", value_names().map(quoted))?;
    let can = choices.cells.iter().map(|values| {
        let values = values.iter().map(|value| value + 1);
        format!("{{{}}}", values.format(", "))
    });
    write_list(out, "can", can)?;
    writeln!(out, "kinds = {};", choices.uses.len())?;
    write_list(out, "kind", problem.kinds.values.iter().map(|value| value.kind + 1))?;
    // If the board needs every tile, at most one of each implies exactly one of each.
    let is_plain =
        choices.uses.iter().all(|uses| uses.most == 1) && choices.uses.len() == choices.cells.len();
    let uses = choices.uses.iter();
    write_list(out, "least", uses.map(|uses| if is_plain { 0 } else { uses.least }))?;
    let cells = choices.cells.len();
    write_list(out, "most", choices.uses.iter().map(|uses| uses.most.min(cells)))?;
    write_tables(&choices, out)?;
    let parts = number_parts(&choices);
    write_seams(&choices, &parts, out)?;
    write_rows(named, &choices, &parts, out)?;
    Ok(())
}

/// Writes a MiniZinc array, `name = [1, 2];`.
fn write_list<T: Display>(
    out: &mut dyn Write,
    name: &str,
    items: impl IntoIterator<Item = T>,
) -> io::Result<()> {
    writeln!(out, "{name} = [{}];", items.into_iter().format(", "))
}

/// Writes rows of numbers as a two-dimensional MiniZinc array, `name = [| 1, 2 | 3, 4 |];`.
fn write_matrix<const N: usize>(
    out: &mut dyn Write,
    name: &str,
    rows: &[[i64; N]],
) -> io::Result<()> {
    if rows.is_empty() {
        return writeln!(out, "{name} = array2d(1..0, 1..{N}, []);");
    }
    let rows = rows.iter().map(|row| row.iter().format(", "));
    writeln!(out, "{name} = [| {} |];", rows.format(" | "))
}

/// Writes the pairs of values that fit each type of seam, and the span of each type in this list,
/// from 1.
fn write_tables(choices: &Choices<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (mut spans, mut pairs) = (Vec::new(), Vec::new());
    for table in choices.tables.all() {
        let from = pairs.len() as i64 + 1;
        pairs.extend(table.tuples().map(|(p, q)| [p as i64 + 1, q as i64 + 1]));
        spans.push([from, pairs.len() as i64]);
    }
    writeln!(out, "tables = {};", spans.len())?;
    write_matrix(out, "span", &spans)?;
    write_matrix(out, "pairs", &pairs)
}

/// The number, from 1, of each variable that is not a placement: parts of constraints, then seams
/// that may break.
fn number_parts(choices: &Choices<'_>) -> HashMap<usize, usize> {
    let broken = choices.seams.iter().filter_map(|seam| seam.broken);
    choices.parts.iter().copied().chain(broken).zip(1..).collect()
}

/// Writes the cells and the type of each seam, and the variable that is true if it may be broken,
/// or 0.
fn write_seams(
    choices: &Choices<'_>,
    parts: &HashMap<usize, usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let cell = |index: usize| choices.seams.iter().map(move |seam| seam.cells[index] + 1);
    writeln!(out, "seams = {};", choices.seams.len())?;
    write_list(out, "here", cell(0))?;
    write_list(out, "there", cell(1))?;
    write_list(out, "uses", choices.seams.iter().map(|seam| seam.table + 1))?;
    let seams = choices.seams.iter();
    let broken = seams.map(|seam| seam.broken.map_or(0, |variable| parts[&variable]));
    write_list(out, "broken", broken)
}

/// Writes the rows of the extra constraints as weighted sums with upper bounds; an equation becomes
/// two. The terms of the objective follow.
fn write_rows(
    named: &NamedModel<'_>,
    choices: &Choices<'_>,
    parts: &HashMap<usize, usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut spans: Vec<[i64; 3]> = Vec::new();
    let (mut weights, mut cells, mut terms) = (Vec::new(), Vec::new(), Vec::new());
    let mut add = |row: &[(usize, i64)], sign: i64| {
        let from = weights.len() as i64 + 1;
        for &(variable, weight) in row {
            weights.push(sign * weight);
            let (cell, term) = match named.model.variables[variable].meaning {
                Meaning::Placement { cell, value } => (cell + 1, value + 1),
                _ => (0, parts[&variable]),
            };
            cells.push(cell);
            terms.push(term);
        }
        [from, weights.len() as i64]
    };
    for row in choices.rows {
        for &sign in row.sense.signs() {
            let [from, to] = add(&row.terms, sign);
            spans.push([from, to, sign * row.bound]);
        }
    }
    add(named.objective(), 1);
    writeln!(out, "parts = {};\nrows = {};", parts.len(), spans.len())?;
    write_matrix(out, "row", &spans)?;
    write_list(out, "weight", weights)?;
    write_list(out, "term_cell", cells)?;
    write_list(out, "term", terms)
}
