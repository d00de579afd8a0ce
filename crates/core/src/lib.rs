//! The search of [edgematch](https://docs.rs/edgematch): from a problem to its solutions.
//!
//! Use the crate `edgematch`, which also loads puzzles and re-exports what is stable of this one.
//! The search is a crate of its own because only it needs full optimisation, which takes most of
//! the compile time. It does not read files.

pub mod runtime;

pub mod puzzle;

pub mod board;

pub mod tables;

pub mod problem;

pub mod domains;

pub mod model;

pub mod engine;

pub mod enumerate;

pub mod optimise;

#[cfg(test)]
mod samples;
