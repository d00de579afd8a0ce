//! A code for messages and web addresses: `em1-` and the puzzle in the letters of an address.
//!
//! | part | bytes |
//! |---|---|
//! | flags | 1: what stands in the other parts, see [`Flag`] |
//! | name | its length, its bytes |
//! | board | rows and columns, or the text that stands behind `board:` |
//! | images | their number; for each its length twice, plus one where it has halves, and its bytes |
//! | border | its image, from 1; 0 for none |
//! | tiles | their number; their names where they are not 1, 2, …; their sides where the board is no grid; their copies where there are several, 0 for any number |
//! | edges | all in one number to the base of the number of labels, the last one lowest; fronts, then backs |
//! | constraints | their text, a list |
//! | check | 3: the first ones of the SHA-256 of what stands before |
//!
//! A number is written seven bits a byte, the lowest first, the highest bit saying that more
//! follow. An image with halves has two labels, first the one with the plus.

mod write;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac_sha256::Hash;
use num_bigint::BigUint;

use self::write::write;
use crate::board::MOST_SIDES;
use crate::load::board::WrittenBoard;
use crate::load::form::{Form, ReadOptions};
use crate::load::text::{LONGEST_SIDE, MOST_TILES, Source};
use crate::load::{LoadError, Result, yaml};
use crate::problem::Problem;
use crate::puzzle::{Copies, EdgeName, Half, LONGEST_NAME, Label, Labels, Puzzle, Tile, beginning};

/// One word.
pub(super) const FORM: Form = Form {
    is_literal: is_code,
    is_like: |text| text.trim_start().starts_with(LETTERS) && is_code(&unwrapped(text)),
    tells_order: true,
    write: Some(write),
    ..Form::new("code", "a code", read)
};

const LETTERS: &str = "em";
const VERSION: u32 = 1;

/// Bytes of the check.
const CHECK: usize = 3;

/// The longest text of a board or of constraints, in bytes.
const LONGEST_TEXT: usize = 1 << 20;

/// Bytes of a name at most.
const MOST_BYTES: usize = 4 * LONGEST_NAME;

/// What a code says by yes and no.
#[derive(Clone, Copy)]
enum Flag {
    /// Tiles may not be turned.
    FixedRotations = 1,
    /// The board is no plain grid.
    OtherBoard = 2,
    /// Tiles have names of their own.
    Names = 4,
    /// There are constraints.
    Constraints = 8,
    /// Every tile's back is its mirror.
    PrintedThrough = 16,
    /// Each tile says whether it has a back.
    Backs = 32,
    /// Each tile says how many copies there are.
    Copies = 64,
}

impl Flag {
    fn is_in(self, flags: u8) -> bool {
        flags & self as u8 != 0
    }

    fn bit(self, is_so: bool) -> u8 {
        if is_so { self as u8 } else { 0 }
    }
}

const ALL_FLAGS: u8 = 127;

/// The version of a code, and what stands behind it.
fn parts(text: &str) -> Option<(&str, &str)> {
    let (version, body) = text.strip_prefix(LETTERS)?.split_once('-')?;
    let is_number = !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some((version, body))
}

/// A word that can be a code, of whatever version.
fn is_code(text: &str) -> bool {
    parts(text).is_some_and(|(_, body)| body.chars().all(is_letter))
}

/// What a code may hold behind its version.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

/// Without the blanks and line ends that a message may put in.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect()
}

/// What helps against damage.
const WHOLE: &str = "copy the whole code, from `em1-` on";

/// What is wrong with a code.
fn refuse(source: &Source<'_>, message: impl Into<String>) -> LoadError {
    source.error(message.into()).with_help(WHOLE)
}

