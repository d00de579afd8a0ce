//! Plain Eternity II text and CSV: four numbers a line, 0 the frame; some files put the tile's
//! number first, and the rows and columns above all. TetraVex is written alike, or as four digits.

use std::collections::HashSet;

use itertools::Itertools;

use super::digits::unless_framed;
use super::draft::Draft;
use super::losses::{Detail, lost, refuse_all_but_squares, refuse_halves};
use super::tile_text::Numbers;
use super::words::{LARGEST, Word, length, lines, number};
use crate::load::form::{Exported, Form, ReadOptions, WriteError};
use crate::load::text::Source;
use crate::load::{LoadError, Result};
use crate::problem::Problem;

/// Between blanks.
pub(super) const TEXT: Form = Form {
    is_like,
    write: Some(|problem, _| write(problem, " ", rows_first)),
    ..Form::new("eternity", "plain Eternity II text", |source, options, name| {
        read(source, options, name, rows_first)
    })
};

/// The same with the width in front of the height.
pub(super) const PUZ: Form = Form {
    endings: &["puz"],
    is_like,
    write: Some(|problem, _| write(problem, " ", columns_first)),
    ..Form::new("puz", "Eternity II text with width and height", |source, options, name| {
        read(source, options, name, columns_first)
    })
};

/// The same with commas; both are read alike.
pub(super) const CSV: Form = Form {
    endings: &["csv"],
    is_shared: true,
    write: Some(|problem, _| write(problem, ",", rows_first)),
    ..Form::new("csv", "Eternity II as CSV", |source, options, name| {
        read(source, options, name, rows_first)
    })
};

/// What is shown beside errors.
const EXAMPLE: &str = "a tile is a line such as 0 1 2 0, or 17 0 1 2 0 with its number first, or four \
 digits such as 2908; the first line may be the size, such as 4 5";

fn is_like(text: &str) -> bool {
    let first = lines(text).next();
    let is_number = |word: &Word<'_>| word.text.bytes().all(|b| b.is_ascii_digit());
    first.is_some_and(|words| words.iter().all(is_number))
}

/// The order of rows and columns above all; the same function maps it back.
type SizeOrder = fn([usize; 2]) -> [usize; 2];

fn rows_first(size: [usize; 2]) -> [usize; 2] {
    size
}

fn columns_first([one, other]: [usize; 2]) -> [usize; 2] {
    [other, one]
}

fn read(
    source: &Source<'_>,
    options: &ReadOptions,
    name: &str,
    size_order: SizeOrder,
) -> Result<Problem> {
    let mut draft = Draft::new();
    let mut lines = lines(source.text).peekable();
    if let Some([one, other]) = lines.peek().map(Vec::as_slice) {
        let side = |word: &Word<'_>| length(source, *word).map_err(|e| e.with_help(EXAMPLE));
        draft.size = Some(size_order([side(one)?, side(other)?]).into());
        lines.next();
    }
    let mut width = None;
    let mut seen = HashSet::new();
    for words in lines.map(apart) {
        let width = *width.get_or_insert(words.len());
        let at = words[0].at;
        if words.len() != width || !matches!(width, 4 | 5) {
            let number = words.len();
            let expected = if matches!(width, 4 | 5) { width } else { 4 };
            let message = format!("{number} numbers in this line, expected {expected}");
            return Err(source.error_at_byte(at, message).with_help(EXAMPLE));
        }
        let numbers = words.iter().map(|word| number(source, *word));
        let numbers: Vec<u32> =
            numbers.try_collect().map_err(|e: LoadError| e.with_help(EXAMPLE))?;
        let (own, edges) = numbers.split_at(width - 4);
        draft.add_numbers(edges);
        if let (Some(&own), Some(last)) = (own.first(), draft.tiles.last_mut()) {
            if !seen.insert(own) {
                return Err(source.error_at_byte(at, format!("tile {own} appears a second time")));
            }
            last.0 = own.to_string();
        }
    }
    Ok(unless_framed(draft.problem(source, options, name)?, options))
}

/// The words of a line; of a tile that is one word, such as 2908, its digits.
fn apart(words: Vec<Word<'_>>) -> Vec<Word<'_>> {
    match words[..] {
        [word] if word.text.len() == 4 && word.text.bytes().all(|b| b.is_ascii_digit()) => {
            word.characters().collect()
        }
        _ => words,
    }
}

fn write(problem: &Problem, between: &str, size_order: SizeOrder) -> Result<Exported, WriteError> {
    refuse_all_but_squares(problem)?;
    refuse_halves(problem)?;
    let puzzle = &problem.puzzle;
    let numbers = Numbers::new(problem, 0);
    let own = |name: &String| {
        name.parse().ok().filter(|number: &u32| number.to_string() == *name && *number <= LARGEST)
    };
    let own: Option<Vec<u32>> = puzzle.tiles.iter().map(|tile| own(&tile.name)).collect();
    let in_order = |own: &Vec<u32>| own.iter().zip(1..).all(|(&own, place)| own == place);
    let has_names = own.is_some();
    let own = own.filter(|own| !in_order(own));
    let lines = numbers.rows(puzzle).into_iter().enumerate().map(|(index, edges)| {
        let own = own.iter().map(|own| own[index].to_string());
        own.chain(edges.iter().map(usize::to_string)).join(between) + "\n"
    });
    let size = problem.board.rectangle().unwrap_or_default();
    let head = size_order(size.into()).iter().join(between) + "\n";
    let keeps = [
        numbers.are_names.then_some(Detail::ImageNames),
        has_names.then_some(Detail::TileNames),
        Some(Detail::Size),
    ];
    Ok(Exported { text: std::iter::once(head).chain(lines).collect(), lost: lost(problem, &keeps) })
}
