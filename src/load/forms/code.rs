//! A compact code for messages and web addresses: `em1-` and the puzzle in characters that are
//! valid in URLs.
//!
//! | part | bytes |
//! |---|---|
//! | flags | 1, from the lowest bit: tiles may not be rotated; the board is not a plain grid; tiles have names; there are constraints; every back is the mirror image of its front; tiles list their backs; tiles list their copies; images match others |
//! | name | its length, its bytes |
//! | board | rows and columns, or the text of the key `board` |
//! | images | their number; for each twice its length, plus one if it has halves, and its bytes |
//! | border | its image, counted from 1; 0 for none |
//! | tiles | their number; for each its name (only with that flag), twice its sides plus one if it has a back (only if the board is not a plain grid, or if tiles list their backs), and its copies (0 for any number; only with that flag) |
//! | edges | all edges as one number in the base of the number of labels, the last edge lowest; fronts, then backs |
//! | constraints | the text of their list, or of a file with them and the objective, if there are any |
//! | matches | the text of the key `matches`, if there is one |
//! | check | 3: the first bytes of the SHA-256 of all parts above |
//!
//! A number is written with seven bits per byte, lowest first; the highest bit of a byte is set if
//! more bytes follow. An image with halves has two labels, the plus half first.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac_sha256::Hash;
use itertools::Itertools;
use num_bigint::BigUint;

use crate::board::MOST_SIDES;
use crate::load::board::BoardSpec;
use crate::load::form::{Detail, Noted, PuzzleFormat, ReadOptions, Written};
use crate::load::notation::Notation;
use crate::load::text::{LONGEST_SIDE, MOST_TILES, Source};
use crate::load::{LoadError, Result, yaml};
use crate::problem::{Arrangement, Problem};
use crate::puzzle::{
    Copies, DocValue, EdgeName, Half, LONGEST_NAME, Label, Labels, Puzzle, Tile, abbreviate,
};

/// A puzzle as one word.
pub(super) const FORM: PuzzleFormat = PuzzleFormat {
    is_literal: is_code,
    recognises: |text| text.trim_start().starts_with(LETTERS) && is_code(&unwrapped(text)),
    tells_order: true,
    write: Some(write),
    ..PuzzleFormat::new("code", "a code", read)
};

const LETTERS: &str = "em";
const VERSION: u32 = 1;

/// The length of the check, in bytes.
const CHECK: usize = 3;

/// The longest text of a board or of constraints, in bytes.
const LONGEST_TEXT: usize = 1 << 20;

/// The longest name, in bytes.
const MOST_BYTES: usize = 4 * LONGEST_NAME;

/// The version of a code and the characters after the hyphen; `None` if the text does not begin
/// like a code.
fn parts(text: &str) -> Option<(&str, &str)> {
    let (version, body) = text.strip_prefix(LETTERS)?.split_once('-')?;
    let is_number = !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some((version, body))
}

/// Returns true if a word may be a code of any version.
fn is_code(text: &str) -> bool {
    parts(text).is_some_and(|(_, body)| body.chars().all(is_letter))
}

/// Returns true for characters that may follow the version.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

/// The text without spaces and line breaks, which a messaging program may insert.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The help for damaged codes.
const WHOLE: &str = "copy the whole code, from `em1-` on";

/// An error for the whole code, with the hint to copy it completely.
fn refuse(source: &Source<'_>, message: impl Into<String>) -> LoadError {
    source.error(message.into()).with_help(WHOLE)
}

