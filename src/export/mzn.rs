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

const MODEL: &str = r#"
% A value, which is a tile in a rotation, for each cell.
include "alldifferent.mzn";
include "global_cardinality.mzn";
include "table.mzn";

int: cells; int: values; int: kinds; int: tables; int: seams; int: parts; int: rows;

array[1..cells] of string: cell_name;
array[1..values] of string: value_name;
array[1..cells] of set of 1..values: can;  % what a cell can take
array[1..values] of 1..kinds: kind;        % the tile; those that look alike are of one kind
array[1..kinds] of int: least;             % how often a kind is used
array[1..kinds] of int: most;

array[1..tables, 1..2] of int: span;       % the first and the last pair of a table
array[int, 1..2] of int: pairs;            % values that fit side by side

array[1..seams] of 1..cells: here;
array[1..seams] of 1..cells: there;
array[1..seams] of 1..tables: uses;
array[1..seams] of 0..parts: broken;       % the part that is 1 where a seam breaks; 0: it must fit

% Extra constraints and cuts: the sum of the terms from..to is at most the bound. A term counts where its
% cell takes its value, or, where the cell is 0, where its part is 1.
array[1..rows, 1..3] of int: row;          % from, to, bound
array[int] of int: weight;
array[int] of int: term_cell;
array[int] of int: term;

array[1..cells] of var 1..values: at;
array[1..parts] of var 0..1: part;
array[1..cells] of var 1..kinds: tile = [kind[at[c]] | c in 1..cells];

constraint forall(c in 1..cells)(at[c] in can[c]);
constraint if forall(k in 1..kinds)(least[k] = 0 /\ most[k] = 1)
  then alldifferent(tile)
  else let { array[1..kinds] of var 0..cells: number } in
    global_cardinality(tile, [k | k in 1..kinds], number) /\
    forall(k in 1..kinds)(least[k] <= number[k] /\ number[k] <= most[k]) endif;

predicate fits(int: s) = table([at[here[s]], at[there[s]]],
  array2d(1..span[uses[s], 2] - span[uses[s], 1] + 1, 1..2,
    [pairs[i, side] | i in span[uses[s], 1]..span[uses[s], 2], side in 1..2]));

constraint forall(s in 1..seams where broken[s] = 0)(fits(s));
constraint forall(s in 1..seams where broken[s] > 0)(part[broken[s]] = bool2int(not fits(s)));
function var int: total(int: from, int: to) = sum(t in from..to)(weight[t] *
  if term_cell[t] = 0 then part[term[t]] else bool2int(at[term_cell[t]] = term[t]) endif);
constraint forall(r in 1..rows)(total(row[r, 1], row[r, 2]) <= row[r, 3]);

output ["x_" ++ cell_name[c] ++ "_" ++ value_name[fix(at[c])] ++ "\n" | c in 1..cells];

"#;

/// Writes a MiniZinc model and the data of the puzzle.
fn write(named: &NamedModel<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let choices = Choices::new(named);
    let problem = named.problem;
    let values = problem.kinds.values.len();
    named.write_head_of_tables(out, "%")?;
    out.write_all(MODEL.as_bytes())?;
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
