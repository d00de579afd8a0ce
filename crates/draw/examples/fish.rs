//! Paints pictures for a puzzle's tiles: each image is a fish cut in half by the edge, with its
//! head on the `+` half and its tail on the `-` half.
//!
//! `cargo run --example fish -- puzzles/scramble-1/input/tile_dict.yaml FOLDER` writes one PNG per
//! tile into the folder. The pictures in `puzzles/scramble-1/input` were made with it.

use std::error::Error;
use std::path::Path;

use edgematch::load;
use edgematch::puzzle::{Half, Tile};
use edgematch_draw::{Drawing, Renderer, TILE};

/// The side of a picture, in pixels.
const SIDE_IN_PIXELS: u32 = 160;
const COLOURS: [&str; 6] = ["#f2b705", "#d93b3b", "#2e9e5b", "#2f6fd0", "#8a4fbf", "#e8792b"];

/// A fish across the right side of a tile, of which the tile shows one half: the head for a `+`
/// half, the tail for a `-` half.
fn fish(colour: &str, half: Half) -> String {
    let turn = if half == Half::Minus { 180 } else { 0 };
    let middle = TILE / 2.0;
    format!(
        "<g transform=\"rotate({turn} {TILE} {middle})\">\
         <path d=\"M70 50Q100 20 122 46L134 33Q129 50 134 67L122 54Q100 80 70 50Z\" \
         fill=\"{colour}\" stroke=\"#20303c\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\
         <path d=\"M96 42Q106 50 96 58M104 40Q116 50 104 60\" fill=\"none\" stroke=\"#20303c\"/>\
         <circle cx=\"80\" cy=\"46\" r=\"3\" fill=\"#fff\" stroke=\"#20303c\"/></g>"
    )
}

/// The picture of a tile: a fish across each side.
fn tile_picture(problem: &edgematch::problem::Problem, tile: &Tile) -> Drawing {
    let middle = TILE / 2.0;
    let edges: String = tile
        .edges
        .iter()
        .enumerate()
        .map(|(side, &label)| {
            let edge = problem.puzzle.labels.edge(label);
            let colour = COLOURS[label.index() / 2 % COLOURS.len()];
            let turn = -90.0 * side as f64;
            let fish = fish(colour, edge.half);
            format!("<g transform=\"rotate({turn} {middle} {middle})\">{fish}</g>")
        })
        .collect();
    Drawing {
        svg: format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {TILE} {TILE}\" \
             width=\"{TILE}\" height=\"{TILE}\">\
             <rect width=\"{TILE}\" height=\"{TILE}\" fill=\"#cfe9f3\"/>{edges}</svg>"
        ),
        width: TILE,
        height: TILE,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(puzzle), Some(folder)) = (args.next(), args.next()) else {
        return Err("usage: fish PUZZLE FOLDER".into());
    };
    let problem = load::read(Path::new(&puzzle))?;
    let renderer = Renderer::new(SIDE_IN_PIXELS);
    for tile in &problem.puzzle.tiles {
        let png = renderer.png(&tile_picture(&problem, tile))?;
        std::fs::write(Path::new(&folder).join(format!("{}.png", tile.name)), png)?;
    }
    Ok(())
}
