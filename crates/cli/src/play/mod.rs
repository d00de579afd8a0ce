//! The commands `play` and `site`, which offer puzzles in a browser.

mod library;
pub mod serve;
pub mod site;
