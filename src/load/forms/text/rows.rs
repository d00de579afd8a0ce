//! Splits a text into rows of words: lines of text, or lists in JSON or YAML.

use super::halves::is_mark;
use crate::board::SIDES_OF_SQUARE;
use crate::load::edge_order::{EdgeOrder, side_named, side_of_heading};
use crate::load::error::{LoadError, Result};
use crate::load::forms::words::Word;
use crate::load::notation::Notation;
use crate::load::text::Source;
use crate::load::yaml::{Document, Node, ReadError, is_key, length};
use crate::puzzle::{Half, abbreviate};

/// A line of text, or a list.
#[derive(Debug, Clone, Default)]
pub(super) struct Row<'a> {
    /// The position of its start: a byte offset, or the number of a node.
    pub at: usize,
    /// The text before a colon.
    pub name: Option<&'a str>,
    pub words: Vec<Word<'a>>,
    /// The half of each word, if the file gives halves separately from the images.
    pub halves: Vec<Half>,
    /// True if the file names the side of each edge; the words are then clockwise from the top.
    pub has_sides: bool,
}

/// The help of errors.
pub(in crate::load::forms) const EXAMPLE: &str = "a tile is a line such as `red blue green red`, `1: R G B R`, `3 1 2 4`, `rGBw` or \
 `sun/top, moon/top, sun/bottom, moon/bottom`; the first line may be the size, such as `3 3`";

/// A text in a notation. Converts positions of words (byte offsets, or numbers of nodes) to lines
/// and columns.
pub(super) struct Places<'s> {
    pub source: &'s Source<'s>,
    pub notation: Notation,
    /// The tree, if the text is JSON or YAML.
    document: Option<Document<'s>>,
}

impl<'s> Places<'s> {
    /// Parses the text if it is JSON or YAML.
    pub fn new(source: &'s Source<'s>, notation: Notation) -> Result<Places<'s>> {
        let document = is_tree(source.text).then(|| Document::read(source, EXAMPLE)).transpose();
        let document = document.map_err(|error| match error.position {
            // Lines in brackets may be neither YAML nor tiles.
            None => source.error("this is not a list of tiles".to_owned()).with_help(EXAMPLE),
            Some(_) => error,
        });
        Ok(Places { source, notation, document: document? })
    }

    /// An error at a word or row.
    pub fn error(&self, at: usize, message: String) -> LoadError {
        match &self.document {
            Some(document) => document.at(ReadError { node: at, message, help: None }),
            None => self.source.error_at_byte(at, message),
        }
    }

    /// An error at a word or row, with the notations as help.
    pub fn refuse(&self, at: usize, message: impl Into<String>) -> LoadError {
        self.error(at, message.into()).with_help(EXAMPLE)
    }

    /// The characters of a word as words. All characters of a node share its position.
    pub fn characters<'a>(&self, word: Word<'a>) -> Vec<Word<'a>> {
        let is_tree = self.document.is_some();
        let place = |c: Word<'a>| if is_tree { Word { at: word.at, ..c } } else { c };
        word.characters().map(place).collect()
    }

    /// The line and column of a word or row; `None` if it is not known.
    pub fn position(&self, at: usize) -> Option<(usize, usize)> {
        self.error(at, String::new()).position
    }

    /// Returns true if the text is a mapping with at least two keys, all of which occur in
    /// edgematch's own YAML form. Such a text is meant as a puzzle file, not as a list of tiles.
    pub fn is_own(&self) -> bool {
        let root = self.document.as_ref().map(|document| &document.root);
        let entries = root.filter(|root| root.is_map()).and_then(|root| root.entries("").ok());
        entries.is_some_and(|entries| entries.len() > 1 && entries.iter().all(|e| is_key(e.name)))
    }

    /// The rows and columns beside a list in JSON or YAML.
    pub fn size(&self) -> Result<Option<(usize, usize)>> {
        let Some(document) = self.document.as_ref().filter(|document| document.root.is_map())
        else {
            return Ok(None);
        };
        document.check(tree_size(&document.root))
    }

    /// The rows of the text.
    ///
    /// # Errors
    /// If a list is not a list of tiles, or a line contains anything other than words.
    pub fn rows(&self) -> Result<Vec<Row<'_>>> {
        match &self.document {
            Some(document) => document.check(tree_rows(&document.root)),
            None => {
                let refuse = |word: Word<'_>| self.refuse(word.at, not_an_edge(word));
                let rows = lines(self.source.text).map(|row| row.map_err(refuse));
                Ok(without_headings(rows.collect::<Result<_>>()?))
            }
        }
    }
}

