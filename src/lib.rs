//! Edge-matching puzzles: every solution, with a 0-1 model and no-good cuts.

pub mod puzzle;
pub mod board;
pub mod load;
pub mod tables;
pub mod domains;
pub mod model;
pub mod engine;
pub mod solution;
