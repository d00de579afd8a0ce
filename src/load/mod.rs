//! Converts text to a puzzle on a board or to an arrangement, or reports an error with its
//! position.
//!
//! [`PUZZLE_FORMATS`] lists the formats, our own and those of other programs. Later folders see only a
//! [`Problem`] with the conventions of [`crate::puzzle`], independent of the input format.

mod board;
mod edge_order;
mod error;
mod form;
mod forms;
mod json;
mod nearby;
mod notation;
mod overrides;
mod short;
mod solution;
mod text;
mod warnings;
mod yaml;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub use self::error::{LoadError, Remedy, Result, is_unprintable, printable};
pub use self::form::{Exported, Loss, PuzzleFormat, ReadOptions, WriteError};
pub use self::forms::{PUZZLE_FORMATS, is_literal, literal};
pub use self::overrides::ReadOverrides;
pub use self::short::{short_constraints, with_short_constraints};
pub use self::solution::{
    HOLE, cell_text, placed_text, read_all_solutions, read_solutions, tile_text,
};
use self::text::MOST_TILES;
pub(crate) use self::text::Source;
pub use self::text::{LARGEST_FILE, next_line};
pub use self::warnings::warnings;
pub use self::yaml::{Described, field_words, schema};
use crate::board::Board;
use crate::problem::constraints::Expression;
use crate::problem::{Arrangement, Listed, Problem};
use crate::puzzle::Tile;

/// A constraint in the form of a file, on one line; only its kind if no file can contain it.
pub fn constraint_text(constraint: &Listed) -> String {
    match &constraint.source {
        Some(source) => yaml::flow(source),
        None => constraint.constraint.name().to_owned(),
    }
}

/// The objective of a problem in the form of a file, on one line; `None` if the file gives none.
pub fn objective_text(problem: &Problem) -> Option<String> {
    problem.objectives.source.as_ref().map(yaml::flow)
}

/// The tile file in the blog's layout, relative to the folder named after the puzzle.
const BLOG_FILE: &str = "input/tile_dict.yaml";

/// Reads a puzzle in any form: from a file, from a code or link given instead of a file name, from
/// a folder that contains `input/tile_dict.yaml`, or from standard input if the path is `-`.
///
/// # Errors
/// If there is no such file, it cannot be read, or it is not a puzzle.
pub fn read(path: &Path) -> Result<Problem> {
    Ok(read_with_bytes(path, &ReadOptions::AS_WRITTEN)?.0)
}

/// Reads a puzzle with the given options and also returns the bytes of the file.
///
/// # Errors
/// Same as [`read`]; also if the tiles do not fill a board given in the options.
pub fn read_with_bytes(path: &Path, options: &ReadOptions) -> Result<(Problem, Vec<u8>)> {
    let file = puzzle_file(path)?;
    let bytes = read_bytes(&file)?;
    let problem = from_bytes_as(&bytes, &shown(&file), &name_of(&file), options)?;
    Ok((problem, bytes))
}

/// Reads a board without tiles. `name` identifies the text in errors.
///
/// ```
/// let board = edgematch::load::read_board("{grid: [2, 3], wrap: both}", "board").unwrap();
/// assert_eq!(board.size(), 6);
/// ```
///
/// # Errors
/// If the text is not a board, or the board has more cells than a puzzle may have tiles.
pub fn read_board(written: &str, name: &str) -> Result<Board> {
    let fail = |what: String| LoadError::whole_file(name, what);
    let board = yaml::read_board(&Source::decode(written.as_bytes(), name)?)?;
    board
        .refuse_unfilled(MOST_TILES)
        .map_err(|_| fail(format!("{written}: at most {MOST_TILES} cells")))?;
    board.build().map_err(|error| fail(error.to_string()))
}

/// Reads a puzzle from a text in any form, usually YAML.
///
/// ```
/// let problem = edgematch::load::from_str("tiles: {only: [a+, b, a-, b]}").unwrap();
/// assert_eq!(problem.board.description(), "1 × 1 grid");
/// ```
///
/// # Errors
/// If the text is not a puzzle.
pub fn from_str(text: &str) -> Result<Problem> {
    from_bytes(text.as_bytes(), "<text>", "puzzle")
}