/// Returns true for lists in JSON or YAML, alone or below a key that is not a key of our own form.
pub(super) fn is_tree(text: &str) -> bool {
    let mut lines = written_lines(text).filter(|line| *line != "---");
    let Some(first) = lines.next() else {
        return false;
    };
    let starts_list = |text: &str| text.starts_with('[') || text.starts_with("- ");
    if starts_list(first) {
        return true;
    }
    let is_own =
        |key: &str| (is_key(key) && key != "tiles") || key.bytes().all(|b| b.is_ascii_digit());
    if first.starts_with('{') {
        return has_foreign_list(text, is_own);
    }
    let is_size = |line: &&str| SIZES.contains(&key_of(line));
    let above = if is_size(&first) { lines.find(|line| !is_size(line)) } else { Some(first) };
    let Some(above) = above else {
        return false;
    };
    let rest = match above.split_once(':') {
        Some((_, behind)) if !behind.trim().is_empty() => behind.trim(),
        _ => lines.next().unwrap_or_default(),
    };
    let has_key = above.ends_with(':') || above.contains(": [");
    // Below a size, `tiles` is a key of our own form.
    let is_own_list = is_own(key_of(above)) || (above != first && is_key(key_of(above)));
    has_key && !is_own_list && starts_list(rest)
}

/// Returns true if the outermost object in JSON has a list under a key that is not our own. A mapping
/// of tiles is always our own form.
fn has_foreign_list(text: &str, is_own: impl Fn(&str) -> bool) -> bool {
    let key_before = |place: usize| {
        let before = text[..place].trim_end().strip_suffix(':')?;
        Some(before.rsplit(['{', ',', '\n']).next()?.trim().trim_matches('"'))
    };
    let inner = text.match_indices('{').nth(1).map_or(text.len(), |(place, _)| place);
    let mut keys = text[..inner].match_indices('[').filter_map(|(place, _)| key_before(place));
    key_before(inner) != Some("tiles") && keys.any(|key| !is_own(key) && !SIZES.contains(&key))
}

/// The key at the start of a line of YAML or JSON.
fn key_of(line: &str) -> &str {
    let key = line.trim_start_matches('{').split(':').next().unwrap_or_default();
    key.trim().trim_matches('"')
}

/// Returns true if the first line has a key of our own form. A path such as `board::Board` in source
/// code is none.
pub(in crate::load::forms) fn starts_with_own_key(text: &str) -> bool {
    written_lines(text).next().is_some_and(|line| is_key(key_of(line)) && !line.contains("::"))
}

/// The trimmed lines that are neither empty nor comments of YAML.
fn written_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The items of a list, or of the only list in a mapping beside its size.
fn tree_rows(root: &Node) -> Result<Vec<Row<'_>>, ReadError> {
    const EXPECTED: &str = "a list of tiles such as [[a, b, c, d], [b, a, d, c]]";
    let mut list = root;
    if root.is_map() {
        let mut entries = root.entries(EXPECTED)?;
        entries.retain(|entry| !SIZES.contains(&entry.name));
        let other = entries.iter().find(|entry| entry.value.items().is_none());
        if let Some(other) = other.filter(|_| entries.len() > 1) {
            let error = other.key.error(format!("unknown key `{}` beside the tiles", other.name));
            return Err(error.with_help(format!("the keys are {}", SIZES.join(", "))));
        }
        let [entry] = entries[..] else {
            return Err(root.error(format!("several keys, expected {EXPECTED}")));
        };
        list = entry.value;
    }
    list.list(EXPECTED)?.iter().map(tree_row).collect()
}

/// The keys of a size beside a list of tiles.
const SIZES: [&str; 5] = ["size", "rows", "cols", "height", "width"];

