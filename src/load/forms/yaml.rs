//! Our own YAML form, and the blog's mapping from tile number to four pairs.

use super::losses::{Detail, lost, refuse_all_but_squares, refuse_whole_images};
use crate::load::form::{Exported, PuzzleFormat, WriteError};
use crate::load::notation::Notation;
use crate::load::yaml;
use crate::problem::{Arrangement, Problem};
use crate::puzzle::{self, Half, Label};

/// Our own form; the default for a text that no other form recognises.
pub(super) const OWN: PuzzleFormat = PuzzleFormat {
    extensions: &["yaml", "yml"],
    write: Some(|_, problem, _| Ok(Exported { text: yaml::write(problem)?, lost: Vec::new() })),
    ..PuzzleFormat::new("yaml", "edgematch's own YAML", |_, source, options, name| {
        yaml::problem(source, name, options)
    })
};

/// The blog's form: `1: [['ylw', '+'], ['red', '-'], ['grn', '+'], ['blu', '+']]`.
pub(super) const BLOG: PuzzleFormat = PuzzleFormat {
    write: Some(write),
    ..PuzzleFormat::new(
        "blog",
        "the blog's mapping from tile number to pairs",
        |_, source, options, name| yaml::problem(source, name, options),
    )
};

/// Writes the tiles as pairs of image and sign, in the blog's layout. Fails unless the board is a
/// rectangle of squares and all images have halves; what else is lost is listed.
fn write(_: &Notation, problem: &Problem, _: Option<&Arrangement>) -> Result<Exported, WriteError> {
    refuse_all_but_squares(problem)?;
    let halves = refuse_whole_images(problem)?;
    let puzzle = &problem.puzzle;
    let pair = |&label: &Label| {
        let edge = puzzle.labels.edge(label);
        let half = match edge.half {
            Half::Minus => "-",
            Half::Plus | Half::Whole => "+",
        };
        puzzle::DocValue::list([edge.image.as_str(), half].map(puzzle::DocValue::text))
    };
    let has_numbers = puzzle.tiles.iter().all(|tile| yaml::is_tile_number(&tile.name));
    let lines = puzzle.tiles.iter().enumerate().map(|(index, tile)| {
        let pairs = puzzle::DocValue::list(tile.edges.iter().map(pair));
        let number = if has_numbers { tile.name.clone() } else { (index + 1).to_string() };
        format!("{number}: {}\n", yaml::flow(&pairs))
    });
    let keeps = [has_numbers.then_some(Detail::TileNames), Some(Detail::ImageNames)];
    Ok(Exported {
        text: lines.collect(),
        lost: lost(problem, &keeps).into_iter().chain(halves).collect(),
    })
}
