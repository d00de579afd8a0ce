//! The commands for many puzzles, and for what other runs have written.

pub mod batch;
pub mod merge;
pub mod results;
pub mod verify;
pub mod worker;
