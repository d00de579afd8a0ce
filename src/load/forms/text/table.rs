//! Converts rows of words to tiles. Recognises a size above them, a header with sides, and names
//! before the edges.

use itertools::Itertools;

use super::halves::{DASHES, PRIMES, SIGNS};
use super::rows::{Places, Row, comments, is_packed};
use crate::board::side_of_square;
use crate::load::Result;
use crate::load::edge_order::{EdgeOrder, sides_of_headings};
use crate::load::forms::words::{Word, length, number};
use crate::load::text::LONGEST_SIDE;
use crate::puzzle::{UNKNOWN, abbreviate};

/// The tiles of a text, before words are interpreted as images.
#[derive(Default)]
pub(super) struct Table<'a> {
    /// One row per tile, with one word per edge.
    pub tiles: Vec<Row<'a>>,
    pub title: Option<String>,
    pub size: Option<(usize, usize)>,
    /// The order that a header states.
    pub order: Option<EdgeOrder>,
    /// The order that a title or a comment seems to state.
    pub stated: Option<EdgeOrder>,
    /// True if each tile is one word.
    pub are_packed: bool,
    /// True if a `p tile` line defines the order, the frame and the rotations.
    pub is_declared: bool,
}

impl<'a> Table<'a> {
    /// Reads the tiles and the facts that precede them: a declaration, a header with names of
    /// columns, or a size. Fails at the first word that cannot belong to a tile.
    pub fn read(places: &'a Places<'_>) -> Result<Table<'a>> {
        let Places { source, notation, .. } = places;
        let mut rows = places.rows()?;
        let mut table = Table { size: places.size()?, ..Table::default() };
        let mut colours = None;
        if let Some(declared) = rows.iter().position(is_declaration) {
            let head = rows.drain(..=declared).next_back().unwrap_or_default();
            let [_, _, height, width, most] = head.words[..] else {
                return Err(places.refuse(head.at, "expected `p tile ROWS COLS COLOURS`"));
            };
            table.size = Some((length(source, height)?, length(source, width)?));
            table.is_declared = true;
            colours = Some(number(source, most)?);
            rows.retain(|row| row.words.first().is_none_or(|word| word.text != "c"));
        }
        table.stated = comments(source.text).find_map(EdgeOrder::stated_alone);
        table.read_title(&mut rows, places)?;
        let id = table.read_header(&rows);
        if id.is_some() {
            rows.remove(0);
        } else if table.size.is_none() {
            table.read_size(&mut rows, places)?;
        }
        if rows.iter().all(|row| row.has_sides) {
            table.order = Some(EdgeOrder::CLOCKWISE_FROM_TOP);
        }
        table.are_packed = notation.are_packed || are_packed(&rows, table.size);
        table.tiles = if table.are_packed {
            packed(rows, 4, places)?
        } else {
            tiles(rows, id.unwrap_or_default(), table.size, places)?
        };
        table.refuse_wrong(places, colours)?;
        Ok(table)
    }

    /// Removes the first row if it is a title, which may state the order. Fails if it names three of
    /// the sides, as a header with a mistake does.
    fn read_title(&mut self, rows: &mut Vec<Row<'a>>, places: &Places<'_>) -> Result<()> {
        let Some(title) = title(rows) else { return Ok(()) };
        let row = rows.remove(0);
        let stated = EdgeOrder::stated(&title);
        if stated.is_none() && is_almost_header(&row.words) {
            let message = "this line does not name each of the four sides once";
            return Err(places.error(row.at, message.to_owned()));
        }
        self.stated = stated.or(self.stated);
        self.title = Some(title);
        Ok(())
    }

    /// Reads the header row of a spreadsheet. Returns true if the first column contains tile names,
    /// and `None` if there is no header.
    fn read_header(&mut self, rows: &[Row<'_>]) -> Option<bool> {
        let (first, others) = rows.split_first()?;
        let is_five = first.words.len() == 5;
        let names = first.words.get(usize::from(is_five)..)?;
        // With four words below, the first of five is a title.
        let has_id = is_five && others.iter().all(|row| row.words.len() == 5);
        let Some(order) = EdgeOrder::of_sides(sides(names)) else {
            let is_id =
                first.words.first().is_some_and(|word| word.text.eq_ignore_ascii_case("id"));
            return (is_id && !is_almost_header(&first.words)).then_some(true);
        };
        // A row such as `T R B L` may also be a tile with four colours.
        let is_letter = |name: &Word<'_>| name.text.len() == 1;
        let is_shown = |word: &Word<'_>| names.iter().any(|name| name.text == word.text);
        let may_be_tile = !has_id
            && names.iter().all(is_letter)
            && others.iter().flat_map(|row| &row.words).any(is_shown);
        if may_be_tile && side_of_square(others.len()).is_none() {
            return None;
        }
        self.order = Some(order);
        Some(has_id)
    }

    /// Removes the numbers above the tiles: a size, the side of a square, the number of tiles,
    /// or 0.
    fn read_size(&mut self, rows: &mut Vec<Row<'a>>, places: &Places<'_>) -> Result<()> {
        let in_order = |[one, other]: [usize; 2]| {
            Some(if places.notation.columns_first { (other, one) } else { (one, other) })
        };
        if let Some(size) = rows.first().and_then(|row| times(row)) {
            rows.remove(0);
            self.size = in_order(size);
            return Ok(());
        }
        let is_short = |word: &Word<'_>| word.text.parse().is_ok_and(|n: usize| n <= LONGEST_SIDE);
        let numbers = match &mut rows[..] {
            // A whole board on one line, such as `2 1234 3412 2143 4321`.
            [only] if only.words.len() > 3 && !is_packed(only.words[0].text) => {
                let first = only.words.iter().take_while(|word| !is_packed(word.text)).count();
                let is_size = first <= 2 && only.words[..first].iter().all(is_short);
                if !is_size || !only.words[first..].iter().all(|word| is_packed(word.text)) {
                    return Ok(());
                }
                only.words.drain(..first).collect_vec()
            }
            [head, next, ..] => {
                let is_above = next.words.len() > head.words.len()
                    || next.words.iter().all(|word| is_packed(word.text))
                        && !head.words.iter().all(|word| is_packed(word.text));
                let is_size = matches!(head.words.len(), 1 | 2)
                    && head.name.is_none()
                    && head.words.iter().all(is_short);
                if !is_size || !(is_above || is_above_a_column(rows)) {
                    return Ok(());
                }
                rows.remove(0).words
            }
            _ => return Ok(()),
        };
        let sizes = numbers.iter().map(|word| word.text.parse().unwrap_or_default()).collect_vec();
        let tiles = rows.iter().map(|row| row.words.len()).sum::<usize>();
        let is_packed = rows.iter().flat_map(|row| &row.words).all(|word| is_packed(word.text));
        let packed = if is_packed { tiles } else { 0 };
        self.size = match sizes[..] {
            [0] => None,
            [number] if [rows.len(), tiles.div_ceil(4), packed].contains(&number) => None,
            [side] => Some((side, side)),
            [one, other] if one * other > 0 => in_order([one, other]),
            _ => return Err(places.refuse(numbers[0].at, "0 is not a number of rows or columns")),
        };
        Ok(())
    }

    /// Rejects duplicate names, incomplete halves, and words that are not numbers among numbers.
    fn refuse_wrong(&self, places: &Places<'_>, colours: Option<u32>) -> Result<()> {
        let notation = &places.notation;
        let named = self.tiles.iter().filter_map(|tile| Some((tile.at, tile.name?)));
        if let Some((at, name)) = named.duplicates_by(|(_, name)| *name).next() {
            return Err(places.error(at, format!("tile {name} appears a second time")));
        }
        let number = |word: &Word<'_>| {
            word.text.trim_end_matches(PRIMES).replace(DASHES, "-").parse::<i64>().ok()
        };
        let is_of_numbers = |tile: &Row<'_>| tile.words.iter().all(|w| number(w).is_some());
        let are_numbers = notation.are_numbers || self.tiles.first().is_some_and(is_of_numbers);
        let words = || self.tiles.iter().flat_map(|tile| &tile.words);
        if let Some(word) = words().find(|word| word.text.trim_matches(SIGNS).is_empty()) {
            let message = format!("`{}` is not an edge: a half needs an image", word.text);
            return Err(places.refuse(word.at, message));
        }
        let shown = words().map(|word| word.text).counts();
        let most = i64::from(colours.unwrap_or(u32::MAX));
        for word in words().filter(|_| are_numbers) {
            let message = match number(word) {
                // A word that occurs several times, such as `grey`, is an image among numbers.
                None if !notation.are_numbers && (shown[word.text] > 1 || word.text == UNKNOWN) => {
                    continue;
                }
                None => format!("`{}` is not a number", abbreviate(word.text)),
                Some(number) if number > most => {
                    format!("colour {number} is more than {most}, the number in the first line")
                }
                Some(_) => continue,
            };
            return Err(places.refuse(word.at, message));
        }
        Ok(())
    }
}

