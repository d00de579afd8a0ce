//! Links to the usual viewer of Eternity II boards. Four letters per cell describe a filled board,
//! so a link is both a puzzle and an arrangement.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::alphabet::{Alphabet, FRAME};
use super::draft::Draft;
use super::losses::refuse_all_but_squares;
use super::words::{Word, length};
use crate::load::Result;
use crate::load::edge_order::EdgeOrder;
use crate::load::form::{Detail, Noted, PuzzleFormat, ReadOptions, Written};
use crate::load::notation::Notation;
use crate::load::text::Source;
use crate::problem::{Arrangement, Placed, Problem};
use crate::puzzle::{EdgeName, Half, LONGEST_NAME, Puzzle, abbreviate};

/// A viewer link: four letters per cell, clockwise from the top; `a` is the frame.
pub(super) const FORM: PuzzleFormat = PuzzleFormat {
    is_literal: is_link,
    recognises: is_link,
    tells_order: true,
    arrangements: Some(|source, problem| {
        links(source).map(|link| arrangement(source, link, problem)).collect()
    }),
    write: Some(write),
    ..PuzzleFormat::new("link", "a link to a viewer", read)
};

/// The address of the viewer.
const VIEWER: &str = "https://e2.bucas.name/#";

/// The help of errors.
const EXAMPLE: &str =
    "a link has board_w=2&board_h=2&board_edges=abbaaabbbbaabaab, four letters a cell";

const EDGES: &str = "board_edges";
const PIECES: &str = "board_pieces";

/// The number of letters per cell; `DIGITS` is the number of digits per piece.
const SIDES: usize = 4;
const DIGITS: usize = 3;

/// The largest number of a piece.
const MOST_PIECES: u32 = 999;

const EMPTY: &str = "aaaa";

/// Returns true if the first line of a text is a link.
fn is_link(text: &str) -> bool {
    let first = text.trim_start().lines().next().unwrap_or_default().trim_end();
    let has = |part: &&str| first.contains(part);
    ["board_edges=", "board_w="].iter().any(has) && !first.contains(char::is_whitespace)
}

/// A parsed link.
struct Link<'a> {
    name: Option<String>,
    rows: usize,
    columns: usize,
    /// The letters and the piece number of each cell.
    cells: Vec<(&'a str, Option<u32>)>,
}

impl<'a> Link<'a> {
    /// Parses the parts `key=value` of a link. Fails if one is repeated or a required one is
    /// missing, or the board and the edges disagree.
    fn parse(source: &Source<'a>, link: &'a str) -> Result<Self> {
        // The parts of a link may follow `?` or `#`, or be the whole link.
        let start = link.find(['?', '#']).map_or(0, |at| at + 1);
        let written = link[start..].split(['&', '#', '?']);
        let parts: Vec<(&str, &str)> = written.filter_map(|part| part.split_once('=')).collect();
        let mut seen = HashSet::new();
        if let Some((key, _)) = parts.iter().find(|(key, _)| !seen.insert(*key)) {
            let message = format!("a link with two parts `{}`", abbreviate(key));
            return Err(source.error_at_part(key, message));
        }
        let part = |key: &str| parts.iter().find(|(own, _)| *own == key).map(|(_, text)| *text);
        let needed = |key: &str| {
            let missing = || source.error_at_part(link, format!("a link without `{key}`"));
            part(key).ok_or_else(|| missing().with_help(EXAMPLE))
        };
        let side = |key| {
            let text = needed(key)?;
            length(source, Word { text, at: source.at(text) })
        };
        let (columns, rows) = (side("board_w")?, side("board_h")?);
        let written = part("puzzle").unwrap_or_default();
        let name = percent_decode_str(written).decode_utf8_lossy().into_owned();
        if name.chars().count() > LONGEST_NAME {
            let message = format!("a name of more than {LONGEST_NAME} characters");
            return Err(source.error_at_part(written, message));
        }
        let edges = needed(EDGES)?;
        let pieces = part(PIECES).filter(|text| !text.is_empty());
        let kinds = [
            (EDGES, Some(edges), SIDES, "letters", 'a'..='z', "a letter from a to z"),
            (PIECES, pieces, DIGITS, "digits", '0'..='9', "a digit"),
        ];
        for (key, text, each, plural, range, one) in kinds {
            let Some(text) = text else {
                continue;
            };
            let found = text.chars().count();
            let expected = each * rows * columns;
            if found != expected {
                let message = format!(
                    "`{key}` has {found} {plural}, expected {expected} for {rows} × {columns} cells"
                );
                // Report an overlong part at the position where it should have ended.
                let end = text.char_indices().nth(expected).map_or(text.len(), |(end, _)| end);
                return Err(source.error_at_part(&text[end..], message).with_help(EXAMPLE));
            }
            if let Some(place) = text.find(|c| !range.contains(&c)) {
                return Err(source.error_at_part(&text[place..], format!("expected {one}")));
            }
        }
        let cells = (0..rows * columns).map(|cell| {
            let piece = pieces.and_then(|text| text[cell * DIGITS..][..DIGITS].parse().ok());
            (&edges[cell * SIDES..][..SIDES], piece)
        });
        let cells = cells.collect();
        Ok(Link { name: Some(name).filter(|name| !name.is_empty()), rows, columns, cells })
    }
}

