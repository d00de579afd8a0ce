//! Links to the usual viewer of Eternity II boards: four letters a cell show a board that is laid
//! out, so that a link is a puzzle and an arrangement.

use std::collections::HashSet;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::alphabet::{Alphabet, FRAME};
use super::draft::Draft;
use super::losses::{Detail, lost, refuse_all_but_squares};
use super::words::{Word, length};
use crate::load::Result;
use crate::load::edge_order::EdgeOrder;
use crate::load::form::{Exported, Form, Loss, ReadOptions, WriteError};
use crate::load::text::Source;
use crate::problem::{Arrangement, Placed, Problem};
use crate::puzzle::{EdgeName, Half, LONGEST_NAME, Label, Puzzle, beginning};

/// Letters clockwise from the top, `a` the frame.
pub(super) const FORM: Form = Form {
    is_literal: is_link,
    is_like: is_link,
    tells_order: true,
    write: Some(write),
    ..Form::new("link", "a link to a viewer", read)
};

/// Where links lead.
const VIEWER: &str = "https://e2.bucas.name/#";

/// What is shown beside errors.
const EXAMPLE: &str =
    "a link has board_w=2&board_h=2&board_edges=abbaaabbbbaabaab, four letters a cell";

const EDGES: &str = "board_edges";
const PIECES: &str = "board_pieces";

/// Letters of a cell, and digits.
const SIDES: usize = 4;
const DIGITS: usize = 3;

/// The largest number of a piece.
const MOST_PIECES: u32 = 999;

/// Whether a text holds links; each is a line.
pub(in crate::load) fn is_link(text: &str) -> bool {
    let first = text.trim_start().lines().next().unwrap_or_default().trim_end();
    let has = |part: &&str| first.contains(part);
    ["board_edges=", "board_w="].iter().any(has) && !first.contains(char::is_whitespace)
}

/// What a link says.
struct Link<'a> {
    name: Option<String>,
    rows: usize,
    columns: usize,
    /// Four letters a cell.
    edges: Word<'a>,
    /// Three digits a cell.
    pieces: Option<Word<'a>>,
}

/// The parts of a link, each with its key.
fn parts<'a>(source: &Source<'a>, link: Word<'a>) -> Result<Vec<(&'a str, Word<'a>)>> {
    // The parts may stand behind `?`, `#`, or alone.
    let start = link.text.find(['?', '#']).map_or(0, |at| at + 1);
    let parts = link.text[start..].split(['&', '#', '?']);
    let place = |part: &str| link.at + (part.as_ptr() as usize - link.text.as_ptr() as usize);
    let mut found: Vec<(&'a str, Word<'a>)> = Vec::new();
    for part in parts {
        let Some((key, text)) = part.split_once('=') else {
            continue;
        };
        if found.iter().any(|(own, _)| *own == key) {
            let message = format!("a link with two parts `{}`", beginning(key));
            return Err(source.error_at_byte(place(part), message));
        }
        found.push((key, Word { text, at: place(text) }));
    }
    Ok(found)
}

/// The name of the puzzle.
fn name(source: &Source<'_>, word: Word<'_>) -> Result<String> {
    let name = percent_decode_str(word.text).decode_utf8_lossy();
    if name.chars().count() <= LONGEST_NAME {
        return Ok(name.into_owned());
    }
    Err(source.error_at_byte(word.at, format!("a name of more than {LONGEST_NAME} characters")))
}

