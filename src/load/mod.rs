//! Text to a puzzle on a board, or to an arrangement; or an error that points at the place.
//!
//! One file a form. Everything behind this folder sees a [`Problem`] with the conventions of
//! [`crate::puzzle`] and never learns how it was written.

mod error;
mod short;
mod solution;
mod text;
mod yaml;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub use error::LoadError;
pub use short::{short_constraints, with_short_constraints};
pub use solution::{cell_text, placed_text, read_all_solutions, read_solutions, tile_text};

use crate::board::Problem;
use crate::constraints::Expression;
use crate::puzzle::Tile;
use text::Source;
pub use yaml::WrittenBoard;

/// Files above this size are refused: no puzzle comes near it, and it bounds what a file can cost.
pub const LARGEST_FILE: u64 = 16 << 20;

/// Where the blog's layout keeps its tiles, below the folder that carries the puzzle's name.
const BLOG_FILE: &str = "input/tile_dict.yaml";

/// Reads a puzzle from a YAML file, from a folder that holds one as `input/tile_dict.yaml`, or
/// from standard input where the path is `-`.
///
/// # Errors
/// Where there is no such file, it can't be read, or it is no puzzle.
pub fn read(path: &Path) -> Result<Problem, LoadError> {
    Ok(read_with_bytes(path, None)?.0)
}

/// The same, with the bytes of the file, and on another board where one is given.
///
/// # Errors
/// As for [`read`], and where the tiles do not fill the board.
pub fn read_with_bytes(
    path: &Path,
    board: Option<&WrittenBoard>,
) -> Result<(Problem, Vec<u8>), LoadError> {
    let file = puzzle_file(path)?;
    let bytes = read_bytes(&file)?;
    let problem = from_bytes_on(&bytes, &file.display().to_string(), &name_of(&file), board)?;
    Ok((problem, bytes))
}

/// Reads a board as it stands behind the key `board` of a puzzle: `cube`, `{grid: [4, 5], wrap: both}`;
/// `name` is what errors call it, `--board`.
///
/// # Errors
/// Where it is no board.
pub fn board(written: &str, name: &str) -> Result<WrittenBoard, LoadError> {
    yaml::board(&Source::decode(written.as_bytes(), name)?)
}

/// Reads a puzzle from the text of a YAML file.
///
/// ```
/// let problem = edgematch::load::from_str("tiles: {only: [a+, b, a-, b]}").unwrap();
/// assert_eq!(problem.board.description(), "1 × 1 grid");
/// ```
///
/// # Errors
/// Where the text is no puzzle.
pub fn from_str(text: &str) -> Result<Problem, LoadError> {
    from_bytes(text.as_bytes(), "<text>", "puzzle")
}

/// Reads a puzzle from the bytes of a YAML file; `file` is what errors call it and `name` the
/// puzzle's name where the text gives none.
///
/// # Errors
/// Where the bytes are no puzzle.
pub fn from_bytes(bytes: &[u8], file: &str, name: &str) -> Result<Problem, LoadError> {
    from_bytes_on(bytes, file, name, None)
}

/// The same on another board where one is given.
///
/// # Errors
/// As for [`from_bytes`], and where the tiles do not fill the board.
pub fn from_bytes_on(
    bytes: &[u8],
    file: &str,
    name: &str,
    board: Option<&WrittenBoard>,
) -> Result<Problem, LoadError> {
    yaml::problem(&Source::decode(bytes, file)?, name, board)
}

/// Adds the constraints of a file: the key `constraints` with a list, or the list alone.
///
/// # Errors
/// Where the file can't be read, or is no list of constraints for this puzzle.
pub fn add_constraints(problem: Problem, path: &Path) -> Result<Problem, LoadError> {
    let bytes = read_bytes(path)?;
    constraints_from_bytes(problem, &bytes, &path.display().to_string())
}

/// Adds the constraints in the bytes of such a file; `file` is what errors call it.
///
/// # Errors
/// Where the bytes are no list of constraints for this puzzle.
pub fn constraints_from_bytes(
    problem: Problem,
    bytes: &[u8],
    file: &str,
) -> Result<Problem, LoadError> {
    let source = Source::decode(bytes, file)?;
    yaml::with_constraints(&source, problem, true)
}

/// Whether a text is YAML at all, whatever it says; `file` is what errors call it.
///
/// # Errors
/// Where it is not.
pub fn refuse_bad_yaml(text: &str, file: &str) -> Result<(), LoadError> {
    yaml::parse_only(&Source::decode(text.as_bytes(), file)?)
}

/// Reads a linear expression: `[{weight: 2, cells: corners, tile: 5}, …]`, or a file with such a list.
/// `name` is what errors call the former, `--maximize`.
///
/// # Errors
/// Where there is no such file, or it is no expression over this puzzle.
pub fn expression(problem: &Problem, written: &str, name: &str) -> Result<Expression, LoadError> {
    if written.trim_start().starts_with(['[', '{']) {
        let source = Source::decode(written.as_bytes(), name)?;
        return yaml::expression(&source, problem);
    }
    let bytes = read_bytes(Path::new(written))?;
    yaml::expression(&Source::decode(&bytes, written)?, problem)
}

/// The bytes of a file, or of standard input where the path is `-`.
///
/// # Errors
/// Where it isn't there, can't be read or is larger than [`LARGEST_FILE`].
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, LoadError> {
    let fail = |e: io::Error| LoadError::whole_file(path.display(), read_failure(&e));
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().take(LARGEST_FILE + 1).read_to_end(&mut bytes)
    } else {
        let file = File::open(path).map_err(fail)?;
        file.take(LARGEST_FILE + 1).read_to_end(&mut bytes)
    };
    read.map_err(fail)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(LoadError::whole_file(path.display(), too_large()));
    }
    Ok(bytes)
}

/// What is said of a text above [`LARGEST_FILE`].
pub fn too_large() -> String {
    format!("larger than {} MiB, which no puzzle is", LARGEST_FILE >> 20)
}

/// Why a file can't be read, for people.
pub fn read_failure(e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "it may not be read: permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a folder, not a file".into(),
        _ => format!("it can't be read: {e}"),
    }
}

/// The file that a path means: itself, or the one inside a folder in the blog's layout.
///
/// # Errors
/// Where it is a folder without a puzzle.
pub fn puzzle_file(path: &Path) -> Result<PathBuf, LoadError> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let inside = path.join(BLOG_FILE);
    if inside.is_file() {
        return Ok(inside);
    }
    Err(
        LoadError::whole_file(path.display(), "a folder without a puzzle".into()).with_help(
            format!("a puzzle folder holds its tiles as {BLOG_FILE}; name a file to read another"),
        ),
    )
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
    let pictures = problem.puzzle.pictures.clone();
    pictures.or_else(|| is_blog_folder.then(|| BLOG_PATTERN.to_owned()))
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
        Some(name) if file != Path::new("-") => name.to_string_lossy().into_owned(),
        _ => "puzzle".into(),
    }
}
