//! The format `link`: for each solution a line with a link to the viewer.

use std::io::{self, Write};

use edgematch::load::{PuzzleFormat, WriteError};
use edgematch::problem::{Arrangement, Placed, Problem};

use super::{Report, Shown};

/// The link format.
pub(super) struct Link;

/// The puzzle format of links.
fn form() -> Result<&'static PuzzleFormat, WriteError> {
    PuzzleFormat::named("link").ok_or_else(|| WriteError("there are no links".into()))
}

impl Report for Link {
    fn losses(&self, problem: &Problem) -> Result<Vec<String>, WriteError> {
        let tiles = 0..problem.board.size();
        let placed = tiles.flat_map(|tile| Placed::every(&problem.puzzle, tile).next());
        // The losses do not depend on the arrangement, so any will do: the tiles in order, not
        // turned.
        let any = Arrangement(placed.collect());
        let lost = form()?.write(problem, Some(&any))?.lost;
        Ok(lost.into_iter().map(|loss| loss.description).collect())
    }

    fn solution(&mut self, out: &mut dyn Write, shown: &Shown<'_>) -> io::Result<()> {
        let link = form().and_then(|form| form.write(shown.problem, Some(shown.arrangement)));
        out.write_all(link.map_err(io::Error::other)?.text.as_bytes())
    }
}
