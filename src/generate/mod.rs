//! Generates puzzles: plants a solution, then changes edges until the puzzle meets the target.
//!
//! ```text
//!  recipe ──► planted ──► judged ──► target met? ──► measured
//!  or deal    puzzle      counted    no: change one
//!                ▲                   or two edges
//!                └───────────────────────┘ kept if the puzzle is no further from the target
//! ```
//!
//! The result only depends on the seed, not on time or threads.

mod complete;
mod deal;
mod measure;
mod odds;
mod planted;
mod recipe;
mod seek;

use std::cell::Cell;
use std::ops::ControlFlow;

use num_bigint::BigUint;
use thiserror::Error;

pub use self::complete::{complete_set, number_of_tiles};
pub use self::deal::Deal;
use self::deal::ShuffledSource;
use self::measure::measure;
pub use self::measure::{AtLeast, BANDS, Band, Measured};
use self::planted::Planted;
pub use self::recipe::Recipe;
use self::seek::Seeker;
use crate::board::Board;
use crate::engine::{Auto, Engine, Propagate};
use crate::enumerate::{Limits, RunStatus};
use crate::problem::Problem;
use crate::problem::oddities::allowing_all;
use crate::runtime::limits::CancelToken;
use crate::runtime::random::Random;

/// The number of random changes that are tried until one changes the puzzle.
const ATTEMPTS: usize = 64;

/// A source of random puzzles.
trait PuzzleSource: Sync {
    /// Creates a random puzzle.
    fn start(&self, random: &mut Random) -> Planted;

    /// Changes a few edges at random. Returns false if every attempt left the puzzle as it was.
    fn change(&self, planted: &mut Planted, random: &mut Random) -> bool;
}

/// A range for the number of solutions up to the symmetries of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classes {
    /// The inclusive minimum.
    pub from: u64,
    /// The inclusive maximum; `None` for no limit.
    pub to: Option<u64>,
}

impl Classes {
    /// Exactly one class.
    pub const ONE: Classes = Classes { from: 1, to: Some(1) };

    /// The distance of a number from the range: 0 within it, otherwise the natural logarithm of the
    /// ratio to the nearest bound, after adding 1 to both.
    fn distance(self, number: u64) -> f64 {
        let quotient = |more: u64, less: u64| ((more as f64 + 1.0) / (less as f64 + 1.0)).ln();
        match self.to {
            _ if number < self.from => quotient(self.from, number),
            Some(to) if number > to => quotient(number, to),
            _ => 0.0,
        }
    }
}

/// A range of difficulties, in tries per distinct arrangement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difficulty {
    /// The inclusive lower bound.
    pub from: f64,
    /// The exclusive upper bound; infinite for no limit.
    pub to: f64,
}

impl Difficulty {
    /// The range of the band with this name; `None` if there is none.
    pub fn named(name: &str) -> Option<Difficulty> {
        let band = BANDS.iter().find(|band| band.name == name)?;
        Some(Difficulty { from: band.from, to: band.to })
    }

    /// The distance of a difficulty from the range: 0 within it, otherwise the natural logarithm of
    /// the ratio to the nearest bound.
    fn distance(self, difficulty: AtLeast<f64>) -> f64 {
        /// The upper bound is exclusive, so the distance must be positive there.
        const LEAST: f64 = 1e-9;
        let number = difficulty.number;
        match () {
            () if number < self.from => (self.from / number.max(1.0)).ln(),
            () if number >= self.to => (number / self.to).ln() + LEAST,
            () => 0.0,
        }
    }
}

/// The properties that a generated puzzle must have.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Target {
    /// The number of solutions up to the symmetries of the board; `None` for any number.
    pub classes: Option<Classes>,
    /// The difficulty; `None` for any.
    pub difficulty: Option<Difficulty>,
    /// True if no two tiles may look the same.
    pub no_twins: bool,
}

impl Target {
    /// Returns true if no two tiles may look the same, be it requested or because only one solution
    /// is wanted: twins double the number of classes.
    fn excludes_twins(&self) -> bool {
        self.no_twins || self.is_unique()
    }

