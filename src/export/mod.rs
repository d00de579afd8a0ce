//! Writes the model as a file for other programs.
//!
//! Each format is one file and one line in [`FORMATS`]. All share [`NamedModel`]: the model with a
//! safe name for each column and row, and the comment lines at the beginning of the file.

pub mod answer;
mod asp;
mod choices;
mod clauses;
mod cnf;
mod lp;
mod mps;
mod mzn;
mod names;
mod opb;
mod range;

use std::io::{self, Write};

use itertools::Itertools;
use thiserror::Error;

pub use self::range::NumberRange;
use crate::board::CellName;
use crate::load::{placed_text, tile_text};
use crate::model::{LinearObjective, Meaning, Model, Variable};
use crate::problem::{Placed, Problem};

/// Every format.
pub const FORMATS: &[ExportFormat] =
    &[lp::FORMAT, mps::FORMAT, mzn::FORMAT, asp::FORMAT, cnf::FORMAT, opb::FORMAT];

/// A file format for models.
pub struct ExportFormat {
    /// The name on the command line, which is also the usual file extension.
    pub name: &'static str,
    /// A short description for the help, such as `CPLEX LP`.
    pub what: &'static str,
    /// True if the format contains the objective.
    pub has_objective: bool,
    /// True if the format contains the rows of the model. Otherwise it contains the puzzle as
    /// tables, and the formulation makes no difference.
    pub has_rows: bool,
    /// The range of numbers in which its readers compute exactly.
    pub range: NumberRange,
    write: fn(&NamedModel<'_>, &mut dyn Write) -> Result<(), ExportError>,
}

impl ExportFormat {
    /// Writes a complete file.
    ///
    /// # Errors
    /// If a row exceeds the range of the format's readers, the model is too large for the format,
    /// or writing fails.
    pub fn write(&self, named: &NamedModel<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
        self.range.check(named)?;
        (self.write)(named, out)
    }
}

/// The reason why a model cannot be written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The output failed.
    #[error(transparent)]
    Output(#[from] io::Error),
    /// The diagram of one row is too large for clauses.
    #[error(
        "row {row} needs a decision diagram of more than {limit} nodes, too large for clauses: choose another format"
    )]
    Diagram {
        /// The name of the row.
        row: String,
        /// The maximum number of nodes per row.
        limit: usize,
    },
    /// The whole model is too large for clauses.
    #[error(
        "the model needs more than {limit} literals, too large for clauses: choose another format"
    )]
    Formula {
        /// The maximum number of literals in all clauses together.
        limit: usize,
    },
    /// The numbers of one row exceed the range of the format's readers.
    #[error(
        "row {row} has numbers up to {size}, but programs that read this format compute with {}, \
         up to {}; formats that support it: {}",
        range.numbers,
        range.largest,
        if others.is_empty() { "none".to_owned() } else { others.join(", ") }
    )]
    Range {
        /// The name of the row.
        row: String,
        /// The largest number that a reader must represent: the absolute bound or the sum of
        /// absolute weights.
        size: u64,
        /// The range of the format.
        range: NumberRange,
        /// The names of formats that can represent the row.
        others: Vec<&'static str>,
    },
}

/// A model with the names that are written to a file.
///
/// Names are unique, consist of letters, digits and `_`, and start with a letter: `x_1_2_t5_0` is
/// tile 5 in rotation 0 in row 1, column 2.
pub struct NamedModel<'a> {
    /// The problem that the model states.
    pub problem: &'a Problem,
    /// The model, including cuts.
    pub model: &'a Model,
    /// A name for each variable.
    pub columns: Vec<String>,
    /// A name for each row.
    pub rows: Vec<String>,
    /// The comment lines after the title and sizes at the beginning of the file.
    pub head: Vec<String>,
}

impl<'a> NamedModel<'a> {
    /// Names the columns and rows of a model. Each of `remarks` becomes a comment line at the
    /// beginning of the file, followed by the meaning of the names.
    pub fn new(problem: &'a Problem, model: &'a Model, remarks: Vec<String>) -> Self {
        let columns = names::columns(problem, model);
        let rows = names::rows(model);
        let mut head = remarks;
        head.extend(problem.unstated_constraints().map(|constraint| {
            let name = constraint.name();
            format!("`{name}` is not part of this model: check each answer")
        }));
        let soft = problem.soft_constraints().filter(|soft| soft.constraint.is_lazy());
        head.extend(soft.filter(|_| model.objective.is_some()).map(|soft| {
            let name = soft.constraint.name();
            format!(
                "the objective takes the soft constraint `{name}` for satisfied: check each answer"
            )
        }));
        head.extend(model.objective.as_ref().map(LinearObjective::explain));
        head.push(explain_names(problem));
        if model.variables.iter().any(is_both) {
            head.push("y_… is 1 when both placements in its name are taken".to_owned());
        }
        if model.variables.iter().any(|v| v.meaning == Meaning::Holds) {
            head.push("holds_N_… is 1 when that part of constraint_N holds".to_owned());
        }
        if model.objective.is_some() && problem.soft_constraints().next().is_some() {
            let names =
                "soft_N_M, or NAME_N_M with its name, is 1 when part M of soft constraint N";
            head.push(format!("{names} holds; the last part is the whole constraint"));
        }
        head.extend(renamed_cells(problem));
        head.extend(explain_values(problem));
        let head = head.iter().map(|line| one_line(line)).collect();
        NamedModel { problem, model, columns, rows, head }
    }