/// The first row if it is a title: none of its words occurs in the rows below, which all have four
/// or five; and it states an order or has another number of words.
fn title(rows: &[Row<'_>]) -> Option<String> {
    let (first, others) = rows.split_first()?;
    let width = others.iter().map(|row| row.words.len()).all_equal_value().ok();
    let text = first.name.into_iter().chain(first.words.iter().map(|word| word.text)).join(" ");
    let is_above = width != Some(first.words.len())
        || EdgeOrder::stated(&text).is_some()
        || is_almost_header(&first.words);
    let is_name = times(first).is_none()
        && text.contains(char::is_alphabetic)
        && Table::default().read_header(rows).is_none();
    let below = others.iter().flat_map(|row| &row.words).map(|word| word.text).collect_vec();
    let is_new = !first.words.iter().any(|word| below.contains(&word.text));
    let is_title =
        matches!(width, Some(4 | 5)) && others.len() > 2 && is_above && is_name && is_new;
    is_title.then_some(text)
}

/// The first row, if none of its words occurs in another and only without it the tiles fill a
/// square: it may be a header or a title.
pub(super) fn stranger<'t, 'a>(tiles: &'t [Row<'a>]) -> Option<&'t Row<'a>> {
    let (first, others) = tiles.split_first()?;
    let words = || others.iter().flat_map(|row| &row.words);
    let is_new = |word: &Word<'_>| words().all(|other| other.text != word.text);
    let fills = |tiles: usize| side_of_square(tiles).is_some();
    let is_strange = others.len() > 3 && fills(others.len()) && !fills(tiles.len());
    Some(first).filter(|first| is_strange && first.words.iter().all(is_new))
}

