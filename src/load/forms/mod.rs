//! What puzzles are written in: our own form and those of other programs, each read and written by
//! one file of this folder.
//!
//! A new form is one file and one line in [`FORMS`].

mod alphabet;
mod cards;
mod catalogue;
mod code;
mod draft;
mod eternity;
mod letters;
mod link;
mod losses;
mod matching;
mod signed;
mod tile_text;
mod words;
mod yaml;

use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::text::Source;
use super::yaml::{EdgeOrder, WrittenBoard};
use super::{LoadError, board};
use crate::board::{Arrangement, Problem};

pub(super) use link::{arrangements as arrangements_of_links, is_link as holds_links};

/// Every form, our own first.
pub const FORMS: [&Form; 12] = [
    &yaml::OWN,
    &yaml::BLOG,
    &cards::FORM,
    &letters::FORM,
    &signed::FORM,
    &catalogue::FORM,
    &tile_text::FORM,
    &eternity::TEXT,
    &eternity::PUZ,
    &eternity::CSV,
    &link::FORM,
    &code::FORM,
];

/// A way of writing a puzzle.
///
/// ```
/// use edgematch::load::{self, Form};
/// let problem = load::from_str("AbDC")?;
/// let yaml = Form::named("yaml").expect("it is the first form").write(&problem, None)?;
/// assert!(yaml.text.ends_with("  1: [B-, A+, C+, D+]\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Form {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a few words.
    pub what: &'static str,
    /// The endings of its files, without the dot; of several forms that share one the text tells which
    /// it is.
    pub endings: &'static [&'static str],
    /// Whether it stands in place of a file's name.
    pub is_literal: fn(&str) -> bool,
    /// Whether a text that has no telling ending is in this form.
    is_like: fn(&str) -> bool,
    /// Whether the text tells itself in which order edges are listed.
    tells_order: bool,
    read: fn(&Source<'_>, &Reading, &str) -> Result<Problem, LoadError>,
    write: fn(&Problem, Option<&Arrangement>) -> Result<Written, Unwritable>,
}

impl std::fmt::Debug for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Form {
    /// The form with this name.
    pub fn named(name: &str) -> Option<&'static Form> {
        FORMS.into_iter().find(|form| form.name == name)
    }

    /// The form that an ending tells, of the file that will be written.
    pub fn of_ending(path: &Path) -> Option<&'static Form> {
        Form::with_ending(path).next()
    }

    /// The forms whose files end so.
    fn with_ending(path: &Path) -> impl Iterator<Item = &'static Form> {
        let ending = path.extension().unwrap_or_default();
        let ending = ending.to_string_lossy().to_lowercase();
        let all = FORMS.into_iter();
        all.filter(move |form| form.endings.contains(&ending.as_str()))
    }

    /// The usual ending of its files, without the dot.
    pub fn ending(&self) -> &'static str {
        self.endings.first().unwrap_or(&"txt")
    }

    /// Writes a problem, and where the form shows one an arrangement.
    ///
    /// # Errors
    /// Where the form cannot say what would then be missed.
    pub fn write(
        &self,
        problem: &Problem,
        arrangement: Option<&Arrangement>,
    ) -> Result<Written, Unwritable> {
        (self.write)(problem, arrangement)
    }
}

/// A text in some form, and what it does not say of the problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The text, with a line's end.
    pub text: String,
    /// What is lost.
    pub lost: Vec<Loss>,
}

/// Something that a form does not say of a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// What, in a few words.
    pub what: String,
    /// Whether it is a rule: without it the puzzle has other solutions.
    pub is_rule: bool,
}

impl Loss {
    /// Something without which the solutions stay what they are.
    fn note(what: String) -> Loss {
        Loss {
            what,
            is_rule: false,
        }
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
pub struct Unwritable(pub String);

/// How a text is to be read, where it does not tell or is told otherwise.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    form: Option<&'static Form>,
    pub(super) order: Option<EdgeOrder>,
    pub(super) board: Option<WrittenBoard>,
}

impl Reading {
    /// As the text says by itself.
    pub const AS_WRITTEN: Reading = Reading {
        form: None,
        order: None,
        board: None,
    };
}

/// What is told of a text beside it, in words that can be kept with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The name of a form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The order in which edges are listed, such as `clockwise-from-top`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge_order: Option<String>,
    /// The board in place of the puzzle's own, as behind the key `board` of a file: `{grid: [4, 5]}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
}