/// The links of a text, one per line; a line that starts with `%` is a comment.
fn links<'a>(source: &Source<'a>) -> impl Iterator<Item = &'a str> {
    let lines = source.text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('%'))
}

/// Reads the first link of the text as a puzzle with the tile of each cell, in the orientation
/// shown; later links are ignored. Fails if a cell is empty, or edges and pieces contradict each
/// other.
fn read<'s>(_: &Notation, source: &'s Source<'s>, options: &ReadOptions) -> Result<Noted<'s>> {
    let Some(first) = links(source).next() else {
        return Err(source.error("no link".into()).with_help(EXAMPLE));
    };
    let link = Link::parse(source, first)?;
    let mates = mates(&link);
    let mut draft = Draft {
        name: link.name,
        size: Some((link.rows, link.columns)),
        order: EdgeOrder::CLOCKWISE_FROM_TOP,
        states_rules: true,
        ..Draft::default()
    };
    let edge = |letter: char| {
        let mate = mates.get(&letter).copied().unwrap_or(letter);
        let half = match letter.cmp(&mate) {
            Ordering::Less => Half::Plus,
            Ordering::Equal => Half::Whole,
            Ordering::Greater => Half::Minus,
        };
        EdgeName { image: letter.min(mate).to_string(), half }
    };
    let mut seen = HashSet::new();
    for &(text, piece) in &link.cells {
        let fault = match piece {
            None | Some(0) if text == EMPTY => continue,
            Some(piece) if text == EMPTY => format!("piece {piece} in a cell without edges"),
            Some(0) => format!("no piece in a cell with the edges `{text}`"),
            Some(piece) if !seen.insert(piece) => format!("piece {piece} appears a second time"),
            _ => {
                if text.contains(FRAME) {
                    draft.border = Some(edge(FRAME));
                }
                let number = piece.map(|number| number.to_string());
                draft.add(number.as_deref(), text.chars().map(edge).collect());
                continue;
            }
        };
        return Err(source.error_at_part(text, fault));
    }
    let cells = link.cells.len();
    let empty = cells - draft.tiles.len();
    if empty > 0 {
        let message =
            format!("{empty} of {cells} cells are empty, so the link does not show all tiles");
        let help = "only a link to a full board is a puzzle";
        return Err(source.error_at_part(link.cells[0].0, message).with_help(help));
    }
    Ok((draft.problem(source, options)?, None))
}

/// The letter that each letter meets on the seams of the board, if each meets a single one: two that
/// differ are the halves of an image. Empty, so that each letter matches itself, if there are too few
/// seams to tell this from a board with mismatches: two, or, if some letters meet themselves, no more
/// than letters.
fn mates(link: &Link<'_>) -> HashMap<char, char> {
    let letter = |cell: usize, side: usize| link.cells[cell].0.chars().nth(side);
    let is_last = |cell: usize| (cell + 1).is_multiple_of(link.columns);
    let across = |cell: usize| (!is_last(cell)).then_some((1, cell + 1, 3));
    let down = |cell: usize| Some((2, cell + link.columns, 0));
    let seams = (0..link.cells.len()).flat_map(|cell| {
        let ends = across(cell).into_iter().chain(down(cell));
        let ends = ends.filter(|(_, other, _)| *other < link.cells.len());
        ends.filter_map(move |(side, other, facing)| {
            Some((letter(cell, side)?, letter(other, facing)?))
        })
    });
    let seams: Vec<(char, char)> = seams.collect();
    let both = seams.iter().flat_map(|&(one, other)| [(one, other), (other, one)]);
    let mates: HashMap<char, char> = both.clone().collect();
    let are_pairs = both.clone().all(|(one, other)| mates[&one] == other);
    let is_any_whole = mates.iter().any(|(one, other)| one == other);
    let needed = if is_any_whole { mates.len() } else { 2 };
    if are_pairs && seams.len() > needed { mates } else { HashMap::new() }
}