/// The rows and columns that a mapping gives beside its list of tiles: under a key each, or both
/// under `size`, where one number is the side of a square.
fn tree_size(root: &Node) -> Result<Option<(usize, usize)>, ReadError> {
    let lengths = |node: &Node| node.each().iter().map(length).collect::<Result<Vec<_>, _>>();
    let size = root.read("size", lengths)?;
    let either = |one, other| Ok(root.read(one, length)?.or(root.read(other, length)?));
    match (size.as_deref(), either("rows", "height")?, either("cols", "width")?) {
        (Some(&[side]), None, None) => Ok(Some((side, side))),
        (Some(&[rows, columns]), None, None) | (None, Some(rows), Some(columns)) => {
            Ok(Some((rows, columns)))
        }
        _ => SIZES.iter().find_map(|key| root.value(key)).map_or(Ok(None), |node| {
            Err(node
                .error("the size is neither `rows` and `cols` nor `size` with one or two numbers"))
        }),
    }
}

/// Reads a tile: a list of edges, alone or under `edges`, a mapping from sides to edges, or a text.
fn tree_row(node: &Node) -> Result<Row<'_>, ReadError> {
    const EXPECTED: &str = "a tile such as [a, b, c, d]";
    let mut row = Row { at: node.number, ..Row::default() };
    let list = node.value("edges").unwrap_or(node).items();
    if let Some(items) = list {
        for item in items {
            row.push(item)?;
        }
    } else if node.is_map() {
        row.has_sides = true;
        let entries = node.entries(EXPECTED)?;
        for side in EdgeOrder::CLOCKWISE_FROM_TOP.listed(&[0, 1, 2, 3]) {
            let edge = entries.iter().find(|entry| side_named(entry.name) == Some(side));
            let missing = || node.error(format!("a tile without its {}", SIDES_OF_SQUARE[side]));
            row.push(edge.ok_or_else(missing)?.value)?;
        }
    } else {
        let text = node.text(EXPECTED)?;
        refuse_parentheses(node, text)?;
        let refuse = |word: Word<'_>| node.error(not_an_edge(word));
        row = Row { at: node.number, ..self::row(text, text).map_err(refuse)? };
        row.words.iter_mut().for_each(|word| word.at = node.number);
    }
    let name = ["name", "id", "ID", "tile"].iter().find_map(|key| node.value(key));
    row.name = name.map(|name| name.name("the name of a tile")).transpose()?.or(row.name);
    Ok(row)
}

/// The message about a part of a line that is not a word.
fn not_an_edge(word: Word<'_>) -> String {
    format!("`{}` is not an edge", abbreviate(word.text))
}

/// Rejects Python tuples, which YAML reads as text.
fn refuse_parentheses(node: &Node, text: &str) -> Result<(), ReadError> {
    if text.contains(['(', ')']) {
        let error = node.error(format!("`{}` is not an edge", abbreviate(text)));
        return Err(error.with_help("write the edges of a tile in square brackets"));
    }
    Ok(())
}

impl<'a> Row<'a> {
    /// Adds an edge: a word, or an image with its half such as `["B", 1]`.
    fn push(&mut self, node: &'a Node) -> Result<(), ReadError> {
        let image = match node.items() {
            Some([image, half]) => {
                self.halves.push(match half.text("a half, 1 or 0")? {
                    "1" | "+" => Half::Plus,
                    "0" | "-" => Half::Minus,
                    other => {
                        let message = format!("{other} is not a half: expected 1 or 0");
                        return Err(half.error(message));
                    }
                });
                image
            }
            Some(_) => {
                return Err(node.error("an edge is an image and its half, such as [\"B\", 1]"));
            }
            None => node,
        };
        let text = image.name("an edge")?.trim();
        if self.halves.is_empty() {
            refuse_parentheses(node, text)?;
        }
        self.words.push(Word { text, at: node.number });
        Ok(())
    }
}

