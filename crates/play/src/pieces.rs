//! What a player has in hand: [pieces](Problem::pieces) by their numbers.

use edgematch::problem::{Placed, Problem};

/// A placement in numbers: the piece, and the [number](edgematch::puzzle::Orientation::index) of how
/// it lies.
pub type PlacedPiece = [usize; 2];

/// The number of pieces.
pub fn number(problem: &Problem) -> usize {
    first(problem, problem.puzzle.tiles.len())
}

/// The first piece of a tile.
pub fn first(problem: &Problem, tile: usize) -> usize {
    (0..tile).map(|before| copies(problem, before)).sum()
}

fn copies(problem: &Problem, tile: usize) -> usize {
    let copies = problem.puzzle.tiles[tile].copies;
    copies.within(problem.board.size())
}

/// A placement of the first piece of its tile that is not among those used.
pub fn placed(problem: &Problem, placed: Placed, used: &[usize]) -> PlacedPiece {
    let sides = problem.puzzle.tiles[placed.tile].sides();
    let first = first(problem, placed.tile);
    let mut pieces = first..first + copies(problem, placed.tile);
    let piece = pieces.find(|piece| !used.contains(piece)).unwrap_or(first);
    [piece, placed.orientation.index(sides)]
}

/// Placements that lie together.
pub fn all(problem: &Problem, all: &[Placed]) -> Vec<PlacedPiece> {
    let mut used = Vec::new();
    let numbers = all.iter().map(|&one| {
        let number = placed(problem, one, &used);
        used.push(number[0]);
        number
    });
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_pieces_of_their_own() {
        let text = "rows: 1\ncols: 3\ntiles: {x: {edges: [a, a, a, a], copies: 2}, y: {edges: [a, a, a, \
                    b], copies: any}}";
        let problem = edgematch::load::from_str(text).unwrap();
        let of: Vec<usize> = problem.pieces().collect();
        assert_eq!(of, [0, 0, 1, 1, 1]);
        assert_eq!(number(&problem), of.len());
        let lies = |tile| Placed {
            tile,
            orientation: Default::default(),
        };
        let numbers = all(&problem, &[1, 0, 1].map(lies));
        assert_eq!(numbers, [[2, 0], [0, 0], [3, 0]]);
        assert_eq!(placed(&problem, lies(0), &[0]), [1, 0]);
    }
}
