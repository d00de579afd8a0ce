//! Puzzles for the unit tests of this crate, which cannot load files.

use crate::board::Board;
use crate::problem::{Problem, ProblemBuilder};

pub(crate) const KNIFFLIG: &str = include_str!("../../../puzzles/absolut-knifflig.yaml");
pub(crate) const FRAMED_4X4: &str = include_str!("../../../puzzles/framed-4x4-tud.yaml");
pub(crate) const FRAMED_6X6: &str = include_str!("../../../puzzles/framed-6x6-tud.yaml");
pub(crate) const HALVES_3X3: &str = include_str!("../../../puzzles/random-half-3x3-3-s1.yaml");
pub(crate) const HALVES_6X6: &str = include_str!("../../../benches/boards/s6-k8-0.yaml");
pub(crate) const HEXAGONS: &str = include_str!("../../../puzzles/boards/hexagons-3x3-4.yaml");
pub(crate) const VEX_3X3: &str = include_str!("../../../puzzles/random-vex-3x3-10-s1.yaml");

/// A builder with a board and the tiles of a YAML file: every `name: [edge, …]` after `tiles:`,
/// counter-clockwise from the right. Nothing else of the file is read.
pub(crate) fn tiles(board: Board, yaml: &str) -> ProblemBuilder {
    let (_, tiles) = yaml.rsplit_once("tiles:").expect("there are tiles");
    let builder = Problem::builder("sample").with_board(board);
    tiles.split(']').filter_map(|tile| tile.split_once('[')).fold(builder, |builder, tile| {
        let name = tile.0.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
        builder.tile(name.expect("a tile has a name"), tile.1.split(',').map(str::trim))
    })
}

/// The same with all other settings at their defaults, as a problem.
pub(crate) fn problem(board: Board, yaml: &str) -> Problem {
    tiles(board, yaml).build().expect("the tiles fill the board")
}
