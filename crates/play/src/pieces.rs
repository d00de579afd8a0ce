//! Numbers for a player's pieces, from 0: first those of the first tile, then those of the next.

use std::ops::Range;

use edgematch::problem::{Placed, Problem};

/// A placement in numbers: the piece, and the [index](edgematch::puzzle::Orientation::index) of its
/// orientation.
pub type PlacedPiece = [usize; 2];

/// The numbers of a problem's [pieces](Problem::pieces).
pub struct Pieces {
    /// The number of the first piece of each tile, followed by the total number of pieces.
    firsts: Vec<usize>,
}

impl Pieces {
    /// Numbers the pieces of a problem. A tile with `copies: any` has one piece per cell.
    pub fn new(problem: &Problem) -> Self {
        let mut firsts = vec![0];
        let mut number = 0;
        for tile in &problem.puzzle.tiles {
            number += tile.copies.limited_to(problem.board.size());
            firsts.push(number);
        }
        Pieces { firsts }
    }

    /// The total number of pieces.
    pub fn number(&self) -> usize {
        self.firsts[self.firsts.len() - 1]
    }

    /// The pieces of a tile.
    pub fn pieces_of(&self, tile: usize) -> Range<usize> {
        self.firsts[tile]..self.firsts[tile + 1]
    }

    /// Converts a placement, using the first piece of its tile.
    pub fn placed(&self, problem: &Problem, placed: Placed) -> PlacedPiece {
        let sides = problem.puzzle.tiles[placed.tile].sides();
        [self.firsts[placed.tile], placed.orientation.index(sides)]
    }

    /// Converts an arrangement. Repeated tiles use their pieces in order.
    pub fn arrangement(&self, problem: &Problem, all: &[Placed]) -> Vec<PlacedPiece> {
        let mut placed_before = vec![0; problem.puzzle.tiles.len()];
        let number = |&placed: &Placed| {
            let [first, orientation] = self.placed(problem, placed);
            let before = &mut placed_before[placed.tile];
            *before += 1;
            [first + *before - 1, orientation]
        };
        all.iter().map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_separate_pieces() {
        let text = "rows: 1\ncols: 3\ntiles: {x: {edges: [a, a, a, a], copies: 2}, y: {edges: [a, a, a, \
                    b], copies: any}}";
        let problem = edgematch::load::from_str(text).unwrap();
        let pieces = Pieces::new(&problem);
        let of: Vec<usize> = problem.pieces().collect();
        assert_eq!(of, [0, 0, 1, 1, 1]);
        assert_eq!(pieces.number(), of.len());
        assert_eq!([0, 1].map(|tile| pieces.pieces_of(tile)), [0..2, 2..5]);
        let placed = |tile| Placed { tile, orientation: Default::default() };
        let numbers = pieces.arrangement(&problem, &[1, 0, 1].map(placed));
        assert_eq!(numbers, [[2, 0], [0, 0], [3, 0]]);
        assert_eq!(pieces.placed(&problem, placed(1)), [2, 0]);
    }

    /// Would take far too long if every pair of pieces were compared.
    #[test]
    fn numbering_ten_thousand_pieces_is_fast() {
        let text = "{rows: 100, cols: 100, tiles: {1: {edges: [a, b, a, b], copies: any}}}";
        let problem = edgematch::load::from_str(text).unwrap();
        let placed = Placed { tile: 0, orientation: Default::default() };
        let numbers = Pieces::new(&problem).arrangement(&problem, &[placed; 10_000]);
        assert!(numbers.into_iter().eq((0..10_000).map(|piece| [piece, 0])));
    }
}
