//! The type of a puzzle format: its name, its file extensions, and functions that detect, read and
//! write it.
//!
//! Formats are tried in the order of their list; the first that recognises a text reads it.

use thiserror::Error;

use super::board::BoardSpec;
use super::edge_order::EdgeOrder;
use super::error::{LoadError, Remedy, Result};
use super::notation::Notation;
use super::text::{MOST_CELLS, Source};
use crate::problem::oddities::similar;
use crate::problem::{Arrangement, Problem};
use crate::puzzle::{EdgeName, Half, Label, Labels, UNKNOWN};

/// A problem and notes about how its text was read; no notes for machine-written formats, which
/// have no typing mistakes.
pub(super) type Noted<'s> = (Problem, Option<Notes<'s>>);

/// Finds the line and column of a tile, or of one of its edges.
pub(super) type Place<'a> = Box<dyn Fn(usize, Option<&EdgeName>) -> Option<(usize, usize)> + 'a>;

/// Facts about a text that are not part of the problem.
pub(super) struct Notes<'a> {
    /// True if the text gives a board, not only rows and columns.
    pub names_board: bool,
    /// True if the text is in our own form, which has keys for an order and for intentional
    /// oddities.
    pub is_own_form: bool,
    pub place: Place<'a>,
}

/// Reads a problem in the notation of a form.
pub(super) type Read = for<'s> fn(&Notation, &'s Source<'s>, &ReadOptions) -> Result<Noted<'s>>;

/// Reads the arrangements of a problem that a text contains.
pub(super) type ReadArrangements = fn(&Source<'_>, &Problem) -> Result<Vec<Arrangement>>;

/// Writes a problem in the notation of a form, and an arrangement if the form can represent one.
pub(super) type Write = fn(&Notation, &Problem, Option<&Arrangement>) -> Result<Written, String>;

/// A text in some form, and the information it contains.
pub(super) struct Written {
    pub text: String,
    /// The details that it contains; `None` for all.
    pub keeps: Option<Vec<Option<Detail>>>,
    /// Other information that it does not contain.
    pub omits: Vec<Option<String>>,
}

/// A part of a problem, other than its edges, that a form may represent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    Title,
    Source,
    Pictures,
    TileNames,
    ImageNames,
    /// Alternative names of images.
    OtherNames,
    Size,
    /// Oddities that are marked as intentional.
    Allowed,
    FixedRotations,
    Constraints,
    Objective,
    /// Images that match several others.
    Matches,
    Copies,
}

/// A puzzle format.
///
/// ```
/// use edgematch::load::{self, PuzzleFormat};
/// let problem = load::from_str("AbDC")?;
/// let yaml = PuzzleFormat::named("yaml").expect("it is the first form").write(&problem, None)?;
/// assert!(yaml.text.ends_with("  1: [A+, B-, D+, C+]\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PuzzleFormat {
    /// The name on the command line.
    pub name: &'static str,
    /// A description of a few words.
    pub what: &'static str,
    /// The file extensions, without the dot. If several forms share one, the first form is used.
    pub extensions: &'static [&'static str],
    /// True if files with these extensions are often not puzzles; such files are skipped in a
    /// folder.
    pub(super) is_shared: bool,
    /// Returns true if an argument is itself a puzzle in this form, not a file name.
    pub is_literal: fn(&str) -> bool,
    /// Returns true if a text looks like this form, which takes precedence over the extension.
    pub(super) recognises: fn(&str) -> bool,
    /// True if the text itself determines the order in which edges are listed.
    pub(super) tells_order: bool,
    pub(super) notation: Notation,
    pub(super) read: Read,
    /// Reads the arrangements in a text; `None` if the form cannot contain any.
    pub(super) arrangements: Option<ReadArrangements>,
    /// Rejects problems that the form would misrepresent; `None` if the form is read-only.
    pub(super) write: Option<Write>,
}

impl std::fmt::Debug for PuzzleFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PuzzleFormat {
    /// A read-only form without extensions, which is used only on request.
    pub(super) const fn new(name: &'static str, what: &'static str, read: Read) -> PuzzleFormat {
        PuzzleFormat {
            name,
            what,
            extensions: &[],
            is_shared: false,
            is_literal: |_| false,
            recognises: |_| false,
            tells_order: false,
            notation: Notation::ANY,
            read,
            arrangements: None,
            write: None,
        }
    }

    /// The usual file extension, without the dot.
    pub fn extension(&self) -> &'static str {
        self.extensions.first().unwrap_or(&"txt")
    }

    /// Returns true if the form can be written, not only read.
    pub fn is_written(&self) -> bool {
        self.write.is_some()
    }
}

/// A text in some form, with the list of information it loses.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exported {
    /// The text, ending in a newline.
    pub text: String,
    /// Information that the form cannot represent.
    pub lost: Vec<Loss>,
}

/// A part of a puzzle that a form cannot represent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// A few words.
    pub description: String,
    /// True if it is a rule: without it the puzzle has other solutions.
    pub is_rule: bool,
    /// A way to restore it when the text is read.
    pub remedy: Option<Remedy>,
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.description)
    }
}

/// The reason why a problem cannot be written in some form.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct WriteError(pub String);

/// Options for reading a text. They override or complete the text.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    pub(super) form: Option<&'static PuzzleFormat>,
    pub(super) order: Option<EdgeOrder>,
    pub(super) board: Option<BoardSpec>,
    /// The image on the whole rim; `Some(None)` means that there is no border.
    pub(super) border: Option<Option<EdgeName>>,
    pub(super) may_turn: Option<bool>,
    pub(super) most_cells: usize,
}

impl ReadOptions {
    /// No overrides: reads the text as written.
    pub const AS_WRITTEN: ReadOptions = ReadOptions {
        form: None,
        order: None,
        board: None,
        border: None,
        may_turn: None,
        most_cells: MOST_CELLS,
    };

    /// Sets the largest number of cells; larger boards are rejected before they are built.
    pub fn with_most_cells(self, most_cells: usize) -> ReadOptions {
        ReadOptions { most_cells, ..self }
    }

    /// Applies the border and the rotation rule of the options to a problem.
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

/// Parses the name of the border, which must be a known whole image.
pub(super) fn parse_border(text: &str) -> Result<EdgeName, String> {
    let edge = EdgeName::parse(text).map_err(|e| e.to_string())?;
    if edge.half != Half::Whole {
        let image = edge.image;
        Err(format!("the border is a whole image, not a half: write `{image}`"))
    } else if edge.image == UNKNOWN {
        Err("`?` is an unknown edge: expected the name of an image".to_owned())
    } else {
        Ok(edge)
    }
}

/// The label of an image that some edge shows.
fn label_of(source: &Source<'_>, labels: &Labels, edge: &EdgeName) -> Result<Label> {
    let image = labels.all().find(|&label| labels.edge(label).image == edge.image);
    match image {
        Some(label) if labels.edge(label) == edge => Ok(label),
        Some(_) => Err(source.error(format!("`{edge}` has halves, the border is a whole image"))),
        None => {
            let images = labels.all().map(|label| labels.edge(label).image.as_str());
            let help = similar(&edge.image, images).map(|image| format!("did you mean `{image}`?"));
            let error = source.error(format!("no edge shows the border `{edge}`"));
            Err(LoadError { help, ..error })
        }
    }
}
