//! Constraints in one word, for a command line: `1,1=5@0` is cell, tile and rotation. For a
//! two-sided tile, `5@0/back` also gives the face.

use super::text::Source;
use super::yaml;
use super::{LoadError, Result};
use crate::problem::constraints::{Scene, WrittenCells, second_pin};
use crate::problem::{Listed, Problem};
use crate::puzzle::{DocValue, Face};

/// Reads constraints of one kind written as `CELL=TILE@ROTATION/FACE`. Each part is optional:
/// `1,1=5`, `corners=5`, `1,1@2`, `=5@0`, `1,1@back`. `list` identifies the option in errors, such
/// as `--pin`.
///
/// # Errors
/// If a word contains an unknown cell, tile or rotation, or if two words pin the same cell.
pub fn short_constraints(
    problem: &Problem,
    kind: &str,
    words: &[String],
    list: &str,
) -> Result<Vec<Listed>> {
    let scene = Scene::new(problem);
    let refuse =
        |word: &str, message| LoadError::whole_file(format_args!("{list} {word}"), message);
    let mut constraints = Vec::new();
    for word in words {
        let fields = fields(&scene, word).map_err(|message| refuse(word, message))?;
        let written = DocValue::entry(kind, DocValue::map(fields));
        let text = yaml::flow(&DocValue::list([written.clone()]));
        let source = Source { file: word, text: &text, default_name: "" };
        let read = yaml::constraints(&source, problem);
        let (read, _) = read.map_err(|error| refuse(word, error.message))?;
        constraints
            .extend(read.into_iter().map(|one| Listed { source: Some(written.clone()), ..one }));
    }
    match second_pin(&problem.board, constraints.iter().map(|listed| &listed.constraint)) {
        Some((index, message)) => Err(refuse(&words[index], message)),
        None => Ok(constraints),
    }
}

/// Adds such constraints to a problem.
///
/// # Errors
/// Same as [`short_constraints`].
pub fn with_short_constraints(
    problem: Problem,
    kind: &str,
    words: &[String],
    list: &str,
) -> Result<Problem> {
    if words.is_empty() {
        return Ok(problem);
    }
    let constraints = short_constraints(&problem, kind, words, list)?;
    Ok(problem.with_constraints(constraints))
}

/// The fields of a constraint in the form in which a file gives them.
fn fields(scene: &Scene<'_>, word: &str) -> Result<Vec<(&'static str, DocValue)>, String> {
    let (cell, tile, (rotation, face)) = match word.split_once('=') {
        // The name of a tile may contain `@`, such as `a@1`.
        Some((cell, name)) if scene.tile(name).is_ok() => (cell, Some(name), (None, None)),
        Some((cell, placed)) => {
            let (tile, orientation) = split_orientation(scene, placed)?;
            (cell, Some(tile), orientation)
        }
        None => {
            let (cell, orientation) = split_orientation(scene, word)?;
            (cell, None, orientation)
        }
    };
    let mut fields = Vec::new();
    if !cell.trim().is_empty() {
        let cells = written(scene, cell.trim());
        let key = if scene.cells(&cells)?.len() == 1 { "cell" } else { "cells" };
        let value = match cells {
            WrittenCells::At(row, column) => DocValue::list([row, column].map(DocValue::Number)),
            _ => DocValue::text(cell.trim()),
        };
        fields.push((key, value));
    }
    fields.extend(tile.map(|name| ("tile", DocValue::text(name))));
    fields.extend(rotation.map(|rotation| ("rotation", DocValue::count(rotation))));
    fields.extend(face.map(|face| ("face", DocValue::text(face.name()))));
    Ok(fields)
}

/// The rotation and the face, if given.
type Said = (Option<usize>, Option<Face>);

/// Splits a word at its last `@` into the text before it, and the rotation and face after it: `1`,
/// `1/back` or `back`.
fn split_orientation<'a>(scene: &Scene<'_>, word: &'a str) -> Result<(&'a str, Said), String> {
    let Some((rest, said)) = word.rsplit_once('@') else {
        return Ok((word, (None, None)));
    };
    let (rotation, face) = match said.split_once('/') {
        Some((rotation, face)) => (Some(rotation).filter(|word| !word.is_empty()), Some(face)),
        None if Face::named(said).is_some() => (None, Some(said)),
        None => (Some(said), None),
    };
    let face = face.map(|face| scene.face(face)).transpose()?;
    let rotation = rotation.map(|rotation| match rotation.parse() {
        Ok(number) => scene.rotation(number),
        Err(_) => Err(format!(
            "`{rotation}` is not a rotation: expected CELL=TILE@ROTATION or CELL=TILE@ROTATION/FACE"
        )),
    });
    Ok((rest, (rotation.transpose()?, face)))
}

/// Reads a cell as `1,1` if the board has rows and columns, otherwise as a name.
fn written(scene: &Scene<'_>, cell: &str) -> WrittenCells {
    let pair = cell.split_once(',');
    let at = pair.filter(|_| scene.board.squares().is_some()).and_then(|(row, column)| {
        let row = row.trim_start_matches('[').trim().parse().ok()?;
        Some(WrittenCells::At(row, column.trim_end_matches(']').trim().parse().ok()?))
    });
    at.unwrap_or_else(|| WrittenCells::Named(cell.to_owned()))
}
