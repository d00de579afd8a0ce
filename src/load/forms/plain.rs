//! Tiles in plain text, in the many ways in which people and programs list them.
//!
//! The text becomes rows of words; rows become tiles (a size above them, numbers before them, a header
//! with the sides and packed words such as `2908` are recognised); words become images and halves by the
//! first convention that explains all of them. What the text leaves open is assumed, and stated with
//! the puzzle. Notations that have a form of their own are left to it.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;
use serde_json::value::RawValue;

use super::digits::unless_framed;
use super::draft::Draft;
use super::words::Word;
use crate::load::edge_order::EdgeOrder;
use crate::load::form::{Form, ReadOptions};
use crate::load::notes::Notes;
use crate::load::text::{LONGEST_SIDE, Source};
use crate::load::{Result, json};
use crate::problem::Problem;
use crate::puzzle::{EdgeName, HALF_WORDS, Half, last_word};

/// Read only: what can be written has a form of its own.
pub(super) const FORM: Form = Form {
    is_like: |text| Table::read(&Source { file: "", text }).is_some_and(|table| !table.is_strict),
    notes: Some(|source| {
        let tiles = Table::read(source).map(|table| table.tiles);
        Notes::of_tiles_at(source, tiles.iter().flatten().map(|tile| tile.edges[0].at).collect())
    }),
    ..Form::new("text", "a tile a line, of words or numbers", read)
};

/// The help beside errors.
const EXAMPLE: &str = "a tile is a line such as `red blue green red`, `1: R G B R`, `3 1 2 4`, `rGBw` or \
 `sun/top, moon/top, sun/bottom, moon/bottom`; the first line may be the size, such as `3 3`";

/// A line of a text, or a list in JSON.
struct Row<'a> {
    /// What stands before a colon.
    name: Option<&'a str>,
    words: Vec<Word<'a>>,
}

struct Tile<'a> {
    name: Option<&'a str>,
    edges: Vec<Word<'a>>,
}

/// The tiles of a text before their words mean anything.
struct Table<'a> {
    tiles: Vec<Tile<'a>>,
    size: Option<(usize, usize)>,
    order: Option<EdgeOrder>,
    /// True if another form reads the text.
    is_strict: bool,
}

impl<'a> Table<'a> {
    /// Returns nothing if the text is no list of tiles with the same number of edges.
    fn read(source: &Source<'a>) -> Option<Table<'a>> {
        let is_json = source.text.trim_start().starts_with(['[', '{']);
        let mut rows = if is_json { json_rows(source)? } else { lines(source.text)? };
        let header = rows.first().and_then(Header::read);
        if header.is_some() {
            rows.remove(0);
        }
        let head = head(&rows);
        if head.is_some() {
            rows.remove(0);
        }
        let has_names = rows.iter().any(|row| row.name.is_some());
        let has_id = header.as_ref().is_some_and(|header| header.has_id);
        let tiles = tiles(rows, has_id)?;
        let sides = tiles.first()?.edges.len();
        if tiles.len() < 2 || !tiles.iter().all(|tile| tile.edges.len() == sides) {
            return None;
        }
        let size = match head.as_deref() {
            Some(&[rows, columns]) => Some((rows, columns)),
            Some(&[side]) if side * side == tiles.len() => Some((side, side)),
            // The number of tiles, or a flag.
            Some(&[number]) if number == 0 || number == tiles.len() => None,
            Some(_) => return None,
            None => None,
        };
        let is_bare = !is_json && header.is_none() && !has_names;
        let words = || tiles.iter().flat_map(|tile| &tile.edges).map(|word| word.text);
        let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
        let is_letter =
            |word: &str| word.len() == 1 && word.bytes().all(|b| b.is_ascii_alphabetic());
        let has_letters = words().all(is_letter) && tiles.iter().all(|tile| tile.is_packed());
        let is_strict = sides == 4
            && (head.as_ref().is_none_or(|head| head.len() == 2)
                && is_bare
                && words().all(is_number)
                || head.is_none() && is_bare && (has_letters || is_signed(words())));
        let order = header.map(|header| header.order);
        Some(Table { tiles, size, order, is_strict })
    }
}

impl Tile<'_> {
    /// Returns true if the edges are the characters of one word.
    fn is_packed(&self) -> bool {
        let pairs = self.edges.iter().tuple_windows();
        pairs.into_iter().all(|(one, next)| one.at + one.text.len() == next.at)
    }
}

