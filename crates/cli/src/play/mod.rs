//! The commands that offer puzzles in a browser.

mod library;
pub mod serve;
pub mod site;