/// Returns true for words that name three of the four sides, as in a header with a mistake.
fn is_almost_header(words: &[Word<'_>]) -> bool {
    sides(words).flatten().unique().count() == 3
}

/// The sides that words name.
fn sides(words: &[Word<'_>]) -> impl Iterator<Item = Option<usize>> {
    sides_of_headings(&words.iter().map(|word| word.text).collect_vec()).into_iter()
}

/// Reads a size such as `3x4` or `3 x 4`; `None` if the row is not a size, or a length is out of
/// range.
pub(super) fn times(row: &Row<'_>) -> Option<[usize; 2]> {
    let text = row.words.iter().map(|word| word.text).join("");
    let (height, width) = text.split_once(['x', 'X', '×'])?;
    let number = |text: &str| text.parse().ok().filter(|n| (1..=LONGEST_SIDE).contains(n));
    Some([number(height)?, number(width)?])
}

/// Returns true for the line `p tile ROWS COLS COLOURS`. In such a file, lines that start with `c`
/// are comments.
pub(super) fn is_declaration(row: &Row<'_>) -> bool {
    row.words.iter().take(2).map(|word| word.text).eq(["p", "tile"])
}

/// Returns true if the first row, of one or two short numbers, is the size of a board or the number of
/// its tiles, and the rows below have one word each, four for each tile.
fn is_above_a_column(rows: &[Row<'_>]) -> bool {
    let Some((head, below)) = rows.split_first() else { return false };
    let numbers = head.words.iter().filter_map(|word| word.text.parse::<usize>().ok());
    let product: usize = numbers.product();
    let square = if head.words.len() == 1 { product * product } else { product };
    below.iter().all(|row| row.words.len() == 1)
        && [product, square].contains(&(below.len() / 4))
        && below.len().is_multiple_of(4)
}

/// The tiles of rows, one per row or all in sequence.
fn tiles<'a>(
    mut rows: Vec<Row<'a>>,
    has_id: bool,
    size: Option<(usize, usize)>,
    places: &Places<'_>,
) -> Result<Vec<Row<'a>>> {
    let widths = rows.iter().map(|row| row.words.len()).counts();
    let usual = widths.iter().max_by_key(|(width, rows)| (**rows, **width)).map_or(0, |(w, _)| *w);
    let words = rows.iter().map(|row| row.words.len()).sum::<usize>();
    let is_sequence = widths.keys().all(|width| *width == 1 || width.is_multiple_of(4));
    if is_sequence && usual != 4 && words > 2 {
        return in_sequence(rows, size, places);
    }
    let has_name = has_id
        || (matches!(usual, 5 | 7) && rows.iter().all(has_name_first))
        || (usual == 4 && are_numbered(&rows));
    let edges = usual - usize::from(has_name).min(usual);
    let is_wrong = |row: &&Row<'_>| row.words.len() != usual || !matches!(edges, 3 | 4 | 6);
    if let Some(row) = rows.iter().find(is_wrong) {
        let number = row.words.len().saturating_sub(usize::from(has_name));
        let s = if number == 1 { "" } else { "s" };
        let expected = if matches!(edges, 3 | 4 | 6) { edges } else { 4 };
        let message = format!("{number} word{s} for this tile, expected {expected}");
        return Err(places.refuse(row.at, message));
    }
    for row in rows.iter_mut().filter(|_| has_name) {
        row.name = Some(row.words.remove(0).text);
    }
    Ok(rows)
}

/// Returns true if the first word may be the name of a tile, such as 17 or `T17`.
pub(super) fn has_name_first(row: &Row<'_>) -> bool {
    let has_digit = |word: &Word<'_>| word.text.bytes().any(|b| b.is_ascii_digit());
    row.name.is_none() && row.halves.is_empty() && row.words.first().is_some_and(has_digit)
}

/// Returns true if the first words are consecutive numbers, and either no other words are numbers or
/// there are too many rows for this to be a coincidence.
fn are_numbered(rows: &[Row<'_>]) -> bool {
    let number = |word: &Word<'_>| word.text.parse::<usize>().ok();
    let first = rows.first().and_then(|row| number(row.words.first()?)).filter(|&first| first < 2);
    first.is_some_and(|first| {
        rows.iter().zip(first..).all(|(row, expected)| {
            let mut words = row.words.iter();
            // `+1` is an edge with a sign.
            let name = words.next().filter(|word| !word.text.starts_with('+'));
            name.and_then(number) == Some(expected)
                && (rows.len() > 4 || words.all(|word| number(word).is_none()))
        })
    })
}

/// Returns true if words are the edges of a board of squares, by their number if the size is known,
/// otherwise because they recur.
fn are_edges(words: &[&str], size: Option<(usize, usize)>) -> bool {
    match size {
        Some((rows, columns)) => words.len() == 4 * rows * columns,
        None => are_images(words),
    }
}

/// Returns true if words, four for each of at least four tiles, recur so often that they are images,
/// not tiles or ordinary text.
pub(super) fn are_images(words: &[&str]) -> bool {
    words.len() >= 16
        && words.len().is_multiple_of(4)
        && words.iter().unique().count() * 2 <= words.len()
}

/// Returns true if most words are a tile of four letters or digits. Lines of four words in the same
/// case, such as `rose blue grey pink`, are tiles of four names instead.
fn are_packed(rows: &[Row<'_>], size: Option<(usize, usize)>) -> bool {
    let words = || rows.iter().flat_map(|row| &row.words).map(|word| word.text);
    let has_letter = |word: &str| word.bytes().any(|b| b.is_ascii_alphabetic());
    let is_mixed = |word: &str| {
        word.bytes().any(|b| b.is_ascii_uppercase()) && word.bytes().any(|b| b.is_ascii_lowercase())
    };
    let packed = words().filter(|word| is_packed(word)).count();
    // The words of names have their capitals at the same positions, or at the start at most.
    let capitals = |word: &str| -> Vec<bool> { word.chars().map(char::is_uppercase).collect() };
    let has_inner = |word: &str| word.chars().skip(1).any(char::is_uppercase);
    let is_name =
        !words().any(is_mixed) || !words().any(has_inner) || words().map(capitals).all_equal();
    let has_four = |row: &Row<'_>| row.words.len() == 4 + usize::from(has_name_first(row));
    let has_names = rows.iter().all(has_four) && words().any(has_letter) && is_name;
    let is_board = size.is_some_and(|(rows, columns)| words().count() == rows * columns);
    let are_names = has_names || are_edges(&words().collect_vec(), size);
    packed * 2 > words().count() && (is_board || !are_names)
}

/// The tiles of words of `length` characters, one tile per word.
fn packed<'a>(rows: Vec<Row<'a>>, length: usize, places: &Places<'_>) -> Result<Vec<Row<'a>>> {
    let mut tiles = Vec::new();
    for row in rows {
        let name = row.name.filter(|_| row.words.len() == 1);
        for word in row.words {
            let words = places.characters(word);
            let is_strange =
                |c: &&Word<'_>| !c.text.chars().all(|c| c.is_alphanumeric() || c == '?');
            if let Some(strange) = words.iter().find(is_strange) {
                let message = format!("`{}` is not a letter or digit", strange.text);
                return Err(places.refuse(strange.at, message));
            } else if words.len() != length {
                let number = words.len();
                let s = if number == 1 { "" } else { "s" };
                let shown = abbreviate(word.text);
                let message = format!("`{shown}` has {number} letter{s}, expected {length}");
                return Err(places.refuse(word.at, message));
            }
            tiles.push(Row { at: word.at, name, words, ..Row::default() });
        }
    }
    Ok(tiles)
}

/// The tiles of words in sequence. If all words have three, four or six characters, each word is a
/// tile; otherwise every four words are a tile.
fn in_sequence<'a>(
    rows: Vec<Row<'a>>,
    size: Option<(usize, usize)>,
    places: &Places<'_>,
) -> Result<Vec<Row<'a>>> {
    let words = rows.iter().flat_map(|row| row.words.iter().copied()).collect_vec();
    let length = words.iter().map(|word| word.text.chars().count()).all_equal_value();
    let tile =
        |words: &[Word<'a>]| Row { at: words[0].at, words: words.to_vec(), ..Row::default() };
    let texts = words.iter().map(|word| word.text).collect_vec();
    if let Ok(length @ (3 | 4 | 6)) = length
        && !are_edges(&texts, size)
    {
        return packed(rows, length, places);
    }
    if let Some(last) = words.last().filter(|_| !words.len().is_multiple_of(4)) {
        let number = words.len();
        let message = format!("{number} words in sequence, expected 4 for each tile");
        return Err(places.refuse(last.at, message));
    }
    Ok(words.chunks(4).map(tile).collect())
}
