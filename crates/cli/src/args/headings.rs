//! The headings under which `--help` lists the options.

pub const SEARCH: &str = "Search";
pub const LIMITS: &str = "Limits";
pub const OUTPUT: &str = "Output";
pub const CONSTRAINTS: &str = "Constraints";
pub const READING: &str = "Reading the puzzle";

/// Of `generate`: what the puzzle is made of, and what it must be like.
pub const PUZZLE: &str = "Board and tiles";
pub const TARGET: &str = "What to aim for";
/// Of `export`.
pub const MODEL: &str = "Model";
/// Of `read`.
pub const PHOTOGRAPH: &str = "What is known of the cards";
/// Of `play`.
pub const SERVER: &str = "Server";
/// Of `results`.
pub const SELECTION: &str = "Selection";

/// The names of options under each heading. An option may name another heading itself.
pub const OPTIONS: [(&str, &str); 3] = [
    (
        SEARCH,
        "best by_halves engines jobs list maximize minimize part parts probes resume retry runs seed \
         set solutions",
    ),
    (LIMITS, "memory_limit node_limit"),
    (READING, "model"),
];