/// Reads a puzzle from the bytes of a file in any form. `file` identifies the file in errors;
/// `name` is the puzzle's name if the text gives none.
///
/// # Errors
/// If the bytes are not a puzzle.
pub fn from_bytes(bytes: &[u8], file: &str, name: &str) -> Result<Problem> {
    from_bytes_as(bytes, file, name, &ReadOptions::AS_WRITTEN)
}

/// Reads a puzzle from bytes with the given options.
///
/// # Errors
/// Same as [`from_bytes`]; also if the tiles do not fill a board given in the options.
pub fn from_bytes_as(
    bytes: &[u8],
    file: &str,
    name: &str,
    options: &ReadOptions,
) -> Result<Problem> {
    let source = Source { default_name: name, ..Source::decode(bytes, file)? };
    forms::read(&source, options).map(|(problem, _)| problem)
}

/// The arrangements contained in the puzzle's own text if that is one or several viewer links;
/// otherwise `None`.
///
/// # Errors
/// If a link is broken.
pub fn own_arrangements(bytes: &[u8], problem: &Problem) -> Result<Option<Vec<Arrangement>>> {
    forms::shown_arrangements(&Source::decode(bytes, "the link")?, problem)
}

/// Returns true if the file extension is typical of puzzles. CSV and JSON are excluded: in a folder
/// they are more often results.
pub fn is_puzzle_file(path: &Path) -> bool {
    PuzzleFormat::of_extension(path).is_some_and(|form| !form.is_shared)
}

/// The form in which the bytes of a file are read.
///
/// # Errors
/// If the bytes are not text.
pub fn form_of(bytes: &[u8], file: &str, options: &ReadOptions) -> Result<&'static PuzzleFormat> {
    Ok(forms::form_of(&Source::decode(bytes, file)?, options))
}

/// Adds the constraints of a file: a list under the key `constraints`, or the list alone. `file`
/// identifies the file in errors.
///
/// ```
/// use edgematch::{load, solve};
/// let pair = load::from_str("{rows: 1, cols: 2, tiles: {1: [a+, b, b, c], 2: [c, c, a-, b]}}")?;
/// let pin = b"[pin: {cell: [1, 1], tile: 2, rotation: 0}]";
/// let pinned = load::constraints_from_bytes(pair, pin, "pin")?;
/// assert_eq!(solve(&pinned).solutions.len(), 1);
/// # Ok::<(), load::LoadError>(())
/// ```
///
/// # Errors
/// If the bytes are not a list of constraints for this puzzle.
pub fn constraints_from_bytes(problem: Problem, bytes: &[u8], file: &str) -> Result<Problem> {
    let (constraints, objectives) = yaml::constraints(&Source::decode(bytes, file)?, &problem)?;
    let problem = problem.with_constraints(constraints);
    Ok(if objectives.list.is_empty() { problem } else { problem.with_objectives(objectives) })
}

/// Rejects a text that is not valid YAML, without interpreting it. `file` identifies it in errors.
///
/// # Errors
/// If the text is not valid YAML.
pub fn refuse_bad_yaml(text: &str, file: &str) -> Result<()> {
    yaml::Document::read(&Source::decode(text.as_bytes(), file)?, yaml::EXAMPLE).map(drop)
}

/// Reads a linear expression: `[{weight: 2, cells: corners, tile: 5}, …]`, or the path of a file
/// with such a list. `name`, such as `--maximize`, identifies the former in errors.
///
/// # Errors
/// If there is no such file, or the text is not an expression over this puzzle.
pub fn expression(problem: &Problem, written: &str, name: &str) -> Result<Expression> {
    if written.trim_start().starts_with(['[', '{']) {
        return yaml::expression(&Source::decode(written.as_bytes(), name)?, problem);
    }
    let bytes = read_bytes(Path::new(written))?;
    yaml::expression(&Source::decode(&bytes, written)?, problem)
}

