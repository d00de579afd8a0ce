//! Reads arrangements as `solve` writes them, in text or JSON, for `check` and `show`.
//!
//! Viewer links, one per line, are also accepted.
//!
//! Text has one line per row of the board: `[t=3,r=1] [t=7,r=0] …`, with `.` for a hole. Lines that
//! start with `%` are comments, `----------` ends an arrangement, and `=====` lines report how a
//! run ended. JSON is an object with `placements`, an array of such objects, or one object per
//! line; objects of other types are skipped.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::is_unprintable;
use super::json::{parse, values};
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
    if name.chars().all(is_bare) { name.to_owned() } else { json_text(name) }
}

/// A JSON string without terminal control characters. JSON itself escapes fewer characters.
fn json_text(text: &str) -> String {
    let mut json = String::new();
    for c in serde_json::Value::from(text).to_string().chars() {
        if is_unprintable(c) {
            json += &format!("\\u{:04x}", u32::from(c));
        } else {
            json.push(c);
        }
    }
    json
}

/// The prefix of a line of placements: empty on a grid, otherwise the name of the cell.
pub fn cell_text(name: &CellName) -> String {
    match name {
        CellName::At(..) => String::new(),
        CellName::Named(name) if name.contains(':') => {
            format!("{}: ", json_text(name))
        }
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

/// Reads the arrangements of a text, each up to a line of dashes or the end of the text.
fn text(source: &Source<'_>, problem: &Problem) -> Result<Vec<Arrangement>> {
    let lines = source.text.lines().filter(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with(['%', '='])
    });
    let lines: Vec<&str> = lines.collect();
    let is_end = |line: &&str| line.trim_start().starts_with("-----");
    let arrangements = lines.split_inclusive(is_end).map(|lines| match lines {
        [rows @ .., end] if is_end(end) => rows_of_text(source, problem, rows, end),
        rows => rows_of_text(source, problem, rows, rows.last().unwrap_or(&"")),
    });
    arrangements.collect()
}

/// Reads an arrangement from its rows. Errors about missing rows or tiles point at the line `end`.
fn rows_of_text(
    source: &Source<'_>,
    problem: &Problem,
    rows: &[&str],
    end: &str,
) -> Result<Arrangement> {
    let lines = problem.board.lines();
    let expected = lines.len();
    let mut placed = vec![None; problem.board.size()];
    for (mut cells, row) in lines.into_iter().zip(rows) {
        let mut rest = row.trim();
        if problem.board.squares().is_none() {
            let (cell, behind) =
                named_cell(rest, problem).map_err(|message| source.error_at_part(rest, message))?;
            if placed[cell].is_some() {
                let name = &problem.board.cells()[cell].name;
                let message = format!("cell {name} appears a second time");
                return Err(source.error_at_part(rest, message));
            }
            (cells, rest) = (vec![Some(cell)], behind.trim_start());
        }
        let mut found = 0;
        while !rest.is_empty() {
            let read = match (cells.get(found), rest.strip_prefix(HOLE)) {
                (Some(None), Some(behind)) => Ok(behind),
                (Some(None), None) => Err(format!("the board has no cell here: expected `{HOLE}`")),
                (cell, _) => placement(rest, problem).map(|(tile, behind)| {
                    if let Some(&Some(cell)) = cell {
                        placed[cell] = Some(tile);
                    }
                    behind
                }),
            };
            found += 1;
            rest = read.map_err(|message| source.error_at_part(rest, message))?.trim_start();
        }
        if found != cells.len() {
            let expected = cells.len();
            let message = format!("{found} placements in this row, the board has {expected}");
            return Err(source.error_at_part(row, message));
        }
    }
    if rows.len() != expected {
        let (number, board) = (rows.len(), problem.board.description_with_article());
        let message = format!("{number} rows for {board}, expected {expected}");
        return Err(source.error_at_part(end, message));
    }
    let placed: Option<Vec<Placed>> = placed.into_iter().collect();
    let missing = || source.error_at_part(end, "a cell without a tile".into());
    placed.map(Arrangement).ok_or_else(missing)
}

/// The cell named at the start of a line, and the text after the colon.
fn named_cell<'t>(line: &'t str, problem: &Problem) -> Result<(usize, &'t str), String> {
    let named = name(line, &[':']).and_then(|(name, rest)| Some((name, rest.strip_prefix(':')?)));
    let (name, rest) = named
        .ok_or_else(|| "expected a cell and a placement such as front: [t=3,r=1]".to_owned())?;
    let name = if line.starts_with('"') { name } else { name.trim_end().to_owned() };
    let cell = cell_called(&CellName::Named(name.clone()), problem);
    let board = problem.board.description_with_article();
    let cell = cell.ok_or_else(|| format!("{board} has no cell {}", shortened(&name)))?;
    Ok((cell, rest))
}

