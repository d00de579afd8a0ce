//! The project's own form, and the blog's mapping from tile number to four pairs.
//!
//! ```yaml
//! name: scramble-1            # all keys but `tiles` are optional
//! rows: 3
//! cols: 3
//! tiles:
//!   1: [ylw+, red-, grn+, blu+]
//! ```
//!
//! ```yaml
//! 1: [[ylw, +], [red, -], [grn, +], [blu, +]]    # the blog's: tiles and nothing else
//! ```
//!
//! The text is read up to four times: first everything but the tiles, then the seams of a board of one's
//! own, when its cells are known, then the tiles, when it is known what they must obey, then the constraints, when it is known what they can name. All checks stand inside `Deserialize`, where `serde_yaml` knows line and column.
//! This folder is the only place that names `serde_yaml`.

mod board;
mod constraints;
mod header;
mod length;
mod scalar;
mod schema;
mod suggest;
mod tiles;
mod write;

use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::board::{BoardForm, WrittenBoard};
use super::error::LoadError;
use super::form::Reading;
use super::text::Source;
use crate::board::{Board, Shape, side_of_square};
use crate::constraints::{Expression, Scene};
use crate::problem::{Misfilled, Problem};
use crate::puzzle::Puzzle;
use header::Header;
pub(super) use header::is_tile_number;
use scalar::{Refusal, Scalar};
pub use schema::{Described, schema};
#[cfg(feature = "forms")]
pub(super) use write::board as board_as_written;
pub(super) use write::{constraints, flow, problem as write};

/// Reads a puzzle as it is written, or as it is told otherwise.
pub(super) fn problem(
    source: &Source<'_>,
    name: &str,
    reading: &Reading,
) -> Result<Problem, LoadError> {
    refuse_deep_nesting(source)?;
    let mut header = first_document(source, header::Reader)?;
    refuse_more_documents(source)?;
    let board = reading.board.as_ref();
    header.order = reading.order.or(header.order);
    let seams = match (board, &header.board) {
        (Some(board), _) => board.seams.clone(),
        (None, Some(BoardForm::Cells(cells))) => {
            first_document(source, board::SeamsReader::in_file(cells))?
        }
        (None, _) => Vec::new(),
    };
    if let Some(board) = board {
        header.board = Some(board.form.clone());
        (header.rows, header.columns) = (None, None);
    }
    let sides = sides(&header);
    if header.order.is_some() && sides != [4] {
        let message = match reading.order {
            None => "`order` is for squares".into(),
            Some(_) => "an edge order is for squares".into(),
        };
        return Err(at_key(source, "order", message)
            .with_help("list edges counter-clockwise, from any side on"));
    }
    let read = first_document(source, tiles::Reader::new(&header, &sides))?;
    let form = match header.board.clone() {
        Some(_) if header.rows.or(header.columns).is_some() => {
            let message = "`board` beside `rows` and `cols`".into();
            return Err(at_key(source, board::KEY, message).with_help("leave one of them out"));
        }
        Some(form) => form,
        None => {
            let (rows, columns) = size(source, &header, read.tiles.len())?;
            WrittenBoard::grid(rows, columns).form
        }
    };
    let written = WrittenBoard { form, seams };
    let puzzle = Puzzle {
        name: header.name.unwrap_or_else(|| name.to_owned()),
        title: header.title,
        source: header.source,
        pictures: header.pictures,
        images: header.images,
        labels: read.labels,
        tiles: read.tiles,
        border: read.border,
        may_turn: header.may_turn,
    };
    let misfilled = |e: Misfilled| {
        let help = match header.board {
            None => "add tiles, or change `rows` and `cols`",
            Some(_) => "add tiles, or change the board",
        };
        at_key(source, "tiles", e.to_string()).with_help(help)
    };
    let tiles = puzzle.tiles.len();
    written.refuse_unfilled(tiles).map_err(misfilled)?;
    let board = written.build();
    let board = board.map_err(|e| at_key(source, board::KEY, e.to_string()))?;
    let problem = Problem::new(puzzle, board).map_err(misfilled)?;
    refuse_mixed_images(source, &problem.puzzle)?;
    if !header.has_constraints {
        return Ok(problem);
    }
    with_constraints(source, problem, false)
}

