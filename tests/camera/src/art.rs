//! The pictures on cards: each image is centred on an edge, which cuts it in half.

use std::f64::consts::PI;
use std::fmt::Write;

use edgematch::problem::Problem;
use edgematch::puzzle::{Half, Label};
use edgematch_draw::{self as draw, Drawing, Renderer, Style, TILE, TileNames};
use fastrand::Rng;
use image::imageops;
use image::{Rgb, RgbImage};

use super::noise::{Noise, mix};

/// The kind of artwork.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Art {
    /// The figures of our drawings, as `sheet` prints them.
    Figures,
    /// One animal in several colours, on a ground of one colour.
    Fish,
    /// Several animals, on grounds that differ from card to card.
    Animals,
    /// Photographs: patches of coloured noise.
    Textures,
}

/// All kinds of artwork.
pub const ARTS: [Art; 4] = [Art::Figures, Art::Fish, Art::Animals, Art::Textures];

/// Draws the cards of a puzzle, upright, `pixels` wide.
pub fn cards(problem: &Problem, art: Art, pixels: u32, seed: u64) -> Vec<RgbImage> {
    match art {
        Art::Figures => figures(problem, pixels),
        Art::Fish | Art::Animals => animals(problem, art, pixels, seed),
        Art::Textures => textures(problem, pixels, seed),
    }
}

/// Renders a drawing with tiles of this width.
fn rendered(drawing: &Drawing, pixels: u32) -> RgbImage {
    let png = Renderer::new(pixels).png(drawing).expect("it is small");
    let picture = image::load_from_memory(&png).expect("it was just written");
    picture.to_rgb8()
}

/// Cuts the cards out of the drawing of all tiles, including their outlines.
fn figures(problem: &Problem, pixels: u32) -> Vec<RgbImage> {
    const MARGIN: f64 = 10.0;
    const STEP: f64 = TILE + 14.0;
    let style = Style { names: TileNames::Turned, is_white: true, ..Style::default() };
    let all = rendered(&draw::tiles(problem, &style), pixels);
    let columns = problem.board.rows_and_columns().map_or(1, |(_, c)| c);
    let scale = f64::from(pixels) / TILE;
    let place = |index: usize| ((MARGIN + index as f64 * STEP) * scale).round() as u32;
    let cut = |tile: usize| {
        let (left, top) = (place(tile % columns), place(tile / columns));
        imageops::crop_imm(&all, left, top, pixels, pixels).to_image()
    };
    (0..problem.puzzle.tiles.len()).map(cut).collect()
}

/// Draws an animal around the middle of the right side, with its head on the `+` half and its tail
/// on the other.
fn animal(rng: &mut Rng, hue: f64, has_spots: bool) -> String {
    let (neck, head, tail) =
        (rng.f64() * 12.0 + 12.0, rng.f64() * 10.0 + 26.0, rng.f64() * 10.0 + 24.0);
    let bend = rng.f64() * 24.0 - 12.0;
    let (top, bottom) = (50.0 - neck + bend / 3.0, 50.0 + neck + bend / 3.0);
    let nose = (100.0 - head, 50.0 + bend);
    let end = 100.0 + tail;
    let body = colour(hue, 0.75, 0.55);
    let fin = colour(hue + rng.f64() * 60.0 - 30.0, 0.7, 0.45);
    let mut svg = format!(
        "<path d=\"M{} {}Q{} {} 100 {top}Q{} {top} {} {}L{end} {}L{} 50L{end} {}L{} {}Q{} {bottom} \
         100 {bottom}Q{} {} {} {}Z\" fill=\"{body}\" stroke=\"#20303c\" stroke-width=\"2\"/>",
        nose.0,
        nose.1,
        100.0 - head * 0.6,
        top - 6.0,
        100.0 + tail * 0.4,
        100.0 + tail * 0.6,
        50.0 - neck * 0.3,
        50.0 - neck * 1.1,
        end - 6.0,
        50.0 + neck * 1.1,
        100.0 + tail * 0.6,
        50.0 + neck * 0.3,
        100.0 + tail * 0.4,
        100.0 - head * 0.6,
        bottom + 6.0,
        nose.0,
        nose.1,
    );
    let eye = (nose.0 + head * 0.35, nose.1 - 4.0);
    let _ = write!(
        svg,
        "<circle cx=\"{}\" cy=\"{}\" r=\"3.4\" fill=\"#fff\" stroke=\"#20303c\"/>",
        eye.0, eye.1
    );
    if has_spots {
        for _ in 0..rng.usize(3..7) {
            let (x, y) = (86.0 + rng.f64() * 28.0, mix(top + 4.0, bottom - 4.0, rng.f64()));
            let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"{fin}\"/>");
        }
    }
    svg
}