/// Reads a code, which may be wrapped over several lines. Fails if it has another version, is
/// damaged, or its content is not a valid puzzle.
fn read<'s>(_: &Notation, source: &'s Source<'s>, options: &ReadOptions) -> Result<Noted<'s>> {
    let text = unwrapped(source.text);
    let (version, body) = parts(&text).ok_or_else(|| refuse(source, "this is not a code"))?;
    if version.parse() != Ok(VERSION) {
        let version = abbreviate(version);
        let message =
            format!("a code of version {version}: this edgematch reads version {VERSION}");
        return Err(source.error(message).with_help("a newer edgematch may read it"));
    }
    let bytes = URL_SAFE_NO_PAD.decode(body).map_err(|_| {
        let is_strange = |c: char| !c.is_whitespace() && !is_letter(c);
        let at = source.text.find(is_strange).unwrap_or(source.text.trim_end().len());
        source.error_at_byte(at, "the code is damaged or cut off here".into()).with_help(WHOLE)
    })?;
    let parts = bytes.split_last_chunk::<CHECK>();
    let (content, _) = parts
        .filter(|(content, check)| Hash::hash(content).starts_with(*check))
        .ok_or_else(|| refuse(source, "the code is damaged: its check does not fit"))?;
    let mut code = Bytes::Read(content);
    let mut content = Content {
        puzzle: Puzzle::new(String::new(), Labels::default(), Vec::new()),
        size: (0, 0),
        other_board: None,
        constraints: None,
        matches: None,
    };
    let read = content.pass(&mut code).filter(|()| matches!(code, Bytes::Read([])));
    read.ok_or_else(|| refuse(source, "the code is damaged: its contents make no sense"))?;
    if content.puzzle.name.is_empty() {
        source.default_name.clone_into(&mut content.puzzle.name);
    }
    if let Some(text) = &content.matches {
        let matches = Source::decode(text.as_bytes(), "the matches in the code")?;
        yaml::matches(&matches, &mut content.puzzle)?;
    }
    let written = match (&options.board, &content.other_board) {
        (Some(board), _) => board.clone(),
        (None, None) => BoardSpec::grid(content.size.0, content.size.1),
        (None, Some(text)) => {
            yaml::read_board(&Source::decode(text.as_bytes(), "the board in the code")?)?
        }
    };
    let problem = written.lay(content.puzzle, options.most_cells);
    let problem = problem.map_err(|misfit| refuse(source, misfit.to_string()))?;
    let Some(text) = content.constraints else {
        return Ok((problem, None));
    };
    let constraints = Source::decode(text.as_bytes(), "the constraints in the code")?;
    let (constraints, objectives) = yaml::constraints(&constraints, &problem)?;
    Ok((problem.with_constraints(constraints).with_objectives(objectives), None))
}

/// Writes a puzzle of any kind as a code; what a code does not hold, such as the title, is listed.
/// Fails if a name or number is too large.
fn write(_: &Notation, problem: &Problem, _: Option<&Arrangement>) -> Result<Written, String> {
    use Detail::{
        Constraints, Copies, FixedRotations, ImageNames, Matches, Objective, Size, TileNames,
    };
    let constraints = DocValue::List(yaml::constraints_as_written(problem)?);
    let constraints = match &problem.objectives.source {
        Some(objective) => {
            Some(DocValue::map([("constraints", constraints), ("objective", objective.clone())]))
        }
        None => Some(constraints).filter(|_| !problem.constraints.is_empty()),
    };
    let grid = problem.board.plain_dimensions();
    let mut content = Content {
        puzzle: problem.puzzle.clone(),
        size: grid.unwrap_or_default(),
        other_board: grid.is_none().then(|| yaml::flow(&yaml::board_as_written(problem))),
        constraints: constraints.as_ref().map(yaml::flow),
        matches: yaml::matches_as_written(problem).as_ref().map(yaml::flow),
    };
    let mut bytes = Vec::new();
    content
        .pass(&mut Bytes::Write(&mut bytes))
        .ok_or("its names or its numbers do not fit into a code")?;
    let hash = Hash::hash(&bytes);
    bytes.extend(&hash[..CHECK]);
    let body = URL_SAFE_NO_PAD.encode(&bytes);
    let keeps =
        [TileNames, ImageNames, Size, FixedRotations, Constraints, Objective, Matches, Copies];
    let keeps = Some(keeps.map(Some).to_vec());
    Ok(Written { text: format!("{LETTERS}{VERSION}-{body}\n"), keeps, omits: Vec::new() })
}

/// The parts of a problem that a code contains.
struct Content {
    puzzle: Puzzle,
    /// The rows and columns of a plain grid.
    size: (usize, usize),
    /// The text of a board that is not a plain grid.
    other_board: Option<String>,
    constraints: Option<String>,
    matches: Option<String>,
}