/// The bytes of a file, of standard input if the path is `-`, or of the argument itself if it is [a
/// puzzle, not a path](is_literal).
///
/// # Errors
/// If the file does not exist, cannot be read or is larger than [`LARGEST_FILE`].
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    if let Some(text) = literal(path) {
        return Ok(text.as_bytes().to_vec());
    }
    if path.to_str().is_some_and(forms::is_url) {
        let error = LoadError::whole_file(path.display(), "a link, not a file".into());
        return Err(error.with_help(
            "save the puzzle and name the file; of links, those of the page with a code (`#em1-…`) and those of \
             viewers are read",
        ));
    }
    let fail = |e: io::Error| LoadError {
        help: (e.kind() == io::ErrorKind::NotFound).then(|| nearby::did_you_mean(path)).flatten(),
        ..LoadError::whole_file(path.display(), read_failure(&e))
    };
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().take(LARGEST_FILE + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).map_err(fail)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes)
    };
    read.map_err(fail)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(LoadError::whole_file(path.display(), too_large()));
    }
    Ok(bytes)
}

/// The message for a text larger than [`LARGEST_FILE`].
pub fn too_large() -> String {
    format!("larger than {} MiB, the largest puzzle that is read", LARGEST_FILE >> 20)
}

/// A path as shown in errors. A puzzle given instead of a path is truncated.
pub fn shown(path: &Path) -> String {
    const SHOWN: usize = 32;
    let name = path.display().to_string();
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) if is_literal(path) => format!("{}…", &name[..end]),
        _ => name,
    }
}

/// The reason why a file cannot be read, as a message.
pub fn read_failure(e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a folder, not a file".into(),
        _ => format!("it can't be read: {e}"),
    }
}

/// Resolves a path to a puzzle file: the path itself, or the tile file of a folder in the blog's
/// layout.
///
/// # Errors
/// If the path is a folder without such a file.
pub fn puzzle_file(path: &Path) -> Result<PathBuf> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let inside = path.join(BLOG_FILE);
    if inside.is_file() {
        return Ok(inside);
    }
    let mut puzzles = nearby::files_of(path);
    puzzles.retain(|file| is_puzzle_file(file));
    let fail = |message| LoadError::whole_file(path.display(), message);
    Err(match &puzzles[..] {
        [] => fail("a folder without a puzzle".to_owned()).with_help(format!(
            "a puzzle folder holds its tiles as {BLOG_FILE}; name a file to read another"
        )),
        [first, ..] => {
            let help = format!("name one of them, such as {}", first.display());
            let number = match puzzles.len() {
                1 => "1 puzzle".to_owned(),
                number => format!("{number} puzzles"),
            };
            fail(format!("a folder with {number}, expected one file"))
                .with_remedy(Remedy::EachPuzzle, help)
        }
    })
}

/// The pattern of the tile pictures beside a puzzle file, in which `{tile}` is replaced by the
/// tile's name: the one in the puzzle, or `{tile}.png` in the blog's layout if at least one such
/// file exists. `None` if the tiles have no pictures.
pub fn picture_pattern(problem: &Problem, file: &Path) -> Option<String> {
    const BLOG_PATTERN: &str = "{tile}.png";
    let has_picture = |tile: &Tile| {
        let picture = BLOG_PATTERN.replace("{tile}", &tile.name);
        file.with_file_name(picture).is_file()
    };
    let is_blog_folder = file.ends_with(BLOG_FILE) && problem.puzzle.tiles.iter().any(has_picture);
    problem.puzzle.pictures.clone().or_else(|| is_blog_folder.then(|| BLOG_PATTERN.to_owned()))
}

/// The default name of a puzzle: the file name without its extension, or the folder in the blog's
/// layout.
pub fn name_of(file: &Path) -> String {
    let named = if file.ends_with(BLOG_FILE) {
        file.ancestors().nth(2).and_then(Path::file_name)
    } else {
        file.file_stem()
    };
    let named = named.filter(|_| file != Path::new("-") && !is_literal(file));
    named.map_or_else(|| "puzzle".into(), |name| name.to_string_lossy().into_owned())
}