impl<'a> Link<'a> {
    /// Reads a link, where it stands in the text.
    fn parse(source: &Source<'a>, link: Word<'a>) -> Result<Self> {
        let found = parts(source, link)?;
        let part = |key: &str| found.iter().find(|(own, _)| *own == key).map(|(_, word)| *word);
        let needed = |key: &str| {
            let missing = || source.error_at_byte(link.at, format!("a link without `{key}`"));
            part(key).ok_or_else(|| missing().with_help(EXAMPLE))
        };
        let columns = length(source, needed("board_w")?)?;
        let rows = length(source, needed("board_h")?)?;
        let name = part("puzzle").map(|word| name(source, word));
        let link = Link {
            name: name.transpose()?.filter(|name| !name.is_empty()),
            rows,
            columns,
            edges: needed(EDGES)?,
            pieces: part(PIECES).filter(|word| !word.text.is_empty()),
        };
        link.refuse_wrong_length(source, EDGES, link.edges, SIDES, "letters")?;
        if let Some(at) = link.edges.text.find(|c: char| !c.is_ascii_lowercase()) {
            let message = "expected a letter from a to z".into();
            return Err(source.error_at_byte(link.edges.at + at, message));
        }
        if let Some(pieces) = link.pieces {
            link.refuse_wrong_length(source, PIECES, pieces, DIGITS, "digits")?;
            if let Some(at) = pieces.text.find(|c: char| !c.is_ascii_digit()) {
                return Err(source.error_at_byte(pieces.at + at, "expected a digit".into()));
            }
        }
        Ok(link)
    }

    fn refuse_wrong_length(
        &self,
        source: &Source<'_>,
        key: &str,
        word: Word<'_>,
        each: usize,
        what: &str,
    ) -> Result<()> {
        let found = word.text.chars().count();
        let expected = each * self.rows * self.columns;
        if found == expected {
            return Ok(());
        }
        let size = format!("{} × {}", self.rows, self.columns);
        let message = format!("`{key}` has {found} {what}, {size} cells have {expected}");
        // An overlong part is wrong where it should have ended.
        let at = word.text.char_indices().nth(expected).map_or(word.text.len(), |(at, _)| at);
        Err(source.error_at_byte(word.at + at, message).with_help(EXAMPLE))
    }

    /// The letters of each cell, where they stand, and the number of its piece.
    fn cells(&self) -> impl Iterator<Item = (Word<'a>, Option<u32>)> {
        let Link { edges, pieces, rows, columns, .. } = *self;
        (0..rows * columns).map(move |cell| {
            let at = cell * SIDES;
            let letters = Word { text: &edges.text[at..at + SIDES], at: edges.at + at };
            let piece =
                pieces.and_then(|pieces| pieces.text[cell * DIGITS..][..DIGITS].parse().ok());
            (letters, piece)
        })
    }
}

/// The links of a text, one a line; what begins with `%` is a comment.
fn links(text: &str) -> impl Iterator<Item = Word<'_>> {
    let lines = text.lines().map(|line| {
        let trimmed = line.trim();
        let at = trimmed.as_ptr() as usize - text.as_ptr() as usize;
        Word { text: trimmed, at }
    });
    lines.filter(|line| !line.text.is_empty() && !line.text.starts_with('%'))
}

const EMPTY: &str = "aaaa";

fn read(source: &Source<'_>, options: &ReadOptions, name: &str) -> Result<Problem> {
    let Some(first) = links(source.text).next() else {
        return Err(source.error("no link".into()).with_help(EXAMPLE));
    };
    let link = Link::parse(source, first)?;
    let mut draft = Draft::new();
    draft.states_rules = true;
    draft.size = Some((link.rows, link.columns));
    draft.name.clone_from(&link.name);
    let mut seen = HashSet::new();
    let mut empty = 0;
    for (letters, piece) in link.cells() {
        let is_empty = letters.text == EMPTY;
        if let Some(piece) = piece {
            if is_empty != (piece == 0) {
                let message = if is_empty {
                    format!("piece {piece} in a cell without edges")
                } else {
                    format!("no piece in a cell with the edges `{}`", letters.text)
                };
                return Err(source.error_at_byte(letters.at, message));
            }
            if !is_empty && !seen.insert(piece) {
                let message = format!("piece {piece} appears a second time");
                return Err(source.error_at_byte(letters.at, message));
            }
        }
        if is_empty {
            empty += 1;
            continue;
        }
        if letters.text.contains(FRAME) {
            draft.border = Some(edge(FRAME));
        }
        let edges: Vec<EdgeName> = letters.text.chars().map(edge).collect();
        if let Ok(edges) = <[EdgeName; SIDES]>::try_from(edges) {
            draft.add(edges);
        }
        if let (Some(piece), Some(last)) = (piece, draft.tiles.last_mut()) {
            last.0 = piece.to_string();
        }
    }
    if empty > 0 {
        let cells = link.rows * link.columns;
        let message = format!(
            "{empty} of {cells} cells are empty: a link does not tell what could lie there"
        );
        return Err(source
            .error_at_byte(link.edges.at, message)
            .with_help("only a link to a full board is a puzzle"));
    }
    draft.problem(source, options, name)
}

