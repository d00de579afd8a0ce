//! Warnings about suspicious features of a valid puzzle that suggest typing errors.
//!
//! Each feature can be intentional; a file can state this with `allow`.
//! `edgematch::load::warnings` adds the position in the file.

mod constraints;
mod images;

use std::cmp::{Ordering, Reverse};

use itertools::Itertools;

pub use self::images::similar;
use crate::problem::Problem;
use crate::puzzle::{EdgeName, ImageUse, Oddity};

/// A warning about a suspicious feature of a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// The kind of feature.
    pub oddity: Oddity,
    /// The message, with names of the puzzle.
    pub message: String,
    /// A suggestion what to check or correct.
    pub help: String,
    /// The index of a tile with the feature; `None` if it does not concern a tile.
    pub tile: Option<usize>,
    /// The edge of that tile with the feature; `None` if it does not concern an edge.
    pub edge: Option<EdgeName>,
}

/// The warnings about a problem, except those that the puzzle
/// [allows](crate::puzzle::Puzzle::allowed).
pub fn warnings(problem: &Problem) -> Vec<Warning> {
    let all = [images::warnings, few_pairs, tiles_alike, spare_tiles, constraints::warnings];
    let all = all.into_iter();
    let found = all.flat_map(|find| find(problem));
    let allowed = &problem.puzzle.allowed;
    found.filter(|warning| !allowed.contains(&warning.oddity)).collect()
}

/// The problem with all its suspicious features marked as intentional.
pub fn allowing_all(problem: Problem) -> Problem {
    let found = warnings(&problem).into_iter().map(|warning| warning.oddity);
    let allowed = problem.puzzle.allowed.iter().copied().chain(found).unique().collect();
    problem.with_allowed(allowed)
}

/// Formats the number of edges with each half of an image, as in "`red` 9+ 5-".
fn describe_counts(image: &ImageUse) -> String {
    format_counts(&image.name, &image.counts())
}

/// Formats counts, by half or of a whole image, as in "`red` 9+ 5-" or "`grey` 3".
fn format_counts(image: &str, counts: &[usize]) -> String {
    match counts {
        [plus, minus] => format!("`{image}` {plus}+ {minus}-"),
        counts => format!("`{image}` {}", counts.iter().sum::<usize>()),
    }
}

/// The number of edges without a partner, given the count of each half, or that of a whole image.
fn unpaired_edges(counts: &[usize]) -> usize {
    match counts {
        [plus, minus] => plus.abs_diff(*minus),
        counts => counts.iter().sum::<usize>() % 2,
    }
}

/// A warning if the tiles form fewer matching pairs of edges than the board has seams, so that
/// there is no solution.
fn few_pairs(problem: &Problem) -> Vec<Warning> {
    const SHOWN: usize = 4;
    let seams = problem.board.required().count();
    let pairs = problem.puzzle.pairs_within(problem.board.size());
    if pairs >= seams {
        return Vec::new();
    }
    let needed = match seams {
        1 => "1 matching pair".to_owned(),
        seams => format!("{seams} matching pairs"),
    };
    // Tiles with copies count once per piece.
    let pieces = |tile: &usize| problem.puzzle.tiles[*tile].copies.limited_to(problem.board.size());
    let images = problem.puzzle.image_uses().into_iter().map(|image| {
        let counts = image.halves.iter().map(|half| half.tiles.iter().map(pieces).sum());
        (counts.collect::<Vec<usize>>(), image.name)
    });
    let mut images: Vec<(Vec<usize>, String)> = images.collect();
    images.retain(|(counts, _)| unpaired_edges(counts) > 0);
    images.sort_by_key(|(counts, _)| Reverse(unpaired_edges(counts)));
    let shown = images.iter().take(SHOWN).map(|(counts, name)| format_counts(name, counts));
    let shown = itertools::join(shown, ", ");
    let list = if shown.is_empty() { String::new() } else { format!(": {shown}") };
    vec![Warning {
        oddity: Oddity::FewPairs,
        message: format!(
            "no solution: the board needs {needed}, but the tiles make at most {pairs}{list}"
        ),
        help: "compare these images with the tiles".into(),
        tile: None,
        edge: None,
    }]
}

/// A warning if several tiles look the same.
fn tiles_alike(problem: &Problem) -> Vec<Warning> {
    const SHOWN: usize = 4;
    let tiles = &problem.puzzle.tiles;
    let alike: Vec<&[usize]> = problem.kinds.twins().collect();
    let Some(second) = alike.iter().map(|tiles| tiles[1]).min() else {
        return Vec::new();
    };
    let name = |&tile: &usize| format!("`{}`", tiles[tile].name);
    let group = |tiles: &&[usize]| {
        let more = (tiles.len() > SHOWN).then(|| format!("{} more", tiles.len() - SHOWN));
        itertools::join(tiles.iter().take(SHOWN).map(name).chain(more), " = ")
    };
    let groups = itertools::join(alike.iter().take(SHOWN).map(group), ", ");
    let more = match alike.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(", and {more} more groups"),
    };
    vec![Warning {
        oddity: Oddity::TilesAlike,
        message: format!("these tiles look the same: {groups}{more}"),
        help: "was a tile typed twice?".into(),
        tile: Some(second),
        edge: None,
    }]
}

/// A warning if there are more tiles than cells and no tile has copies.
fn spare_tiles(problem: &Problem) -> Vec<Warning> {
    let tiles = problem.puzzle.tiles.len();
    let cells = problem.board.size();
    let spare = match tiles.cmp(&cells) {
        Ordering::Greater if !problem.puzzle.has_copies() => tiles - cells,
        _ => return Vec::new(),
    };
    vec![Warning {
        oddity: Oddity::SpareTiles,
        message: format!("{tiles} tiles for {cells} cells: {spare} will not be used"),
        help: "was a tile typed twice?".into(),
        tile: tiles.checked_sub(1),
        edge: None,
    }]
}
