//! The commands for many puzzles, and for the output of other runs: results, parts, certificates.

pub mod batch;
pub mod merge;
pub mod results;
pub mod verify;
pub mod worker;