impl Content {
    /// Reads all parts into the content, or writes them from it. Returns `None` if bytes are
    /// missing or a value is out of range.
    fn pass(&mut self, code: &mut Bytes<'_>) -> Option<()> {
        let puzzle = &mut self.puzzle;
        let is_printed_through = puzzle.is_printed_through();
        let has_backs = puzzle.tiles.iter().any(|tile| tile.back.is_some());
        let mut flags = [
            !puzzle.may_turn,
            self.other_board.is_some(),
            puzzle.has_tile_names(),
            self.constraints.is_some(),
            is_printed_through,
            has_backs && !is_printed_through,
            puzzle.has_copies(),
            self.matches.is_some(),
        ];
        code.flags(&mut flags)?;
        let [is_fixed, is_other_board, has_names, has_constraints, ..] = flags;
        let [.., is_printed_through, has_backs, has_copies, has_matches] = flags;
        puzzle.may_turn = !is_fixed;
        code.text(&mut puzzle.name, MOST_BYTES)?;
        if is_other_board {
            code.text(self.other_board.get_or_insert_default(), LONGEST_TEXT)?;
        } else {
            code.number(&mut self.size.0, LONGEST_SIDE)?;
            code.number(&mut self.size.1, LONGEST_SIDE)?;
            (self.size.0 > 0 && self.size.1 > 0).then_some(())?;
        }
        pass_labels(puzzle, code)?;
        let edge = puzzle.labels.all().next()?;
        let mut number = puzzle.tiles.len();
        code.number(&mut number, MOST_TILES)?;
        let (name, copies) = (String::new(), Copies::ONE);
        puzzle.tiles.resize(number, Tile { name, edges: vec![edge; 4], back: None, copies });
        for (tile, number) in puzzle.tiles.iter_mut().zip(1..) {
            if has_names {
                code.text(&mut tile.name, MOST_BYTES)?;
            } else {
                tile.name = number.to_string();
            }
            let mut sides = tile.sides();
            let mut has_back = tile.back.is_some() && !is_printed_through;
            if is_other_board || has_backs {
                code.flagged(&mut sides, &mut has_back, MOST_SIDES)?;
            }
            tile.edges.resize(sides, edge);
            tile.back = has_back.then(|| tile.back.take().unwrap_or(vec![edge; sides]));
            if has_copies {
                let mut copies = tile.copies.number().unwrap_or(0);
                code.number(&mut copies, MOST_TILES)?;
                tile.copies = Copies::new(copies).unwrap_or(Copies::Any);
            }
            let is_name = tile.name.chars().count() <= LONGEST_NAME && !tile.name.trim().is_empty();
            (is_name && sides > 0).then_some(())?;
        }
        puzzle.tiles.iter().map(|tile| &tile.name).all_unique().then_some(())?;
        pass_edges(puzzle, code)?;
        if is_printed_through {
            puzzle.tiles.iter_mut().for_each(|tile| tile.back = Some(tile.mirrored_labels()));
        }
        if has_constraints {
            code.text(self.constraints.get_or_insert_default(), LONGEST_TEXT)?;
        }
        if has_matches {
            code.text(self.matches.get_or_insert_default(), LONGEST_TEXT)?;
        }
        Some(())
    }
}

/// Reads or writes the images and the border. Writing preserves the label numbers, because the
/// images are added again in the same order. `None` if the content is invalid or too large.
fn pass_labels(puzzle: &mut Puzzle, code: &mut Bytes<'_>) -> Option<()> {
    let labels = std::mem::take(&mut puzzle.labels);
    let mut edges: Vec<EdgeName> =
        labels.firsts().map(|label| labels.edge(label).clone()).collect();
    let border = puzzle.border.map(|label| labels.edge(label));
    let mut border = edges.iter().position(|edge| Some(edge) == border).map_or(0, |at| at + 1);
    let mut number = edges.len();
    code.number(&mut number, MOST_TILES * MOST_SIDES)?;
    edges.resize(number, EdgeName { image: String::new(), half: Half::Whole });
    for edge in &mut edges {
        let mut length = edge.image.len();
        let mut has_halves = edge.half != Half::Whole;
        code.flagged(&mut length, &mut has_halves, MOST_BYTES)?;
        code.characters(&mut edge.image, length)?;
        edge.half = if has_halves { Half::Plus } else { Half::Whole };
        EdgeName::parse(&edge.to_string()).ok().filter(|read| read == edge)?;
        puzzle.labels.add(edge).ok()?;
    }
    (puzzle.labels.firsts().count() == number).then_some(())?;
    code.number(&mut border, number)?;
    let border = border.checked_sub(1).map(|at| &edges[at]);
    puzzle.border = border.map(|edge| puzzle.labels.add(edge)).transpose().ok()?;
    border.is_none_or(|edge| edge.half == Half::Whole).then_some(())
}

