//! Reads tiles from text, in the many notations of people and programs.
//!
//! The text is split into [rows](rows) of words, rows become [tiles](table), and words become
//! images by the first [convention](halves) that explains all of them. Counting the tiles with a 0
//! decides between a [frame](frame) and a digit. Assumptions about anything that the text leaves
//! open are recorded in the puzzle.

mod frame;
mod halves;
mod rows;
mod table;
mod write;

use std::collections::HashMap;

use itertools::Itertools;

use self::halves::{CONVENTIONS, by_case, cased, edge, is_mark};
pub(super) use self::rows::{EXAMPLE, starts_with_own_key};
use self::rows::{Places, Row, is_packed, is_tree, lines, without_headings};
use self::table::{Table, are_images, has_name_first, is_declaration, times};
pub(super) use self::write::{CARDS, CSV, ETERNITY, LETTERS, PUZ, SIGNED, TILE};
use super::draft::{Draft, at_end};
use crate::load::edge_order::EdgeOrder;
use crate::load::form::{Noted, Notes, Place, PuzzleFormat, ReadOptions};
use crate::load::notation::Notation;
use crate::load::text::Source;
use crate::load::yaml;
use crate::load::{Remedy, Result};
use crate::puzzle::{EdgeName, Half, UNKNOWN};

/// The help for a first line that is not a tile.
const HEADER: &str =
    "write `top,right,bottom,left` in the order of your edges, or `#` before a comment";

/// Any notation, read-only. A notation that can be written has its own form.
pub(super) const FORM: PuzzleFormat = PuzzleFormat {
    recognises,
    ..PuzzleFormat::new("text", "a tile a line, of words or numbers", read)
};

/// The same, where words that look like the halves of images are whole images.
pub(super) const WHOLE: PuzzleFormat = PuzzleFormat {
    notation: Notation {
        edges: Some(|words| words.iter().map(|word| edge(word, Half::Whole)).collect()),
        ..Notation::ANY
    },
    ..PuzzleFormat::new("whole", "a tile a line, of images that match themselves", read)
};

/// Returns true if the first lines look like tiles. Errors in later lines are then errors of the
/// list.
fn recognises(text: &str) -> bool {
    const LINES: usize = 12;
    if is_tree(text) {
        return true;
    }
    if starts_with_own_key(text) {
        return false;
    }
    let lines = lines(text).take(LINES).collect_vec();
    let starts_well = lines.first().is_some_and(Result::is_ok);
    let strange = lines.iter().filter(|line| line.is_err()).count();
    let mut rows = without_headings(lines.into_iter().flatten().collect());
    if rows.iter().any(is_declaration) {
        return true;
    }
    // A first line that is no tile is a mistake in a list only if all other lines are alike.
    let are_alike = rows.len() > 2 && rows.iter().map(|row| row.words.len()).all_equal();
    let starts_well = starts_well || (strange == 1 && are_alike);
    if rows.len() > 1 && times(&rows[0]).is_some() {
        rows.remove(0);
    }
    let Some(first) = rows.first().filter(|_| starts_well) else {
        return false;
    };
    let all = |is: fn(&str) -> bool| first.words.iter().all(|word| is(word.text));
    if first.name.is_none() && all(|word| word.parse::<i64>().is_ok()) {
        return true;
    }
    let words = rows.iter().flat_map(|row| &row.words).map(|word| word.text).collect_vec();
    // Ordinary words (`test`, `Null`, `TRUE`) are not tiles unless each line has four of them, they
    // show both halves of images, or the text contains a comment.
    if all(is_packed) && first.name.is_none() {
        let letters = rows.iter().flat_map(|row| &row.words).flat_map(|word| word.characters());
        let letters = letters.map(|letter| letter.text).collect_vec();
        let are_packed = words.iter().all(|word| is_packed(word));
        // Each colour of `RGBR GBBR BBRR` occurs several times, on average.
        let are_colours = words.iter().all(|word| word.bytes().all(|b| b.is_ascii_uppercase()))
            && letters.iter().unique().count() * 3 <= letters.len();
        return text.contains('#')
            || !words.iter().all(|word| is_ordinary(word))
            || rows.iter().all(|row| row.words.len() > 3)
            || (words.len() > 3 && (!are_packed || are_colours || by_case(&letters).is_some()));
    }
    if first.name.is_some_and(|name| name.bytes().all(|b| b.is_ascii_digit())) {
        return matches!(first.words.len(), 3 | 4 | 6) || all(is_packed);
    }
    let has_own_name = |row: &Row<'_>| row.name.is_some_and(|name| !yaml::is_key(name));
    if rows.len() > 3 && rows.iter().all(has_own_name) && words.iter().all(|word| is_packed(word)) {
        return true;
    }
    let in_sequence = rows.len() == 1 || rows.iter().all(|row| row.words.len() == 1);
    if rows.len() == 1 && is_board(&words) {
        return true;
    }
    if in_sequence && words.len() > 7 {
        return words.iter().all(|word| word.chars().count() < 3) || are_images(&words);
    }
    let tiles = rows.iter().filter(|row| !row.name.is_some_and(yaml::is_key));
    let tiles = tiles.filter(|row| {
        row.words.len().is_multiple_of(2) || row.words.len() == 3 || has_name_first(row)
    });
    let widths = tiles.map(|row| row.words.len()).counts();
    let is_tile = |width: &usize| matches!(width, 3..=7) || width.is_multiple_of(4);
    let usual = widths.iter().filter(|(width, _)| is_tile(width)).map(|(_, rows)| *rows).max();
    usual.is_some_and(|usual| usual > 1 && usual * 2 > rows.len() + strange)
}