/// Reads the arrangement of the puzzle's tiles in a link.
///
/// # Errors
/// If the link is invalid, or contains a tile that the puzzle does not have.
fn arrangement(source: &Source<'_>, link: &str, problem: &Problem) -> Result<Arrangement> {
    let Link { rows, columns, cells, .. } = Link::parse(source, link)?;
    if problem.board.rectangle() != Some((rows, columns)) {
        let board = problem.board.description_with_article();
        let message = format!("the link shows {rows} × {columns} cells, the puzzle is on {board}");
        return Err(source.error_at_part(link, message));
    }
    let puzzle = &problem.puzzle;
    let numbers = numbers(puzzle);
    let mut alphabet = Alphabet::new(puzzle).map_err(|e| source.error_at_part(cells[0].0, e))?;
    let tile_of = |piece: Option<u32>| numbers.iter().position(|number| *number == piece);
    let tiles = cells.iter().map(|(shown, piece)| Some((*shown, tile_of(Some((*piece)?))?)));
    if let Some(tiles) = tiles.collect::<Option<Vec<_>>>() {
        // Other programs may assign letters differently, except for the frame.
        let border = Alphabet(puzzle.border.map(|border| (FRAME, border)).into_iter().collect());
        let mut found = [alphabet.clone(), border].into_iter();
        alphabet = found.find_map(|start| start.extended(puzzle, &tiles)).unwrap_or(alphabet);
    }
    let every = (0..puzzle.tiles.len()).flat_map(|tile| Placed::every(puzzle, tile));
    let every = every.map(|placed| (placed, alphabet.word(puzzle, placed)));
    let mut unused: Vec<(Placed, String)> = every.collect();
    let mut placed = Vec::new();
    for ((shown, piece), cell) in cells.into_iter().zip(problem.board.cells()) {
        let name = &cell.name;
        let refuse = |message: String| source.error_at_part(shown, message);
        if shown == EMPTY {
            let error = refuse(format!("cell {name} is empty"));
            return Err(error.with_help("only boards that are full are checked and drawn"));
        }
        let is_shown = |(placed, word): &&(Placed, String)| {
            (piece.is_none() || numbers[placed.tile] == piece) && word == shown
        };
        let Some(&(found, _)) = unused.iter().find(is_shown) else {
            let what = match piece {
                Some(piece) => format!("piece {piece} cannot lie there"),
                None => "no tile that is left does".to_owned(),
            };
            let letters = alphabet.0.iter();
            let letters =
                letters.map(|(letter, label)| format!("{letter} {}", puzzle.labels.name(*label)));
            let help = format!("the letters are {}", itertools::join(letters, ", "));
            return Err(refuse(format!("cell {name} shows `{shown}`: {what}")).with_help(help));
        };
        unused.retain(|(placed, _)| placed.tile != found.tile);
        placed.push(found);
    }
    Ok(Arrangement(placed))
}

/// The number of each tile: its name if all names are numbers, otherwise its index from 1. `None`
/// above 999.
fn numbers(puzzle: &Puzzle) -> Vec<Option<u32>> {
    let small = |number: &u32| (1..=MOST_PIECES).contains(number);
    let own = puzzle.tiles.iter().map(|tile| {
        let number = tile.name.parse().ok().filter(small)?;
        (number.to_string() == tile.name).then_some(Some(number))
    });
    let places = (1..).take(puzzle.tiles.len()).map(|place| Some(place).filter(small));
    own.collect::<Option<_>>().unwrap_or_else(|| places.collect())
}

/// Writes an arrangement as a link. Fails if there is no arrangement, the board is not a rectangle
/// of squares, there are more images than letters, or a tile shows nothing but the border.
fn write(
    _: &Notation,
    problem: &Problem,
    arrangement: Option<&Arrangement>,
) -> Result<Written, String> {
    refuse_all_but_squares(problem)?;
    let Some(Arrangement(placed)) = arrangement else {
        return Err("a link shows a board that is laid out, and there is no arrangement".into());
    };
    let puzzle = &problem.puzzle;
    let alphabet = Alphabet::new(puzzle)?;
    let numbers = numbers(puzzle);
    let (rows, columns) = problem.board.rectangle().unwrap_or_default();
    let edges: Vec<String> = placed.iter().map(|&placed| alphabet.word(puzzle, placed)).collect();
    if edges.iter().any(|letters| letters == EMPTY) {
        return Err("a tile that shows nothing but the border looks like an empty cell".into());
    }
    let edges = edges.concat();
    let digits = placed.iter().map(|placed| Some(format!("{:03}", numbers[placed.tile]?)));
    let pieces: Option<String> = digits.collect();
    let name = utf8_percent_encode(&puzzle.name, NON_ALPHANUMERIC);
    let size = format!("board_w={columns}&board_h={rows}");
    let numbered = pieces.as_ref().map_or_else(String::new, |digits| format!("&{PIECES}={digits}"));
    let text = format!("{VIEWER}puzzle={name}&{size}&{EDGES}={edges}{numbered}\n");
    let mut letters = alphabet.0.iter();
    let has_image_names =
        letters.all(|(letter, label)| puzzle.labels.name(*label) == letter.to_string());
    let mut names = puzzle.tiles.iter().zip(&numbers);
    let has_tile_names =
        names.all(|(tile, number)| number.is_some_and(|number| number.to_string() == tile.name));
    let keeps = vec![
        has_image_names.then_some(Detail::ImageNames),
        has_tile_names.then_some(Detail::TileNames),
        Some(Detail::Size),
    ];
    let has_halves = puzzle.labels.all().any(|label| puzzle.labels.mate(label) != label);
    let unused = puzzle.pieces().unwrap_or(0).saturating_sub(placed.len());
    let omits = vec![
        has_halves.then(|| "which halves fit: each is a letter of its own".to_owned()),
        (unused > 0).then(|| format!("{unused} tiles that are not used")),
        pieces
            .is_none()
            .then(|| format!("the numbers of the tiles, of which some are above {MOST_PIECES}")),
    ];
    Ok(Written { text, keeps: Some(keeps), omits })
}
