//! What we write, read by programs of other people that take minutes to compile: a PDF, and puzzles
//! against the schema. `cargo test -p edgematch-outside`

#![cfg(test)]

#[path = "../common/mod.rs"]
mod common;

mod pdf;
mod schema;

/// The folder of the project.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
