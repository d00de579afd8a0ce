//! The commands that generate, read, convert and draw puzzles.

pub mod convert;
pub mod generate;
pub mod read;
pub mod sheet;
pub mod show;
