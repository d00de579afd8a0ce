//! Positions of tiles and edges in a text, and other facts about the text.

use super::error::LoadError;
use super::text::Source;
use crate::puzzle::EdgeName;

/// Finds the line and column of a tile, or of one of its edges.
pub(super) type Place<'a> = Box<dyn Fn(usize, Option<&EdgeName>) -> Option<(usize, usize)> + 'a>;

/// Facts about a text that are not part of the problem.
pub(super) struct Notes<'a> {
    /// True if the text gives a board, not only rows and columns.
    pub names_board: bool,
    /// True if the text is in our own form, which has keys for an order and for intentional
    /// oddities.
    pub is_own_form: bool,
    pub place: Place<'a>,
}

impl Notes<'_> {
    /// An error at a tile or one of its edges, or about the text as a whole if there is no
    /// position.
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