/// The words of each line, or the first part of a line that is not a word. A comment starts at `#`
/// or `//`, or at the only `;` of a line, at its start or after a blank.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Result<Row<'_>, Word<'_>>> {
    // `#1 a b c d` or `Card #1: a b c d` on each line numbers the tiles.
    let is_numbered = |line: &str| {
        line.split_once('#').is_some_and(|(before, rest)| {
            before.trim().chars().all(char::is_alphabetic)
                && rest.starts_with(|c: char| c.is_ascii_digit())
        })
    };
    let are_numbered = text.lines().all(|line| line.trim().is_empty() || is_numbered(line));
    // The line below the head of a table in Markdown, and the first line of a table for Excel.
    let is_rule = |line: &&str| line.contains('|') && line.chars().all(|c| "|-: ".contains(c));
    let written = text.lines().filter(move |line| !is_rule(line) && !line.starts_with("sep="));
    let rows = written.filter_map(move |line| {
        let line = line.split_once('#').filter(|_| are_numbered).map_or(line, |(_, rest)| rest);
        // A leading `#` or `;` may also be the empty first cell of a header.
        let line =
            line.strip_prefix('#').filter(|rest| rest.starts_with(is_between)).unwrap_or(line);
        let line = line.split('#').next().unwrap_or_default();
        let line = line.split("//").next().unwrap_or_default().trim();
        let is_comment = |(before, rest): &(&str, &str)| {
            (before.is_empty() || before.ends_with(char::is_whitespace)) && !rest.contains(';')
        };
        let commented = line.split_once(';').filter(is_comment);
        let line = commented.map_or(line, |(before, _)| before.trim_end());
        (!line.is_empty()).then(|| row(text, line))
    });
    rows.filter(|row| row.as_ref().map_or(true, |row| !row.words.is_empty()))
}

/// The lines that are comments as a whole, without their mark.
pub(super) fn comments(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines.filter_map(|line| ["#", "//", ";"].iter().find_map(|mark| line.strip_prefix(mark)))
}

/// Parses a line of text. Commas, semicolons, tabs and bars separate words if there are any, and
/// blanks are then part of the words; otherwise blanks separate words.
fn row<'a>(text: &'a str, line: &'a str) -> Result<Row<'a>, Word<'a>> {
    let place = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let is_name = |name: &str| {
        name.chars().all(|c| c.is_alphanumeric() || " .".contains(c)) && name.len() < 20
    };
    let line = line.trim_end_matches(['@', ' ']).trim_end_matches(is_between);
    let line = line.strip_prefix('(').map_or(line, |rest| rest.strip_suffix(')').unwrap_or(rest));
    let line =
        line.strip_suffix('.').filter(|rest| rest.ends_with(char::is_alphanumeric)).unwrap_or(line);
    // A heading such as `Card 1:`; a line such as `tiles:` is a key of YAML.
    let line = line.strip_suffix(':').filter(|rest| rest.contains(' ')).unwrap_or(line);
    let named = [": ", ". ", ") "].iter().find_map(|end| line.split_once(end));
    let is_side = |name: &str| name.len() > 1 && side_named(&name.to_lowercase()).is_some();
    let named = named.filter(|(name, _)| is_name(name) && !is_side(name));
    let named = named.or_else(|| numbered(line));
    let (name, rest) = named.map_or((None, line), |(name, rest)| (Some(name), rest));
    let blanks = || rest.split(|c: char| is_between(c) || c.is_whitespace());
    // `fish head, bird head, …` has names of two words, `AbDC dBca, aaBB` tiles of four letters.
    let has_names = rest.split(is_between).count() > 2
        && rest.split(is_between).any(|field| field.trim().contains(' '));
    let is_table =
        rest.contains(is_between) && (has_names || !blanks().all(|w| w.is_empty() || is_packed(w)));
    let fields: Vec<&str> = if is_table {
        rest.split(is_between).map(|field| unquoted(field.trim())).collect()
    } else {
        blanks().collect()
    };
    // `@` marks a tile that is already placed.
    let mut fields =
        fields.into_iter().filter(|field| *field != "@" && !field.is_empty()).collect::<Vec<_>>();
    let by_side = by_side(&fields);
    let has_sides = by_side.is_some();
    let name = if has_sides { name } else { leading_name(&mut fields).or(name) };
    let words = by_side.unwrap_or(fields).into_iter().map(|text| {
        // `sun (top)` has its half in parentheses.
        let noted = text.strip_suffix(')').filter(|rest| rest.find('(').is_some_and(|at| at > 0));
        let word = Word { text: noted.unwrap_or(text), at: place(text) };
        let is_part = |c: char| {
            !c.is_ascii()
                || c.is_alphanumeric()
                || is_mark(c)
                || "_/?. ".contains(c)
                || (c == '(' && noted.is_some())
        };
        if word.text.chars().all(is_part) { Ok(word) } else { Err(word) }
    });
    let words = words.collect::<Result<_, _>>()?;
    Ok(Row { at: place(line), name, words, has_sides, ..Row::default() })
}