fn edge(letter: char) -> EdgeName {
    EdgeName { image: letter.to_string(), half: Half::Whole }
}

/// How every link of a text lays a puzzle's tiles.
///
/// # Errors
/// Where a link is broken, or shows a tile that the puzzle does not have.
pub(in crate::load) fn arrangements(
    source: &Source<'_>,
    problem: &Problem,
) -> Result<Vec<Arrangement>> {
    let all = links(source.text).map(|word| {
        let link = Link::parse(source, word)?;
        if problem.board.rectangle() != Some((link.rows, link.columns)) {
            let rows = link.rows;
            let columns = link.columns;
            let board = problem.board.in_words();
            let message =
                format!("the link shows {rows} × {columns} cells, the puzzle is on {board}");
            return Err(source.error_at_byte(word.at, message));
        }
        arrangement(source, &link, problem)
    });
    all.collect()
}

fn arrangement(source: &Source<'_>, link: &Link<'_>, problem: &Problem) -> Result<Arrangement> {
    let puzzle = &problem.puzzle;
    let numbers = numbers(puzzle);
    let alphabet = alphabet(source, link, puzzle, &numbers)?;
    let mut is_used = vec![false; puzzle.tiles.len()];
    let mut placed = Vec::new();
    for ((shown, piece), cell) in link.cells().zip(problem.board.cells()) {
        let refuse = |message: String| source.error_at_byte(shown.at, message);
        let name = &cell.name;
        if shown.text == EMPTY {
            let error = refuse(format!("cell {name} is empty"));
            return Err(error.with_help("only boards that are full are checked and drawn"));
        }
        let labels: Vec<Option<Label>> = shown.text.chars().map(|c| alphabet.label(c)).collect();
        let edges = EdgeOrder::CLOCKWISE_FROM_TOP.normalise(&labels);
        let mut tiles = (0..puzzle.tiles.len())
            .filter(|&tile| !is_used[tile] && (piece.is_none() || numbers[tile] == piece));
        let lies = |tile: usize| {
            let mut ways = Placed::every(puzzle, tile);
            ways.find(|way| {
                let shows = puzzle.tiles[tile].edges_in(way.orientation);
                shows.into_iter().map(Some).eq(edges.iter().copied())
            })
        };
        let Some(found) = tiles.find_map(lies) else {
            let what = match piece {
                Some(piece) => format!("piece {piece} cannot lie there"),
                None => "no tile that is left does".to_owned(),
            };
            let letters = alphabet.letters();
            let letters =
                letters.map(|(letter, label)| format!("{letter} {}", puzzle.labels.name(label)));
            let error = refuse(format!("cell {name} shows `{}`: {what}", shown.text));
            return Err(
                error.with_help(format!("the letters are {}", itertools::join(letters, ", ")))
            );
        };
        is_used[found.tile] = true;
        placed.push(found);
    }
    Ok(Arrangement(placed))
}

/// What the letters of a link stand for: as they are written here, or as its pieces tell.
fn alphabet(
    source: &Source<'_>,
    link: &Link<'_>,
    puzzle: &Puzzle,
    numbers: &[Option<u32>],
) -> Result<Alphabet> {
    let own =
        Alphabet::new(puzzle).map_err(|e| source.error_at_byte(link.edges.at, e.to_string()))?;
    let tile_of = |piece: Option<u32>| numbers.iter().position(|number| *number == piece);
    let laid = link.cells().map(|(shown, piece)| {
        let tile = tile_of(Some(piece?))?;
        Some((shown.text, tile))
    });
    let Some(laid) = laid.collect::<Option<Vec<(&str, usize)>>>() else {
        return Ok(own);
    };
    let is_shown = |&(shown, tile): &(&str, usize)| {
        let mut ways = puzzle.tiles[tile].orientations();
        ways.any(|orientation| {
            let edges = puzzle.tiles[tile].edges_in(orientation);
            let edges = EdgeOrder::CLOCKWISE_FROM_TOP.listed(&edges);
            edges.iter().map(|&label| own.letter(label)).eq(shown.chars().map(Some))
        })
    };
    if laid.iter().all(is_shown) {
        Ok(own)
    } else {
        Ok(Alphabet::found(puzzle, &laid).unwrap_or(own))
    }
}

