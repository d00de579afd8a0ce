//! The puzzle formats: our own form and those of other programs, each read and written by one
//! module of this folder.
//!
//! A new form needs one file and one entry in [`PUZZLE_FORMATS`].

#[cfg(feature = "forms")]
mod alphabet;
#[cfg(feature = "forms")]
mod catalogue;
#[cfg(feature = "forms")]
mod code;
mod draft;
#[cfg(feature = "forms")]
mod link;
mod losses;
mod text;
mod words;
mod yaml;

use std::path::Path;

use self::losses::lost;
use super::error::Result;
use super::form::{Exported, Loss, Noted, PuzzleFormat, ReadOptions, WriteError, Written};
use super::text::Source;
use super::yaml::Document;
use crate::problem::{Arrangement, Problem};

/// The list of forms, our own first. Forms that need additional crates require the feature
/// `forms`. If several forms recognise a text, the first one reads it.
pub const PUZZLE_FORMATS: &[&PuzzleFormat] = &[
    &yaml::OWN,
    &yaml::BLOG,
    &text::FORM,
    &text::WHOLE,
    &text::CARDS,
    &text::LETTERS,
    &text::SIGNED,
    #[cfg(feature = "forms")]
    &catalogue::FORM,
    &text::TILE,
    &text::ETERNITY,
    &text::PUZ,
    &text::CSV,
    #[cfg(feature = "forms")]
    &link::FORM,
    #[cfg(feature = "forms")]
    &code::FORM,
];

impl PuzzleFormat {
    /// The form with this name; `None` if there is none.
    pub fn named(name: &str) -> Option<&'static PuzzleFormat> {
        PUZZLE_FORMATS.iter().copied().find(|form| form.name == name)
    }

    /// The form that a file extension determines; `None` if it is not that of a form.
    pub fn of_extension(path: &Path) -> Option<&'static PuzzleFormat> {
        PuzzleFormat::with_extension(path).next()
    }

    /// The form that a file extension determines for writing; `None` if no form with this extension
    /// can be written.
    pub fn to_write(path: &Path) -> Option<&'static PuzzleFormat> {
        PuzzleFormat::with_extension(path).find(|form| form.is_written())
    }

    /// Writes a problem, and an arrangement if the form can represent one.
    ///
    /// # Errors
    /// If the form cannot represent the puzzle at all, or is read-only.
    pub fn write(
        &self,
        problem: &Problem,
        arrangement: Option<&Arrangement>,
    ) -> Result<Exported, WriteError> {
        let Some(write) = self.write else {
            return Err(WriteError("this form can only be read".into()));
        };
        let written = write(&self.notation, problem, arrangement);
        let Written { text, keeps, omits } = written.map_err(WriteError)?;
        let notes = omits.into_iter().flatten();
        let notes = notes.map(|description| Loss { description, is_rule: false, remedy: None });
        let details = keeps.map_or_else(Vec::new, |keeps| lost(problem, &keeps));
        Ok(Exported { text, lost: details.into_iter().chain(notes).collect() })
    }

    /// The forms with the file extension of `path`.
    fn with_extension(path: &Path) -> impl Iterator<Item = &'static PuzzleFormat> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let all = PUZZLE_FORMATS.iter().copied();
        all.filter(move |form| form.extensions.contains(&&*ending))
    }
}

/// Reads a text.
pub(super) fn read<'s>(source: &'s Source<'s>, options: &ReadOptions) -> Result<Noted<'s>> {
    let form = form_of(source, options);
    let is_ours = [yaml::OWN.name, yaml::BLOG.name].contains(&form.name);
    if source.text.trim().is_empty() && !is_ours {
        let expected = format!("expected {}", form.what);
        return Err(source.error("the file is empty".into()).with_help(expected));
    }
    if options.order.is_some() && form.tells_order {
        let message = format!("{} tells which edge lies on which side", form.what);
        return Err(source.error(message).with_help("leave the edge order out"));
    }
    if form.name == yaml::OWN.name && options.form.is_none() && !may_be_yaml(source) {
        return Err(source.error("this is not a puzzle".into()).with_help(text::EXAMPLE));
    }
    if source.text.trim_start().starts_with("[t=") {
        let help = "name the puzzle first, then the arrangement";
        return Err(source.error("an arrangement, not a puzzle".into()).with_help(help));
    }
    let is_guess = form.name == yaml::OWN.name && options.form.is_none() && !has_extension(source);
    let (problem, notes) = (form.read)(&form.notation, source, options).map_err(|error| {
        if !is_guess || error.help.is_some() || source.text.lines().any(text::starts_with_own_key) {
            return error;
        }
        // A text that is not YAML either may be anything: the position of the first mistake does not
        // help.
        let is_bracketed = source.text.trim_start().starts_with(['{', '[']);
        let is_yaml = is_bracketed || Document::read(source, text::EXAMPLE).is_ok();
        let error = if is_yaml { error } else { source.error("this is not a puzzle".into()) };
        error.with_help(text::EXAMPLE)
    })?;
    Ok((options.with_rules(source, problem)?, notes))
}

