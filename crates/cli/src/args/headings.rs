//! The headings under which `--help` lists the options.

pub const SEARCH: &str = "Search";
pub const TUNING: &str = "Tuning of engines";
pub const LIMITS: &str = "Limits";
pub const OUTPUT: &str = "Output";
pub const CONSTRAINTS: &str = "Constraints";
pub const READING: &str = "Reading the puzzle";

/// Headings of `generate`: what the puzzle consists of, and which properties it must have.
pub const PUZZLE: &str = "Board and tiles";
pub const TARGET: &str = "What to aim for";
/// A heading of `export`.
pub const MODEL: &str = "Model";
/// A heading of `read`.
pub const PHOTOGRAPH: &str = "Facts about the cards";
/// A heading of `play`.
pub const SERVER: &str = "Server";
/// A heading of `results`.
pub const SELECTION: &str = "Selection";

/// The options of each heading by their clap ids, separated by spaces. They apply to options that
/// do not set `help_heading` themselves; all others are listed under [`OUTPUT`].
pub const OPTIONS: [(&str, &str); 3] = [
    (
        SEARCH,
        "best distance engines gap jobs list maximize method minimize part parts probes resume retry runs sample \
         seed set solutions",
    ),
    (LIMITS, "memory_limit node_limit"),
    (READING, "model"),
];

/// The options that `-h` shows for commands with many, by their clap ids, separated by spaces.
pub const USUAL: &str = "best constraints count draw engines expand export_csv files format framed images jobs \
    mcs method objective output pin plot quiet results runs solutions threads time_limit to unique";