fn read(source: &Source<'_>, options: &ReadOptions, name: &str) -> Result<Problem> {
    let text = unwrapped(source.text);
    let (version, body) = parts(&text).ok_or_else(|| refuse(source, "this is not a code"))?;
    if version.parse() != Ok(VERSION) {
        let version = beginning(version);
        let message =
            format!("a code of version {version}: this edgematch reads version {VERSION}");
        return Err(source.error(message).with_help("a newer edgematch may read it"));
    }
    let bytes = URL_SAFE_NO_PAD.decode(body).map_err(|_| {
        let is_strange = |(_, c): &(usize, char)| !c.is_whitespace() && !is_letter(*c);
        let strange = source.text.char_indices().find(is_strange);
        let at = strange.map_or(source.text.trim_end().len(), |(at, _)| at);
        source.error_at_byte(at, "the code is damaged or cut off here".into()).with_help(WHOLE)
    })?;
    let damaged = || refuse(source, "the code is damaged: its check does not fit");
    let (content, sum) =
        bytes.split_at_checked(bytes.len().saturating_sub(CHECK)).ok_or_else(damaged)?;
    if check(content) != *sum {
        return Err(damaged());
    }
    let mut reader = Reader { rest: content };
    let decoded = reader
        .puzzle(name)
        .ok_or_else(|| refuse(source, "the code is damaged: its contents make no sense"))?;
    decoded.problem(source, options)
}

fn check(content: &[u8]) -> [u8; CHECK] {
    let hash = Hash::hash(content);
    [hash[0], hash[1], hash[2]]
}

/// What a code says.
struct Decoded {
    puzzle: Puzzle,
    board: Result<(usize, usize), String>,
    constraints: Option<String>,
}

impl Decoded {
    fn problem(self, source: &Source<'_>, options: &ReadOptions) -> Result<Problem> {
        let written = match (&options.board, &self.board) {
            (Some(board), _) => board.clone(),
            (None, Ok((rows, columns))) => WrittenBoard::grid(*rows, *columns),
            (None, Err(text)) => {
                yaml::read_board(&Source::decode(text.as_bytes(), "the board in the code")?)?
            }
        };
        let fail = |message: String| refuse(source, message);
        let problem = written.lay(self.puzzle, options.most_cells, fail)?;
        match self.constraints {
            None => Ok(problem),
            Some(text) => {
                let source = Source::decode(text.as_bytes(), "the constraints in the code")?;
                yaml::with_constraints(&source, problem)
            }
        }
    }
}

