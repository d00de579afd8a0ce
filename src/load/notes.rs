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

impl<'a> Notes<'a> {
    /// The notes of a text in another form whose tiles begin at these bytes.
    pub fn of_tiles_at(source: &'a Source<'a>, starts: Vec<usize>) -> Notes<'a> {
        let place = move |tile: usize, edge: Option<&EdgeName>| {
            let start = *starts.get(tile)?;
            let line = source.text.get(start..)?.lines().next()?;
            let at = edge.and_then(|edge| place_in(line, &edge.image));
            Some(source.position(start + at.unwrap_or_default()))
        };
        Notes { names_board: false, is_own_form: false, place: Box::new(place) }
    }
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

/// Where the name of an image stands in a line, as a word of its own if it does anywhere.
fn place_in(line: &str, image: &str) -> Option<usize> {
    let line = line.to_ascii_uppercase();
    let image = image.to_ascii_uppercase();
    let is_word = |&(at, _): &(usize, &str)| {
        let before = line[..at].chars().next_back();
        let behind = line[at + image.len()..].chars().next();
        ![before, behind].into_iter().flatten().any(char::is_alphanumeric)
    };
    let mut words = line.match_indices(&image).filter(is_word);
    words.next().or_else(|| line.match_indices(&image).next()).map(|(at, _)| at)
}
