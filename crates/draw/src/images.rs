//! The images of a puzzle as a text table: how many edges show each half, and on which tiles.

use edgematch::load::printable;
use edgematch::problem::Problem;
use edgematch::puzzle::{Half, HalfUse, ImageUse};
use unicode_width::UnicodeWidthStr;

use super::writing::{Ink, Writing, tile_name};

/// A table with a line for each half: its name, the number of edges that show it, and the names of
/// their tiles, truncated to `columns` characters. If one half of an image is on at least two more
/// edges than the other, another line says so.
pub fn text_of_images(problem: &Problem, columns: usize, ink: Ink) -> String {
    let images = problem.puzzle.image_uses();
    let writing = Writing::fit_to_columns(problem, usize::MAX, ink, |_| 0);
    let width = writing.names.iter().map(|name| name.width()).max();
    let width = width.unwrap_or_default().max("edge".len());
    let mut text = format!("    {:width$}  number  on tiles\n", "edge");
    for image in &images {
        for half in &image.halves {
            text += &line(problem, half, &writing, (width, columns));
        }
        text += &surplus_line(image);
    }
    text
}

/// The line of a half, such as `◐ ylw+`: a symbol for the half, its name in the colour of its
/// figure, the number of edges and the tiles. `width` is that of the names, `columns` that of the
/// line.
fn line(
    problem: &Problem,
    half: &HalfUse,
    writing: &Writing,
    (width, columns): (usize, usize),
) -> String {
    let glyph = match problem.puzzle.labels.edge(half.label).half {
        Half::Plus => '◐',
        Half::Minus => '◑',
        Half::Whole => '●',
    };
    let name = writing.padded(half.label, width);
    let number = half.tiles.len();
    let mut line = format!("  {glyph} {name}  {number:>6}  ");
    let mut used = width + 14;
    for (place, &tile) in half.tiles.iter().enumerate() {
        let name = tile_name(problem, tile, writing);
        used += name.width() + 1;
        let is_last = place + 1 == number;
        if used + usize::from(!is_last) * 2 > columns {
            line += "…";
            break;
        }
        line += &name;
        line.push(if is_last { '\n' } else { ' ' });
    }
    line.trim_end().to_owned() + "\n"
}

/// A line that states how many more edges show one half than the other; empty if the difference is
/// at most one or the image has no halves.
fn surplus_line(image: &ImageUse) -> String {
    let name = printable(&image.name);
    match image.counts()[..] {
        [plus, minus] if plus > minus + 1 => format!("      {} more {name}+\n", plus - minus),
        [plus, minus] if minus > plus + 1 => format!("      {} more {name}-\n", minus - plus),
        _ => String::new(),
    }
}
