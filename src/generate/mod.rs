//! New puzzles: made from a solution, then changed until they meet the target.
//!
//! ```text
//!  recipe ──► planted ──► judged ──► target met? ──► measured
//!  or deal    puzzle      counted    no: change one
//!                ▲                   or two edges
//!                └───────────────────────┘ kept if the puzzle is no further from the target
//! ```
//!
//! Nothing depends on time or on threads: the result follows from the seed.

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

/// Where puzzles come from.
trait Source: Sync {
    /// A random puzzle.
    fn start(&self, random: &mut Random) -> Planted;

    /// Changes a puzzle a little; `false` where it cannot be changed.
    fn change(&self, planted: &mut Planted, random: &mut Random) -> bool;
}

/// A range of numbers of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classes {
    /// At least so many.
    pub from: u64,
    /// At most so many, where there is a limit.
    pub to: Option<u64>,
}

impl Classes {
    /// Exactly one.
    pub const ONE: Classes = Classes { from: 1, to: Some(1) };

    /// How far a number is from the range: the logarithm of the quotient; 0 inside.
    fn off(self, number: u64) -> f64 {
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
    /// At least this.
    pub from: f64,
    /// Less than this; infinity for no limit.
    pub to: f64,
}

impl Difficulty {
    /// How far a difficulty is from the range: the logarithm of the quotient; 0 inside.
    fn off(self, difficulty: AtLeast<f64>) -> f64 {
        /// Not in the range, however near.
        const LEAST: f64 = 1e-9;
        let number = difficulty.number;
        match () {
            () if number < self.from => (self.from / number.max(1.0)).ln(),
            () if number >= self.to => (number / self.to).ln() + LEAST,
            () => 0.0,
        }
    }
}

/// What is wished of a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wish {
    /// So many solutions, up to the symmetries of the board.
    pub classes: Option<Classes>,
    /// So hard.
    pub difficulty: Option<Difficulty>,
    /// No two tiles alike.
    pub no_twins: bool,
}

impl Wish {
    /// Whether twins are out of the question: they make two classes of each.
    fn no_twins(&self) -> bool {
        self.no_twins || self.is_unique()
    }

    fn is_unique(&self) -> bool {
        self.classes == Some(Classes::ONE)
    }
}

/// Why there is no puzzle.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GenerateError {
    /// There is none, whatever is tried.
    #[error("there is no such puzzle: {0}")]
    Impossible(String),
    /// There may be one, but nobody would find it.
    #[error("hopeless: {0}")]
    Hopeless(String),
    /// It was sought long enough.
    #[error("given up after {changes} changes{}", seen(classes.as_ref(), *difficulty))]
    GivenUp {
        /// So many edges were changed.
        changes: u64,
        /// The classes of the puzzle that was nearest.
        classes: Option<BigUint>,
        /// Its difficulty, where it was asked for.
        difficulty: Option<AtLeast<f64>>,
    },
    /// A limit ended it, or an engine failed.
    #[error("{}", stopped(.0))]
    Stopped(RunStatus),
}

fn seen(classes: Option<&BigUint>, difficulty: Option<AtLeast<f64>>) -> String {
    let Some(classes) = classes else {
        return String::new();
    };
    let tries = difficulty.map_or_else(String::new, |AtLeast { number, is_all }| {
        let most = if is_all { "" } else { "more than " };
        format!(" and takes {most}{number:.0} tries per distinct solution")
    });
    let counted = crate::engine::counted(classes, "class", "classes");
    format!("; the nearest puzzle has {counted}{tries}")
}

fn stopped(status: &RunStatus) -> String {
    if status.is_failure() {
        status.to_string()
    } else {
        "stopped before a puzzle was found".into()
    }
}

/// A new puzzle.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Made {
    /// The puzzle on its board.
    pub problem: Problem,
    /// What was measured of it.
    pub measured: Measured,
    /// So many changes of edges were tried.
    pub changes: u64,
}

/// What puzzles of one sort are made of.
trait Origin: Sync {
    fn board(&self) -> &Board;

    /// Puzzles with a solution planted.
    fn planting(&self) -> Box<dyn Source + '_>;

    /// The natural logarithm of the number of classes beside the one planted, on average.
    fn ln_expected(&self) -> f64;

    /// What has so many classes by accident, and what would have fewer, as a message.
    fn too_many(&self, expected: &str) -> String;
}

/// Makes puzzles of one sort.
pub struct Generator {
    origin: Box<dyn Origin>,
    wish: Wish,
}

impl Generator {
    /// Puzzles by a recipe.
    ///
    /// # Errors
    /// Where there are none.
    pub fn new(recipe: Recipe, wish: Wish) -> Result<Generator, GenerateError> {
        recipe.refuse_impossible()?;
        recipe.refuse_too_few_tiles(&wish)?;
        Ok(Generator { origin: Box::new(recipe), wish })
    }

    /// Puzzles of the edges of another one.
    pub fn dealing(deal: Deal, wish: Wish) -> Generator {
        Generator { origin: Box::new(deal), wish }
    }

    /// A puzzle by its seed: the same one whenever the seed is the same.
    ///
    /// # Errors
    /// Where none is found, or the limits end it.
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
            wish: &self.wish,
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

    /// Refuses what would be sought in vain: where chance alone gives far more solutions than are
    /// wished, or where nobody could count them.
    ///
    /// # Errors
    /// Why, as a message; or where the limits end it before that is known.
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

    /// Probes tell at once where a count would never end.
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

/// Above e to this times the wished number of classes, changes do not bring it down.
const MOST_LN_EXPECTED: f64 = 12.0;

/// Trees above this take minutes, and there may be many of them.
const MOST_EXPECTED_NODES: f64 = 2e7;

/// A number by its natural logarithm.
fn power_of_ten(ln: f64) -> String {
    const READABLE: f64 = 1e6;
    match ln.exp() {
        number if number < READABLE => format!("{number:.0}"),
        _ => format!("10^{:.0}", ln / std::f64::consts::LN_10),
    }
}
