//! Output as links to a viewer, one line for each solution.

use std::io::{self, Write};

use edgematch::load::{PuzzleFormat, WriteError};
use edgematch::problem::{Arrangement, Placed, Problem};

use super::{Report, Shown, Tells};

/// The link format.
pub(super) struct Link;

fn form() -> Result<&'static PuzzleFormat, WriteError> {
    PuzzleFormat::named("link").ok_or_else(|| WriteError("there are no links".into()))
}

/// What links do not say of a puzzle.
///
/// # Errors
/// Where there are none to its solutions.
pub(super) fn tells(problem: &Problem) -> Tells {
    let tiles = 0..problem.board.size();
    let placed = tiles.flat_map(|tile| Placed::every(&problem.puzzle, tile).next());
    // Whatever lies, links to it say as much.
    let anything = Arrangement(placed.collect());
    Ok(form()?
        .write(problem, Some(&anything))?
        .lost
        .into_iter()
        .map(|loss| loss.description)
        .collect())
}

impl Report for Link {
    fn solution(&mut self, out: &mut dyn Write, shown: &Shown<'_>) -> io::Result<()> {
        let link = form().and_then(|form| form.write(shown.problem, Some(shown.arrangement)));
        out.write_all(link.map_err(io::Error::other)?.text.as_bytes())
    }
}
