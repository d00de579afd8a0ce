//! Reads arrangements as `solve` writes them, in text or JSON, for `check` and `show`.
//!
//! Viewer links, one per line, are also accepted.
//!
//! Text has one line per row of the board: `[t=3,r=1] [t=7,r=0] …`, with `.` for a hole. Lines that
//! start with `%` are comments, `----------` ends an arrangement, and `=====` lines report how a
//! run ended. JSON is an object with `placements`, an array of such objects, or one object per
//! line; objects of other types are skipped.

use std::fmt::Display;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::error::is_unprintable;
use super::json::{parse, quoted, values};
use super::text::Source;
use super::{Result, forms};
use crate::board::CellName;
use crate::problem::{Arrangement, Placed, Problem};
use crate::puzzle::{Face, LONGEST_NAME, Orientation, Puzzle};

/// The mark in a row for a position without a cell.
pub const HOLE: &str = ".";

/// Reads the solutions of a run. The list may be empty if the file states that there is no
/// solution. `file` identifies the file in errors.
///
/// # Errors
/// Same as [`read_solutions`], except that a file may state that there is no solution.
pub fn read_all_solutions(bytes: &[u8], file: &str, problem: &Problem) -> Result<Vec<Arrangement>> {
    let source = Source::decode(bytes, file)?;
    if says_none(&source) { Ok(Vec::new()) } else { read_solutions(bytes, file, problem) }
}

/// Reads all arrangements in a file; `file` identifies the file in errors.
///
/// # Errors
/// If the file has no known format, contains no arrangement, or names tiles or cells that the
/// puzzle does not have.
pub fn read_solutions(bytes: &[u8], file: &str, problem: &Problem) -> Result<Vec<Arrangement>> {
    let source = Source::decode(bytes, file)?;
    let start = source.text.trim_start();
    let is_json = start.starts_with(['{', '[']) && !start.starts_with("[t=");
    let solutions = if is_json {
        json(&source, problem)?
    } else if let Some(shown) = forms::shown_arrangements(&source, problem)? {
        shown
    } else {
        text(&source, problem)?
    };
    if !solutions.is_empty() {
        Ok(solutions)
    } else if says_none(&source) {
        Err(source.error("no arrangement: the file says that there is no solution".into()))
    } else {
        let error = source.error("no arrangement in this file".into());
        Err(error.with_help("expected one or more, as text, JSON or links"))
    }
}

/// Returns true if a file states that there is no solution, and contains no arrangement.
fn says_none(source: &Source<'_>) -> bool {
    let has = |words: [&str; 2]| words.iter().any(|words| source.text.contains(words));
    has(["=====UNSATISFIABLE=====", "\"status\":\"UNSATISFIABLE\""])
        && !has(["[t=", "\"placements\""])
}

/// The name of a tile in text output: bare if it has no special characters, otherwise a JSON
/// string.
pub fn tile_text(name: &str) -> String {
    let is_bare = |c: char| !c.is_whitespace() && !is_unprintable(c) && !"[],=\"\\%".contains(c);
    if name.chars().all(is_bare) { name.to_owned() } else { quoted(name, is_unprintable) }
}

/// The prefix of a line of placements: empty on a grid, otherwise the name of the cell.
pub fn cell_text(name: &CellName) -> String {
    match name {
        CellName::At(..) => String::new(),
        CellName::Named(name) if name.contains(':') => quoted(name, is_unprintable) + ": ",
        CellName::Named(name) => format!("{}: ", tile_text(name)),
    }
}

/// A placement as text: `[t=3,r=1]`, or `[t=3,r=1,f=back]` for a two-sided tile.
pub fn placed_text(puzzle: &Puzzle, placed: Placed) -> String {
    let tile = &puzzle.tiles[placed.tile];
    let name = tile_text(&tile.name);
    let rotation = placed.orientation.rotation();
    match tile.back {
        None => format!("[t={name},r={rotation}]"),
        Some(_) => format!("[t={name},r={rotation},f={}]", placed.orientation.face().name()),
    }
}

/// An arrangement while it is read.
struct Filling<'s> {
    source: &'s Source<'s>,
    problem: &'s Problem,
    placed: Vec<Option<Placed>>,
}