/// Returns true for nonzero integers, one of them with a sign.
fn is_signed<'a>(mut words: impl Iterator<Item = &'a str> + Clone) -> bool {
    let has_sign = words.clone().any(|word| word.starts_with(['+', '-']));
    has_sign && words.all(|word| word.parse::<i64>().is_ok_and(|number| number != 0))
}

/// The lists of a list in JSON, or of an object with one key.
fn json_rows<'a>(source: &Source<'a>) -> Option<Vec<Row<'a>>> {
    let value = json::values(source).exactly_one().ok()?.ok()?;
    let list: Vec<&RawValue> = match json::parse(source, value) {
        Ok(list) => list,
        Err(_) => {
            let object: BTreeMap<String, &RawValue> = json::parse(source, value).ok()?;
            json::parse(source, object.into_values().exactly_one().ok()?).ok()?
        }
    };
    let row = |tile: &&'a RawValue| {
        let edges: Vec<&RawValue> = json::parse(source, tile).ok()?;
        let words = edges.into_iter().map(|edge| {
            let text = edge.get();
            let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            let at = json::offset(source, edge) + usize::from(inner.is_some());
            let text = inner.unwrap_or(text);
            is_word(text).then_some(Word { text, at })
        });
        let words: Option<Vec<_>> = words.collect();
        Some(Row { name: None, words: words? })
    };
    list.iter().map(row).collect()
}

/// Returns true for what may name an edge: nothing that has a meaning in YAML or XML.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c: char| c.is_alphanumeric() || "+-_/'?. ".contains(c))
}

/// The lines of a text. `#`, `//` and a leading `;` start a comment.
fn lines(text: &str) -> Option<Vec<Row<'_>>> {
    let start = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let mut rows = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        let line = line.split("//").next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with(';') {
            continue;
        }
        let named = line.split_once(": ").or_else(|| line.split_once(". "));
        let named = named.filter(|(name, _)| name.chars().all(char::is_alphanumeric));
        let (name, rest) = named.map_or((None, line), |(name, rest)| (Some(name), rest));
        let is_between = |c: char| matches!(c, ',' | ';' | '\t');
        let fields: Vec<&str> = if rest.contains(is_between) {
            rest.split(is_between).map(|field| field.trim().trim_matches('"')).collect()
        } else {
            rest.split_whitespace().collect()
        };
        // `@` marks a tile that is in place already.
        let fields = fields.into_iter().filter(|field| *field != "@" && !field.is_empty());
        let words = fields.map(|text| is_word(text).then(|| Word { text, at: start(text) }));
        let words: Option<Vec<_>> = words.collect();
        rows.push(Row { name, words: words? });
    }
    Some(rows)
}

/// The first row of a spreadsheet.
struct Header {
    order: EdgeOrder,
    /// True if the first column is the name of the tile.
    has_id: bool,
}

impl Header {
    fn read(row: &Row<'_>) -> Option<Header> {
        const COMPASS: [(&str, &str); 4] =
            [("north", "top"), ("east", "right"), ("south", "bottom"), ("west", "left")];
        let words = row.words.iter().map(|word| word.text.to_lowercase());
        let sides: Vec<String> = words
            .map(|word| {
                let point = COMPASS.iter().find(|(point, _)| *point == word);
                point.map_or(word, |(_, side)| (*side).to_owned())
            })
            .collect();
        let has_id = sides.len() == 5;
        let order = EdgeOrder::parse(&sides[usize::from(has_id)..].join(",")).ok()?;
        (sides.len() >= 4).then_some(Header { order, has_id })
    }
}