impl Told {
    /// Each word with its name.
    pub fn words(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let words = [
            ("from", &self.from),
            ("edge-order", &self.edge_order),
            ("board", &self.board),
        ];
        let words = words.into_iter();
        words.filter_map(|(name, word)| Some((name, word.as_deref()?)))
    }

    /// The same but for the board: a puzzle on its own.
    pub fn without_board(&self) -> Told {
        Told {
            board: None,
            ..self.clone()
        }
    }

    /// What the words mean where they are flags.
    ///
    /// # Errors
    /// As for [`Told::reading`].
    pub fn reading_of_flags(&self) -> Result<Reading, LoadError> {
        self.reading(|name| format!("--{name}"))
    }

    /// What the words mean; `name` is what errors call them from their own names, `--board`.
    ///
    /// # Errors
    /// Where one of them means nothing.
    pub fn reading(&self, name: impl Fn(&str) -> String) -> Result<Reading, LoadError> {
        let form = self.from.as_ref().map(|from| {
            Form::named(from).ok_or_else(|| {
                let names = itertools::join(FORMS.map(|form| form.name), ", ");
                LoadError::whole_file(name("from"), format!("unknown form `{from}`"))
                    .with_help(format!("the forms are {names}"))
            })
        });
        let order = self.edge_order.as_ref().map(|order| {
            let order = EdgeOrder::parse(order);
            order.map_err(|e| LoadError::whole_file(name("edge-order"), e))
        });
        let written = self.board.as_ref().map(|text| board(text, &name("board")));
        Ok(Reading {
            form: form.transpose()?,
            order: order.transpose()?,
            board: written.transpose()?,
        })
    }
}

/// Reads a text; `name` is the puzzle's where the text gives none.
pub(super) fn read(
    source: &Source<'_>,
    reading: &Reading,
    name: &str,
) -> Result<Problem, LoadError> {
    let form = form_of(source, reading);
    let is_ours = [yaml::OWN.name, yaml::BLOG.name].contains(&form.name);
    if source.text.trim().is_empty() && !is_ours {
        let expected = format!("expected {}", form.what);
        return Err(source.error("the file is empty".into()).with_help(expected));
    }
    if reading.order.is_some() && form.tells_order {
        let message = format!("{} tells which edge lies on which side", form.what);
        return Err(source.error(message).with_help("leave the edge order out"));
    }
    (form.read)(source, reading, name)
}

/// The form that a text is read in: the one that is told, else what its ending or the text itself tells.
pub(super) fn form_of(source: &Source<'_>, reading: &Reading) -> &'static Form {
    if let Some(form) = reading.form {
        return form;
    }
    // A document of several is called `file.yaml#2`.
    let file = source
        .file
        .rsplit_once('#')
        .map_or(source.file, |(file, number)| {
            match number.bytes().all(|b| b.is_ascii_digit()) {
                true => file,
                false => source.file,
            }
        });
    let is_literal = |form: &&Form| (form.is_literal)(source.text.trim());
    let is_like = |form: &&Form| (form.is_like)(source.text);
    let by_ending = || {
        let path = Path::new(file);
        // Two forms may share an ending.
        let named = Form::with_ending(path).find(is_like);
        named.or_else(|| Form::of_ending(path))
    };
    let mut all = FORMS.into_iter();
    all.find(is_literal)
        .or_else(by_ending)
        .or_else(|| FORMS.into_iter().find(is_like))
        .unwrap_or(&yaml::OWN)
}

/// An argument that is no file's name but a puzzle itself: a code, or a link to a viewer.
pub fn literal(argument: &Path) -> Option<&str> {
    let is = |text: &&str| FORMS.into_iter().any(|form| (form.is_literal)(text));
    argument.to_str().filter(is)
}

/// Whether an argument is [one](literal).
pub fn is_literal(argument: &Path) -> bool {
    literal(argument).is_some()
}

/// A form that never stands in place of a file's name.
fn never(_: &str) -> bool {
    false
}