/// Converts a hue in degrees, a saturation and a lightness (0 to 1) to an RGB colour.
fn colour(hue: f64, saturation: f64, lightness: f64) -> String {
    let chroma = (1.0 - (2.0 * lightness - 1.0).abs()) * saturation;
    let channel = |shift: f64| {
        let angle = (hue + shift).rem_euclid(360.0) / 60.0;
        let strength = ((angle - 3.0).abs() - 1.0).clamp(0.0, 1.0);
        ((lightness - chroma / 2.0 + chroma * strength) * 255.0) as u8
    };
    let [red, green, blue] = [0.0, -120.0, 120.0].map(channel);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Draws cards with animals across their edges.
fn animals(problem: &Problem, art: Art, pixels: u32, seed: u64) -> Vec<RgbImage> {
    let mut rng = Rng::with_seed(seed);
    let images = problem.puzzle.labels.images();
    let first_hue = rng.f64() * 360.0;
    let hue = |image: usize| first_hue + 360.0 * image as f64 / images as f64;
    let one = rng.u64(..);
    let bodies: Vec<String> = (0..images)
        .map(|image| {
            let mut rng = match art {
                Art::Fish => Rng::with_seed(one),
                _ => rng.fork(),
            };
            animal(&mut rng, hue(image), art != Art::Fish)
        })
        .collect();
    let numbers = image_numbers(problem);
    let ground_hue = rng.f64() * 360.0;
    problem
        .puzzle
        .tiles
        .iter()
        .map(|tile| {
            let ground = match art {
                Art::Fish => colour(ground_hue, 0.4, 0.85),
                _ => colour(ground_hue + rng.f64() * 50.0, 0.4, 0.72 + rng.f64() * 0.16),
            };
            let mut inside = scenery(&mut rng, art);
            for (side, &label) in tile.edges.iter().enumerate() {
                let turn = -90.0 * side as f64;
                let half = match problem.puzzle.labels.edge(label).half {
                    Half::Minus => 180,
                    _ => 0,
                };
                let body = &bodies[numbers[label.index()]];
                let _ = write!(
                    inside,
                    "<g transform=\"rotate({turn} 50 50)\"><g transform=\"rotate({half} 100 50)\">\
                     {body}</g></g>"
                );
            }
            let svg = format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {TILE} {TILE}\" \
                 width=\"{TILE}\" height=\"{TILE}\"><rect width=\"{TILE}\" height=\"{TILE}\" \
                 fill=\"{ground}\"/>{inside}</svg>"
            );
            let drawing = Drawing { svg, width: TILE, height: TILE };
            rendered(&drawing, pixels)
        })
        .collect()
}

/// Draws random objects in the middle of a card.
fn scenery(rng: &mut Rng, art: Art) -> String {
    let mut svg = String::new();
    let things = match art {
        Art::Fish => 2,
        _ => 8,
    };
    for _ in 0..things {
        let angle = rng.f64() * 2.0 * PI;
        let away = rng.f64() * if art == Art::Fish { 16.0 } else { 44.0 };
        let _ = write!(
            svg,
            "<ellipse cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\" fill=\"{}\"/>",
            50.0 + away * angle.cos(),
            50.0 + away * angle.sin(),
            2.0 + rng.f64() * 6.0,
            2.0 + rng.f64() * 6.0,
            colour(rng.f64() * 360.0, 0.4, 0.7),
        );
    }
    svg
}

/// The index of the image of each label.
fn image_numbers(problem: &Problem) -> Vec<usize> {
    let labels = &problem.puzzle.labels;
    let firsts: Vec<Label> = labels.firsts().collect();
    let of = |label: Label| {
        let mate = labels.mate(label);
        firsts.iter().position(|&first| first == label || first == mate)
    };
    labels.all().map(|label| of(label).unwrap_or(0)).collect()
}

/// The colour at a point of a patch of noise.
fn patch(seed: u64, x: f64, y: f64, contrast: f64) -> [f64; 3] {
    let mut rng = Rng::with_seed(seed);
    [0, 1, 2].map(|_| {
        let base = 128.0 + (rng.f64() - 0.5) * 110.0;
        base + contrast * Noise(rng.u64(..)).octaves(x, y, 4)
    })
}

/// Draws cards with patches of coloured noise across their edges.
fn textures(problem: &Problem, pixels: u32, seed: u64) -> Vec<RgbImage> {
    let mut rng = Rng::with_seed(seed);
    let patches: Vec<u64> = (0..problem.puzzle.labels.images()).map(|_| rng.u64(..)).collect();
    let numbers = image_numbers(problem);
    let ground = rng.u64(..);
    let side = f64::from(pixels);
    let card = |(tile, edges): (usize, &[Label])| {
        RgbImage::from_fn(pixels, pixels, |column, row| {
            let (x, y) = ((f64::from(column) + 0.5) / side, (f64::from(row) + 0.5) / side);
            let shifted = tile as f64 * 31.0;
            let mut pixel = patch(ground, shifted + x * 3.0, y * 3.0, 30.0);
            for (number, &label) in edges.iter().enumerate() {
                // Coordinates along the side, from left to right, and into the card, as seen with
                // the side on top.
                let (along, into) = match number {
                    0 => (y, 1.0 - x),
                    1 => (x, y),
                    2 => (1.0 - y, x),
                    _ => (1.0 - x, 1.0 - y),
                };
                let (along, into) = (along - 0.5, into);
                let away = (along / 0.33).hypot(into / 0.36);
                let weight = ((1.0 - away) * 6.0).clamp(0.0, 1.0);
                let (u, v) = match problem.puzzle.labels.edge(label).half {
                    Half::Plus => (along, into),
                    Half::Minus => (-along, -into),
                    Half::Whole => (along.abs(), into),
                };
                let inside = patch(patches[numbers[label.index()]], u * 6.0, v * 6.0, 90.0);
                for channel in 0..3 {
                    pixel[channel] = mix(pixel[channel], inside[channel], weight);
                }
            }
            Rgb(pixel.map(|c| c.clamp(0.0, 255.0) as u8))
        })
    };
    let tiles = problem.puzzle.tiles.iter().enumerate();
    tiles.map(|(number, tile)| card((number, &tile.edges))).collect()
}