/// The number of each tile: its name where all are called by numbers, else its place; nothing above
/// 999.
fn numbers(puzzle: &Puzzle) -> Vec<Option<u32>> {
    let small = |number: &u32| (1..=MOST_PIECES).contains(number);
    let own: Option<Vec<u32>> = puzzle
        .tiles
        .iter()
        .map(|tile| {
            let number = tile.name.parse().ok().filter(small);
            number.filter(|number| number.to_string() == tile.name)
        })
        .collect();
    let places = (1..).take(puzzle.tiles.len());
    match own {
        Some(own) => own.into_iter().map(Some).collect(),
        None => places.map(|place| Some(place).filter(small)).collect(),
    }
}

fn write(problem: &Problem, arrangement: Option<&Arrangement>) -> Result<Exported, WriteError> {
    refuse_all_but_squares(problem)?;
    let Some(arrangement) = arrangement else {
        return Err(WriteError(
            "a link shows a board that is laid out, and there is no arrangement".into(),
        ));
    };
    let puzzle = &problem.puzzle;
    let alphabet = Alphabet::new(puzzle)?;
    let numbers = numbers(puzzle);
    let (rows, columns) = problem.board.rectangle().unwrap_or_default();
    let cell = |placed: &Placed| {
        let edges = puzzle.tiles[placed.tile].edges_in(placed.orientation);
        let listed = EdgeOrder::CLOCKWISE_FROM_TOP.listed(&edges);
        listed.into_iter().filter_map(|label| alphabet.letter(label)).collect::<String>()
    };
    let edges: Vec<String> = arrangement.0.iter().map(cell).collect();
    if edges.iter().any(|letters| letters == EMPTY) {
        let message = "a tile that shows nothing but the border looks like an empty cell";
        return Err(WriteError(message.into()));
    }
    let edges = edges.concat();
    let pieces: Option<String> =
        arrangement.0.iter().map(|placed| Some(format!("{:03}", numbers[placed.tile]?))).collect();
    let name = utf8_percent_encode(&puzzle.name, NON_ALPHANUMERIC);
    let mut text =
        format!("{VIEWER}puzzle={name}&board_w={columns}&board_h={rows}&{EDGES}={edges}");
    if let Some(pieces) = &pieces {
        text += &format!("&{PIECES}={pieces}");
    }
    text.push('\n');
    let lost = losses(problem, arrangement, &alphabet, &numbers);
    Ok(Exported { text, lost })
}

/// What a link does not tell.
fn losses(
    problem: &Problem,
    arrangement: &Arrangement,
    alphabet: &Alphabet,
    numbers: &[Option<u32>],
) -> Vec<Loss> {
    let puzzle = &problem.puzzle;
    let has_numbers = arrangement.0.iter().all(|placed| numbers[placed.tile].is_some());
    let names = puzzle.tiles.iter().zip(numbers);
    let mut names =
        names.map(|(tile, number)| number.map(|n| n.to_string()) == Some(tile.name.clone()));
    let mut letters = alphabet.letters();
    let keeps = [
        letters
            .all(|(letter, label)| puzzle.labels.name(label) == letter.to_string())
            .then_some(Detail::ImageNames),
        names.all(|is_kept| is_kept).then_some(Detail::TileNames),
        Some(Detail::Size),
    ];
    let has_halves = puzzle.labels.all().any(|label| puzzle.labels.mate(label) != label);
    let unused = puzzle.pieces().unwrap_or(0).saturating_sub(arrangement.0.len());
    let more = [
        has_halves.then(|| "which halves fit: each is a letter of its own".to_owned()),
        (unused > 0).then(|| format!("{unused} tiles that are not used")),
        (!has_numbers)
            .then(|| format!("the numbers of the tiles, of which some are above {MOST_PIECES}")),
    ];
    lost(problem, &keeps).into_iter().chain(more.into_iter().flatten().map(Loss::note)).collect()
}
