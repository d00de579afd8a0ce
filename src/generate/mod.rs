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
use self::deal::Shuffled;
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

/// A source of random puzzles.
trait PuzzleSource: Sync {
    /// Creates a random puzzle.
    fn start(&self, random: &mut Random) -> Planted;

    /// Changes a puzzle slightly; returns false if it cannot be changed.
    fn change(&self, planted: &mut Planted, random: &mut Random) -> bool;
}

/// A range for the number of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classes {
    /// The minimum.
    pub from: u64,
    /// The maximum, if there is one.
    pub to: Option<u64>,
}

impl Classes {
    /// Exactly one class.
    pub const ONE: Classes = Classes { from: 1, to: Some(1) };

    /// The distance of a number from the range, as the logarithm of their ratio; 0 within the
    /// range.
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
    /// The minimum.
    pub from: f64,
    /// The exclusive upper bound; infinite for no limit.
    pub to: f64,
}

impl Difficulty {
    /// The distance of a difficulty from the range, as the logarithm of their ratio; 0 within the
    /// range.
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

/// The target for a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Target {
    /// The number of solutions up to the symmetries of the board.
    pub classes: Option<Classes>,
    /// The difficulty.
    pub difficulty: Option<Difficulty>,
    /// True if no two tiles may look the same.
    pub no_twins: bool,
}

impl Target {
    /// Returns true if twins are excluded. Twins double the number of classes.
    fn no_twins(&self) -> bool {
        self.no_twins || self.is_unique()
    }

    fn is_unique(&self) -> bool {
        self.classes == Some(Classes::ONE)
    }
}

/// The reason why no puzzle was generated.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GenerateError {
    /// There is no such puzzle.
    #[error("there is no such puzzle: {0}")]
    Impossible(String),
    /// There may be such a puzzle, but the search is practically hopeless.
    #[error("hopeless: {0}")]
    Hopeless(String),
    /// The search reached its limit of changes or nodes.
    #[error("given up after {changes} changes{}", describe_counts(classes.as_ref(), *difficulty))]
    GivenUp {
        /// The number of changed edges.
        changes: u64,
        /// The number of classes of the nearest puzzle.
        classes: Option<BigUint>,
        /// Its difficulty, if requested.
        difficulty: Option<AtLeast<f64>>,
    },
    /// A limit ended the search, or an engine failed.
    #[error("{}", stopped(.0))]
    Stopped(RunStatus),
}

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

fn stopped(status: &RunStatus) -> String {
    if status.is_failure() {
        status.to_string()
    } else {
        "stopped before a puzzle was found".into()
    }
}

/// A generated puzzle.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Made {
    /// The puzzle on its board.
    pub problem: Problem,
    /// Its measurements.
    pub measured: Measured,
    /// The number of changes tried.
    pub changes: u64,
}

/// The material for puzzles of one type.
trait PuzzleFamily: Sync {
    fn board(&self) -> &Board;

    /// A source of puzzles with a planted solution.
    fn planting(&self) -> Box<dyn PuzzleSource + '_>;

    /// The natural logarithm of the expected number of classes besides the planted one.
    fn ln_expected(&self) -> f64;

    /// A message that names the expected number of accidental classes, and a change that reduces
    /// it.
    fn too_many(&self, expected: &str) -> String;
}

/// A generator of puzzles of one type.
pub struct Generator {
    origin: Box<dyn PuzzleFamily>,
    wish: Target,
}

impl Generator {
    /// Generates puzzles from a recipe.
    ///
    /// # Errors
    /// If there are none.
    pub fn new(recipe: Recipe, wish: Target) -> Result<Generator, GenerateError> {
        recipe.refuse_impossible()?;
        recipe.refuse_too_few_tiles(&wish)?;
        Ok(Generator { origin: Box::new(recipe), wish })
    }

    /// Generates puzzles from the edges of another one.
    pub fn dealing(deal: Deal, wish: Target) -> Generator {
        Generator { origin: Box::new(deal), wish }
    }

    /// Generates a puzzle; equal seeds give equal puzzles. Calls `tell` with the number of changes
    /// tried.
    ///
    /// # Errors
    /// If none is found, or the limits end the search.
    pub fn make(
        &self,
        seed: u64,
        limits: &Limits<'_>,
        tell: &mut dyn FnMut(u64),
    ) -> Result<Made, GenerateError> {
        let token = &limits.token();
        let planting = self.origin.planting();
        let shuffled = Shuffled(&*planting);
        let has_none = self.wish.classes.is_some_and(|c| c.to == Some(0));
        let seeker = Seeker {
            source: if has_none { &shuffled } else { &*planting },
            board: self.origin.board(),
            target: &self.wish,
            limits,
            token,
            work: Cell::new(0),
        };
        let sought = seeker.seek(&mut Random::with_seed(seed), tell)?;
        let mut measured = measure(&sought.problem, sought.count.as_ref(), limits, token);
        if self.wish.difficulty.is_some() {
            measured = measured.and_then(|it| it.with_tries(&sought.problem, token));
        }
        Ok(Made {
            measured: measured.map_err(GenerateError::Stopped)?,
            problem: allowing_all(sought.problem),
            changes: sought.changes,
        })
    }

    /// Rejects hopeless targets: puzzles with far more accidental solutions than requested, or with
    /// solutions that cannot be counted.
    ///
    /// # Errors
    /// A message with the reason; or a status if the limits end the check.
    pub fn refuse_hopeless(&self, limits: &Limits<'_>) -> Result<(), GenerateError> {
        let Some(Classes { to: Some(to), .. }) = self.wish.classes else {
            return Ok(());
        };
        let expected = self.origin.ln_expected();
        if expected - ((to + 1) as f64).ln() > MOST_LN_EXPECTED {
            let why = self.origin.too_many(&power_of_ten(expected));
            return Err(GenerateError::Hopeless(why));
        }
        self.refuse_uncountable(&limits.token())
    }

    /// Rejects puzzles for which probes show that a count would not finish.
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
        let Some(ways) = probe().continue_value() else {
            return Err(GenerateError::Stopped(RunStatus::stopped_by(token)));
        };
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

/// If the expected count exceeds target · e^12, local search cannot reach the target.
const MOST_LN_EXPECTED: f64 = 12.0;

/// Larger trees take minutes, and a search may count many of them.
const MOST_EXPECTED_NODES: f64 = 2e7;

/// Formats a number given by its natural logarithm.
fn power_of_ten(ln: f64) -> String {
    const READABLE: f64 = 1e6;
    match ln.exp() {
        number if number < READABLE => format!("{number:.0}"),
        _ => format!("10^{:.0}", ln / std::f64::consts::LN_10),
    }
}
