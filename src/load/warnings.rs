//! Warnings about probable typing mistakes in a text, with their positions.

use super::edge_order::EdgeOrder;
use super::error::{LoadError, Result};
use super::form::ReadOptions;
use super::forms;
use super::text::Source;
use crate::problem::Problem;
use crate::problem::oddities::{self, Warning};
use crate::puzzle::{Assumption, EdgeName, Oddity};

/// The maximum number of warnings with a position. Each position takes another pass over the text.
const MOST_PLACED: usize = 100;

/// Warnings about probable mistakes in a text that was [read](super::from_bytes_as) as a problem,
/// each with a suggestion, and the first 100 with their positions. Oddities that the text allows are
/// omitted.
///
/// # Errors
/// If the bytes are not a puzzle.
pub fn warnings(
    bytes: &[u8],
    file: &str,
    options: &ReadOptions,
    problem: &Problem,
) -> Result<Vec<LoadError>> {
    let source = Source::decode(bytes, file)?;
    let (_, Some(notes)) = forms::read(&source, options)? else {
        return Ok(Vec::new());
    };
    let mut assumed = problem.puzzle.assumed.iter();
    let is_order_open = assumed.any(|fact| matches!(fact, Assumption::Order(_)));
    let at = |tile: Option<usize>, edge: Option<&EdgeName>, message| match tile
        .and_then(|tile| (notes.place)(tile, edge))
    {
        Some((line, column)) => source.error_at(line, column, message),
        None => source.error(message),
    };
    let order = (notes.is_own_form && is_order_open).then(|| {
        let message = "edges are read as right, top, left, bottom".to_owned();
        at(Some(0), None, message).with_help(format!(
            "if they are listed clockwise from the top, add `order: {}`, otherwise `order: {}`",
            EdgeOrder::CLOCKWISE_FROM_TOP.name(),
            EdgeOrder::default().name()
        ))
    });
    let placed = |(index, warning): (usize, Warning)| {
        let tile = warning.tile.filter(|_| index < MOST_PLACED);
        let error = at(tile, warning.edge.as_ref(), warning.message);
        let help = warning.help;
        if !notes.is_own_form {
            return error.with_help(help);
        }
        let name = warning.oddity.name();
        error.with_help(format!("{help} (`allow: [{name}]` if it is meant)"))
    };
    // A file that names its board separately from its tiles has spare ones on purpose.
    let has_board = notes.names_board && options.board.is_none();
    let is_asked = |warning: &Warning| !(has_board && warning.oddity == Oddity::SpareTiles);
    let found = oddities::warnings(problem).into_iter().filter(is_asked);
    Ok(order.into_iter().chain(found.enumerate().map(placed)).collect())
}
