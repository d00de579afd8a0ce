//! Random puzzles that a player requests.
//!
//! Impossible or too large requests are rejected before generation starts.

use edgematch::board::Board;
use edgematch::enumerate::Limits;
use edgematch::generate::{BANDS, Classes, Difficulty, GenerateError, Generator, Recipe, Target};
use edgematch::load::{PUZZLE_FORMATS, WriteError};
use edgematch::problem::Problem;
use serde::Deserialize;
use thiserror::Error;

use crate::refusal::Refusal;

/// The maximum number of rows or columns of a generated board.
const LONGEST_SIDE: usize = 10;

/// A board with this number of cells has twice as many images as its solution needs to be unique
/// on average.
const MARGIN: usize = 80;

/// The maximum number of characters of a title.
const LONGEST_TITLE: usize = 60;

/// The parameters of a random puzzle.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomPuzzleRequest {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The number of images; by default, one with which few solutions are expected.
    #[serde(default)]
    pub images: Option<usize>,
    /// True if images have two halves; otherwise they match themselves.
    pub halves: bool,
    /// True if the puzzle must have one solution, up to rotations of the board.
    pub unique: bool,
    /// The name of a [`Band`](edgematch::generate::Band); by default any difficulty.
    #[serde(default)]
    pub difficulty: Option<String>,
    /// True for a border around the board.
    #[serde(default)]
    pub framed: bool,
    /// The title of the puzzle, of which at most 60 characters are kept.
    #[serde(default)]
    pub title: Option<String>,
    /// The random seed: the same seed and parameters give the same puzzle.
    pub seed: u64,
}

/// Why no puzzle was generated.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum NewPuzzleError {
    /// The board has no row or column, or too many.
    #[error("expected from 1 to {LONGEST_SIDE} rows and columns")]
    Size,
    /// The difficulty has no such name.
    #[error("expected one of the difficulties {}", BANDS.map(|band| band.name).join(", "))]
    Difficulty,
    /// No such puzzle exists, or none was found.
    #[error(transparent)]
    GenerateError(#[from] GenerateError),
    /// The puzzle cannot be written as a file.
    #[error(transparent)]
    WriteError(#[from] WriteError),
}

impl From<NewPuzzleError> for Refusal {
    fn from(error: NewPuzzleError) -> Refusal {
        let code = match &error {
            NewPuzzleError::GenerateError(GenerateError::Impossible(_)) => "impossible",
            NewPuzzleError::GenerateError(GenerateError::Hopeless(_)) => "hopeless",
            NewPuzzleError::GenerateError(_) => "not-generated",
            NewPuzzleError::Size => "size",
            NewPuzzleError::Difficulty | NewPuzzleError::WriteError(_) => {
                return Refusal::unanswerable(error);
            }
        };
        Refusal { code: Some(code), ..Refusal::unanswerable(error) }
    }
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
        let mut recipe = Recipe {
            board: Board::grid(self.rows, self.columns),
            images: self.images.unwrap_or(1),
            has_halves: self.halves,
            frame: self.framed.then_some(0),
            may_turn: true,
            two_sided: false,
        };
        let difficulty = self.difficulty()?;
        if self.images.is_none() {
            let fitting = difficulty.and_then(|range| recipe.images_for(range));
            // With more images, a large board is searched faster.
            let cells = self.rows * self.columns;
            let enough = || recipe.enough_images().map(|images| images + images * cells / MARGIN);
            recipe.images = fitting.or_else(enough).unwrap_or(1);
        }
        let target = Target {
            classes: self.unique.then_some(Classes::ONE),
            difficulty,
            ..Target::default()
        };
        let images = recipe.images;
        let generator = Generator::new(recipe, target)?;
        generator.refuse_hopeless(limits)?;
        let name = format!("{}x{}-{images}-s{}", self.rows, self.columns, self.seed);
        let source = format!("edgematch {}: {}", env!("CARGO_PKG_VERSION"), self.recipe(images));
        let made = generator.make(self.seed, limits, &mut |_| {})?;
        let title = self.title.as_ref().map(|title| title.chars().take(LONGEST_TITLE).collect());
        let problem = made.problem.with_name(name, Some(source)).with_title(title);
        let text = PUZZLE_FORMATS[0].write(&problem, None)?.text;
        Ok((problem, text))
    }

    /// The range of the difficulty, if it has one.
    fn difficulty(&self) -> Result<Option<Difficulty>, NewPuzzleError> {
        let named = |name: &String| Difficulty::named(name).ok_or(NewPuzzleError::Difficulty);
        self.difficulty.as_ref().map(named).transpose()
    }

    /// The parameters in words, for the field `source` of the puzzle.
    fn recipe(&self, images: usize) -> String {
        let halves = if self.halves { " in halves" } else { "" };
        let frame = if self.framed { ", framed" } else { "" };
        let unique = if self.unique { ", one solution" } else { "" };
        let difficulty = self.difficulty.as_ref().map_or(String::new(), |name| format!(", {name}"));
        format!(
            "{} × {}, {images} images{halves}{frame}{unique}{difficulty}, seed {}",
            self.rows, self.columns, self.seed
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn four() -> RandomPuzzleRequest {
        RandomPuzzleRequest {
            rows: 4,
            columns: 4,
            images: Some(6),
            halves: true,
            unique: true,
            seed: 7,
            ..RandomPuzzleRequest::default()
        }
    }

    #[test]
    fn the_same_seed_makes_the_same_puzzle() {
        let limits = Limits::default();
        let (problem, text) = four().make(&limits).unwrap();
        assert_eq!(problem.puzzle.tiles.len(), 16);
        assert_eq!(four().make(&limits).unwrap().1, text);
        assert!(text.contains(": 4 × 4, 6 images in halves, one solution, seed 7"));
    }

    #[test]
    fn puzzles_have_the_title_the_border_and_the_difficulty_of_the_request() {
        let limits = Limits::default();
        for band in BANDS {
            let asked = RandomPuzzleRequest {
                rows: 3,
                columns: 3,
                images: None,
                difficulty: Some(band.name.to_owned()),
                title: Some("Puzzle 7".to_owned()),
                ..four()
            };
            let (problem, _) = asked.make(&limits).unwrap();
            assert_eq!(crate::difficulty(&problem, &limits), Some(band.name));
            assert_eq!(problem.puzzle.title.as_deref(), Some("Puzzle 7"));
        }
        let framed = RandomPuzzleRequest { images: None, framed: true, ..four() };
        assert!(framed.make(&limits).unwrap().0.puzzle.border.is_some());
    }

    #[test]
    fn parameters_out_of_range_are_rejected() {
        let limits = Limits::default();
        let huge = RandomPuzzleRequest { rows: 11, ..four() };
        assert_eq!(huge.make(&limits).unwrap_err(), NewPuzzleError::Size);
        let flat = RandomPuzzleRequest { rows: 0, ..four() };
        assert_eq!(flat.make(&limits).unwrap_err(), NewPuzzleError::Size);
        let many = RandomPuzzleRequest { images: Some(1000), ..four() };
        let refusal = Refusal::from(many.make(&limits).unwrap_err());
        assert_eq!(refusal.code, Some("impossible"));
        let strange = RandomPuzzleRequest { difficulty: Some("tiny".to_owned()), ..four() };
        assert_eq!(strange.make(&limits).unwrap_err(), NewPuzzleError::Difficulty);
    }
}
