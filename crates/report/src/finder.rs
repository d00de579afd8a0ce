//! What a page needs to search and sort a list of puzzles.

/// A module of JavaScript: `matches(search, text)` and `sortedBy(list, keyOf)`.
pub const FINDER_SCRIPT: &str = include_str!("finder.js");
