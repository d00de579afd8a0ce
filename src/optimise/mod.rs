//! The best arrangements, with a proof that none is better, or with the bound that was reached.
//!
//! An [`Aim`] is an objective. For each of its values there is a problem: find an arrangement that
//! reaches the value, or prove that none does. Any engine that supports such problems finds the
//! optimum; where a value that was reached meets the bound, it is proven.
//!
//! ```text
//!   least ├──────────── reached ─────── ? ─────── bound ┤ largest
//! ```

mod anneal;
mod fit;
mod hunt;
mod linear;
mod method;
mod penalty;
mod portfolio;
mod repair;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod scheduled;
// A method that browsers go without uses more of it.
#[cfg_attr(all(target_family = "wasm", target_os = "unknown"), allow(dead_code))]
mod tables;

use std::ops::ControlFlow;
use std::time::Duration;

pub use self::fit::Fit;
pub use self::hunt::run;
pub use self::linear::Linear;
pub use self::portfolio::Portfolio;
use crate::enumerate::Outcome;
use crate::problem::{Arrangement, Problem};
use crate::runtime::clock::{self, Instant};
use crate::runtime::limits::{CancelToken, Flow};

/// What the values of an aim mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Fitting seams, of so many.
    Seams(usize),
    /// An expression that is to be large.
    Largest,
    /// An expression that is to be small: the values are its opposite.
    Smallest,
}

impl Goal {
    /// What people call a value of the aim.
    pub fn own(self, value: i64) -> i64 {
        match self {
            Goal::Smallest => -value,
            Goal::Seams(_) | Goal::Largest => value,
        }
    }
}

/// What is to be as large as possible.
pub trait Aim {
    /// What its values mean.
    fn goal(&self) -> Goal;

    /// The problem whose solutions reach a value.
    fn reaching(&self, value: i64) -> Problem;

    /// What an arrangement reaches.
    fn value(&self, arrangement: &Arrangement) -> i64;

    /// A value that whatever fits at all reaches, and one that nothing exceeds.
    fn range(&self) -> (i64, i64);

    /// Which value to try between what is reached and the bound.
    fn next(&self, reached: i64, bound: i64) -> i64;

    /// What is known to be good, where a run begins with it.
    fn start(&self) -> Option<&Arrangement> {
        None
    }

    /// What looks for something good, without proof. `Break` where the token says so.
    fn guesser(&self, _token: &CancelToken<'_>) -> Flow<Option<Portfolio<'_>>> {
        ControlFlow::Continue(None)
    }
}

/// A good arrangement, and the method that found it.
#[derive(Debug, Clone)]
pub struct Guess {
    /// The arrangement.
    pub arrangement: Arrangement,
    /// The method's name.
    pub method: &'static str,
}

/// How much is spent on a guess.
#[derive(Debug, Clone, Copy)]
pub struct Effort<'a> {
    /// Steps.
    pub steps: u64,
    /// Other seeds give other guesses.
    pub seed: u64,
    /// Polled by what counts no steps.
    pub token: &'a CancelToken<'a>,
    /// When the guess began, and the time that was left for it.
    started: Instant,
    time: Option<Duration>,
}

impl<'a> Effort<'a> {
    /// Some steps from now on, in the time that is left.
    fn new(steps: u64, seed: u64, token: &'a CancelToken<'a>) -> Self {
        Effort { steps, seed, token, started: clock::now(), time: token.time_left() }
    }

    /// The share of the effort that is spent after so many steps: of the steps, or of the time
    /// where that is scarcer. What has no time to cool down slowly must do so fast.
    pub fn share(&self, steps: u64) -> f64 {
        let of_time = self.time.map_or(0.0, |time| {
            self.started.elapsed().as_secs_f64() / time.as_secs_f64().max(f64::EPSILON)
        });
        f64::max(steps as f64 / self.steps as f64, of_time)
    }
}

/// What came out.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Optimum {
    /// The value of the arrangements that were handed over; `None` where there are none.
    pub value: Option<i64>,
    /// Nothing exceeds this.
    pub bound: i64,
    /// Whether it is proven that none is better, or that there is none.
    pub is_proven: bool,
    /// Steps of all guesses.
    pub steps: u64,
    /// The methods of these guesses.
    pub methods: Vec<&'static str>,
    /// The methods that could not obey the problem, and why.
    pub left_out: Vec<(&'static str, &'static str)>,
    /// What found the arrangement: one of the methods, the engine, or `start` where the run began
    /// with it.
    pub found_by: &'static str,
    /// What was handed over, and the work of all searches. It is
    /// [complete](crate::enumerate::RunStatus::Complete) only where all of the best ones were.
    pub outcome: Outcome,
}