/// Takes a code apart; nothing where something is missing, or too large.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    /// A number up to `most`.
    fn number(&mut self, most: usize) -> Option<usize> {
        let mut number = 0usize;
        for shift in (0..28).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 127) << shift;
            if byte & 128 == 0 {
                return (number <= most).then_some(number);
            }
        }
        None
    }

    fn text_of(&mut self, length: usize) -> Option<String> {
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    fn text(&mut self, longest: usize) -> Option<String> {
        let length = self.number(longest)?;
        self.text_of(length)
    }

    /// A name of at most [`LONGEST_NAME`] characters.
    fn name(&mut self, length: usize) -> Option<String> {
        let name = self.text_of(length)?;
        (name.chars().count() <= LONGEST_NAME && !name.trim().is_empty()).then_some(name)
    }

    fn puzzle(&mut self, name: &str) -> Option<Decoded> {
        let flags = self.byte().filter(|flags| flags & !ALL_FLAGS == 0)?;
        let own_name = self.text(MOST_BYTES)?;
        let board = if Flag::OtherBoard.is_in(flags) {
            Err(self.text(LONGEST_TEXT)?)
        } else {
            Ok((self.number(LONGEST_SIDE)?, self.number(LONGEST_SIDE)?))
        };
        if matches!(board, Ok((0, _) | (_, 0))) {
            return None;
        }
        let (labels, firsts) = self.labels()?;
        let border = match self.number(firsts.len())? {
            0 => None,
            image => {
                Some(firsts[image - 1]).filter(|&label| labels.mate(label) == label).map(Some)?
            }
        };
        let mut tiles = self.tiles(flags, &labels)?;
        self.edges(&labels, &mut tiles)?;
        if Flag::PrintedThrough.is_in(flags) {
            for tile in &mut tiles {
                tile.back = Some(tile.mirror());
            }
        }
        let constraints =
            if Flag::Constraints.is_in(flags) { Some(self.text(LONGEST_TEXT)?) } else { None };
        let name = if own_name.is_empty() { name.to_owned() } else { own_name };
        let may_turn = !Flag::FixedRotations.is_in(flags);
        let puzzle = Puzzle { border, may_turn, ..Puzzle::new(name, labels, tiles) };
        self.rest.is_empty().then_some(Decoded { puzzle, board, constraints })
    }

    /// The labels, and the first one of each image.
    fn labels(&mut self) -> Option<(Labels, Vec<Label>)> {
        let mut labels = Labels::default();
        let mut firsts = Vec::new();
        for _ in 0..self.number(MOST_TILES * MOST_SIDES)? {
            let twice = self.number(2 * MOST_BYTES + 1)?;
            let image = self.name(twice / 2)?;
            let half = if twice % 2 == 1 { Half::Plus } else { Half::Whole };
            let edge = EdgeName { image, half };
            let is_name = EdgeName::parse(&edge.to_string()).is_ok_and(|read| read == edge);
            let number = labels.len();
            firsts.push(labels.add(&edge).ok().filter(|_| is_name && labels.len() > number)?);
        }
        Some((labels, firsts))
    }

    /// The tiles, without their edges.
    fn tiles(&mut self, flags: u8, labels: &Labels) -> Option<Vec<Tile>> {
        let number = self.number(MOST_TILES)?;
        let mut tiles: Vec<Tile> = Vec::new();
        for index in 0..number {
            let name = if Flag::Names.is_in(flags) {
                let length = self.number(MOST_BYTES)?;
                self.name(length)?
            } else {
                (index + 1).to_string()
            };
            let (sides, has_back) = if Flag::OtherBoard.is_in(flags) || Flag::Backs.is_in(flags) {
                let twice = self.number(2 * MOST_SIDES + 1)?;
                (twice / 2, twice % 2 == 1)
            } else {
                (4, false)
            };
            let copies = if Flag::Copies.is_in(flags) {
                let number = self.number(MOST_TILES)?;
                Copies::new(number).unwrap_or(Copies::Any)
            } else {
                Copies::ONE
            };
            let nothing = labels.all().next().filter(|_| sides > 0)?;
            tiles.push(Tile {
                name,
                edges: vec![nothing; sides],
                back: has_back.then(|| vec![nothing; sides]),
                copies,
            });
        }
        let names: std::collections::HashSet<&String> =
            tiles.iter().map(|tile| &tile.name).collect();
        if names.len() != tiles.len() {
            return None;
        }
        Some(tiles)
    }

    /// Fills the edges of the tiles in.
    fn edges(&mut self, labels: &Labels, tiles: &mut [Tile]) -> Option<()> {
        let all: Vec<Label> = labels.all().collect();
        let places = tiles.iter().map(|tile| tile.faces().count() * tile.sides()).sum();
        let (bytes, rest) = self.rest.split_at_checked(bytes_of(all.len(), places))?;
        self.rest = rest;
        let digits = digits(BigUint::from_bytes_be(bytes), all.len(), places)?;
        let mut shown = digits.into_iter().map(|digit| all[digit]);
        for tile in tiles.iter_mut() {
            tile.edges.fill_with(|| shown.next().unwrap_or(all[0]));
        }
        for back in tiles.iter_mut().filter_map(|tile| tile.back.as_mut()) {
            back.fill_with(|| shown.next().unwrap_or(all[0]));
        }
        Some(())
    }
}

/// How many bytes hold so many digits to a base.
fn bytes_of(base: usize, digits: usize) -> usize {
    let largest = BigUint::from(base).pow(u32::try_from(digits).unwrap_or(u32::MAX)) - 1u32;
    usize::try_from(largest.bits().div_ceil(8)).unwrap_or(usize::MAX)
}

/// The digits of a number, the highest first; nothing where it has more.
fn digits(number: BigUint, base: usize, count: usize) -> Option<Vec<usize>> {
    // In the middle, so that no number is long for long.
    if count <= 1 {
        let digit = usize::try_from(number).ok().filter(|&digit| digit < base)?;
        return (count == 1 || digit == 0).then(|| vec![digit; count]);
    }
    let low = count / 2;
    let power = BigUint::from(base).pow(u32::try_from(low).ok()?);
    let mut all = digits(&number / &power, base, count - low)?;
    all.extend(digits(number % power, base, low)?);
    Some(all)
}
