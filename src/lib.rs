//! A solver for edge-matching puzzles: finds every solution by constraint propagation, backtracking
//! or a 0-1 model.
//!
//! [`solve`] finds every distinct solution:
//!
//! ```
//! let problem = edgematch::load::from_str("{rows: 1, cols: 2, tiles: {1: [a+, b, b, c], 2: [c, c, a-, b]}}")?;
//! let solved = edgematch::solve(&problem);
//! assert!(solved.outcome.status.is_complete());
//! assert_eq!(solved.solutions.len(), 5);
//! # Ok::<(), edgematch::load::LoadError>(())
//! ```
//!
//! [`Problem::solutions`] yields them one by one, with the chosen engine and limits; [`count`] counts
//! them, often without listing them.
//! [`Problem::builder`] makes a problem without a file. User-defined constraints and engines
//! implement [`Constraint`] and [`Engine`]. Data flows in one direction:
//!
//! ```text
//!  YAML ─► puzzle ─► tables ─► domains ─► model ─► engine ─► solutions ─► report
//!  file    tiles +   allowed   reduced +  binary   solve,    checked,     text,
//!          board     tuples    symmetry   rows     no-good   counted      JSON
//!                    per seam  broken              cuts
//! ```
//!
//! The modules that are not listed here serve the crates of this project. They are not covered by
//! any stability promise.

pub mod load;

pub mod export;

#[doc(hidden)]
pub mod analyse;

#[doc(hidden)]
pub mod generate;

#[doc(inline)]
pub use edgematch_core::model;
#[doc(hidden)]
pub use edgematch_core::{
    board, domains, engine, enumerate, optimise, problem, puzzle, runtime, tables,
};

/// The version of the crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The revision of the algorithms. It is incremented whenever the results, their order, or the
/// counted work can change; results of the same version and revision are comparable.
pub const REVISION: &str = "7";

#[cfg(feature = "milp")]
#[doc(inline)]
pub use self::engine::Milp;
#[doc(inline)]
pub use self::{
    analyse::compare::check as check_engines,
    board::{Board, CellName},
    engine::{
        Auto, Backtrack, Contender, Corners, Engine, EngineError, FilteringHost, Host, Propagate,
        Work, Xcc,
    },
    enumerate::solution::{ArrangementError, check},
    enumerate::{
        Limits, Method as CountMethod, Outcome, RunStatus, Solution, Solutions, Solved, StopReason,
        Tally, count, solve,
    },
    problem::{
        Arrangement, BuildError, Constraint, Dependence, Formula, LinearConstraint, Listed, Placed,
        Problem, ProblemBuilder,
    },
    puzzle::{Copies, Flip, Label, Orientation, Puzzle, Tile},
    tables::{Table, Tables},
};
/// An unsigned integer of arbitrary size, the type of counts of solutions.
pub use num_bigint::BigUint;

/// Runs the library example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