/// Returns true for the side of a square and its tiles, one word each.
fn is_board(words: &[&str]) -> bool {
    let Some((side, tiles)) = words.split_first() else { return false };
    side.parse::<usize>().is_ok_and(|side| side.checked_mul(side) == Some(tiles.len()))
        && tiles.iter().all(|tile| is_packed(tile))
}

/// Returns true for a word capitalised as in ordinary text.
fn is_ordinary(word: &str) -> bool {
    let is_upper = word.bytes().all(|b| b.is_ascii_uppercase());
    let is_lower = word.bytes().skip(1).all(|b| b.is_ascii_lowercase());
    is_upper || is_lower
}

/// The edges of all tiles in sequence, and the convention by which halves were recognised; `None`
/// if the file or the notation determines the halves, or all images are whole. The image on the rim
/// is whole, unless it also occurs with the mark of a half.
fn edges(
    table: &Table<'_>,
    notation: &Notation,
    rim: &str,
) -> (Vec<EdgeName>, Option<&'static str>) {
    let tiles = &table.tiles;
    let words = tiles.iter().flat_map(|tile| &tile.words).map(|word| word.text).collect_vec();
    let halves = tiles.iter().flat_map(|tile| &tile.halves).copied().collect_vec();
    if halves.len() == words.len() {
        return (words.iter().zip(halves).map(|(word, half)| edge(word, half)).collect(), None);
    }
    if let Some(edges) = notation.edges {
        return (edges(&words), None);
    }
    let is_marked = words.iter().any(|word| *word != rim && word.trim_matches(is_mark) == rim);
    let is_whole = |word: &str| word == UNKNOWN || (word == rim && !is_marked);
    let known = words.iter().copied().filter(|word| !is_whole(word)).collect_vec();
    let occurs = |is: fn(&u8) -> bool| known.iter().any(|word| word.as_bytes().iter().any(is));
    let are_cased = table.are_packed
        && known.iter().all(|word| word.bytes().all(|b| b.is_ascii_alphabetic()))
        && occurs(u8::is_ascii_lowercase)
        && occurs(u8::is_ascii_uppercase);
    let mut conventions = CONVENTIONS.iter().filter(|_| !notation.are_numbers);
    let explained = if are_cased {
        Some((cased(&known), "case"))
    } else {
        conventions.find_map(|(what, edges)| Some((edges(&known)?, *what)))
    };
    let (edges, what) = explained.unzip();
    let mut edges = edges.into_iter().flatten();
    let edges = words.iter().map(|word| {
        let own = if is_whole(word) { None } else { edges.next() };
        own.unwrap_or_else(|| edge(word, Half::Whole))
    });
    (edges.collect(), what)
}