/// One or two numbers above the tiles.
fn head(rows: &[Row<'_>]) -> Option<Vec<usize>> {
    let [head, next, ..] = rows else {
        return None;
    };
    let number = |word: &Word<'_>| word.text.parse().ok().filter(|&number| number <= LONGEST_SIDE);
    let is_head = head.words.len() <= 2 && next.words.len() > head.words.len();
    is_head.then(|| head.words.iter().map(number).collect()).flatten()
}

/// The tiles of rows: one a row, or all in sequence.
fn tiles(rows: Vec<Row<'_>>, has_id: bool) -> Option<Vec<Tile<'_>>> {
    let widths: BTreeSet<usize> = rows.iter().map(|row| row.words.len()).collect();
    let is_sequence = widths.iter().eq(&[1]) || (rows.len() == 1 && widths.iter().all(|&w| w > 7));
    if is_sequence || are_packed(&rows) {
        return in_sequence(&rows);
    }
    if widths.len() > 1 {
        return None;
    }
    let mut tiles = Vec::new();
    for Row { name, mut words } in rows {
        let has_name = has_id || (name.is_none() && matches!(words.len(), 5 | 7));
        let edges = words.split_off(usize::from(has_name).min(words.len()));
        if !matches!(edges.len(), 3 | 4 | 6) {
            return None;
        }
        let name = name.or(words.first().map(|word| word.text));
        tiles.push(Tile { name, edges });
    }
    Some(tiles)
}

/// Returns true if each word is a tile of four letters or digits, several of them a line. A line of
/// four words in one case, such as `rose blue grey pink`, is a tile of four names.
fn are_packed(rows: &[Row<'_>]) -> bool {
    let words = || rows.iter().flat_map(|row| &row.words).map(|word| word.text);
    let is_upper = |c: char| c.is_ascii_uppercase();
    let is_mixed = |word: &str| word.contains(is_upper) && !word.chars().all(is_upper);
    let is_four = |word: &str, is_meant: fn(&u8) -> bool| {
        word.len() == 4 && word.as_bytes().iter().all(is_meant)
    };
    let has_names = rows.iter().all(|row| row.words.len() == 4) && !words().any(is_mixed);
    words().all(|word| is_four(word, u8::is_ascii_digit))
        || words().all(|word| is_four(word, u8::is_ascii_alphabetic)) && !has_names
}

/// The tiles of words that are a tile each, or four a tile.
fn in_sequence<'a>(rows: &[Row<'a>]) -> Option<Vec<Tile<'a>>> {
    let words = || rows.iter().flat_map(|row| &row.words).copied();
    let mut lengths = words().map(|word| word.text.chars().count());
    if let Ok(3 | 4 | 6) = lengths.all_equal_value() {
        let names = rows.iter().flat_map(|row| row.words.iter().map(|_| row.name));
        let tiles = names
            .zip(words())
            .map(|(name, word)| Tile { name, edges: word.characters().collect() });
        return Some(tiles.collect());
    }
    let words: Vec<Word<'a>> = words().collect();
    Some(words.chunks(4).map(|edges| Tile { name: None, edges: edges.to_vec() }).collect())
}

/// A way in which words name the halves of images.
struct Convention {
    what: &'static str,
    /// The edges that words name, if the convention explains all of them.
    edges: fn(&[&str]) -> Option<Vec<EdgeName>>,
}

/// Tried in this order.
const CONVENTIONS: [Convention; 5] = [
    Convention { what: "signs", edges: by_sign },
    Convention { what: "words", edges: by_word },
    Convention { what: "case", edges: by_case },
    Convention { what: "a final 0 or 1", edges: by_bit },
    Convention { what: "primes", edges: by_prime },
];

fn edge(image: &str, half: Half) -> EdgeName {
    EdgeName { image: image.to_owned(), half }
}

fn half(is_plus: bool) -> Half {
    if is_plus { Half::Plus } else { Half::Minus }
}

/// The edges, if at least half of the images show both halves.
fn if_paired(edges: Vec<EdgeName>) -> Option<Vec<EdgeName>> {
    let mut halves: BTreeMap<&str, BTreeSet<bool>> = BTreeMap::new();
    for edge in &edges {
        halves.entry(&edge.image).or_default().insert(edge.half == Half::Plus);
    }
    let both = halves.values().filter(|shown| shown.len() == 2).count();
    (2 * both >= halves.len()).then_some(edges)
}

/// `+3` and `-3`, or `red+` and `red-`. A number without a sign is positive; 0 matches itself.
fn by_sign(words: &[&str]) -> Option<Vec<EdgeName>> {
    let bare = |word: &str| -> String { word.trim_matches(['+', '-']).to_owned() };
    let are_numbers = words.iter().all(|word| bare(word).parse::<u32>().is_ok());
    let signed = |word: &&str| {
        let sign = word.strip_prefix(['+', '-']).map(|_| &word[..1]);
        let sign = sign.or(word.strip_suffix(['+', '-']).map(|_| &word[word.len() - 1..]));
        let half = match sign {
            Some("-") => Half::Minus,
            Some(_) => Half::Plus,
            None if are_numbers && bare(word) != "0" => Half::Plus,
            None => Half::Whole,
        };
        edge(&bare(word), half)
    };
    let has_sign = |word: &&str| word.starts_with(['+', '-']) || word.ends_with(['+', '-']);
    words.iter().any(has_sign).then(|| words.iter().map(signed).collect())
}

