//! A form: a way of writing puzzles, with what it loses and how a text is recognised.
//!
//! Forms are tried in the order of their list; the first that recognises a text reads it.

use thiserror::Error;

use super::board::WrittenBoard;
use super::edge_order::EdgeOrder;
use super::error::{Remedy, Result};
use super::notation::Notation;
use super::notes::Notes;
use super::text::{MOST_CELLS, Source};
use crate::problem::oddities::similar;
use crate::problem::{Arrangement, Problem};
use crate::puzzle::{EdgeName, Label, Labels};

/// A problem, with notes unless a program wrote its text, in which nobody mistypes.
pub(super) type Noted<'s> = (Problem, Option<Notes<'s>>);

/// Reads a problem; the text is its name where the source gives none.
pub(super) type Read = for<'s> fn(&Form, &'s Source<'s>, &ReadOptions, &str) -> Result<Noted<'s>>;

/// Writes a problem, with an arrangement where the form shows one.
pub(super) type Write = fn(&Form, &Problem, Option<&Arrangement>) -> Result<Exported, WriteError>;

/// A way of writing a puzzle.
///
/// ```
/// use edgematch::load::{self, Form};
/// let problem = load::from_str("AbDC")?;
/// let yaml = Form::named("yaml").expect("it is the first form").write(&problem, None)?;
/// assert!(yaml.text.ends_with("  1: [A+, B-, D+, C+]\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Form {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a few words.
    pub what: &'static str,
    /// The endings of its files, without the dot; of several forms that share one the text tells
    /// which it is.
    pub endings: &'static [&'static str],
    /// Whether files that are no puzzles often end so: in a folder such files are passed over.
    pub(super) is_shared: bool,
    /// Whether it stands in place of a file's name.
    pub is_literal: fn(&str) -> bool,
    /// Whether a text that has no telling ending is in this form.
    pub(super) is_like: fn(&str) -> bool,
    /// Whether the text tells itself in which order edges are listed.
    pub(super) tells_order: bool,
    pub(super) notation: Notation,
    pub(super) read: Read,
    /// Reads the arrangements that a text shows, if the form shows any.
    pub(super) arrangements: Option<fn(&Source<'_>, &Problem) -> Result<Vec<Arrangement>>>,
    /// `None` if the form is only read.
    pub(super) write: Option<Write>,
}

impl std::fmt::Debug for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Form {
    /// A form without endings that is only read, and only on demand.
    pub(super) const fn new(name: &'static str, what: &'static str, read: Read) -> Form {
        Form {
            name,
            what,
            endings: &[],
            is_shared: false,
            is_literal: |_| false,
            is_like: |_| false,
            tells_order: false,
            notation: Notation::ANY,
            read,
            arrangements: None,
            write: None,
        }
    }

    /// The usual ending of its files, without the dot.
    pub fn ending(&self) -> &'static str {
        self.endings.first().unwrap_or(&"txt")
    }

    /// Whether puzzles are written in this form, not only read.
    pub fn is_written(&self) -> bool {
        self.write.is_some()
    }

    /// Writes a problem, and where the form shows one an arrangement.
    ///
    /// # Errors
    /// Where the form cannot say what would then be missed, or is read only.
    pub fn write(
        &self,
        problem: &Problem,
        arrangement: Option<&Arrangement>,
    ) -> Result<Exported, WriteError> {
        match self.write {
            Some(write) => write(self, problem, arrangement),
            None => Err(WriteError("this form can only be read".into())),
        }
    }
}

/// A text in some form, and what it does not say of the problem.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exported {
    /// The text, with a line's end.
    pub text: String,
    /// What is lost.
    pub lost: Vec<Loss>,
}

/// Something that a form does not say of a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// What, in a few words.
    pub what: String,
    /// Whether it is a rule: without it the puzzle has other solutions.
    pub is_rule: bool,
    /// A way to make up for it when the text is read.
    pub remedy: Option<Remedy>,
}

impl Loss {
    /// Something without which the solutions stay what they are.
    pub(super) fn note(what: String) -> Loss {
        Loss { what, is_rule: false, remedy: None }
    }
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

/// Why a problem can't be written in some form: what would be wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct WriteError(pub String);

/// How a text is to be read, where it does not tell or is told otherwise.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    pub(super) form: Option<&'static Form>,
    pub(super) order: Option<EdgeOrder>,
    pub(super) board: Option<WrittenBoard>,
    /// The image on the whole rim, or that there is none.
    pub(super) border: Option<Option<EdgeName>>,
    pub(super) may_turn: Option<bool>,
    pub(super) most_cells: usize,
}

impl ReadOptions {
    /// As the text says by itself.
    pub const AS_WRITTEN: ReadOptions = ReadOptions {
        form: None,
        order: None,
        board: None,
        border: None,
        may_turn: None,
        most_cells: MOST_CELLS,
    };

    /// The same, but boards with more cells are refused before they are built.
    pub fn with_most_cells(self, most_cells: usize) -> ReadOptions {
        ReadOptions { most_cells, ..self }
    }

    /// The problem under the border and the rule of rotation that the caller states.
    pub(super) fn with_rules(&self, source: &Source<'_>, problem: Problem) -> Result<Problem> {
        if self.border.is_none() && self.may_turn.is_none() {
            return Ok(problem);
        }
        let puzzle = &problem.puzzle;
        let border = match &self.border {
            None => puzzle.border,
            Some(None) => None,
            Some(Some(edge)) => Some(label_of(source, &puzzle.labels, edge)?),
        };
        let may_turn = self.may_turn.unwrap_or(puzzle.may_turn);
        Ok(problem.with_rules(border, may_turn))
    }
}

/// The label of an image that edges show.
fn label_of(source: &Source<'_>, labels: &Labels, edge: &EdgeName) -> Result<Label> {
    let image = labels.all().find(|&label| labels.edge(label).image == edge.image);
    match image {
        Some(label) if labels.edge(label) == edge => Ok(label),
        Some(_) => Err(source.error(format!("`{edge}` has halves, the border is a whole image"))),
        None => {
            let images = labels.all().map(|label| labels.edge(label).image.as_str());
            let error = source.error(format!("no edge shows the border `{edge}`"));
            Err(match similar(&edge.image, images) {
                Some(image) => error.with_help(format!("did you mean `{image}`?")),
                None => error,
            })
        }
    }
}