    /// Writes the comment lines at the beginning of a file with rows; `sign` starts a comment.
    fn write_head(&self, out: &mut dyn Write, sign: &str) -> io::Result<()> {
        let (columns, rows) = (self.columns.len(), self.rows.len());
        let model = "the 0-1 model of edgematch";
        let what = format!("{model}\n{sign} {columns} variables, {rows} rows");
        self.write_head_of(&what, out, sign)
    }

    /// Writes the comment lines at the beginning of a file without rows; `sign` starts a comment.
    fn write_head_of_tables(&self, out: &mut dyn Write, sign: &str) -> io::Result<()> {
        self.write_head_of("the puzzle as tables, written by edgematch", out, sign)
    }

    /// Writes the name of the puzzle with a description of the file, then the remarks and the
    /// explanations of names, each as a comment that starts with `sign`.
    fn write_head_of(&self, what: &str, out: &mut dyn Write, sign: &str) -> io::Result<()> {
        let title = one_line(&tile_text(&self.problem.puzzle.name));
        writeln!(out, "{sign} {title}: {what}")?;
        self.head.iter().try_for_each(|line| writeln!(out, "{sign} {line}"))
    }

    /// The terms of the objective; empty if there is none.
    fn objective(&self) -> &[(usize, i64)] {
        self.model.objective.as_ref().map_or(&[], |objective| &objective.terms)
    }

    /// The placements of each cell as pairs (value, variable), sorted by value.
    fn placements(&self) -> Vec<Vec<(usize, usize)>> {
        let mut of_cells = vec![Vec::new(); self.problem.board.size()];
        for (index, variable) in self.model.variables.iter().enumerate() {
            if let Meaning::Placement { cell, value } = variable.meaning {
                of_cells[cell].push((value, index));
            }
        }
        of_cells.iter_mut().for_each(|cell| cell.sort_unstable());
        of_cells
    }

    /// Returns true if a row has no terms. Such a row cannot hold; formats that cannot express it
    /// need a column that is always 0.
    fn has_empty_row(&self) -> bool {
        self.model.rows.iter().any(|row| row.terms.is_empty())
    }
}

/// The name of the column that is always 0.
const NOTHING: &str = "nothing";

/// Returns true for a variable that is 1 if two placements occur together, which need not be
/// declared integer.
fn is_both(variable: &Variable) -> bool {
    matches!(variable.meaning, Meaning::Both(..))
}

/// A line that explains the names of placements.
fn explain_names(problem: &Problem) -> String {
    let (names, cell) = match problem.board.squares() {
        Some(_) => ("x_R_C_tT_N", "row R, column C"),
        None => ("x_C_tT_N", "cell C"),
    };
    let placement = "[t=T,r=N]: tile T, turned N steps counter-clockwise";
    let mut tiles = problem.puzzle.tiles.iter();
    let faces = if tiles.any(|tile| tile.back.is_some()) {
        "; the ending _front or _back is the face that is up"
    } else {
        ""
    };
    format!("{names} is 1 when {cell} takes {placement}{faces}")
}

/// A line for each named cell whose name had to be changed in the names of placements.
fn renamed_cells(problem: &Problem) -> impl Iterator<Item = String> + '_ {
    problem.board.cells().iter().enumerate().filter_map(|(index, cell)| match &cell.name {
        CellName::Named(name) if !names::is_plain(name) => {
            let own = names::cell_name(problem, index);
            Some(format!("x_{own}_… is cell {name}"))
        }
        _ => None,
    })
}

/// A line for each value whose name does not identify the tile, because several tiles look the same
/// or the name of the tile was changed.
fn explain_values(problem: &Problem) -> impl Iterator<Item = String> + '_ {
    let kinds = &problem.kinds;
    (0..kinds.values.len()).filter_map(move |value| {
        let name = names::value_name(problem, value);
        let texts = kinds.kind_of(value).tiles.iter().filter_map(|&tile| {
            let orientation = kinds.orientations_of(tile, value).next()?;
            Some(placed_text(&problem.puzzle, Placed { tile, orientation }))
        });
        let texts = texts.collect_vec();
        let tile = &problem.puzzle.tiles[kinds.kind_of(value).tiles[0]].name;
        let is_plain = texts.len() == 1 && names::is_plain(tile);
        (!is_plain).then(|| format!("{name} is {}", texts.join(" or ")))
    })
}

/// Replaces control characters by `?`, so that a text stays within its comment line.
fn one_line(text: &str) -> String {
    text.chars().map(|c: char| if c.is_control() { '?' } else { c }).collect()
}

/// Writes words, each after a space, in lines of at most 100 bytes, which every reader accepts.
/// Longer words get a line of their own.
fn wrapped(out: &mut dyn Write, words: impl IntoIterator<Item = String>) -> io::Result<()> {
    const WIDTH: usize = 100;
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            writeln!(out)?;
            column = 0;
        }
        write!(out, " {word}")?;
        column += 1 + word.len();
    }
    writeln!(out)
}
