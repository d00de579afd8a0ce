//! Text to a puzzle on a board, or to an arrangement; or an error that points at the place.
//!
//! [`FORMS`] are the forms, ours and those of other programs. Everything behind this folder sees a
//! [`Problem`] with the conventions of [`crate::puzzle`] and never learns how it was written.

mod board;
mod edge_order;
mod error;
mod form;
mod forms;
mod json;
mod nearby;
mod notation;
mod notes;
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
pub use self::form::{Exported, Form, Loss, ReadOptions, WriteError};
pub use self::forms::{FORMS, is_literal, literal};
pub use self::overrides::ReadOverrides;
pub use self::short::{short_constraints, with_short_constraints};
pub use self::solution::{
    HOLE, cell_text, placed_text, read_all_solutions, read_solutions, tile_text,
};
use self::text::MOST_TILES;
pub(crate) use self::text::Source;
pub use self::text::{LARGEST_FILE, next_line};
pub use self::warnings::warnings;
pub use self::yaml::{Described, schema};
use crate::board::Board;
use crate::problem::constraints::Expression;
use crate::problem::{Arrangement, Problem};
use crate::puzzle::Tile;

/// Where the blog's layout keeps its tiles, below the folder that carries the puzzle's name.
const BLOG_FILE: &str = "input/tile_dict.yaml";

/// Reads a puzzle from a file in whatever form, from a code or a link in place of its name, from a
/// folder that holds one as `input/tile_dict.yaml`, or from standard input where the path is `-`.
///
/// # Errors
/// Where there is no such file, it can't be read, or it is no puzzle.
pub fn read(path: &Path) -> Result<Problem> {
    Ok(read_with_bytes(path, &ReadOptions::AS_WRITTEN)?.0)
}

/// The same, with the bytes of the file, and told how they are to be read.
///
/// # Errors
/// As for [`read`], and where the tiles do not fill the board that is told.
pub fn read_with_bytes(path: &Path, options: &ReadOptions) -> Result<(Problem, Vec<u8>)> {
    let file = puzzle_file(path)?;
    let bytes = read_bytes(&file)?;
    let problem = from_bytes_as(&bytes, &shown(&file), &name_of(&file), options)?;
    Ok((problem, bytes))
}

/// Reads a board without tiles. `name` is what errors call its text.
///
/// ```
/// let board = edgematch::load::read_board("{grid: [2, 3], wrap: both}", "board").unwrap();
/// assert_eq!(board.size(), 6);
/// ```
///
/// # Errors
/// Where it is no board, or has more cells than a puzzle may have tiles.
pub fn read_board(written: &str, name: &str) -> Result<Board> {
    let fail = |what: String| LoadError::whole_file(name, what);
    let board = yaml::read_board(&Source::decode(written.as_bytes(), name)?)?;
    board
        .refuse_unfilled(MOST_TILES)
        .map_err(|_| fail(format!("{written}: at most {MOST_TILES} cells")))?;
    board.build().map_err(|error| fail(error.to_string()))
}

/// Reads a puzzle from a text in whatever form, YAML as a rule.
///
/// ```
/// let problem = edgematch::load::from_str("tiles: {only: [a+, b, a-, b]}").unwrap();
/// assert_eq!(problem.board.description(), "1 × 1 grid");
/// ```
///
/// # Errors
/// Where the text is no puzzle.
pub fn from_str(text: &str) -> Result<Problem> {
    from_bytes(text.as_bytes(), "<text>", "puzzle")
}

/// Reads a puzzle from the bytes of a file in whatever form; `file` is what errors call it and
/// `name` the puzzle's name where the text gives none.
///
/// # Errors
/// Where the bytes are no puzzle.
pub fn from_bytes(bytes: &[u8], file: &str, name: &str) -> Result<Problem> {
    from_bytes_as(bytes, file, name, &ReadOptions::AS_WRITTEN)
}

/// The same, told how they are to be read.
///
/// # Errors
/// As for [`from_bytes`], and where the tiles do not fill the board that is told.
pub fn from_bytes_as(
    bytes: &[u8],
    file: &str,
    name: &str,
    options: &ReadOptions,
) -> Result<Problem> {
    let source = Source::decode(bytes, file)?;
    forms::read(&source, options, name).map(|(problem, _)| problem)
}

/// The arrangements that a puzzle's own text shows, where it is a link to a viewer or several.
///
/// # Errors
/// Where a link is broken.
pub fn own_arrangements(bytes: &[u8], problem: &Problem) -> Result<Option<Vec<Arrangement>>> {
    forms::shown_arrangements(&Source::decode(bytes, "the link")?, problem)
}

/// Whether a file in a folder is called as puzzles are. CSV and JSON are more often results.
pub fn is_puzzle_file(path: &Path) -> bool {
    Form::of_ending(path).is_some_and(|form| !form.is_shared)
}

/// The form that the bytes of a file are read in.
///
/// # Errors
/// Where they are no text.
pub fn form_of(bytes: &[u8], file: &str, options: &ReadOptions) -> Result<&'static Form> {
    Ok(forms::form_of(&Source::decode(bytes, file)?, options))
}