/// The edges clockwise from the top, if each field names its side, as in `top=a, bottom=b, …` or
/// `top a, bottom b, …`.
fn by_side<'a>(fields: &[&'a str]) -> Option<Vec<&'a str>> {
    if fields.iter().any(|field| side_of_heading(field).is_some()) {
        return None;
    }
    let sides = fields.iter().map(|field| {
        let (side, edge) = field
            .split_once(['=', ':'])
            .or_else(|| field.split_once(' ').filter(|(side, _)| side.len() > 1))?;
        Some((side_named(&side.trim().to_lowercase())?, edge.trim()))
            .filter(|(_, edge)| !edge.is_empty())
    });
    let (sides, edges): (Vec<_>, Vec<_>) = sides.collect::<Option<Vec<_>>>()?.into_iter().unzip();
    let order = EdgeOrder::of_sides(sides.into_iter().map(Some))?;
    Some(EdgeOrder::CLOCKWISE_FROM_TOP.listed(&order.normalise(&edges)))
}

/// Removes and returns the name before the first edge, as in `T1 cat head, dog tail` or `1 rGbR`. It
/// has a digit.
fn leading_name<'a>(fields: &mut Vec<&'a str>) -> Option<&'a str> {
    if let [number, tile] = fields[..]
        && number.bytes().all(|b| b.is_ascii_digit())
        && is_packed(tile)
        && !is_packed(number)
    {
        fields.remove(0);
        return Some(number);
    }
    let is_name = |name: &str| {
        name.bytes().all(|b| b.is_ascii_alphanumeric()) && name.bytes().any(|b| b.is_ascii_digit())
    };
    let split = |field: &&'a str| field.split_once(' ').filter(|(name, _)| is_name(name));
    let (name, rest) = fields.first().and_then(split)?;
    if fields.iter().filter_map(split).count() > 1 {
        return None;
    }
    fields[0] = rest.trim_start();
    Some(name)
}

/// The number at the start of a line and what follows its mark, as in `1.red blue` or `1 - red blue`;
/// but `1.5` is one word, and so is `1/top`.
fn numbered(line: &str) -> Option<(&str, &str)> {
    [":", ".", ")", "/ ", " - "].iter().find_map(|mark| {
        let (number, rest) = line.split_once(mark)?;
        let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        let is_apart = !rest.starts_with(|c: char| c.is_ascii_digit()) && !rest.is_empty();
        (is_number && is_apart).then_some((number, rest.trim_start()))
    })
}

/// Names each tile after the number on the line above it, such as `Card 1`, if there is one above
/// every tile; a title may precede them. The last tile may be missing.
pub(super) fn without_headings(mut rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    let is_heading = |(number, pair): (usize, &[Row<'_>])| {
        let [heading, tile] = pair else { return false };
        let last = heading.words.last().filter(|_| heading.words.len() < 3 && tile.words.len() > 2);
        let names = [heading.name, tile.name];
        names == [None; 2] && last.is_some_and(|word| word.text == number.to_string())
    };
    let has_headings = |&first: &usize| {
        let rows = rows.get(first..).unwrap_or_default();
        let has = |from: usize| (from..).zip(rows.chunks_exact(2)).all(is_heading);
        // A single pair may be the size of a board and its tile.
        rows.len() > 3 && (has(0) || has(1))
    };
    if let Some(first) = [0, 1].into_iter().find(has_headings) {
        for at in (first + 1..rows.len()).step_by(2) {
            rows[at].name = rows[at - 1].words.last().map(|number| number.text);
            rows[at - 1].words.clear();
        }
        rows.retain(|row| !row.words.is_empty());
    }
    rows
}

/// Returns true for a separator other than a blank.
fn is_between(c: char) -> bool {
    matches!(c, ',' | ';' | '\t' | '|')
}

/// The text between double or single quotes. A single quote only at the end is a prime.
fn unquoted(field: &str) -> &str {
    let inside = |quote: char| field.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(field)
}

/// Returns true for a tile in one word, such as `AbDC`, `0Ab0` with a frame, `2908`, or `AB?D` with an
/// unknown edge.
pub(super) fn is_packed(word: &str) -> bool {
    let is_all = |is: fn(&u8) -> bool| word.bytes().filter(|&b| b != b'?').all(|b| is(&b));
    word.len() == 4
        && word != "????"
        && (is_all(u8::is_ascii_digit) || is_all(|b| b.is_ascii_alphabetic() || *b == b'0'))
}
