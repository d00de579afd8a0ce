//! The best arrangements, with a proof that none is better, or with the bound that was reached.
//!
//! An [`Aim`] is an objective. For each of its values there is a problem: find an arrangement that
//! reaches the value, or prove that none does. Any engine that supports such problems finds the
//! optimum; where a value that was reached meets the bound, it is proven.
//!
//! ```text
//!   least ├──────────── reached ─────── ? ─────── bound ┤ largest
//! ```

mod aim;
mod anneal;
mod hunt;
mod method;
mod penalty;
mod portfolio;
mod repair;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod scheduled;
// A method that browsers go without uses more of it.
#[cfg_attr(all(target_family = "wasm", target_os = "unknown"), allow(dead_code))]
mod tables;
#[cfg(test)]
mod tests;

pub use self::aim::{Aim, Fit, Goal, Linear};
pub use self::hunt::run;
use crate::enumerate::Outcome;

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