/// Returns true if a file has the extension of our own form, or its first line can begin a mapping.
fn may_be_yaml(source: &Source<'_>) -> bool {
    let lines = source.text.lines().map(str::trim);
    let first = lines.into_iter().find(|line| !line.is_empty() && !line.starts_with('#'));
    let begins = |line: &str| {
        line.starts_with(['{', '[', '-', '%', '"', '\''])
            || line.contains(": ")
            || line.ends_with(':')
    };
    has_extension(source) || first.is_none_or(begins)
}

/// Returns true if the extension of the file is that of a form.
fn has_extension(source: &Source<'_>) -> bool {
    PuzzleFormat::of_extension(Path::new(source.file)).is_some()
}

/// The form in which a text is read: the one in the options, otherwise determined by the text or
/// its file extension.
pub(super) fn form_of(source: &Source<'_>, options: &ReadOptions) -> &'static PuzzleFormat {
    if let Some(form) = options.form {
        return form;
    }
    // A document of a multi-document file is called `file.yaml#2`.
    let file = source.file.rsplit_once('#').map_or(source.file, |(file, number)| {
        if number.bytes().all(|b| b.is_ascii_digit()) { file } else { source.file }
    });
    let is_literal = |form: &&PuzzleFormat| (form.is_literal)(source.text.trim());
    let recognises = |form: &&PuzzleFormat| (form.recognises)(source.text);
    let all = || PUZZLE_FORMATS.iter().copied();
    if let Some(form) = all().find(is_literal) {
        return form;
    }
    let by_extension = PuzzleFormat::of_extension(Path::new(file));
    let is_list = [text::CARDS, text::TILE, text::CSV].map(|form| form.name);
    match all().find(recognises) {
        Some(form) if form.name == text::FORM.name => {
            by_extension.filter(|form| is_list.contains(&form.name)).unwrap_or(form)
        }
        Some(form) => form,
        None => by_extension.unwrap_or(&yaml::OWN),
    }
}

/// The argument if it is a puzzle itself: a code, or a link to a viewer; the code in a link to the
/// page; `None` if it is a path.
pub fn literal(argument: &Path) -> Option<&str> {
    let is = |text: &&str| PUZZLE_FORMATS.iter().copied().any(|form| (form.is_literal)(text));
    let text = argument.to_str()?;
    let code = || {
        let (_, puzzle) = text.split_once("#em").filter(|_| is_url(text))?;
        // The page appends the position after a tilde.
        let end = puzzle.find('~').unwrap_or(puzzle.len());
        Some(&text[text.len() - puzzle.len() - "em".len()..][..end + "em".len()])
    };
    Some(text).filter(is).or_else(|| code().filter(is))
}

/// Returns true if a text begins like a web address.
pub fn is_url(text: &str) -> bool {
    ["http://", "https://", "file://"].iter().any(|scheme| text.starts_with(scheme))
}

/// Returns true if an argument is [a puzzle itself](literal).
pub fn is_literal(argument: &Path) -> bool {
    literal(argument).is_some()
}

/// The arrangements contained in the text of a puzzle; `None` if its form contains none.
///
/// # Errors
/// If the text is broken.
pub(super) fn shown_arrangements(
    source: &Source<'_>,
    problem: &Problem,
) -> Result<Option<Vec<Arrangement>>> {
    let mut forms = PUZZLE_FORMATS.iter().filter(|form| (form.recognises)(source.text));
    let read = forms.find_map(|form| form.arrangements);
    read.map(|read| read(source, problem)).transpose()
}
