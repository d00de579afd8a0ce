//! Our own YAML form, and the blog's mapping from tile number to four pairs.

use super::losses::refuse_whole_images;
use crate::load::form::{Detail, PuzzleFormat, Written};
use crate::load::notation::Notation;
use crate::load::yaml;
use crate::problem::{Arrangement, Problem};
use crate::puzzle::{self, Half, Label};

/// Our own form; the default for a text that no other form recognises.
pub(super) const OWN: PuzzleFormat = PuzzleFormat {
    extensions: &["yaml", "yml"],
    write: Some(|_, problem, _| {
        Ok(Written { text: yaml::write(problem)?, keeps: None, omits: Vec::new() })
    }),
    ..PuzzleFormat::new("yaml", "edgematch's own YAML", |_, source, options| {
        yaml::problem(source, options)
    })
};

/// The blog's form: `1: [['ylw', '+'], ['red', '-'], ['grn', '+'], ['blu', '+']]`.
pub(super) const BLOG: PuzzleFormat = PuzzleFormat {
    name: "blog",
    what: "the blog's mapping from tile number to pairs",
    extensions: &[],
    write: Some(write),
    ..OWN
};

/// Writes the tiles as pairs of image and sign, in the blog's layout. Fails unless the board is a
/// rectangle of squares and all images have halves; what else is lost is listed.
fn write(_: &Notation, problem: &Problem, _: Option<&Arrangement>) -> Result<Written, String> {
    let omits = vec![refuse_whole_images(problem)?];
    let puzzle = &problem.puzzle;
    let pair = |&label: &Label| {
        let edge = puzzle.labels.edge(label);
        let half = if edge.half == Half::Minus { "-" } else { "+" };
        puzzle::DocValue::list([edge.image.as_str(), half].map(puzzle::DocValue::text))
    };
    let has_numbers = puzzle.tiles.iter().all(|tile| yaml::is_tile_number(&tile.name));
    let lines = puzzle.tiles.iter().enumerate().map(|(index, tile)| {
        let pairs = puzzle::DocValue::list(tile.edges.iter().map(pair));
        let number = if has_numbers { tile.name.clone() } else { (index + 1).to_string() };
        format!("{number}: {}\n", yaml::flow(&pairs))
    });
    let keeps = Some(vec![has_numbers.then_some(Detail::TileNames), Some(Detail::ImageNames)]);
    Ok(Written { text: lines.collect(), keeps, omits })
}
