//! Random puzzles that a player requests.
//!
//! Impossible or too large requests are rejected before generation starts.

use edgematch::board::Board;
use edgematch::enumerate::Limits;
use edgematch::generate::{Classes, GenerateError, Generator, Recipe, Target};
use edgematch::load::{PUZZLE_FORMATS, WriteError};
use edgematch::problem::Problem;
use serde::Deserialize;
use thiserror::Error;

/// The maximum number of rows or columns of a generated board.
const LONGEST_SIDE: usize = 10;

/// The parameters of a random puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomPuzzleRequest {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The number of images.
    pub images: usize,
    /// True if images have two halves; otherwise they match themselves.
    pub halves: bool,
    /// True if the puzzle must have one solution, up to rotations of the board.
    pub unique: bool,
    /// The random seed: the same seed and parameters give the same puzzle.
    pub seed: u64,
}

/// Why no puzzle was generated.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum NewPuzzleError {
    /// The board has no row or column, or too many.
    #[error("expected from 1 to {LONGEST_SIDE} rows and columns")]
    Size,
    /// No such puzzle exists, or none was found.
    #[error(transparent)]
    GenerateError(#[from] GenerateError),
    /// The puzzle cannot be written as a file.
    #[error(transparent)]
    WriteError(#[from] WriteError),
}

impl RandomPuzzleRequest {
    /// Generates the puzzle; returns it with the text of its YAML file.
    ///
    /// # Errors
    /// If the board is too large, no such puzzle exists, or none is found within the limits.
    pub fn make(&self, limits: &Limits<'_>) -> Result<(Problem, String), NewPuzzleError> {
        let is_side = |side| (1..=LONGEST_SIDE).contains(&side);
        if !is_side(self.rows) || !is_side(self.columns) {
            return Err(NewPuzzleError::Size);
        }
        let recipe = Recipe {
            board: Board::grid(self.rows, self.columns),
            images: self.images,
            has_halves: self.halves,
            frame: None,
            may_turn: true,
            two_sided: false,
        };
        let target = Target { classes: self.unique.then_some(Classes::ONE), ..Target::default() };
        let generator = Generator::new(recipe, target)?;
        generator.refuse_hopeless(limits)?;
        let name = format!("{}x{}-{}-s{}", self.rows, self.columns, self.images, self.seed);
        let source = format!("edgematch {}: {}", env!("CARGO_PKG_VERSION"), self.recipe());
        let made = generator.make(self.seed, limits, &mut |_| {})?;
        let problem = made.problem.with_name(name, Some(source));
        let text = PUZZLE_FORMATS[0].write(&problem, None)?.text;
        Ok((problem, text))
    }

    /// The parameters in words, for the field `source` of the puzzle.
    fn recipe(&self) -> String {
        let halves = if self.halves { " in halves" } else { "" };
        let unique = if self.unique { ", one solution" } else { "" };
        format!(
            "{} × {}, {} images{halves}{unique}, seed {}",
            self.rows, self.columns, self.images, self.seed
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUR: RandomPuzzleRequest =
        RandomPuzzleRequest { rows: 4, columns: 4, images: 6, halves: true, unique: true, seed: 7 };

    #[test]
    fn the_same_seed_makes_the_same_puzzle() {
        let limits = Limits::default();
        let (problem, text) = FOUR.make(&limits).unwrap();
        assert_eq!(problem.puzzle.tiles.len(), 16);
        assert_eq!(FOUR.make(&limits).unwrap().1, text);
        assert!(text.contains(": 4 × 4, 6 images in halves, one solution, seed 7"));
    }

    #[test]
    fn sizes_and_images_out_of_range_are_rejected() {
        let limits = Limits::default();
        let huge = RandomPuzzleRequest { rows: 11, ..FOUR };
        assert_eq!(huge.make(&limits).unwrap_err(), NewPuzzleError::Size);
        let flat = RandomPuzzleRequest { rows: 0, ..FOUR };
        assert_eq!(flat.make(&limits).unwrap_err(), NewPuzzleError::Size);
        let many = RandomPuzzleRequest { images: 1000, ..FOUR };
        assert!(many.make(&limits).is_err());
    }
}