/// `fish head` and `fish tail`, `sun/top` and `sun/bottom`, `C H` and `C T`.
fn by_word(words: &[&str]) -> Option<Vec<EdgeName>> {
    const LETTERS: [[&str; 2]; 3] = [["h", "t"], ["t", "b"], ["l", "r"]];
    let split: Vec<(&str, &str)> =
        words.iter().map(|word| last_word(word)).collect::<Option<_>>()?;
    let is = |word: &str, own: &str| own.eq_ignore_ascii_case(word);
    let explains = |pair: &&[&str; 2]| {
        split.iter().map(|(_, own)| own).into_iter().all(|own| is(pair[0], own) || is(pair[1], own))
    };
    let [plus, _] = HALF_WORDS.iter().chain(&LETTERS).find(explains)?;
    let edges = split.iter().map(|(image, own)| edge(image, half(is(plus, own))));
    if_paired(edges.collect())
}

/// `R` and `r`: the halves of one image.
fn by_case(words: &[&str]) -> Option<Vec<EdgeName>> {
    let is_upper = |word: &str| word.chars().all(char::is_uppercase);
    let is_lower = |word: &str| word.chars().all(char::is_lowercase);
    let is_one_case = words.iter().all(|word| is_upper(word) || is_lower(word));
    let are_both =
        words.iter().any(|word| is_upper(word)) && words.iter().any(|word| is_lower(word));
    let edges = words.iter().map(|word| edge(&word.to_uppercase(), half(is_upper(word))));
    (is_one_case && are_both).then(|| if_paired(edges.collect())).flatten()
}

/// `Y1` and `Y0`.
fn by_bit(words: &[&str]) -> Option<Vec<EdgeName>> {
    let split = words.iter().map(|word| {
        let image = word.strip_suffix(['0', '1']).filter(|image| !image.is_empty())?;
        image.chars().all(char::is_alphabetic).then(|| edge(image, half(word.ends_with('1'))))
    });
    split.collect::<Option<_>>().and_then(if_paired)
}

/// `a` and `a'`.
fn by_prime(words: &[&str]) -> Option<Vec<EdgeName>> {
    let is_primed = |word: &&str| word.ends_with('\'');
    let edges = words.iter().map(|word| edge(word.trim_end_matches('\''), half(!is_primed(word))));
    words.iter().any(is_primed).then(|| if_paired(edges.collect())).flatten()
}

fn read(source: &Source<'_>, options: &ReadOptions, name: &str) -> Result<Problem> {
    let Some(table) = Table::read(source) else {
        let message = "this is no list of tiles with the same number of edges".into();
        return Err(source.error(message).with_help(EXAMPLE));
    };
    let words: Vec<&str> =
        table.tiles.iter().flat_map(|tile| &tile.edges).map(|word| word.text).collect();
    let explained = CONVENTIONS.iter().find_map(|way| Some((way.what, (way.edges)(&words)?)));
    let whole = || words.iter().map(|word| edge(word, Half::Whole)).collect();
    let (halves, edges) =
        explained.map_or_else(|| (None, whole()), |(what, edges)| (Some(what), edges));
    let has_zero = halves.is_none() && words.contains(&"0");
    let mut edges = edges.into_iter();
    let mut draft = Draft::new();
    let is_pair = table.tiles.len() == 2 && table.tiles[0].edges.len() == 4;
    draft.size = table.size.or(is_pair.then_some((1, 2)));
    draft.states_order = table.order.is_some();
    draft.order = table.order.unwrap_or(draft.order);
    draft.halves = halves;
    for tile in table.tiles {
        draft.add(edges.by_ref().take(tile.edges.len()).collect::<Vec<_>>());
        if let (Some(name), Some(last)) = (tile.name, draft.tiles.last_mut()) {
            last.0 = name.to_owned();
        }
    }
    let is_square = draft.tiles.iter().all(|(_, edges)| edges.len() == 4);
    draft.border = (has_zero && is_square).then(|| edge("0", Half::Whole));
    Ok(unless_framed(draft.problem(source, options, name)?, options))
}
