//! Four signed integers a line: `+3` and `-3` are the halves of one image.

use itertools::Itertools;

use super::draft::Draft;
use super::losses::{Detail, lost, refuse_all_but_squares, refuse_whole_images};
use super::tile_text::Numbers;
use super::words::{Word, four, lines, number};
use crate::load::Result;
use crate::load::edge_order::EdgeOrder;
use crate::load::form::{Exported, Form, ReadOptions, WriteError};
use crate::load::notes::Notes;
use crate::load::text::Source;
use crate::problem::{Arrangement, Problem};
use crate::puzzle::{EdgeName, Half, Label};

/// A tile a line, clockwise from the top.
pub(super) const FORM: Form = Form {
    is_like,
    notes: Some(|source| {
        Notes::of_tiles_at(source, lines(source.text).map(|words| words[0].at).collect())
    }),
    write: Some(write),
    ..Form::new("signed", "lines of four signed integers", read)
};

/// What is shown beside errors.
const EXAMPLE: &str = "a tile is a line such as +1 -3 +2 -4, `+1` and `-1` the halves of one image";

/// Numbers, one of them with a sign.
fn is_like(text: &str) -> bool {
    let mut words = lines(text).flatten();
    let is_integer = |word: &Word<'_>| {
        let digits = word.text.strip_prefix(['+', '-']).unwrap_or(word.text);
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    };
    words.next().is_some_and(|word| is_integer(&word))
        && lines(text).flatten().any(|word| word.text.starts_with(['+', '-']))
}

fn read(source: &Source<'_>, options: &ReadOptions, name: &str) -> Result<Problem> {
    let mut draft = Draft::new();
    for words in lines(source.text) {
        let [top, right, bottom, left] = four(source, &words, EXAMPLE)?;
        let edge = |word| edge(source, word);
        draft.add([edge(top)?, edge(right)?, edge(bottom)?, edge(left)?]);
    }
    draft.problem(source, options, name)
}

fn edge(source: &Source<'_>, word: Word<'_>) -> Result<EdgeName> {
    let (half, text) = match word.text.strip_prefix('-') {
        Some(text) => (Half::Minus, text),
        None => (Half::Plus, word.text.strip_prefix('+').unwrap_or(word.text)),
    };
    let at = word.at + word.text.len() - text.len();
    match number(source, Word { text, at }).map_err(|e| e.with_help(EXAMPLE))? {
        0 => {
            let message = "0 has no halves: images are numbered from 1".into();
            Err(source.error_at_byte(word.at, message).with_help(EXAMPLE))
        }
        image => Ok(EdgeName { image: image.to_string(), half }),
    }
}

fn write(problem: &Problem, _: Option<&Arrangement>) -> Result<Exported, WriteError> {
    refuse_all_but_squares(problem)?;
    let border = refuse_whole_images(problem)?;
    let puzzle = &problem.puzzle;
    let numbers = Numbers::new(problem, 1);
    let integer = |&label: &Label| {
        let edge = puzzle.labels.edge(label);
        let sign = if edge.half == Half::Minus { "-" } else { "+" };
        format!("{sign}{}", numbers.of_image(&edge.image))
    };
    let lines = puzzle.tiles.iter().map(|tile| {
        EdgeOrder::CLOCKWISE_FROM_TOP.listed(&tile.edges).iter().map(integer).join(" ") + "\n"
    });
    let keeps = [numbers.are_names.then_some(Detail::ImageNames)];
    Ok(Exported {
        text: lines.collect(),
        lost: lost(problem, &keeps).into_iter().chain(border).collect(),
    })
}