    /// Returns true if exactly one class is wanted.
    fn is_unique(&self) -> bool {
        self.classes == Some(Classes::ONE)
    }
}

/// The reason why no puzzle was generated.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GenerateError {
    /// There is no such puzzle, for this reason.
    #[error("there is no such puzzle: {0}")]
    Impossible(String),
    /// There may be such a puzzle, but the search has practically no chance, for this reason.
    #[error("hopeless: {0}")]
    Hopeless(String),
    /// The search reached its limit of changes or nodes without a puzzle that meets the target.
    #[error("given up after {changes} changes{}", describe_counts(classes.as_ref(), *difficulty))]
    GivenUp {
        /// The number of changes tried.
        changes: u64,
        /// The number of classes of the nearest puzzle; `None` if they were not counted.
        classes: Option<BigUint>,
        /// Its difficulty; `None` if it was not measured.
        difficulty: Option<AtLeast<f64>>,
    },
    /// A limit ended the search, or an engine failed.
    #[error("{}", stop_message(.0))]
    Stopped(RunStatus),
}

/// Formats the counts of the nearest puzzle as the end of a sentence; empty if its classes were not
/// counted.
fn describe_counts(classes: Option<&BigUint>, difficulty: Option<AtLeast<f64>>) -> String {
    let Some(classes) = classes else {
        return String::new();
    };
    let tries = difficulty.map_or_else(String::new, |AtLeast { number, is_all }| {
        let most = if is_all { "" } else { "more than " };
        format!(", and takes {most}{number:.0} tries per distinct solution")
    });
    let counted = crate::engine::counted(classes, "solution", "solutions");
    format!("; the nearest puzzle has {counted}, not counting symmetries{tries}")
}

/// The message for a search that ended with this status: the failure of an engine, or that a limit
/// was reached.
fn stop_message(status: &RunStatus) -> String {
    if status.is_failure() {
        status.to_string()
    } else {
        "stopped before a puzzle was found".into()
    }
}

/// A generated puzzle.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct GeneratedPuzzle {
    /// The puzzle on its board.
    pub problem: Problem,
    /// Its measurements.
    pub measured: Measured,
    /// The number of changes tried.
    pub changes: u64,
}

/// All puzzles of one type: those of a recipe, or those with the edges of another puzzle.
trait PuzzleFamily: Send + Sync {
    /// The board of all puzzles of the family.
    fn board(&self) -> &Board;

    /// Creates a source of random puzzles, each with a planted solution.
    fn planting(&self) -> Box<dyn PuzzleSource + '_>;

    /// The natural logarithm of the expected number of accidental classes, besides the planted one.
    fn ln_expected(&self) -> f64;

    /// A message that there are `expected` accidental solutions on average, with a change that
    /// reduces them if there is one.
    fn explain_excess(&self, expected: &str) -> String;
}

/// A generator of puzzles of one type.
pub struct Generator {
    origin: Box<dyn PuzzleFamily>,
    target: Target,
}

impl Generator {
    /// Creates a generator of puzzles that follow a recipe.
    ///
    /// # Errors
    /// [`GenerateError::Impossible`] if no puzzle follows the recipe and meets the target.
    pub fn new(recipe: Recipe, target: Target) -> Result<Generator, GenerateError> {
        recipe.refuse_impossible()?;
        recipe.refuse_too_few_tiles(&target)?;
        Ok(Generator { origin: Box::new(recipe), target })
    }

    /// Creates a generator of puzzles with the edges of another one.
    pub fn dealing(deal: Deal, target: Target) -> Generator {
        Generator { origin: Box::new(deal), target }
    }

