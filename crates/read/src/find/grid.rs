//! Rows and columns inside a board whose corners are known.

use image::{RgbImage, imageops};

use super::ground::Planes;
use crate::Size;
use crate::quad::Quad;

/// Boards are straightened to so many pixels a side.
const PIXELS: u32 = 480;

/// Rows and columns that are tried.
const MOST: usize = 12;

/// Gaps between cards that are tried, as parts of the board.
const GAPS: [f32; 9] = [0.0, 0.004, 0.008, 0.012, 0.016, 0.02, 0.025, 0.03, 0.04];

/// So many sizes are considered where none is given.
const LIKELIEST: usize = 8;

/// By how much the lines of 3 × 3 cards may be weaker than those of other sizes, which are rare.
const USUAL: f32 = 1.0;

/// How strong the steps are across each column of pixels: what nearly all rows have there.
fn steps(planes: &Planes) -> Vec<f32> {
    // Cards that happen to match leave no step along their seam; most do not match.
    const PART: f32 = 0.4;
    let (width, height) = (planes.width, planes.height);
    let step = |x: usize| {
        let (left, right) = (x.saturating_sub(1), (x + 1).min(width - 1));
        let mut all: Vec<f32> = (0..height)
            .map(|y| {
                let (a, b) = (planes.pixels[y * width + left], planes.pixels[y * width + right]);
                (0..3).map(|c| (a[c] - b[c]).abs()).fold(0.0, f32::max)
            })
            .collect();
        all.sort_by(f32::total_cmp);
        all[(height as f32 * PART) as usize]
    };
    (0..width).map(step).collect()
}

/// How a direction is divided: so many cards, with gaps of this part of the whole between them.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Division {
    number: usize,
    gap: f32,
    /// How much stronger the steps are at the lines than elsewhere.
    score: f32,
}

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
        let mut values: Vec<f32> = lines.map(near).collect();
        values.sort_by(f32::total_cmp);
        // The weakest lines count as well: a wrong number has some that are none.
        let weakest = values[values.len() / 4];
        let all = values.iter().sum::<f32>() / values.len() as f32;
        (all + weakest) / 2.0 / (mean + 0.01)
    };
    let best = GAPS.into_iter().map(|gap| (gap, with(gap)));
    // A gap needs evidence: both of its sides must be as strong as the one line without.
    let (gap, score) = best.fold((0.0, 0.0), |best, (gap, score)| {
        let factor = if best.1 == 0.0 { 1.0 } else { 1.08 };
        if score > best.1 * factor { (gap, score) } else { best }
    });
    Division { number, gap, score }
}

/// Layouts of the cards of a board, the likeliest by its shape and its lines first; just one where
/// the size is given. None where three of its corners are in line.
pub(super) fn layouts(photo: &RgbImage, board: &Quad, size: Option<Size>) -> Vec<Layout> {
    let Some(straight) = board.straightened(photo, PIXELS, PIXELS) else {
        return Vec::new();
    };
    let across = steps(&Planes::new(&straight));
    let down = steps(&Planes::new(&imageops::rotate90(&straight)));
    // Turned to the right, the lowest row of pixels comes first.
    let down: Vec<f32> = down.into_iter().rev().collect();
    let divisions = match size {
        Some(size) => {
            let both = (divided(&down, size.rows), divided(&across, size.columns));
            vec![(both.0, both.1, 0.0)]
        }
        None => likeliest(board, &across, &down),
    };
    let layout = |(rows, columns, score): (Division, Division, f32)| {
        let size = Size { rows: rows.number, columns: columns.number };
        let quads = placed(board, &rows, &columns)?;
        Some(Layout { size, quads, score })
    };
    divisions.into_iter().filter_map(layout).collect()
}

/// The numbers whose cards are about square, and whose lines are strongest.
fn likeliest(board: &Quad, across: &[f32], down: &[f32]) -> Vec<(Division, Division, f32)> {
    let (width, height) = board.size();
    let all_columns: Vec<Division> = (1..=MOST).map(|n| divided(across, n)).collect();
    let all_rows: Vec<Division> = (1..=MOST).map(|n| divided(down, n)).collect();
    let mut all = Vec::new();
    for columns in &all_columns {
        for rows in &all_rows {
            let card = (width / columns.number as f32, height / rows.number as f32);
            let shape = (card.0 / card.1).ln().abs();
            if shape > 0.3 || rows.number * columns.number < 2 {
                continue;
            }
            let both = match (rows.number, columns.number) {
                (1, _) => columns.score,
                (_, 1) => rows.score,
                _ => f32::midpoint(columns.score, rows.score),
            };
            let is_usual = (rows.number, columns.number) == (3, 3);
            let usual = if is_usual { USUAL } else { 0.0 };
            all.push((*rows, *columns, both - shape * 3.0 + usual));
        }
    }
    all.sort_by(|a, b| b.2.total_cmp(&a.2));
    all.truncate(LIKELIEST);
    all
}

fn placed(board: &Quad, rows: &Division, columns: &Division) -> Option<Vec<Quad>> {
    let range = |division: &Division, at: usize| {
        let card = (1.0 - division.gap * (division.number - 1) as f32) / division.number as f32;
        let from = at as f32 * (card + division.gap);
        (from, from + card)
    };
    let mut quads = Vec::new();
    for row in 0..rows.number {
        for column in 0..columns.number {
            let (top, bottom) = range(rows, row);
            let (left, right) = range(columns, column);
            quads.push(board.part((left, top), (right, bottom))?);
        }
    }
    Some(quads)
}

/// Where cards may lie: row by row from the top, each row from the left.
pub(crate) struct Layout {
    pub size: Size,
    pub quads: Vec<Quad>,
    /// How much speaks for it beside other layouts of the same photograph.
    pub score: f32,
}