impl<'s> Filling<'s> {
    /// An arrangement whose cells are all empty.
    fn new(source: &'s Source<'s>, problem: &'s Problem) -> Filling<'s> {
        Filling { source, problem, placed: vec![None; problem.board.size()] }
    }

    /// The cell with this name; `shown` is the name in errors.
    fn cell(&self, name: &CellName, shown: impl Display) -> Result<usize, String> {
        let board = &self.problem.board;
        let cell = board.cells().iter().position(|cell| cell.name == *name);
        cell.ok_or_else(|| format!("{} has no cell {shown}", board.description_with_article()))
    }

    /// Rejects a cell that has a tile.
    fn expect_empty(&self, cell: usize) -> Result<(), String> {
        let name = &self.problem.board.cells()[cell].name;
        match self.placed[cell] {
            None => Ok(()),
            Some(_) => Err(format!("cell {name} appears a second time")),
        }
    }

    /// The placement of the tile with this name; a missing face is the front. Fails if the tile,
    /// its back or the rotation does not exist.
    fn placement(&self, name: &str, rotation: usize, face: Option<&str>) -> Result<Placed, String> {
        let puzzle = &self.problem.puzzle;
        let tile = puzzle.tile_named(name);
        let tile = tile.ok_or_else(|| format!("the puzzle has no tile `{}`", shortened(name)))?;
        let face = face.unwrap_or(Face::Front.name());
        let unknown = || format!("`{}` is not a face: expected `front` or `back`", shortened(face));
        let face = Face::named(face).ok_or_else(unknown)?;
        if face == Face::Back && puzzle.tiles[tile].back.is_none() {
            return Err(format!("tile `{name}` has no back"));
        }
        let last = puzzle.tiles[tile].sides() - 1;
        if rotation > last {
            return Err(format!(
                "r={rotation} is not a rotation of tile `{name}`, expected 0 to {last}"
            ));
        }
        Ok(Placed { tile, orientation: Orientation::turned(rotation).with_face(face) })
    }

    /// The arrangement; an error at `part` of the text that names the first empty cell if there is
    /// one.
    fn finish(self, part: &str) -> Result<Arrangement> {
        let empty = self.placed.iter().position(Option::is_none);
        match empty.map(|cell| &self.problem.board.cells()[cell].name) {
            None => Ok(Arrangement(self.placed.into_iter().flatten().collect())),
            Some(name) => {
                Err(self.source.error_at_part(part, format!("no placement for cell {name}")))
            }
        }
    }
}

/// Reads the arrangements of a text, each up to a line of dashes or the end of the text.
fn text(source: &Source<'_>, problem: &Problem) -> Result<Vec<Arrangement>> {
    let is_row = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with(['%', '=']);
    let lines: Vec<&str> = source.text.lines().filter(is_row).collect();
    let is_end = |line: &&str| line.trim_start().starts_with("-----");
    let arrangements = lines.split_inclusive(is_end).map(|lines| match lines {
        [rows @ .., end] if is_end(end) => Filling::new(source, problem).with_rows(rows, end),
        rows => Filling::new(source, problem).with_rows(rows, rows.last().unwrap_or(&"")),
    });
    arrangements.collect()
}

impl Filling<'_> {
    /// Reads an arrangement from its rows. Errors about missing rows point at the line `end`.
    fn with_rows(mut self, rows: &[&str], end: &str) -> Result<Arrangement> {
        let (source, board) = (self.source, &self.problem.board);
        let at = |part: &str, message| source.error_at_part(part, message);
        let lines = board.lines();
        let expected = lines.len();
        for (mut cells, row) in lines.into_iter().zip(rows) {
            let mut rest = row.trim();
            if board.squares().is_none() {
                let (cell, behind) = self.named_cell(rest).map_err(|message| at(rest, message))?;
                (cells, rest) = (vec![Some(cell)], behind.trim_start());
            }
            let mut found = 0;
            while !rest.is_empty() {
                let cell = cells.get(found).copied();
                let read = self.fill(cell, rest).map_err(|message| at(rest, message))?;
                (found, rest) = (found + 1, read.trim_start());
            }
            if found != cells.len() {
                let expected = cells.len();
                let message = format!("{found} placements in this row, the board has {expected}");
                return Err(at(row, message));
            }
        }
        if rows.len() != expected {
            let (number, board) = (rows.len(), board.description_with_article());
            return Err(at(end, format!("{number} rows for {board}, expected {expected}")));
        }
        self.finish(end)
    }