/// Rejects a word that names an image without its half if other words name it with one.
fn refuse_mixed(places: &Places<'_>, table: &Table<'_>, edges: &[EdgeName]) -> Result<()> {
    let words = table.tiles.iter().flat_map(|tile| &tile.words);
    let (whole, halves): (Vec<_>, Vec<_>) =
        edges.iter().zip(words).partition(|(edge, _)| edge.half == Half::Whole);
    let halves: HashMap<&str, &str> =
        halves.iter().map(|(edge, word)| (edge.image.as_str(), word.text)).collect();
    let mixed =
        whole.iter().find_map(|(edge, word)| Some((word, halves.get(edge.image.as_str())?)));
    match mixed {
        Some((word, half)) => {
            let message = format!("`{}` does not say which half, as `{half}` does", word.text);
            let help = format!("write `{0}+` or `{0}-`, and every half in the same way", word.text);
            Err(places.error(word.at, message).with_help(help))
        }
        None => Ok(()),
    }
}

/// Rejects ordinary text in lines of four words: so many edges occur once that no board of squares
/// has a solution. Each of them lies on the rim or beside an unknown edge. A row has the longest
/// rim, with 2 edges for each tile and 2 more.
fn refuse_prose(source: &Source<'_>, edges: &[EdgeName]) -> Result<()> {
    let mut images = edges.iter().map(|edge| edge.image.as_str()).counts();
    let unknown = images.remove(UNKNOWN).unwrap_or_default();
    let single = images.values().filter(|&&number| number == 1).count();
    if single <= edges.len() / 2 + 2 + unknown {
        return Ok(());
    }
    let message = format!("this is not a puzzle: {single} of {} edges occur once", edges.len());
    let help = format!("{EXAMPLE}; if it is one, give the size of the board");
    Err(source.error(message).with_remedy(Remedy::Size, help))
}

/// Reads a text in a notation. A text in edgematch's own form is read as such. Fails if the text
/// does not consist of tiles, or has fewer tiles than it announces.
fn read<'s>(
    notation: &Notation,
    source: &'s Source<'s>,
    options: &ReadOptions,
) -> Result<Noted<'s>> {
    let places = Places::new(source, *notation)?;
    if places.is_own() {
        return yaml::problem(source, options);
    }
    let table = Table::read(&places)?;
    let tiles = table.tiles.len();
    if let Some((rows, columns)) = table.size.filter(|_| options.board.is_none())
        && tiles < rows * columns
    {
        let cells = rows * columns;
        let message = format!(
            "the file announces {rows} × {columns} = {cells} tiles, but their number is {tiles}"
        );
        let help = "is the file cut off? If not, give the size of the board";
        return Err(at_end(source, message).with_remedy(Remedy::Size, help));
    }
    let rim = options.border.iter().flatten().map(|border| border.image.as_str()).next();
    let (edges, halves) = edges(&table, notation, rim.unwrap_or("0"));
    refuse_mixed(&places, &table, &edges)?;
    let is_square = table.tiles.iter().all(|tile| tile.words.len() == 4);
    if is_square && options.form.is_none() && options.board.is_none() && table.size.is_none() {
        refuse_prose(source, &edges)?;
    }
    let zero = edge("0", Half::Whole);
    let has_zero = is_square && edges.contains(&zero);
    let mut draft = Draft {
        title: table.title,
        size: table.size.or((is_square && tiles == 2).then_some((1, 2))),
        border: has_zero.then_some(zero),
        is_border_open: has_zero,
        order: table.order.or(table.stated).unwrap_or(EdgeOrder::CLOCKWISE_FROM_TOP),
        states_rules: table.is_declared,
        states_order: table.order.is_some(),
        halves,
        ..Draft::default()
    };
    let mut edges = edges.into_iter();
    let mut located = Vec::new();
    for tile in &table.tiles {
        let edges = edges.by_ref().take(tile.words.len()).collect_vec();
        draft.add(tile.name, edges.clone());
        let at = tile.words.iter().map(|word| word.at);
        located.push((tile.at, edges.into_iter().zip(at).collect_vec()));
    }
    let stranger = table::stranger(&table.tiles).filter(|_| options.board.is_none());
    let mut problem = draft.problem(source, options).map_err(|error| match stranger {
        Some(row) if table.size.is_none() => {
            let message = "no edge of this line occurs in another: is it a header or a title?";
            places.error(row.at, message.to_owned()).with_help(HEADER)
        }
        _ => error,
    })?;
    if !table.is_declared {
        problem = frame::consistent(problem, options);
    }
    let place: Place<'s> = Box::new(move |tile, edge| {
        let (at, edges) = located.get(tile)?;
        let place = edges.iter().find(|(own, _)| edge == Some(own));
        places.position(place.map_or(*at, |(_, at)| *at))
    });
    Ok((problem, Some(Notes { names_board: false, is_own_form: false, place })))
}
