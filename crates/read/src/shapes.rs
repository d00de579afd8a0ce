//! Tells two shapes apart that occur in all colours, such as the heads and the tails of one figure.
//!
//! The outlines along a side are described by a histogram of oriented gradients (Dalal and Triggs,
//! 2005). All sides are divided into two clusters (2-means; Lloyd, 1982). Only if these are clearly
//! apart are they two shapes.

use std::f32::consts::PI;

use edgematch::runtime::limits::CancelToken;
use image::{Rgb32FImage, RgbImage, Rgba, Rgba32FImage, imageops};

use crate::card::{SIDES, turned};
use crate::sides::{DEPTH, SIDE, dot, smoothed};
use crate::{Result, poll};

/// The directions of outlines, in units of a quarter of 180°.
const DIRECTIONS: [f32; 4] = [0.0, 1.0, 2.0, 3.0];

/// The standard deviation, in pixels of the reduced picture, of the Gaussian that blurs each
/// direction: outlines must only be near.
const BLUR: f32 = 2.0;

/// The distance between samples of a histogram, in pixels of the reduced picture.
const STEP: usize = 2;

/// The first row of samples. At the very edge, both halves of a figure look alike.
const FROM_EDGE: usize = 4;

/// The first column of samples. The corners belong to two sides.
const FROM_CORNER: usize = 10;

/// The maximum number of steps of the power method and of 2-means.
const ROUNDS: usize = 30;

/// The variance of the distances from the boundary, in half distances of the clusters, above which
/// the clusters are no shapes. It is at most 0.06 on 14 of 15 sets of photographs of halves in several
/// colours, and at least 0.17 where the boundary would divide many sides that show the same edge.
const MIXED: f32 = 0.15;

/// The distance that is added between sides of different shapes.
const APART: f32 = 0.5;

/// The distances between the sides of cards, with up to [`APART`] added between the two shapes.
///
/// # Errors
/// If the token stops the run.
pub(crate) fn separated(
    distances: &[Vec<f32>],
    cards: &[RgbImage],
    token: &CancelToken<'_>,
) -> Result<Vec<Vec<f32>>> {
    let mut shown = Vec::new();
    for card in cards {
        poll(token)?;
        let smooth = smoothed(card);
        shown.extend((0..SIDES).map(|side| outlines(&turned(&smooth, side))));
    }
    let positions = positions(shown);
    let apart = |a: f32, b: f32| ((a - b) / 2.0).powi(2) * APART;
    let row = |(row, &own): (&Vec<f32>, &f32)| {
        row.iter().zip(&positions).map(|(distance, &other)| distance + apart(own, other)).collect()
    };
    Ok(distances.iter().zip(&positions).map(row).collect())
}

/// The position of each side between two shapes, -1 to 1; near 0 if there are no two shapes.
/// `outlines` has the histogram of each side.
fn positions(mut outlines: Vec<Vec<f32>>) -> Vec<f32> {
    let mean = mean(outlines.iter());
    for outline in &mut outlines {
        outline.iter_mut().zip(&mean).for_each(|(value, mean)| *value -= mean);
    }
    let mut positions = along(&outlines, &principal(&outlines), 0.0);
    for _ in 0..ROUNDS {
        let is_first: Vec<bool> = positions.iter().map(|position| *position > 0.0).collect();
        let cluster = |first: bool| {
            let members = outlines.iter().zip(&is_first).filter(move |(_, is)| **is == first);
            self::mean(members.map(|(outline, _)| outline))
        };
        let (one, other) = (cluster(true), cluster(false));
        let axis: Vec<f32> = one.iter().zip(&other).map(|(a, b)| a - b).collect();
        let square = dot(&axis, &axis);
        if one.is_empty() || other.is_empty() || square == 0.0 {
            return vec![0.0; positions.len()];
        }
        let middle = (dot(&one, &axis) + dot(&other, &axis)) / 2.0;
        positions = along(&outlines, &axis, middle);
        positions.iter_mut().for_each(|position| *position *= 2.0 / square);
        if positions.iter().map(|position| *position > 0.0).eq(is_first) {
            break;
        }
    }
    let weight = (1.0 - variance(positions.iter().map(|position| position.abs())) / MIXED).max(0.0);
    positions.iter().map(|position| position.clamp(-1.0, 1.0) * weight.sqrt()).collect()
}

