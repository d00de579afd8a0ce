//! Checks our output with third-party programs that take minutes to compile: a PDF reader and a
//! schema validator. Run with `cargo test -p edgematch-outside`.

#![cfg(test)]

#[path = "../common/mod.rs"]
mod common;

mod pdf;
mod schema;

/// The root folder of the project.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
