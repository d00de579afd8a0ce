//! Generates puzzles.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::SyncSender;

use edgematch::enumerate::Limits;
use edgematch::generate::{Classes, Deal, Difficulty, GenerateError, Generator, Recipe, Target};
use edgematch::load;
use edgematch::problem::Problem;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::Stopped;
use crate::background::{Background, Signals};
use crate::puzzle::{PyProblem, refused};
use crate::search::{limits, seconds};
use crate::unanswered;

/// The properties of a new puzzle, as the keys of a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wish {
    /// The board in the notation of puzzle files.
    board: String,
    /// The number of images; `None` for as many as the difficulty, or a single solution, needs.
    images: Option<usize>,
    /// True if images have two halves.
    halves: bool,
    /// The number of images that only occur in the frame; `None` without a frame.
    frame: Option<usize>,
    /// True if tiles may be rotated.
    may_turn: bool,
    /// True if tiles have backs.
    two_sided: bool,
    /// The minimum and the maximum number of solutions up to symmetry.
    classes: Option<(u64, Option<u64>)>,
    /// The difficulty.
    difficulty: Option<WishedDifficulty>,
    /// True if no two tiles may look the same.
    no_twins: bool,
}

/// A difficulty by name, or as a range of tries per distinct solution.
#[derive(FromPyObject)]
enum WishedDifficulty {
    Named(String),
    Range(f64, Option<f64>),
}

impl WishedDifficulty {
    fn range(&self) -> PyResult<Difficulty> {
        let range = match self {
            WishedDifficulty::Named(name) => Difficulty::named(name),
            WishedDifficulty::Range(from, to) => {
                Some(Difficulty { from: *from, to: to.unwrap_or(f64::INFINITY) })
            }
        };
        let expected = "difficulty: expected easy, medium, hard, or a range of tries, of which the \
                        first is less than the second";
        let is_range = |range: &Difficulty| range.from < range.to;
        range.filter(is_range).ok_or_else(|| PyValueError::new_err(expected))
    }
}

impl Wish {
    /// The generator: of puzzles with the edges of `like`, or of those of a recipe.
    fn generator(&self, like: Option<&Problem>, has_limit: bool) -> PyResult<Generator> {
        let difficulty = self.difficulty.as_ref().map(WishedDifficulty::range).transpose()?;
        let classes = self.classes.map(|(from, to)| Classes { from, to });
        if classes.is_some_and(|range| range.to.is_some_and(|to| to < range.from)) {
            return Err(PyValueError::new_err("classes: the minimum exceeds the maximum"));
        }
        let target = Target { classes, difficulty, no_twins: self.no_twins };
        if let Some(like) = like {
            let classes = classes.or(Some(Classes::ONE));
            let deal = Deal::new(like).map_err(|error| refuse(&error))?;
            return Ok(Generator::dealing(deal, Target { classes, ..target }));
        }
        let mut recipe = Recipe {
            board: load::read_board(&self.board, "board").map_err(|error| refused(&error))?,
            images: self.images.unwrap_or(1),
            has_halves: self.halves,
            frame: self.frame,
            may_turn: self.may_turn,
            two_sided: self.two_sided,
        };
        if self.images.is_none() {
            recipe = match recipe.clone().with_fitting_images(difficulty) {
                // With a time limit, the user accepts that the search may be in vain.
                Err(GenerateError::Hopeless(_)) if has_limit => recipe.with_fitting_images(None),
                fitting => fitting,
            }
            .map_err(|error| refuse(&error))?;
        }
        Generator::new(recipe, target).map_err(|error| refuse(&error))
    }

    /// Generates the puzzle. Without a time limit, hopeless wishes are refused.
    fn make(&self, like: Option<&Problem>, seed: u64, limits: &Limits<'_>) -> PyResult<Problem> {
        let generator = self.generator(like, limits.time.is_some())?;
        if limits.time.is_none() {
            generator.refuse_hopeless(limits).map_err(|error| refuse(&error))?;
        }
        let made = generator.make(seed, limits, &mut |_| {}).map_err(|error| refuse(&error))?;
        Ok(made.problem)
    }
}

/// Converts the reason why there is no puzzle to an exception.
fn refuse(error: &GenerateError) -> PyErr {
    match error {
        GenerateError::Impossible(_) => PyValueError::new_err(error.to_string()),
        GenerateError::Stopped(status) => unanswered(status),
        GenerateError::Hopeless(_) | GenerateError::GivenUp { .. } => {
            Stopped::new_err(error.to_string())
        }
    }
}

/// Generates a puzzle with this name; equal seeds give equal puzzles. `like` is a puzzle whose edges
/// are dealt anew.
#[pyfunction]
pub fn generate(
    py: Python<'_>,
    wish: Wish,
    like: Option<&PyProblem>,
    name: String,
    seed: u64,
    time_limit: Option<f64>,
) -> PyResult<PyProblem> {
    let time = seconds(time_limit)?;
    let like = like.map(|like| Arc::clone(&like.inner));
    let work = move |answers: &SyncSender<_>, stop: &AtomicBool| {
        // If nobody waits any more, the puzzle is not needed.
        let _ = answers.send(wish.make(like.as_deref(), seed, &limits(time, None, stop)));
    };
    let made = Background::start(Arc::<Signals>::default(), work)?.wait(py)??;
    let source = format!("edgematch {}, seed {seed}", edgematch::VERSION);
    Ok(PyProblem::new(made.with_name(name, Some(source))))
}