/// Reads a board that stands alone.
pub(super) fn board(source: &Source<'_>) -> Result<WrittenBoard, LoadError> {
    refuse_deep_nesting(source)?;
    let form = first_document(source, board::Reader)?;
    let seams = match &form {
        BoardForm::Cells(cells) => first_document(source, board::SeamsReader::in_board(cells))?,
        _ => Vec::new(),
    };
    refuse_more_documents(source)?;
    Ok(WrittenBoard { form, seams })
}

/// Reads the constraints of a puzzle file, or of a file that holds nothing else, and adds them.
pub(super) fn with_constraints(
    source: &Source<'_>,
    problem: Problem,
    is_alone: bool,
) -> Result<Problem, LoadError> {
    if is_alone {
        refuse_deep_nesting(source)?;
    }
    let reader = constraints::Reader {
        scene: Scene {
            puzzle: &problem.puzzle,
            board: &problem.board,
        },
        is_alone,
    };
    let constraints = first_document(source, reader)?;
    if is_alone {
        refuse_more_documents(source)?;
    }
    Ok(problem.constrained(constraints))
}

/// Parses a text and forgets it.
pub(super) fn parse_only(source: &Source<'_>) -> Result<(), LoadError> {
    refuse_deep_nesting(source)?;
    first_document(source, PhantomData::<IgnoredAny>)?;
    refuse_more_documents(source)
}

/// Reads a linear expression over the placements of a problem.
pub(super) fn expression(source: &Source<'_>, problem: &Problem) -> Result<Expression, LoadError> {
    refuse_deep_nesting(source)?;
    let scene = Scene {
        puzzle: &problem.puzzle,
        board: &problem.board,
    };
    let terms = first_document(source, constraints::ExpressionReader(scene))?;
    refuse_more_documents(source)?;
    Expression::of(&scene, terms).map_err(|message| source.error(message))
}

/// What edges are called must be edges of the puzzle's images.
fn refuse_mixed_images(source: &Source<'_>, puzzle: &Puzzle) -> Result<(), LoadError> {
    let mut labels = puzzle.labels.clone();
    for (edge, _) in &puzzle.images {
        if let Err(e) = labels.add(edge) {
            let image = &e.image;
            let message = format!("`{edge}`, but the tiles show `{image}` otherwise: {e}");
            return Err(at_key(source, "images", message));
        }
    }
    Ok(())
}

/// The numbers of sides of the cells, each once.
fn sides(header: &Header) -> Vec<usize> {
    let sides: BTreeSet<usize> = match &header.board {
        None | Some(BoardForm::Shaped(Shape::Grid { .. })) => [4].into(),
        Some(BoardForm::Shaped(Shape::Field { polygon, .. })) => [polygon.sides()].into(),
        Some(BoardForm::Shaped(Shape::Solid(solid))) => [Board::solid(*solid).most_sides()].into(),
        Some(BoardForm::Cells(cells)) => cells.iter().map(|(_, sides)| *sides).collect(),
    };
    sides.into_iter().collect()
}

/// Rows and columns as written, or the square that the tiles fill.
fn size(source: &Source<'_>, header: &Header, tiles: usize) -> Result<(usize, usize), LoadError> {
    match (header.rows, header.columns) {
        (Some(rows), Some(columns)) => Ok((rows, columns)),
        (Some(_), None) => Err(at_key(source, "rows", "`rows` without `cols`".into())
            .with_help("say both, or neither for a square")),
        (None, Some(_)) => Err(at_key(source, "cols", "`cols` without `rows`".into())
            .with_help("say both, or neither for a square")),
        (None, None) => {
            if let Some(side) = side_of_square(tiles) {
                return Ok((side, side));
            }
            Err(at_key(
                source,
                "tiles",
                format!("{tiles} tiles do not fill a square"),
            )
            .with_help("say how large the board is: `rows: …` and `cols: …`"))
        }
    }
}

