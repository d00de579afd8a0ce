//! Checks our output with third-party programs that take minutes to compile: a PDF reader and a
//! schema validator. Run with `cargo test -p edgematch-outside`.

#![cfg(test)]

use edgematch_testing::{self as common, ROOT};

mod pdf;
mod schema;
