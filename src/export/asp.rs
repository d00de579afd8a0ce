//! Answer set programming (ASP): facts and rules for clingo (Gebser, Kaminski, Kaufmann, Schaub,
//! *Theory and Practice of Logic Programming* 19, 2019). Each answer set is one solution.

use std::io::{self, Write};

use itertools::Itertools;

use super::choices::Choices;
use super::names::{cell_name, value_name};
use super::range::INTEGERS_32;
use super::{ExportError, ExportFormat, NamedModel};
use crate::model::{Meaning, Row, Sense};

pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: "asp",
    what: "clingo facts and rules",
    has_objective: true,
    has_rows: false,
    range: INTEGERS_32,
    write,
};

/// The rules, which are the same for every puzzle. A seam fits if one block of its table contains
/// the values on both sides.
const RULES: &str = include_str!("rules.lp");

/// Writes the puzzle as facts and rules for clingo.
fn write(named: &NamedModel<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let choices = Choices::new(named);
    named.write_head_of_tables(out, "%")?;
    writeln!(out, "% place(c_R_C,tT_N) represents x_R_C_tT_N\n\n{RULES}")?;
    write_cells(named, &choices, out)?;
    write_tables(named, &choices, out)?;
    for (index, seam) in choices.seams.iter().enumerate() {
        let [first, second] = seam.cells.map(|cell| cell_term(named, cell));
        write!(out, "seam({index},{first},{second},{}).", seam.table)?;
        let must = seam.broken.map_or(format!(" must({index})."), |_| String::new());
        writeln!(out, "{must}")?;
    }
    for &part in &choices.parts {
        writeln!(out, "{{ {} }}.", named.columns[part])?;
    }
    if !named.objective().is_empty() {
        let terms = weighted_atoms(named, &choices, named.objective());
        writeln!(out, "#maximize {{ {terms} }}.")?;
    }
    let names = &named.rows[named.rows.len() - choices.rows.len()..];
    for (row, name) in choices.rows.iter().zip(names) {
        writeln!(out, "% {name}\n{}", integrity_constraint(named, &choices, row))?;
    }
    Ok(())
}

/// The term for a cell, such as `c_1_2`.
fn cell_term(named: &NamedModel<'_>, cell: usize) -> String {
    format!("c_{}", cell_name(named.problem, cell))
}

/// Writes the facts about cells with their values, and about kinds with their uses.
fn write_cells(
    named: &NamedModel<'_>,
    choices: &Choices<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let problem = named.problem;
    for (cell, values) in choices.cells.iter().enumerate() {
        let cell = cell_term(named, cell);
        let can = values.iter();
        let can = can.map(|&value| format!(" can({cell},{}).", value_name(problem, value)));
        writeln!(out, "cell({cell}).{}", can.format(""))?;
    }
    for (index, (kind, uses)) in problem.kinds.kinds.iter().zip(&choices.uses).enumerate() {
        let most = uses.most.min(problem.board.size());
        let of = kind.values.clone();
        let of = of.map(|value| format!(" kind({},{index}).", value_name(problem, value)));
        writeln!(out, "uses({index},{},{most}).{}", uses.least, of.format(""))?;
    }
    Ok(())
}

/// Writes the facts about the blocks of each table.
fn write_tables(
    named: &NamedModel<'_>,
    choices: &Choices<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (index, table) in choices.tables.all().iter().enumerate() {
        writeln!(out, "% table {index}: {}", table.name)?;
        for (block, sets) in table.blocks().iter().enumerate() {
            for (side, values) in [("first", &sets.first), ("second", &sets.second)] {
                let values = values.iter().map(|&value| value_name(named.problem, value));
                let facts = values.map(|value| format!("{side}({index},{block},{value})."));
                writeln!(out, "{}", facts.format(" "))?;
            }
        }
    }
    Ok(())
}

/// The integrity constraint that excludes answer sets that violate a row.
fn integrity_constraint(named: &NamedModel<'_>, choices: &Choices<'_>, row: &Row) -> String {
    let breaks = match row.sense {
        Sense::Equal => "!=",
        Sense::AtMost => ">",
        Sense::AtLeast => "<",
    };
    let terms = weighted_atoms(named, choices, &row.terms);
    format!(":- #sum {{ {terms} }} {breaks} {}.", row.bound)
}

/// The terms of a sum as `weight,index : atom`.
fn weighted_atoms(named: &NamedModel<'_>, choices: &Choices<'_>, terms: &[(usize, i64)]) -> String {
    let atom = |variable: usize| match named.model.variables[variable].meaning {
        Meaning::Placement { cell, value } => {
            let value = value_name(named.problem, value);
            format!("place({},{value})", cell_term(named, cell))
        }
        Meaning::Broken => {
            let mut seams = choices.seams.iter();
            let seam = seams.position(|seam| seam.broken == Some(variable));
            format!("broken({})", seam.expect("each such variable has a seam"))
        }
        Meaning::Both(..) | Meaning::Holds => named.columns[variable].clone(),
    };
    let terms = terms.iter();
    let mut terms =
        terms.map(|&(variable, weight)| format!("{weight},{variable} : {}", atom(variable)));
    terms.join("; ")
}
