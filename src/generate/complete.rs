//! Complete sets: every tile with a given number of colours, each once, like MacMahon's 24 squares
//! of three.
//!
//! With k sides and n colours, there are as many tiles as necklaces, (1/k) Σ φ(d) n^(k/d) over the
//! divisors d of k: n(n+1)(n²−n+2)/4 squares, n(n²+2)/3 triangles. If tiles may not be rotated,
//! there are nᵏ. P. A. MacMahon, New Mathematical Pastimes, 1921.

use itertools::Itertools;

use super::GenerateError;
use crate::board::Board;
use crate::problem::Problem;
use crate::puzzle::list_rotations;

/// The maximum number of tiles with the same number of sides.
const MOST_TILES: usize = 10_000;

/// The edges of all different tiles with `sides` sides, ascending. Colours are numbered from 0. If
/// tiles may turn, a tile is listed once, in its smallest rotation.
fn every_tile(sides: usize, colours: usize, may_turn: bool) -> impl Iterator<Item = Vec<usize>> {
    let all = (0..sides).map(|_| 0..colours).multi_cartesian_product();
    all.filter(move |tile| !may_turn || list_rotations(tile).all(|turn| *tile <= turn))
}

/// The number of different tiles with `sides` sides, each of one of `colours` colours. If tiles may
/// turn, rotations count once.
///
/// # Errors
/// If there are more than 10,000.
pub fn number_of_tiles(
    sides: usize,
    colours: usize,
    may_turn: bool,
) -> Result<usize, GenerateError> {
    let all = u32::try_from(sides).ok().and_then(|k| colours.checked_pow(k));
    // A tile has at most as many rotations as sides.
    let most = MOST_TILES * sides;
    if all.is_none_or(|all| all > most) {
        return Err(too_many_tiles());
    }
    match every_tile(sides, colours, may_turn).count() {
        number if number > MOST_TILES => Err(too_many_tiles()),
        number => Ok(number),
    }
}

/// The error for a set with more than [`MOST_TILES`] tiles.
fn too_many_tiles() -> GenerateError {
    GenerateError::Impossible(format!("it would have more than {MOST_TILES} tiles"))
}

/// Creates a problem with every tile of the given number of colours, each once, for every number of
/// sides on the board.
///
/// # Errors
/// If the tiles do not fill the board, or there are more than 10,000 with some number of sides.
pub fn complete_set(
    board: Board,
    colours: usize,
    may_turn: bool,
) -> Result<Problem, GenerateError> {
    let mut builder = Problem::builder(format!("every-tile-of-{colours}"));
    let mut number = 0;
    for sides in board.numbers_of_sides() {
        number_of_tiles(sides, colours, may_turn)?;
        for tile in every_tile(sides, colours, may_turn) {
            number += 1;
            let edges = tile.iter().map(|colour| format!("img{}", colour + 1));
            builder = builder.tile(number.to_string(), edges);
        }
    }
    if !may_turn {
        builder = builder.without_turning();
    }
    builder.with_board(board).build().map_err(|error| GenerateError::Impossible(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_as_large_as_the_formulas_say() {
        let number = |sides, colours| number_of_tiles(sides, colours, true).unwrap();
        for n in 1..6 {
            assert_eq!(number(3, n), n * (n * n + 2) / 3);
            assert_eq!(number(4, n), n * (n + 1) * (n * n - n + 2) / 4);
            assert_eq!(number_of_tiles(4, n, false).unwrap(), n.pow(4));
        }
        assert_eq!((number(4, 3), number(3, 4), number(6, 2)), (24, 24, 14));
        assert_eq!((number(6, 3), number(5, 3)), (130, 51));
        assert!(number_of_tiles(4, 15, true).is_err());
        assert!(number_of_tiles(12, 9, true).is_err());
    }

    #[test]
    fn no_two_tiles_of_a_set_are_alike() {
        let problem = complete_set(Board::grid(4, 6), 3, true).unwrap();
        assert_eq!(problem.kinds.kinds.len(), 24);
        assert!(problem.uses_every_tile());
        assert!(complete_set(Board::grid(5, 5), 3, true).is_err());
    }
}
