//! Positions of tiles and edges in a text, and what else the text can say.

use super::error::LoadError;
use super::text::Source;
use crate::puzzle::EdgeName;

/// Line and column of a tile, or of an edge of it.
pub(super) type Place<'a> = Box<dyn Fn(usize, Option<&EdgeName>) -> Option<(usize, usize)> + 'a>;

/// What a text tells beside the problem.
pub(super) struct Notes<'a> {
    /// Whether it names a board, not only rows and columns.
    pub names_board: bool,
    /// True if the text is in our own form, which has keys for an order and for slips that are meant.
    pub is_own_form: bool,
    pub place: Place<'a>,
}

impl Notes<'_> {
    /// An error at a tile or an edge of it, or about the text as a whole.
    pub fn error(
        &self,
        source: &Source<'_>,
        tile: Option<usize>,
        edge: Option<&EdgeName>,
        message: String,
    ) -> LoadError {
        match tile.and_then(|tile| (self.place)(tile, edge)) {
            Some((line, column)) => source.error_at(line, column, message),
            None => source.error(message),
        }
    }
}