/// Adds the constraints of a file: the key `constraints` with a list, or the list alone.
///
/// # Errors
/// Where the file can't be read, or is no list of constraints for this puzzle.
pub fn add_constraints(problem: Problem, path: &Path) -> Result<Problem> {
    constraints_from_bytes(problem, &read_bytes(path)?, &path.display().to_string())
}

/// Adds the constraints in the bytes of such a file; `file` is what errors call it.
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
/// Where the bytes are no list of constraints for this puzzle.
pub fn constraints_from_bytes(problem: Problem, bytes: &[u8], file: &str) -> Result<Problem> {
    let constraints = yaml::constraints(&Source::decode(bytes, file)?, &problem)?;
    Ok(problem.with_constraints(constraints))
}

/// Whether a text is YAML at all, whatever it says; `file` is what errors call it.
///
/// # Errors
/// Where it is not.
pub fn refuse_bad_yaml(text: &str, file: &str) -> Result<()> {
    yaml::parse_only(&Source::decode(text.as_bytes(), file)?)
}

/// Reads a linear expression: `[{weight: 2, cells: corners, tile: 5}, …]`, or a file with such a
/// list. `name` is what errors call the former, `--maximize`.
///
/// # Errors
/// Where there is no such file, or it is no expression over this puzzle.
pub fn expression(problem: &Problem, written: &str, name: &str) -> Result<Expression> {
    if written.trim_start().starts_with(['[', '{']) {
        return yaml::expression(&Source::decode(written.as_bytes(), name)?, problem);
    }
    let bytes = read_bytes(Path::new(written))?;
    yaml::expression(&Source::decode(&bytes, written)?, problem)
}

/// The bytes of a file, of standard input where the path is `-`, or of the argument itself where it
/// is [a puzzle, not a path](is_literal).
///
/// # Errors
/// Where it isn't there, can't be read or is larger than [`LARGEST_FILE`].
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    if let Some(text) = literal(path) {
        return Ok(text.as_bytes().to_vec());
    }
    let fail = |e: io::Error| {
        let error = LoadError::whole_file(path.display(), read_failure(&e));
        match nearby::did_you_mean(path) {
            Some(help) if e.kind() == io::ErrorKind::NotFound => error.with_help(help),
            _ => error,
        }
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

/// What is said of a text above [`LARGEST_FILE`].
pub fn too_large() -> String {
    format!("larger than {} MiB, the largest puzzle that is read", LARGEST_FILE >> 20)
}

/// What errors call a file; what stands in place of one is cut short.
pub fn shown(path: &Path) -> String {
    const SHOWN: usize = 32;
    let name = path.display().to_string();
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) if is_literal(path) => format!("{}…", &name[..end]),
        _ => name,
    }
}

/// Why a file can't be read, as a message.
pub fn read_failure(e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a folder, not a file".into(),
        _ => format!("it can't be read: {e}"),
    }
}

/// The file that a path means: itself, or the one inside a folder in the blog's layout.
///
/// # Errors
/// Where it is a folder without a puzzle.
pub fn puzzle_file(path: &Path) -> Result<PathBuf> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let inside = path.join(BLOG_FILE);
    if inside.is_file() {
        return Ok(inside);
    }
    let files = nearby::files_of(path);
    let puzzles: Vec<&PathBuf> = files.iter().filter(|file| is_puzzle_file(file)).collect();
    Err(match puzzles[..] {
        [] => LoadError::whole_file(path.display(), "a folder without a puzzle".into()).with_help(
            format!("a puzzle folder holds its tiles as {BLOG_FILE}; name a file to read another"),
        ),
        [first, ..] => {
            let number = puzzles.len();
            let message = format!("a folder with {number} puzzles, expected one puzzle");
            let help = format!("name one of them, such as {}", first.display());
            LoadError::whole_file(path.display(), message).with_remedy(Remedy::EachPuzzle, help)
        }
    })
}

/// The pattern of the tiles' pictures beside a puzzle file, `{tile}` for the tile's name: what the
/// puzzle says, or `{tile}.png` in the blog's layout where there is one.
pub fn picture_pattern(problem: &Problem, file: &Path) -> Option<String> {
    const BLOG_PATTERN: &str = "{tile}.png";
    let has_picture = |tile: &Tile| {
        let picture = BLOG_PATTERN.replace("{tile}", &tile.name);
        file.with_file_name(picture).is_file()
    };
    let is_blog_folder = file.ends_with(BLOG_FILE) && problem.puzzle.tiles.iter().any(has_picture);
    problem.puzzle.pictures.clone().or_else(|| is_blog_folder.then(|| BLOG_PATTERN.to_owned()))
}

/// What a puzzle is called that says no name: the file without its ending; in the blog's layout the
/// folder.
pub fn name_of(file: &Path) -> String {
    let named = if file.ends_with(BLOG_FILE) {
        file.ancestors().nth(2).and_then(Path::file_name)
    } else {
        file.file_stem()
    };
    match named {
        Some(name) if file != Path::new("-") && !is_literal(file) => {
            name.to_string_lossy().into_owned()
        }
        _ => "puzzle".into(),
    }
}
