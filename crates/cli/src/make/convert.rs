//! `edgematch convert`: writes a puzzle in another format.
//!
//! Information that the format cannot hold is listed; a lost rule is an error unless `--lossy` is
//! given.

use std::path::Path;

use anyhow::{anyhow, bail};
use edgematch::load::{self, Loss, PUZZLE_FORMATS, PuzzleFormat, Remedy};
use edgematch::problem::Problem;
use itertools::Itertools;

use crate::args::{Convert, inputs, refuse_two_readers};
use crate::common::{Outputs, exit, folder_of, is_stdout, note, say, warnings};

/// Runs `edgematch convert`; returns the exit code, 0.
pub fn run(args: &Convert) -> anyhow::Result<u8> {
    let read = args.puzzle.inputs().chain(inputs("the arrangement", &args.arrangement));
    let read = read.chain(inputs("the model", &args.answer.model));
    refuse_two_readers(read.clone())?;
    let output = args.output.as_deref().filter(|path| !is_stdout(path));
    let mut file = Outputs::new(args.force, read).file_or_stdout(output)?;
    let form = form(args, output)?;
    let loaded = args.puzzle.load()?;
    let pictures = relocated_pictures(&loaded.problem, &args.puzzle.file, output)?;
    let is_outside = pictures.as_ref().is_some_and(|p| p.starts_with(".."));
    let arrangements = args.answer.arrangements(&loaded, args.arrangement.as_ref())?;
    let first = arrangements.and_then(|all| all.into_iter().next());
    let problem = loaded.problem.with_pictures(pictures);
    let written = form.write(&problem, first.as_ref()).map_err(|e| {
        let name = &problem.puzzle.name;
        let advice = match (form.name, &first) {
            ("link", None) => {
                "; name one with --arrangement, or let `edgematch solve --format link` print a link for \
                 each solution"
            }
            _ => "",
        };
        anyhow!("{name} can't be written in the form {}: {e}{advice}", form.what)
    })?;
    let rules = written.lost.iter().filter(|loss| loss.is_rule).join("; ");
    if !rules.is_empty() && !args.lossy {
        bail!(
            "{} can't be written in the form {} without losing {rules}: the new file would have \
             other solutions; use --lossy to write it anyway",
            problem.puzzle.name,
            form.what
        );
    }
    file.write(written.text.as_bytes())?;
    if !written.lost.is_empty() && !args.messages.quiet {
        let lost = written.lost.iter().map(|loss| advised(&problem, loss));
        say(&format!("lost: {}", lost.format("; ")));
    }
    warnings::assumed(&problem, args.messages.quiet);
    note(
        args.messages.quiet || !is_outside,
        "note: the pictures of the tiles are outside the folder of the new file: to draw them, copy them there",
    );
    Ok(exit::FOUND)
}

/// Describes a loss, with the option to read the new file with if one compensates for it.
fn advised(problem: &Problem, loss: &Loss) -> String {
    match (loss.remedy, problem.board.rectangle()) {
        (Some(Remedy::Size), Some((rows, columns))) => {
            format!("{loss}: read it with `--size {rows}x{columns}`")
        }
        _ => loss.to_string(),
    }
}

/// The path pattern of the tiles' pictures, relative to the folder that the puzzle is written into;
/// `None` if it has no pictures. An absolute pattern is kept, and so is one of a puzzle from
/// standard input or a literal.
fn relocated_pictures(
    problem: &Problem,
    input: &Path,
    output: Option<&Path>,
) -> anyhow::Result<Option<String>> {
    let file = load::puzzle_file(input)?;
    let Some(pattern) = load::picture_pattern(problem, &file) else {
        return Ok(None);
    };
    let folder = |file: &Path| folder_of(file).canonicalize();
    let has_place = !is_stdout(input) && !load::is_literal(input);
    let here = output.map_or_else(|| Path::new(".").canonicalize(), folder);
    let (Ok(there), Ok(here), true) = (folder(&file), here, has_place) else {
        return Ok(Some(pattern));
    };
    if there == here || Path::new(&pattern).is_absolute() {
        return Ok(Some(pattern));
    }
    let place = there.join(&pattern);
    // The same path without `..`, if its folder exists.
    let straight = || Some(folder(&place).ok()?.join(place.file_name()?));
    let moved = pathdiff::diff_paths(straight().unwrap_or(place.clone()), here)
        .and_then(|path| path.to_str().map(str::to_owned));
    Ok(Some(moved.unwrap_or(pattern)))
}

/// The format given by `--to`, or else by the ending of the output file; YAML on standard output.
///
/// # Errors
/// If the ending is not that of a format which can be written.
fn form(args: &Convert, output: Option<&Path>) -> anyhow::Result<&'static PuzzleFormat> {
    match (args.to, output) {
        (Some(form), _) => Ok(form),
        (None, None) => Ok(PUZZLE_FORMATS[0]),
        (None, Some(path)) => PuzzleFormat::to_write(path).ok_or_else(|| {
            let mut names =
                PUZZLE_FORMATS.iter().filter(|form| form.is_written()).map(|form| form.name);
            anyhow!("{}: its ending names no form: use --to {}", path.display(), names.join(", "))
        }),
    }
}
