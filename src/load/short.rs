//! Constraints in one word, as on a command line: `1,1=5@0` is cell, tile, rotation; of a two-sided
//! tile `5@0/back` says the face, too.

use super::text::Source;
use super::yaml;
use super::{LoadError, Result};
use crate::problem::constraints::{Cells, Scene, second_pin};
use crate::problem::{Listed, Problem};
use crate::puzzle::{DocValue, Face};

/// Constraints of one kind that are written `CELL=TILE@ROTATION/FACE`; each part may be left out:
/// `1,1=5`, `corners=5`, `1,1@2`, `=5@0`, `1,1@back`. `list` is what errors call them, `--pin`.
///
/// # Errors
/// Where a word names no cell, tile or rotation, or two pins one cell.
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
        let written = DocValue::entry(kind, DocValue::Map(fields));
        let text = yaml::flow(&DocValue::list([written.clone()]));
        let read = yaml::constraints(&Source { file: word, text: &text }, problem);
        let read = read.map_err(|error| refuse(word, error.message))?;
        constraints
            .extend(read.into_iter().map(|one| Listed { source: Some(written.clone()), ..one }));
    }
    match second_pin(&problem.board, constraints.iter().map(|listed| &listed.constraint)) {
        Some((index, message)) => Err(refuse(&words[index], message)),
        None => Ok(constraints),
    }
}

/// The problem with such constraints; the same where there are none.
///
/// # Errors
/// As for [`short_constraints`].
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

/// The fields as a file states them.
fn fields(scene: &Scene<'_>, word: &str) -> Result<Vec<(String, DocValue)>, String> {
    let (cell, tile, (rotation, face)) = match word.split_once('=') {
        // A tile may be called `a@1`.
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
        fields.push((
            key,
            match cells {
                Cells::At(row, column) => DocValue::list([row, column].map(DocValue::Number)),
                _ => DocValue::text(cell.trim()),
            },
        ));
    }
    fields.extend(tile.map(|name| ("tile", DocValue::text(name))));
    fields.extend(rotation.map(|rotation| ("rotation", DocValue::count(rotation))));
    fields.extend(face.map(|face| ("face", DocValue::text(face.name()))));
    Ok(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// A rotation and a face, as far as they are said.
type Said = (Option<usize>, Option<Face>);

/// What stands before the last `@`, and the rotation and the face behind it: `1`, `1/back`, `back`.
fn split_orientation<'a>(scene: &Scene<'_>, word: &'a str) -> Result<(&'a str, Said), String> {
    let Some((rest, said)) = word.rsplit_once('@') else {
        return Ok((word, (None, None)));
    };
    let (rotation, face) = match said.split_once('/') {
        Some(("", face)) => (None, Some(scene.face(face)?)),
        Some((rotation, face)) => (Some(rotation), Some(scene.face(face)?)),
        None => match Face::named(said) {
            Some(_) => (None, Some(scene.face(said)?)),
            None => (Some(said), None),
        },
    };
    let rotation = rotation.map(|rotation| match rotation.parse() {
        Ok(number) => scene.rotation(number),
        Err(_) => Err(format!(
            "`{rotation}` is not a rotation: expected CELL=TILE@ROTATION or CELL=TILE@ROTATION/FACE"
        )),
    });
    Ok((rest, (rotation.transpose()?, face)))
}

/// `1,1` where there are rows and columns, or a name.
fn written(scene: &Scene<'_>, cell: &str) -> Cells {
    let pair = cell.split_once(',');
    let at = pair.filter(|_| scene.board.squares().is_some()).and_then(|(row, column)| {
        let row = row.trim_start_matches('[').trim().parse().ok()?;
        Some(Cells::At(row, column.trim_end_matches(']').trim().parse().ok()?))
    });
    at.unwrap_or_else(|| Cells::Named(cell.to_owned()))
}
