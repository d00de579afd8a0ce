//! The commands that make puzzles and draw them.

pub mod convert;
pub mod generate;
pub mod read;
pub mod sheet;
pub mod show;