    /// The empty cell named at the start of a line, and the text after the colon.
    fn named_cell<'t>(&self, line: &'t str) -> Result<(usize, &'t str), String> {
        let named = name(line, &[':']);
        let named = named.and_then(|(name, rest)| Some((name, rest.strip_prefix(':')?)));
        let (name, rest) =
            named.ok_or("expected a cell and a placement such as front: [t=3,r=1]")?;
        let name = if line.starts_with('"') { name } else { name.trim_end().to_owned() };
        let shown = shortened(&name);
        let cell = self.cell(&CellName::Named(name), shown)?;
        self.expect_empty(cell)?;
        Ok((cell, rest))
    }

    /// Reads a hole, or `[t=NAME,r=ROTATION]` with an optional face for `cell`; `None` is behind the
    /// row, `Some(None)` a hole. Returns the text after it.
    fn fill<'t>(&mut self, cell: Option<Option<usize>>, text: &'t str) -> Result<&'t str, String> {
        if cell == Some(None) {
            let behind = text.strip_prefix(HOLE);
            return behind.ok_or_else(|| format!("the board has no cell here: expected `{HOLE}`"));
        }
        let parts = || {
            let (name, rest) = name(text.strip_prefix("[t=")?, &[',', ']'])?;
            let (orientation, rest) = rest.strip_prefix(",r=")?.split_once(']')?;
            let split = orientation.split_once(",f=");
            let (rotation, face) = split.map_or((orientation, None), |(r, face)| (r, Some(face)));
            Some((name, rotation.parse().ok()?, face, rest))
        };
        let (name, rotation, face, rest) =
            parts().ok_or("expected a placement such as [t=3,r=1]")?;
        let placed = self.placement(&name, rotation, face)?;
        if let Some(cell) = cell.flatten() {
            self.placed[cell] = Some(placed);
        }
        Ok(rest)
    }
}

/// Reads a name at the start of a text, as a JSON string or up to one of the characters `ends`;
/// also returns the text after it. `None` if the name does not end.
fn name<'a>(text: &'a str, ends: &[char]) -> Option<(String, &'a str)> {
    if !text.starts_with('"') {
        let (name, rest) = text.split_at(text.find(ends)?);
        return Some((name.to_owned(), rest));
    }
    let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let name = strings.next()?.ok()?;
    Some((name, &text[strings.byte_offset()..]))
}

/// A name truncated for errors, because it may be very long.
fn shortened(name: &str) -> String {
    name.chars().take(LONGEST_NAME).collect()
}

/// The relevant part of a solution object; objects of other types have no placements.
#[derive(Deserialize)]
#[serde(expecting = "an object with placements")]
struct Object<'a> {
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(borrow)]
    placements: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object with cell, tile and rotation")]
struct Placement {
    cell: Value,
    tile: Value,
    rotation: Value,
    face: Option<String>,
}

/// Reads the arrangements of JSON output: consecutive objects, or lists of them. Objects without
/// placements, and those of another type than `solution`, are skipped.
fn json(source: &Source<'_>, problem: &Problem) -> Result<Vec<Arrangement>> {
    let mut solutions = Vec::new();
    for value in values(source) {
        let value = value?;
        let objects: Vec<&RawValue> =
            if value.get().starts_with('[') { parse(source, value)? } else { vec![value] };
        for object in objects {
            let Object { kind, placements } = parse(source, object)?;
            let is_solution = kind.is_none_or(|kind| kind == "solution");
            if let (true, Some(placements)) = (is_solution, placements) {
                let placements: Vec<&RawValue> = parse(source, placements)?;
                solutions.push(Filling::new(source, problem).with_json(object, &placements)?);
            }
        }
    }
    Ok(solutions)
}

impl Filling<'_> {
    /// Reads the placements of one object, in any order. Fails, at the placement, if a cell is
    /// repeated or does not exist, or, at the object, if one is left empty.
    fn with_json(mut self, object: &RawValue, placements: &[&RawValue]) -> Result<Arrangement> {
        for &value in placements {
            let placement = parse(self.source, value)?;
            let placed = self.fill_json(&placement);
            placed.map_err(|message| self.source.error_at_part(value.get(), message))?;
        }
        self.finish(object.get())
    }

    /// Places a tile in the empty cell of its placement.
    fn fill_json(&mut self, placement: &Placement) -> Result<(), String> {
        let cell = self.cell(&cell_name(&placement.cell), &placement.cell)?;
        let tile = match &placement.tile {
            Value::String(name) => name.clone(),
            other => other.to_string(),
        };
        let rotation = placement.rotation.as_u64().and_then(|r| usize::try_from(r).ok());
        let rotation =
            rotation.ok_or_else(|| format!("{} is not a rotation", placement.rotation))?;
        let placed = self.placement(&tile, rotation, placement.face.as_deref())?;
        self.expect_empty(cell)?;
        self.placed[cell] = Some(placed);
        Ok(())
    }
}

/// The name of a cell as written in JSON; numbers may be names.
fn cell_name(written: &Value) -> CellName {
    let name = serde_json::from_value(written.clone());
    name.unwrap_or_else(|_| CellName::Named(written.to_string()))
}
