//! Opens the puzzles that `play` and `site` offer: none, one, or those of a folder.

use std::path::Path;

use anyhow::bail;
use edgematch::enumerate::Limits;
use edgematch::load;
use edgematch_play::{Library, LoadedPuzzle};

use crate::args::{Extra, PuzzleFile};
use crate::common::{patience, pictures, warnings};

/// Opens the library that the argument names: empty without an argument, a folder of puzzles, or
/// one puzzle, which is read within the limits with its pictures. Warnings about one puzzle are
/// printed unless `is_quiet`.
///
/// # Errors
/// If a folder has no puzzle, the puzzle cannot be read, or `extra` options are given without a
/// single puzzle.
pub fn open(
    puzzle: Option<&Path>,
    extra: &Extra,
    is_quiet: bool,
    limits: &Limits<'_>,
) -> anyhow::Result<Library> {
    let Some(path) = puzzle else {
        extra.refuse_any("without a puzzle")?;
        return Ok(Library::Empty);
    };
    if path.is_dir() && load::puzzle_file(path).is_err() {
        extra.refuse_any("with a folder")?;
        let library = Library::folder(path);
        if library.is_empty() {
            bail!("the folder {} contains no puzzle", path.display());
        }
        return Ok(library);
    }
    let puzzle = PuzzleFile { file: path.to_owned(), extra: extra.clone() };
    let problem = patience::load(&puzzle, limits)?.problem;
    warnings::of_problem(&problem, is_quiet);
    let pictures = pictures::read(true, &puzzle, &problem, is_quiet, limits)?;
    Ok(Library::One(Box::new(LoadedPuzzle { problem, pictures })))
}