    /// Generates a puzzle; equal seeds give equal puzzles. Calls `tell` with the number of changes
    /// tried, after each change. Without a time limit, the search gives up after 50,000 changes or
    /// about half a minute of work. The tries are only measured if the target has a difficulty.
    ///
    /// # Errors
    /// [`GenerateError::GivenUp`] if none is found, [`GenerateError::Stopped`] if the limits end
    /// the search or the measurements, [`GenerateError::Impossible`] if the tiles do not fill the
    /// board.
    pub fn make(
        &self,
        seed: u64,
        limits: &Limits<'_>,
        tell: &mut dyn FnMut(u64),
    ) -> Result<GeneratedPuzzle, GenerateError> {
        let token = &limits.token();
        let planting = self.origin.planting();
        let shuffled = ShuffledSource(&*planting);
        let has_none = self.target.classes.is_some_and(|c| c.to == Some(0));
        let seeker = Seeker {
            source: if has_none { &shuffled } else { &*planting },
            board: self.origin.board(),
            target: &self.target,
            limits,
            token,
            work: Cell::new(0),
        };
        let found = seeker.seek(&mut Random::with_seed(seed), tell)?;
        let mut measured = measure(&found.problem, found.count.as_ref(), limits, token);
        if self.target.difficulty.is_some() {
            measured = measured.and_then(|it| it.with_tries(&found.problem, token));
        }
        Ok(GeneratedPuzzle {
            measured: measured.map_err(GenerateError::Stopped)?,
            problem: allowing_all(found.problem),
            changes: found.changes,
        })
    }

    /// Rejects hopeless targets: puzzles with far more accidental solutions than requested, or with
    /// solutions that cannot be counted. Accepts all targets without a maximum number of solutions.
    ///
    /// # Errors
    /// [`GenerateError::Hopeless`] with the reason, or [`GenerateError::Stopped`] if the limits end
    /// the check.
    pub fn refuse_hopeless(&self, limits: &Limits<'_>) -> Result<(), GenerateError> {
        let Some(Classes { to: Some(to), .. }) = self.target.classes else {
            return Ok(());
        };
        let expected = self.origin.ln_expected();
        if expected - ((to + 1) as f64).ln() > MOST_LN_EXPECTED {
            let why = self.origin.explain_excess(&power_of_ten(expected));
            return Err(GenerateError::Hopeless(why));
        }
        self.refuse_uncountable(&limits.token())
    }

    /// Rejects puzzles that `propagate` does not support, or whose search tree exceeds
    /// [`MOST_EXPECTED_NODES`] according to random probes of one of them.
    ///
    /// # Errors
    /// As for [`Generator::refuse_hopeless`].
    fn refuse_uncountable(&self, token: &CancelToken<'_>) -> Result<(), GenerateError> {
        const PROBES: u32 = 200;
        const SEED: u64 = 1;
        let planted = self.origin.planting().start(&mut Random::with_seed(SEED));
        let Ok(problem) = Problem::new(planted.puzzle, self.origin.board().clone()) else {
            return Ok(());
        };
        if let Err(why) = Propagate.serves(&problem) {
            let why = format!("propagate cannot count the solutions of such a board: {why}");
            return Err(GenerateError::Hopeless(why));
        }
        let probe = || match Auto.chosen(&problem, token)? {
            Some((engine, _)) => engine.probe(&problem, PROBES, SEED, token),
            None => ControlFlow::Continue(Vec::new()),
        };
        let ways = RunStatus::unless_stopped(probe(), token).map_err(GenerateError::Stopped)?;
        let nodes = ways.iter().sum::<f64>() / (ways.len().max(1) as f64);
        if nodes <= MOST_EXPECTED_NODES {
            Ok(())
        } else {
            Err(GenerateError::Hopeless(format!(
                "counting the solutions of one such puzzle takes about {nodes:.0e} nodes; more \
                 images make it easier"
            )))
        }
    }
}

/// The natural logarithm of the largest ratio of expected to requested classes that local search
/// can make up for.
const MOST_LN_EXPECTED: f64 = 12.0;

/// The largest tree that is counted, in nodes. Larger ones take minutes, and a search may count
/// many of them.
const MOST_EXPECTED_NODES: f64 = 2e7;

/// Formats a number, given by its natural logarithm: in full below a million, otherwise as a power
/// of ten.
fn power_of_ten(ln: f64) -> String {
    const READABLE: f64 = 1e6;
    match ln.exp() {
        number if number < READABLE => format!("{number:.0}"),
        _ => format!("10^{:.0}", ln / std::f64::consts::LN_10),
    }
}
