//! Properties of the terminal: width, colours.

use std::io::{self, IsTerminal};

use edgematch_draw::Ink;

/// Columns of a terminal that does not say how many it has.
const USUAL_COLUMNS: usize = 80;

/// The width of the terminal.
pub fn columns() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    let asked = || match console::Term::stdout().size_checked() {
        Some((_, columns)) => usize::from(columns),
        None => USUAL_COLUMNS,
    };
    said.unwrap_or_else(asked)
}

/// Colour where standard output is a terminal and nobody asked for none.
pub fn ink() -> Ink {
    let is_refused = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    if io::stdout().is_terminal() && !is_refused { Ink::Colour } else { Ink::Plain }
}