/// The histogram of oriented gradients along the top side of a smoothed card: for each sample, the
/// contrast in each of [`DIRECTIONS`], as the root of its share.
fn outlines(card: &Rgb32FImage) -> Vec<f32> {
    let light = |x: u32, y: u32| card.get_pixel(x, y).0[0];
    let last = SIDE as u32 - 1;
    let contrasts = Rgba32FImage::from_fn(SIDE as u32, SIDE as u32, |x, y| {
        let across = light((x + 1).min(last), y) - light(x.saturating_sub(1), y);
        let down = light(x, (y + 1).min(last)) - light(x, y.saturating_sub(1));
        let half_turn = DIRECTIONS.len() as f32;
        let direction = down.atan2(across).rem_euclid(PI) / PI * half_turn;
        Rgba(DIRECTIONS.map(|own| {
            let off = (direction - own).abs();
            across.hypot(down) * (1.0 - off.min(half_turn - off)).max(0.0)
        }))
    });
    let blurred = imageops::blur(&contrasts, BLUR);
    let rows = (FROM_EDGE..DEPTH).step_by(STEP);
    let samples = rows.flat_map(|y| {
        let columns = (FROM_CORNER..SIDE - FROM_CORNER).step_by(STEP);
        columns.map(move |x| (x as u32, y as u32))
    });
    let values: Vec<f32> = samples.flat_map(|(x, y)| blurred.get_pixel(x, y).0).collect();
    let sum = values.iter().sum::<f32>().max(1e-6);
    values.into_iter().map(|value| (value.max(0.0) / sum).sqrt()).collect()
}

/// The direction in which vectors with mean 0 differ most, by the power method.
fn principal(vectors: &[Vec<f32>]) -> Vec<f32> {
    let longest = vectors.iter().max_by(|a, b| dot(a, a).total_cmp(&dot(b, b)));
    let mut axis = longest.cloned().unwrap_or_default();
    for _ in 0..ROUNDS {
        let mut next = vec![0.0; axis.len()];
        for vector in vectors {
            let along = dot(vector, &axis);
            next.iter_mut().zip(vector).for_each(|(sum, value)| *sum += along * value);
        }
        let length = dot(&next, &next).sqrt().max(1e-12);
        axis = next.into_iter().map(|value| value / length).collect();
    }
    axis
}

/// The products of vectors with an axis, less `middle`.
fn along(vectors: &[Vec<f32>], axis: &[f32], middle: f32) -> Vec<f32> {
    vectors.iter().map(|vector| dot(vector, axis) - middle).collect()
}

/// The mean of vectors; empty if there are none.
fn mean<'a>(vectors: impl Iterator<Item = &'a Vec<f32>>) -> Vec<f32> {
    let mut number = 0.0;
    let mut sum: Vec<f32> = Vec::new();
    for vector in vectors {
        number += 1.0;
        sum.resize(vector.len(), 0.0);
        sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value);
    }
    sum.into_iter().map(|sum| sum / number).collect()
}

/// The variance of numbers.
fn variance(numbers: impl Iterator<Item = f32> + Clone) -> f32 {
    let number = numbers.clone().count().max(1) as f32;
    let mean = numbers.clone().sum::<f32>() / number;
    numbers.map(|value| (value - mean).powi(2)).sum::<f32>() / number
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    /// Nine cards with a disc or a bar at all sides, as `is_round` says for each card, each brighter
    /// than the one before.
    fn positions_of(is_round: impl Fn(usize) -> bool) -> Vec<f32> {
        let drawn = |card: usize| {
            Rgb32FImage::from_fn(SIDE as u32, SIDE as u32, |x, y| {
                let (x, y) = ((x as f32 - 23.5).abs(), (y as f32 - 23.5).abs());
                let (off, deep) = (x.min(y), 23.5 - x.max(y));
                let is_inside =
                    if is_round(card) { off.hypot(deep) < 12.0 } else { off < 3.0 && deep < 16.0 };
                Rgb([if is_inside { 0.5 + card as f32 * 0.1 } else { 0.0 }, 0.0, 0.0])
            })
        };
        let of_card = |card| (0..SIDES).map(move |side| outlines(&turned(&card, side)));
        positions((0..9).map(drawn).flat_map(of_card).collect())
    }

    #[test]
    fn two_shapes_are_apart_in_any_brightness() {
        let positions = positions_of(|card| card.is_multiple_of(2));
        for (side, position) in positions.iter().enumerate() {
            let is_first = (side / SIDES).is_multiple_of(2);
            assert!((position * positions[0] > 0.0) == is_first && position.abs() > 0.9);
        }
    }

    #[test]
    fn one_shape_is_not_divided() {
        assert!(positions_of(|_| true).iter().all(|position| position.abs() < 0.1));
    }
}