/// Runs a reader over the first document.
fn first_document<'de, S>(source: &Source<'de>, reader: S) -> Result<S::Value, LoadError>
where
    S: DeserializeSeed<'de>,
{
    let Some(document) = serde_yaml::Deserializer::from_str(source.text).next() else {
        return Err(source
            .error("the file is empty".into())
            .with_help(header::EXAMPLE));
    };
    let is_blank = |l: &str| l.trim().is_empty() || l.trim_start().starts_with('#');
    if source.text.lines().all(is_blank) {
        let message = match source.text.trim().is_empty() {
            true => "the file is empty",
            false => "the file holds nothing but comments",
        };
        return Err(source.error(message.into()).with_help(header::EXAMPLE));
    }
    reader
        .deserialize(document)
        .map_err(|e| yaml_error(source, &e))
}

/// The YAML scanner takes time in the square of the depth; no puzzle is deeper than three.
fn refuse_deep_nesting(source: &Source<'_>) -> Result<(), LoadError> {
    const DEEPEST: usize = 1000;
    let mut depth = 0usize;
    for (at, byte) in source.text.bytes().enumerate() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            let message = format!("more than {DEEPEST} brackets inside each other");
            return Err(source.error_at_byte(at, message).with_help(header::EXAMPLE));
        }
    }
    Ok(())
}

fn refuse_more_documents(source: &Source<'_>) -> Result<(), LoadError> {
    if serde_yaml::Deserializer::from_str(source.text)
        .nth(1)
        .is_none()
    {
        return Ok(());
    }
    let is_content = |l: &str| !l.trim().is_empty() && !l.starts_with(['#', '%']);
    let lines = source.text.lines().enumerate();
    let mut content = lines.filter(|(_, l)| is_content(l)).skip(1);
    let line = content.find(|(_, l)| l.starts_with("---") || l.starts_with("..."));
    let message = "a second document starts here: one file holds one puzzle".into();
    Err(match line {
        Some((index, _)) => source.error_at(index + 1, 1, message),
        None => source.error(message),
    }
    .with_help("split the file at its `---` lines"))
}

/// `serde_yaml` writes the place into its message; it is taken out again.
fn yaml_error(source: &Source<'_>, error: &serde_yaml::Error) -> LoadError {
    const LONGEST_MESSAGE: usize = 300;
    let mut message = error.to_string();
    let place = error.location().map(|l| (l.line(), l.column()));
    if let Some((line, column)) = place {
        message = message.replace(&format!(" at line {line} column {column}"), "");
    }
    let ours = message.rsplit_once(scalar::OURS);
    let ours = ours.and_then(|(_, json)| serde_json::from_str::<Refusal>(json).ok());
    let Refusal { message, help } = ours.unwrap_or_else(|| Refusal::from(in_plain_words(&message)));
    let message = match message.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    };
    let error = match place {
        Some((line, column)) => source.error_at(line, column, message),
        None => source.error(message),
    };
    LoadError { help, ..error }
}

/// What `serde` calls a sequence, people call a list.
fn in_plain_words(message: &str) -> String {
    const WORDS: [(&str, &str); 9] = [
        ("invalid type: sequence", "found a list"),
        ("invalid type: map", "found a mapping"),
        ("invalid type: unit value", "found nothing"),
        ("invalid type: string", "found the text"),
        ("invalid type: boolean", "found"),
        ("invalid type: integer", "found the number"),
        ("invalid type: floating point", "found the number"),
        ("invalid type: enum", "found a tag"),
        (" as u128, expected", ", expected"),
    ];
    let translate = |text: String, (theirs, ours): &(&str, &str)| text.replacen(theirs, ours, 1);
    WORDS.iter().fold(message.to_owned(), translate)
}

/// An error at a key of the outermost mapping.
fn at_key(source: &Source<'_>, key: &'static str, message: String) -> LoadError {
    let found = serde_yaml::Deserializer::from_str(source.text)
        .next()
        .and_then(|document| Locate(key).deserialize(document).err())
        .and_then(|e| e.location());
    match found {
        Some(place) => source.error_at(place.line(), place.column(), message),
        None => source.error(message),
    }
}

/// Fails at a key, so that `serde_yaml` tells where it is.
struct Locate(&'static str);

impl<'de> DeserializeSeed<'de> for Locate {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Locate {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let fail_here = |text: &str| match text == self.0 {
            true => Err("here".into()),
            false => Ok(()),
        };
        while map
            .next_key_seed(Scalar::new("a key", fail_here))?
            .is_some()
        {
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}