/// Reads or writes the edges as one number, in as many bytes as the largest such number needs.
/// `None` if the code is too short or has an unknown label.
fn pass_edges(puzzle: &mut Puzzle, code: &mut Bytes<'_>) -> Option<()> {
    let labels: Vec<Label> = puzzle.labels.all().collect();
    let base = BigUint::from(labels.len());
    let faces = puzzle.tiles.iter_mut().map(|tile| (&mut tile.edges, &mut tile.back));
    let (fronts, backs): (Vec<_>, Vec<_>) = faces.unzip();
    let shown = fronts.into_iter().chain(backs.into_iter().flatten()).flatten();
    let shown: Vec<&mut Label> = shown.collect();
    let number = shown.iter().fold(BigUint::ZERO, |sum, label| sum * &base + label.index());
    let most = base.pow(shown.len() as u32) - 1u32;
    let mut bytes = number.to_bytes_le();
    bytes.resize(most.bits().div_ceil(8) as usize, 0);
    bytes.reverse();
    code.bytes(&mut bytes)?;
    let digits = digits_of(BigUint::from_bytes_be(&bytes), &base, shown.len())?;
    for (label, digit) in shown.into_iter().zip(digits) {
        *label = labels[digit];
    }
    Some(())
}

/// The digits of a number, highest first; `None` if it has more than `count` digits. Splitting the
/// number in the middle takes fewer steps than splitting off one digit at a time.
fn digits_of(number: BigUint, base: &BigUint, count: usize) -> Option<Vec<usize>> {
    if count <= 1 {
        let digit = usize::try_from(&number).ok().filter(|_| number < *base)?;
        return (count == 1 || digit == 0).then(|| vec![digit; count]);
    }
    let low = count / 2;
    let power = base.pow(low as u32);
    let mut digits = digits_of(&number / &power, base, count - low)?;
    digits.extend(digits_of(number % power, base, low)?);
    Some(digits)
}

/// The bytes of a code. Each method reads a value from the bytes or appends the value to them.
enum Bytes<'a> {
    Read(&'a [u8]),
    Write(&'a mut Vec<u8>),
}

impl Bytes<'_> {
    /// Reads or writes a fixed number of bytes; `None` if fewer are left to read.
    fn bytes(&mut self, bytes: &mut [u8]) -> Option<()> {
        match self {
            Bytes::Read(rest) => bytes.copy_from_slice(rest.split_off(..bytes.len())?),
            Bytes::Write(written) => written.extend_from_slice(bytes),
        }
        Some(())
    }

    /// Reads or writes eight flags as one byte, the first as its lowest bit; `None` if the byte is
    /// missing.
    fn flags(&mut self, flags: &mut [bool; 8]) -> Option<()> {
        let mut byte = [flags.iter().rev().fold(0, |byte, &flag| byte << 1 | u8::from(flag))];
        self.bytes(&mut byte)?;
        *flags = std::array::from_fn(|bit| byte[0] >> bit & 1 == 1);
        Some(())
    }

    /// Reads or writes a number up to `most`, in at most four bytes; `None` if it is larger or the
    /// code ends.
    fn number(&mut self, number: &mut usize, most: usize) -> Option<()> {
        let mut sum = 0;
        for shift in [0, 7, 14, 21] {
            let rest = *number >> shift;
            let mut byte = [(rest & 127) as u8 | u8::from(rest > 127) << 7];
            self.bytes(&mut byte)?;
            sum |= usize::from(byte[0] & 127) << shift;
            if byte[0] < 128 {
                *number = sum;
                return (sum <= most).then_some(());
            }
        }
        None
    }

    /// Reads or writes a number up to `most` and a flag, as one number; `None` if it is larger or
    /// the code ends.
    fn flagged(&mut self, number: &mut usize, flag: &mut bool, most: usize) -> Option<()> {
        let mut both = 2 * *number + usize::from(*flag);
        self.number(&mut both, 2 * most + 1)?;
        (*number, *flag) = (both / 2, both % 2 == 1);
        Some(())
    }

    /// Reads or writes a text of up to `longest` bytes, after its length; `None` if it is longer,
    /// the code ends, or the bytes are not UTF-8.
    fn text(&mut self, text: &mut String, longest: usize) -> Option<()> {
        let mut length = text.len();
        self.number(&mut length, longest)?;
        self.characters(text, length)
    }

    /// Reads or writes a text of `length` bytes without its length; `None` if fewer are left to
    /// read or they are not UTF-8.
    fn characters(&mut self, text: &mut String, length: usize) -> Option<()> {
        let mut bytes = std::mem::take(text).into_bytes();
        bytes.resize(length, 0);
        self.bytes(&mut bytes)?;
        *text = String::from_utf8(bytes).ok()?;
        Some(())
    }
}
