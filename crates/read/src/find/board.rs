//! Finds the lines between the cards of a board, whose cards touch each other.

use super::edges::Edges;
use crate::GridSize;
use crate::quad::Quad;

/// The number of positions of lines across a board.
const PLACES: usize = 240;

/// The number of positions by which the ends of a line may be off its middle.
const TILT: isize = 2;

/// The maximum number of rows and of columns.
const MOST: usize = 12;

/// The minimum evidence for the lines between cards.
const LINES: f32 = 0.8;

/// The minimum by which the evidence for a line exceeds that for the best other line.
const ABOVE_OTHERS: f32 = 0.04;

/// The maximum logarithm of the ratio of a card's width to its height.
const SQUARE: f32 = 0.3;

/// The rows and columns of a board with the most evidence, and that evidence: the amount by which
/// lines between cards exceed the best other lines. `None` if no division has enough. If the size
/// is given, any evidence is enough.
pub(super) fn divided(
    edges: &Edges,
    board: &Quad,
    size: Option<GridSize>,
) -> Option<(GridSize, f32)> {
    let [across, down] = [false, true].map(|is_down| Lines::new(edges, board, is_down));
    let (across, down) = (across?, down?);
    if let Some(size) = size {
        let evidence = across.between(size.columns).1.min(down.between(size.rows).1);
        return (evidence > 0.0).then_some((size, evidence));
    }
    let (width, height) = board.size();
    let mut best: Option<(GridSize, f32)> = None;
    for rows in 2..=MOST {
        for columns in 2..=MOST {
            let shape = (width / columns as f32 / (height / rows as f32)).ln().abs();
            if shape > SQUARE {
                continue;
            }
            let (a, b) = (across.between(columns), down.between(rows));
            let evidence = a.1.min(b.1);
            if a.0.min(b.0) >= LINES
                && evidence >= ABOVE_OTHERS
                && best.is_none_or(|best| evidence > best.1)
            {
                best = Some((GridSize { rows, columns }, evidence));
            }
        }
    }
    best
}

/// The evidence for each line across a board or down it.
struct Lines(Vec<f32>);

impl Lines {
    /// Measures the lines of a board from the top to the bottom side, or with `is_down` from the
    /// left to the right side. `None` if three corners are collinear.
    fn new(edges: &Edges, board: &Quad, is_down: bool) -> Option<Lines> {
        let whole = [(0.0, 1.0)];
        let places: Vec<(f32, f32)> =
            (0..=PLACES).map(|i| i as f32 / PLACES as f32).map(|t| (t, t)).collect();
        let parts =
            if is_down { board.parts(&places, &whole) } else { board.parts(&whole, &places) };
        // One side of each part has no length, so these are the ends of a line.
        let ends: Vec<_> = parts?.iter().map(|part| (part.0[0], part.0[2])).collect();
        let at = |place: usize| {
            let tilted = (-TILT..=TILT).filter_map(|tilt| {
                let from = ends.get(place.checked_add_signed(tilt)?)?.0;
                let to = ends.get(place.checked_add_signed(-tilt)?)?.1;
                Some(edges.side(from, to))
            });
            tilted.fold(0.0, f32::max)
        };
        Some(Lines((0..=PLACES).map(at).collect()))
    }

    /// The evidence for the lines between this number of equal parts, and the amount by which it
    /// exceeds that of the best line elsewhere. For one part, whose lines are the border, the
    /// evidence is assumed.
    fn between(&self, parts: usize) -> (f32, f32) {
        /// The distance from a line up to which a place is near, as a fraction of a part: cards
        /// have small gaps and different sizes.
        const NEAR: f32 = 0.04;
        /// The distance from a line from which a place is elsewhere: some cards have frames.
        const AWAY: f32 = 0.15;
        let part = PLACES as f32 / parts as f32;
        let off = |place: usize| {
            let at = place as f32 / part;
            (at - at.round()).abs()
        };
        let best = |line: usize| {
            let near = (0..=PLACES).filter(|&place| {
                off(place) <= NEAR && (place as f32 / part).round() as usize == line
            });
            near.map(|place| self.0[place]).fold(0.0, f32::max)
        };
        let lines = match parts {
            1 => LINES,
            _ => (1..parts).map(best).sum::<f32>() / (parts - 1) as f32,
        };
        let others = (0..=PLACES).filter(|&place| off(place) > AWAY);
        let elsewhere = others.map(|place| self.0[place]).fold(0.0, f32::max);
        (lines, lines - elsewhere)
    }
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    #[test]
    fn the_rows_and_columns_of_a_board_are_found_by_its_lines() {
        // Cards with 60 pixels, each with a colour and a round spot of its own.
        let picture = RgbImage::from_fn(240, 180, |x, y| {
            let card = x / 60 + y / 60 * 4;
            let (dx, dy) = (x % 60, y % 60);
            let is_spot = dx.abs_diff(20 + card) + dy.abs_diff(40 - card) < 12;
            let tone = (card * 37 % 11 * 20 + 30) as u8;
            Rgb(if is_spot { [250, 20, tone] } else { [tone, 255 - tone, 90] })
        });
        let edges = Edges::new(&picture);
        let found = divided(&edges, &Quad::whole_picture(240, 180), None);
        assert_eq!(found.map(|(size, _)| size), Some(GridSize { rows: 3, columns: 4 }));
        let plain = Edges::new(&RgbImage::from_pixel(240, 180, Rgb([90; 3])));
        assert!(divided(&plain, &Quad::whole_picture(240, 180), None).is_none());
    }
}