/// Reads `[t=NAME,r=ROTATION]` with an optional face; also returns the text after it.
fn placement<'a>(text: &'a str, problem: &Problem) -> Result<(Placed, &'a str), String> {
    let parts = || {
        let (name, rest) = name(text.strip_prefix("[t=")?, &[',', ']'])?;
        let (orientation, rest) = rest.strip_prefix(",r=")?.split_once(']')?;
        let (rotation, face) = match orientation.split_once(",f=") {
            Some((rotation, face)) => (rotation, Some(face)),
            None => (orientation, None),
        };
        Some((name, rotation.parse().ok()?, face, rest))
    };
    let (name, rotation, face, rest) =
        parts().ok_or_else(|| "expected a placement such as [t=3,r=1]".to_owned())?;
    Ok((placed(&name, rotation, face, problem)?, rest))
}

/// Reads a name at the start of a text, as a JSON string or up to one of the characters `ends`;
/// also returns the text after it.
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

fn placed(
    name: &str,
    rotation: usize,
    face: Option<&str>,
    problem: &Problem,
) -> Result<Placed, String> {
    let tile = problem.puzzle.tile_named(name);
    let tile = tile.ok_or_else(|| format!("the puzzle has no tile `{}`", shortened(name)))?;
    let face = Face::named(face.unwrap_or("front")).ok_or_else(|| {
        let word = shortened(face.unwrap_or_default());
        format!("`{word}` is not a face: expected `front` or `back`")
    })?;
    if face == Face::Back && problem.puzzle.tiles[tile].back.is_none() {
        return Err(format!("tile `{name}` has no back"));
    }
    let sides = problem.puzzle.tiles[tile].sides();
    if rotation >= sides {
        return Err(format!(
            "r={rotation} is not a rotation of tile `{name}`, expected 0 to {}",
            sides - 1
        ));
    }
    let orientation = Orientation::turned(rotation).with_face(face);
    Ok(Placed { tile, orientation })
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
    cell: serde_json::Value,
    tile: serde_json::Value,
    rotation: serde_json::Value,
    face: Option<String>,
}

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
                solutions.push(json_arrangement(source, object, &placements, problem)?);
            }
        }
    }
    Ok(solutions)
}

fn json_arrangement(
    source: &Source<'_>,
    object: &RawValue,
    placements: &[&RawValue],
    problem: &Problem,
) -> Result<Arrangement> {
    let mut cells: Vec<Option<Placed>> = vec![None; problem.board.size()];
    for &value in placements {
        let placement: Placement = parse(source, value)?;
        let here = |message| source.error_at_part(value.get(), message);
        let name = match placement.tile {
            serde_json::Value::String(name) => name,
            other => other.to_string(),
        };
        let cell = cell_named(&placement.cell, problem).ok_or_else(|| {
            let board = problem.board.description_with_article();
            here(format!("{board} has no cell {}", placement.cell))
        })?;
        let rotation = placement.rotation.as_u64().and_then(|r| usize::try_from(r).ok());
        let rotation =
            rotation.ok_or_else(|| here(format!("{} is not a rotation", placement.rotation)))?;
        let placed = placed(&name, rotation, placement.face.as_deref(), problem).map_err(here)?;
        if cells[cell].replace(placed).is_some() {
            return Err(here(format!("cell {} appears a second time", placement.cell)));
        }
    }
    match cells.iter().position(Option::is_none).map(|cell| &problem.board.cells()[cell].name) {
        None => Ok(Arrangement(cells.into_iter().flatten().collect())),
        Some(name) => {
            Err(source.error_at_part(object.get(), format!("no placement for cell {name}")))
        }
    }
}

fn cell_named(name: &serde_json::Value, problem: &Problem) -> Option<usize> {
    let name = match name {
        serde_json::Value::Number(number) => CellName::Named(number.to_string()),
        name => serde_json::from_value(name.clone()).ok()?,
    };
    cell_called(&name, problem)
}

fn cell_called(name: &CellName, problem: &Problem) -> Option<usize> {
    problem.board.cells().iter().position(|c| c.name == *name)
}
