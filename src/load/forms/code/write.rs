//! Writing a puzzle as a code: numbers of variable length, a check sum, letters of a URL.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use num_bigint::BigUint;

use super::{Flag, LETTERS, VERSION, bytes_of, check};
use crate::load::form::{Exported, WriteError};
use crate::load::forms::losses::{Detail, lost};
use crate::load::yaml;
use crate::problem::{Arrangement, Problem};
use crate::puzzle::{self, Half, Label, Puzzle};

pub(super) fn write(problem: &Problem, _: Option<&Arrangement>) -> Result<Exported, WriteError> {
    let puzzle = &problem.puzzle;
    let constraints = puzzle::DocValue::List(yaml::constraints_as_written(problem)?);
    let has_constraints = !problem.constraints.is_empty();
    let has_names = puzzle.has_tile_names();
    let is_printed_through = puzzle.is_printed_through();
    let has_backs = has_backs(puzzle);
    let grid = problem.board.size_alone();
    let mut code = Code(vec![
        Flag::FixedRotations.bit(!puzzle.may_turn)
            | Flag::OtherBoard.bit(grid.is_none())
            | Flag::Names.bit(has_names)
            | Flag::Constraints.bit(has_constraints)
            | Flag::PrintedThrough.bit(is_printed_through)
            | Flag::Backs.bit(has_backs)
            | Flag::Copies.bit(puzzle.has_copies()),
    ]);
    code.text(&puzzle.name);
    match grid {
        Some((rows, columns)) => {
            code.number(rows);
            code.number(columns);
        }
        None => code.text(&yaml::flow(&yaml::board_as_written(problem))),
    }
    code.labels(puzzle);
    code.tiles(puzzle, grid.is_none());
    if has_constraints {
        code.text(&yaml::flow(&constraints));
    }
    code.0.extend(check(&code.0));
    let body = URL_SAFE_NO_PAD.encode(&code.0);
    let keeps = [
        Some(Detail::TileNames),
        Some(Detail::ImageNames),
        Some(Detail::Size),
        Some(Detail::FixedRotations),
        Some(Detail::Constraints),
        Some(Detail::Copies),
    ];
    Ok(Exported { text: format!("{LETTERS}{VERSION}-{body}\n"), lost: lost(problem, &keeps) })
}

/// Whether tiles have backs that are printed by themselves.
fn has_backs(puzzle: &Puzzle) -> bool {
    let mut tiles = puzzle.tiles.iter();
    tiles.any(|tile| tile.back.is_some()) && !puzzle.is_printed_through()
}

/// A code while it is put together.
struct Code(Vec<u8>);

impl Code {
    /// The images, and which of them is the border.
    fn labels(&mut self, puzzle: &Puzzle) {
        // A label's number here is its number there: images enter in the same order.
        let labels = &puzzle.labels;
        let firsts: Vec<Label> = labels.firsts().collect();
        self.number(firsts.len());
        for &label in &firsts {
            let edge = labels.edge(label);
            self.number(2 * edge.image.len() + usize::from(edge.half != Half::Whole));
            self.0.extend(edge.image.as_bytes());
        }
        let border =
            puzzle.border.and_then(|border| firsts.iter().position(|&label| label == border));
        self.number(border.map_or(0, |image| image + 1));
    }

    /// The tiles with their edges.
    fn tiles(&mut self, puzzle: &Puzzle, is_other_board: bool) {
        let has_names = puzzle.has_tile_names();
        let is_printed_through = puzzle.is_printed_through();
        let has_backs = has_backs(puzzle);
        self.number(puzzle.tiles.len());
        for tile in &puzzle.tiles {
            if has_names {
                self.text(&tile.name);
            }
            if is_other_board || has_backs {
                self.number(
                    2 * tile.sides() + usize::from(tile.back.is_some() && !is_printed_through),
                );
            }
            if puzzle.has_copies() {
                self.number(tile.copies.number().unwrap_or(0));
            }
        }
        let backs = puzzle
            .tiles
            .iter()
            .filter_map(|tile| tile.back.as_ref().filter(|_| !is_printed_through));
        let shown = puzzle.tiles.iter().map(|tile| &tile.edges).chain(backs).flatten();
        self.digits(puzzle.labels.len(), &shown.map(|label| label.index()).collect::<Vec<_>>());
    }

    fn number(&mut self, mut number: usize) {
        while number > 127 {
            self.0.push((number & 127) as u8 | 128);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.extend(text.as_bytes());
    }

    /// Digits to a base as one number, in as many bytes as the largest such number has.
    fn digits(&mut self, base: usize, digits: &[usize]) {
        let bytes = number_of(base, digits).to_bytes_be();
        let length = bytes_of(base, digits.len());
        // Zero is one byte there, and none here.
        let bytes = &bytes[bytes.len().saturating_sub(length)..];
        self.0.extend(std::iter::repeat_n(0, length - bytes.len()));
        self.0.extend(bytes);
    }
}

fn number_of(base: usize, digits: &[usize]) -> BigUint {
    match digits {
        [] => BigUint::ZERO,
        [digit] => BigUint::from(*digit),
        digits => {
            let (high, low) = digits.split_at(digits.len() - digits.len() / 2);
            let power = BigUint::from(base).pow(u32::try_from(low.len()).unwrap_or(u32::MAX));
            number_of(base, high) * power + number_of(base, low)
        }
    }
}
