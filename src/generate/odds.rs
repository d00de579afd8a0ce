//! Expected values for random puzzles: the number of solutions, and the number of different tiles.

use std::collections::BTreeMap;

use crate::board::Board;
use crate::puzzle::list_rotations;

/// The parameters that determine the expected number of accidental solutions.
pub(super) struct Odds<'a> {
    pub board: &'a Board,
    /// The number of tiles by their number of sides. Missing entries count as many tiles as cells.
    pub tiles: BTreeMap<usize, usize>,
    pub has_frame: bool,
    pub may_turn: bool,
    /// The number of faces of a tile that may be up.
    pub faces: usize,
    /// The order of the group under which solutions are counted.
    pub group: usize,
    /// The probability that two random edges match, inside and along the frame.
    pub matching: [f64; 2],
}

/// The pattern of rim sides of a cell (true for a side on the rim) in its smallest rotation, and
/// the number of rotations that leave it unchanged. If tiles may not turn, the pattern itself and
/// 1.
fn rim_pattern(board: &Board, cell: usize, may_turn: bool) -> (Vec<bool>, usize) {
    let here: Vec<bool> = board.touching_sides(cell).iter().map(Option::is_none).collect();
    if !may_turn {
        return (here, 1);
    }
    let all: Vec<Vec<bool>> = list_rotations(&here).collect();
    let same = all.iter().filter(|turned| **turned == here).count();
    (all.into_iter().min().unwrap_or(here), same)
}

/// The types of cells by their pattern of rim sides, with the number of cells and of possible
/// rotations of a tile in them. Without a frame, cells differ only in the number of sides.
fn cell_types(
    board: &Board,
    has_frame: bool,
    may_turn: bool,
) -> BTreeMap<Vec<bool>, (usize, usize)> {
    let mut cell_types: BTreeMap<Vec<bool>, (usize, usize)> = BTreeMap::new();
    for (cell, sides) in board.cells().iter().map(|cell| cell.sides).enumerate() {
        let (rim, turns) = if has_frame {
            rim_pattern(board, cell, may_turn)
        } else {
            (vec![false; sides], if may_turn { sides } else { 1 })
        };
        let (number, _) = cell_types.entry(rim).or_insert((0, turns));
        *number += 1;
    }
    cell_types
}

impl Odds<'_> {
    /// The natural logarithm of the expected number of classes besides a planted solution: for
    /// example, n!·4^n arrangements of n squares, in which each seam matches with the same
    /// probability.
    pub fn ln_classes(&self) -> f64 {
        let cell_types = cell_types(self.board, self.has_frame, self.may_turn);
        let arrangements = cell_types.iter().map(|(rim, &(cells, turns))| {
            let is_anywhere = !rim.contains(&true);
            let spare = self.tiles.get(&rim.len()).filter(|_| is_anywhere && !self.has_frame);
            let tiles = spare.copied().unwrap_or(cells).max(cells);
            ln_factorial(tiles) - ln_factorial(tiles - cells)
                + cells as f64 * ((turns * self.faces) as f64).ln()
        });
        let fits = self.board.touching().map(|ends| {
            let of_frame = ends.iter().all(|&(cell, _)| self.board.is_on_rim(cell));
            self.matching[usize::from(of_frame)].ln()
        });
        arrangements.sum::<f64>() + fits.sum::<f64>() - (self.group as f64).ln()
    }
}

/// The natural logarithm of a factorial.
fn ln_factorial(number: usize) -> f64 {
    (2..=number).map(|factor| (factor as f64).ln()).sum()
}

/// A type of cell, with the number of different one-sided tiles that fit it.
pub(super) struct CellType {
    /// The number of cells of this type.
    pub cells: usize,
    /// The number of different tiles.
    pub any: f64,
    /// The number of different tiles without rotational symmetry.
    pub turning: f64,
}

/// Counts the different tiles for each type of cell, given the numbers of labels inside and along
/// the frame.
pub(super) fn different_tiles(
    board: &Board,
    has_frame: bool,
    may_turn: bool,
    labels: [usize; 2],
) -> Vec<CellType> {
    let most = labels[0].max(labels[1]);
    let counted = cell_types(board, has_frame, may_turn).into_iter().map(|(rim, (cells, _))| {
        let free = rim.iter().filter(|is_rim| !**is_rim).count();
        let (any, turning) = match free == rim.len() && may_turn {
            // An inner cell of a framed board has no side along the frame.
            true if has_frame => {
                (count_rings(labels[0], free), count_aperiodic_rings(labels[0], free))
            }
            true => (count_rings(most, free), count_aperiodic_rings(most, free)),
            false => [(); 2].map(|()| (most as f64).powi(free as i32)).into(),
        };
        CellType { cells, any, turning }
    });
    counted.collect()
}

/// The number of cyclic sequences of `sides` labels, up to rotation (Burnside's lemma).
fn count_rings(labels: usize, sides: usize) -> f64 {
    let fixed = |turn: usize| (labels as f64).powi(gcd(turn, sides) as i32);
    (0..sides).map(fixed).sum::<f64>() / sides as f64
}

/// The greatest common divisor.
fn gcd(a: usize, b: usize) -> usize {
    if a == 0 { b } else { gcd(b % a, a) }
}

/// The number of cyclic sequences, up to rotation, that differ from each of their rotations
/// (Moreau, *Nouvelles annales de mathématiques* 11, 1872).
fn count_aperiodic_rings(labels: usize, sides: usize) -> f64 {
    let divisors = (1..=sides).filter(|d| sides.is_multiple_of(*d));
    let sum: f64 = divisors.map(|d| moebius(d) * (labels as f64).powi((sides / d) as i32)).sum();
    sum / sides as f64
}

/// The Möbius function.
fn moebius(number: usize) -> f64 {
    let mut left = number;
    let mut sign = 1.0;
    for prime in 2..=number {
        if left.is_multiple_of(prime) {
            left /= prime;
            sign = -sign;
            if left.is_multiple_of(prime) {
                return 0.0;
            }
        }
    }
    sign
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected number of classes for an n × n board of squares without symmetries.
    fn expected_classes(n: usize, images: usize) -> f64 {
        let board = Board::grid(n, n);
        let odds = Odds {
            board: &board,
            tiles: BTreeMap::from([(4, n * n)]),
            has_frame: false,
            may_turn: true,
            faces: 1,
            group: 1,
            matching: [1.0 / (2 * images) as f64; 2],
        };
        odds.ln_classes().exp()
    }

    #[test]
    fn expected_classes_of_squares_agree_with_the_formula() {
        // 9!·4^9 / 8^12 and 16!·4^16 / 12^24.
        assert!((expected_classes(3, 4) - 1.3843).abs() < 1e-3);
        assert!((expected_classes(4, 6) - 1.130e-3).abs() < 1e-5);
    }

    #[test]
    fn rings_without_rotational_symmetry_are_counted() {
        // Two labels: 1000, 1100, 1110.
        assert_eq!((count_aperiodic_rings(2, 4), count_rings(2, 4)), (3.0, 6.0));
        assert_eq!(count_aperiodic_rings(8, 4), 1008.0);
        assert_eq!(count_aperiodic_rings(2, 3), 2.0);
        assert_eq!(count_aperiodic_rings(3, 6), 116.0);
    }
}
