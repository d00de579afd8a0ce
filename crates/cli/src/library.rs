//! The puzzles to play: none, one, or those of a folder.

use std::path::Path;

use anyhow::bail;
use edgematch::enumerate::Limits;
use edgematch::load;
use edgematch_play::{Library, One};

use super::args::Extra;
use super::{pictures, warnings};

/// Opens what was named.
pub fn open(puzzle: Option<&Path>, extra: &Extra, is_quiet: bool) -> anyhow::Result<Library> {
    let Some(path) = puzzle else {
        extra.refuse_any("without a puzzle")?;
        return Ok(Library::Empty);
    };
    if path.is_dir() && load::puzzle_file(path).is_err() {
        extra.refuse_any("with a folder")?;
        let library = Library::folder(path);
        if library.is_empty() {
            bail!("the folder {} holds no puzzle", path.display());
        }
        return Ok(library);
    }
    let problem = extra.load(path)?;
    if !is_quiet {
        warnings::of_problem(&problem);
    }
    let pictures = pictures::of_tiles(&problem, path, is_quiet, &Limits::default())?;
    Ok(Library::One(Box::new(One { problem, pictures })))
}
