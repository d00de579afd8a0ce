//! One tile a word: `AbDC`, upper and lower case the halves of one image.

use super::draft::Draft;
use super::losses::{Detail, images, lost, refuse_all_but_squares, refuse_whole_images};
use super::words::{Word, lines};
use crate::load::Result;
use crate::load::edge_order::EdgeOrder;
use crate::load::form::{Exported, Form, ReadOptions, WriteError};
use crate::load::notes::Notes;
use crate::load::text::Source;
use crate::problem::{Arrangement, Problem};
use crate::puzzle::{EdgeName, Half, beginning};

/// Four letters a tile, clockwise from the top, between blanks, commas or the ends of lines.
pub(super) const FORM: Form = Form {
    is_like,
    notes: Some(|source| {
        Notes::of_tiles_at(source, lines(source.text).flatten().map(|word| word.at).collect())
    }),
    write: Some(write),
    ..Form::new("letters", "tiles of four letters", read)
};

fn is_tile(word: &str) -> bool {
    word.len() == 4 && word.bytes().all(|b| b.is_ascii_alphabetic())
}

/// The first word decides: what is wrong with later ones can be said then. A text of one ordinary word
/// (`test`, `Null`, `TRUE`) is not a puzzle.
fn is_like(text: &str) -> bool {
    lines(text).flatten().next().is_some_and(|word| is_tile(word.text)) && !is_ordinary(text.trim())
}

/// Returns true for a word with the capitals of ordinary text.
fn is_ordinary(text: &str) -> bool {
    let is_upper = text.bytes().all(|b| b.is_ascii_uppercase());
    let is_lower = text.bytes().skip(1).all(|b| b.is_ascii_lowercase());
    is_upper || is_lower
}

fn read(source: &Source<'_>, options: &ReadOptions, name: &str) -> Result<Problem> {
    let mut draft = Draft::new();
    for word in lines(source.text).flatten() {
        draft.add(tile(source, word)?);
    }
    draft.problem(source, options, name)
}

fn tile(source: &Source<'_>, word: Word<'_>) -> Result<[EdgeName; 4]> {
    let edges: Vec<EdgeName> = word.text.chars().map_while(edge).collect();
    let number = word.text.chars().count();
    let refuse = |at: usize, message: String| {
        source.error_at_byte(word.at + at, message).with_help(
            "a tile is a word of four letters such as AbDC, `A` and `a` the halves of one image",
        )
    };
    let strange = word.text.char_indices().find(|(_, c)| !c.is_ascii_alphabetic());
    match (<[EdgeName; 4]>::try_from(edges), strange) {
        (Ok(edges), None) if number == 4 => Ok(edges),
        (_, Some((at, c))) => {
            Err(refuse(at, format!("`{}` is not a letter from A to Z", c.escape_debug())))
        }
        _ => {
            let word = beginning(word.text);
            Err(refuse(0, format!("`{word}` has {number} letters, a tile has 4")))
        }
    }
}

fn edge(letter: char) -> Option<EdgeName> {
    let half = if letter.is_ascii_uppercase() { Half::Plus } else { Half::Minus };
    letter
        .is_ascii_alphabetic()
        .then(|| EdgeName { image: letter.to_ascii_uppercase().to_string(), half })
}

fn write(problem: &Problem, _: Option<&Arrangement>) -> Result<Exported, WriteError> {
    refuse_all_but_squares(problem)?;
    let border = refuse_whole_images(problem)?;
    let puzzle = &problem.puzzle;
    let border_image = puzzle.border.map(|border| puzzle.labels.edge(border).image.clone());
    let images: Vec<String> = images(problem).into_iter().chain(border_image).collect();
    const LETTERS: usize = 26;
    if images.len() > LETTERS {
        let number = images.len();
        return Err(WriteError(format!("{number} images, and there are {LETTERS} letters")));
    }
    let is_letter =
        |image: &String| image.len() == 1 && image.bytes().all(|b| b.is_ascii_uppercase());
    let are_letters = images.iter().all(is_letter);
    let letter = |edge: &EdgeName| {
        let upper = if are_letters {
            edge.image.chars().next().unwrap_or('A')
        } else {
            let place = images.iter().position(|image| *image == edge.image);
            ('A'..='Z').nth(place.unwrap_or_default()).unwrap_or('Z')
        };
        match edge.half {
            Half::Plus | Half::Whole => upper,
            Half::Minus => upper.to_ascii_lowercase(),
        }
    };
    let tiles = puzzle.tiles.iter().map(|tile| {
        let edges = EdgeOrder::CLOCKWISE_FROM_TOP.listed(&tile.edges);
        let letters = edges.iter().map(|&label| letter(puzzle.labels.edge(label)));
        letters.chain(['\n']).collect::<String>()
    });
    let keeps = [are_letters.then_some(Detail::ImageNames)];
    // Without a comment, `is_like` could take a single tile for an ordinary word.
    let head = if puzzle.tiles.len() == 1 { "# one tile\n" } else { "" };
    Ok(Exported {
        text: head.to_owned() + &tiles.collect::<String>(),
        lost: lost(problem, &keeps).into_iter().chain(border).collect(),
    })
}
