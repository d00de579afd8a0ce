//! Finds the rows and columns of cards inside a board with known corners.

use image::{RgbImage, imageops};

use super::Layout;
use crate::colour::lab;
use crate::quad::Quad;
use crate::{GridSize, sorted};

/// The side of the rectified board, in pixels.
const PIXELS: u32 = 480;

/// The maximum number of rows and of columns if no size is given and no lines are visible.
const MOST: usize = 6;

/// The gaps between cards that are tried, as fractions of the board's side.
const GAPS: [f32; 9] = [0.0, 0.004, 0.008, 0.012, 0.016, 0.02, 0.025, 0.03, 0.04];

/// The maximum number of layouts if no size is given.
const LIKELIEST: usize = 8;

/// The bonus in score for 3 × 3 cards, the most common size.
const USUAL: f32 = 1.0;

/// The strength of the step in colour at each column of pixels: the value that 60 % of the rows
/// reach.
fn steps(board: &RgbImage) -> Vec<f32> {
    /// The fraction of the rows that may have a smaller step, because cards that happen to match
    /// have none at their seam.
    const PART: f32 = 0.4;
    let (width, height) = (board.width() as usize, board.height() as usize);
    let colours = lab(&imageops::blur(board, 0.9));
    let difference = |a: usize, b: usize| {
        (0..3).map(|c| (colours[a][c] - colours[b][c]).abs()).fold(0.0, f32::max)
    };
    let step = |x: usize| {
        let (left, right) = (x.saturating_sub(1), (x + 1).min(width - 1));
        let all = (0..height).map(|y| difference(y * width + left, y * width + right));
        sorted(all)[(height as f32 * PART) as usize]
    };
    (0..width).map(step).collect()
}

/// A division of the board's width or height into equal cards with equal gaps.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Division {
    /// The number of cards.
    number: usize,
    /// The gap between cards, as a fraction of the whole.
    gap: f32,
    /// The strength of the steps at the lines, relative to the mean step.
    score: f32,
}

/// The division into this number of cards with the gap that fits the steps best.
fn divided(steps: &[f32], number: usize) -> Division {
    if number == 1 {
        return Division { number, gap: 0.0, score: 0.0 };
    }
    let mean = steps.iter().sum::<f32>() / steps.len() as f32;
    let reach = (steps.len() as f32 * 0.008).max(1.0) as usize;
    let near = |place: f32| {
        let at = (place * steps.len() as f32) as usize;
        let (from, to) = (at.saturating_sub(reach), (at + reach).min(steps.len() - 1));
        steps[from..=to].iter().copied().fold(0.0, f32::max)
    };
    let with = |gap: f32| {
        let card = (1.0 - gap * (number - 1) as f32) / number as f32;
        let lines = (1..number).flat_map(|line| {
            let from = line as f32 * (card + gap) - gap;
            [from, from + gap]
        });
        let values = sorted(lines.map(near));
        // The weakest lines count twice, because a wrong number has some lines without a step.
        let weakest = values[values.len() / 4];
        let all = values.iter().sum::<f32>() / values.len() as f32;
        (all + weakest) / 2.0 / (mean + 0.5)
    };
    let best = GAPS.into_iter().map(|gap| (gap, with(gap)));
    // A larger gap needs evidence: its score must be at least 8 % better.
    let (gap, score) = best.fold((0.0, 0.0), |best, (gap, score)| {
        let factor = if best.1 == 0.0 { 1.0 } else { 1.08 };
        if score > best.1 * factor { (gap, score) } else { best }
    });
    Division { number, gap, score }
}

/// The layouts of the cards of a board, the most likely by shape and lines first; only one if the
/// size is given. Empty if three corners are collinear, or no division has nearly square cards.
pub(super) fn layouts(photo: &RgbImage, board: &Quad, size: Option<GridSize>) -> Vec<Layout> {
    let Some(straight) = board.straightened(photo, PIXELS, PIXELS) else {
        return Vec::new();
    };
    let across = steps(&straight);
    let down = steps(&imageops::rotate90(&straight));
    // After rotating clockwise, the bottom row of pixels is the first column.
    let down: Vec<f32> = down.into_iter().rev().collect();
    let divisions = match size {
        Some(size) => {
            let both = (divided(&down, size.rows), divided(&across, size.columns));
            vec![(both.0, both.1, 0.0)]
        }
        None => likeliest(board, &across, &down),
    };
    let layout = |(rows, columns, score): (Division, Division, f32)| {
        let size = GridSize { rows: rows.number, columns: columns.number };
        let quads = card_outlines(board, &rows, &columns)?;
        Some(Layout { size, quads, score, is_guess: false })
    };
    divisions.into_iter().filter_map(layout).collect()
}

/// The rows, columns and scores of up to [`LIKELIEST`] layouts: cards must be nearly square, and
/// the strongest lines come first.
fn likeliest(board: &Quad, across: &[f32], down: &[f32]) -> Vec<(Division, Division, f32)> {
    let (width, height) = board.size();
    let all_columns: Vec<Division> = (2..=MOST).map(|n| divided(across, n)).collect();
    let all_rows: Vec<Division> = (2..=MOST).map(|n| divided(down, n)).collect();
    let mut all = Vec::new();
    for columns in &all_columns {
        for rows in &all_rows {
            let card = (width / columns.number as f32, height / rows.number as f32);
            let shape = (card.0 / card.1).ln().abs();
            if shape > 0.3 {
                continue;
            }
            let both = f32::midpoint(columns.score, rows.score);
            let is_usual = (rows.number, columns.number) == (3, 3);
            let usual = if is_usual { USUAL } else { 0.0 };
            all.push((*rows, *columns, both - shape * 3.0 + usual));
        }
    }
    all.sort_by(|a, b| b.2.total_cmp(&a.2));
    all.truncate(LIKELIEST);
    all
}

/// The outlines of the cards of a board with these rows and columns, row by row; `None` if three
/// corners are collinear.
fn card_outlines(board: &Quad, rows: &Division, columns: &Division) -> Option<Vec<Quad>> {
    let ranges = |&Division { number, gap, .. }: &Division| -> Vec<(f32, f32)> {
        let card = (1.0 - gap * (number - 1) as f32) / number as f32;
        let starts = (0..number).map(|at| at as f32 * (card + gap));
        starts.map(|from| (from, from + card)).collect()
    };
    board.parts(&ranges(rows), &ranges(columns))
}
