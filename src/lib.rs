//! Edge-matching puzzles: every solution, by constraint propagation, backtracking or a 0-1 model.
//!
//! Data flows in one direction; each stage is a value that the next one takes:
//!
//! ```text
//!  YAML ─► puzzle ─► tables ─► domains ─► model ─► engine ─► solutions ─► report
//!  file    tiles +   allowed   reduced +  binary   solve,    checked,     text,
//!          board     tuples    symmetry   rows     no-good   counted      JSON
//!                    per seam  broken              cuts
//! ```
//!
//! What is done with solutions (pictures, reports, batches, a page, the command) are crates of
//! their own, in `crates/`.
//!
//! Two tiles on a board of 1 × 2, from the text to the proof that there are five ways to lay them:
//!
//! ```
//! use edgematch::{engine::Milp, load, model::Balance};
//!
//! let problem = load::from_str("{rows: 1, cols: 2, tiles: {1: [a+, b, b, c], 2: [c, c, a-, b]}}")?;
//! assert_eq!(problem.tables().all()[0].tuples().count(), 10);
//!
//! let solved = problem.solutions().engine(Milp::new(&Balance)).all();
//! assert!(solved.outcome.status.is_complete());
//! assert_eq!(solved.solutions.len(), 5);
//! # Ok::<(), load::LoadError>(())
//! ```
//!
//! [`solve`] needs no engine; [`Problem::solutions`](problem::Problem::solutions) gives solutions
//! one after another, [`Problem::builder`](problem::Problem::builder) makes a problem without a
//! file.

pub mod runtime;

pub mod puzzle;

pub mod board;

pub mod tables;

pub mod problem;

pub mod load;

pub mod domains;

pub mod counting;

pub mod model;

pub mod engine;

pub mod enumerate;

pub mod optimise;

pub mod analyse;

pub mod generate;

/// The version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Raised whenever the answers, their order, or the work that is counted for them can change:
/// results of one version and revision are comparable.
pub const REVISION: &str = "2";

/// Counts have any number of digits.
pub use num_bigint::BigUint;

pub use self::enumerate::solve;

/// The README's example of the library is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
