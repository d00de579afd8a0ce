//! Represents the sides of cards as strips, and measures their distances.
//!
//! A strip is the area along a side, as deep as images usually extend, seen with that side on top.
//! It has three values per pixel, relative to the usual ones of its card: the logarithms of the
//! brightness and of the ratios red to green and blue to green. Shadows do not change the last two.

use edgematch::runtime::limits::CancelToken;
use image::{Rgb32FImage, RgbImage, imageops};

use crate::card::{reduced, turned};
use crate::colour::log_colours;
use crate::{Result, poll, sorted};

/// The side of the reduced picture of a card, in pixels.
pub(crate) const SIDE: usize = 48;

/// The depth of a strip, in pixels of the reduced picture.
pub(crate) const DEPTH: usize = 20;

/// The number of values per pixel.
const CHANNELS: usize = 3;

/// The number of values in a row.
const ROW: usize = SIDE * CHANNELS;

/// The standard deviation, in pixels of the reduced picture, of the Gaussian that smooths the
/// brightness: outlines must coincide.
const SMOOTH: f32 = 0.8;

/// The same for the other two values: areas of colour must only be near.
const SMOOTH_COLOURS: f32 = 2.5;

/// The width in pixels from which colours are smoothed in full. Those of a smaller card are
/// smoothed less, in proportion to its width, because it has less detail.
const DETAILED: f32 = 200.0;

/// The maximum shift along the side, in pixels, because cards are not cut out exactly.
const ALONG: isize = 4;

/// The maximum shift across the side, in pixels.
const ACROSS: isize = 3;

/// A strip: rows from the side inwards, each from left to right.
#[derive(Debug, Clone)]
pub(crate) struct Strip {
    values: Vec<f32>,
    /// The sum of the squared values.
    square: f32,
}

/// The strips of all cards: the top, right, bottom and left sides of the first card, then of the
/// next.
pub(crate) fn strips(cards: &[RgbImage]) -> Vec<Strip> {
    let of_card = |card: &RgbImage| {
        let smooth = smoothed(card);
        [0, 1, 2, 3].map(|side| values(&turned(&smooth, side)))
    };
    centred(cards.iter().flat_map(of_card).collect())
}

/// The contrast of a card: the mean absolute deviation of each channel of [`log_colours`], added
/// up.
pub(crate) fn contrast(card: &RgbImage) -> f32 {
    let colours = log_colours(&reduced(card, SIDE));
    let number = colours.len() as f32;
    let of = |channel: usize| {
        let mean = colours.iter().map(|c| c[channel]).sum::<f32>() / number;
        colours.iter().map(|c| (c[channel] - mean).abs()).sum::<f32>() / number
    };
    (0..CHANNELS).map(of).sum()
}

/// A card, reduced, with the values of strips, smoothed.
pub(crate) fn smoothed(card: &RgbImage) -> Rgb32FImage {
    let colours = log_colours(&reduced(card, SIDE));
    let usual =
        [0, 1, 2].map(|c| sorted(colours.iter().map(|colour| colour[c]))[colours.len() / 2]);
    let relative = colours.iter().flat_map(|colour| [0, 1, 2].map(|c| colour[c] - usual[c]));
    let picture = Rgb32FImage::from_raw(SIDE as u32, SIDE as u32, relative.collect());
    let picture = picture.unwrap_or_default();
    let mut smooth = imageops::blur(&picture, SMOOTH);
    let detail = (card.width() as f32 / DETAILED).min(1.0);
    let coarse = imageops::blur(&picture, SMOOTH_COLOURS * detail);
    for (pixel, coarse) in smooth.pixels_mut().zip(coarse.pixels()) {
        pixel.0[1..].copy_from_slice(&coarse.0[1..]);
    }
    smooth
}

/// The values along the top side of a smoothed card, with the mean brightness subtracted.
fn values(card: &Rgb32FImage) -> Vec<f32> {
    let mut values = card.as_raw()[..ROW * DEPTH].to_vec();
    let weights = weights();
    let light = values.iter().step_by(CHANNELS).zip(weights.iter().step_by(CHANNELS));
    let sum: f32 = light.map(|(value, weight)| value * weight).sum();
    let mean = sum / weights.iter().step_by(CHANNELS).sum::<f32>();
    for value in values.iter_mut().step_by(CHANNELS) {
        *value -= mean;
    }
    values
}

/// The weight of each value: small in the corners, which belong to two sides, at the very edge, and
/// far inside the card.
fn weights() -> Vec<f32> {
    let mut weights = Vec::with_capacity(ROW * DEPTH);
    for row in 0..DEPTH {
        for column in 0..SIDE {
            let from_corner = column.min(SIDE - 1 - column) as f32;
            let inside = ((from_corner - row as f32) / 4.0 + 0.5).clamp(0.0, 1.0);
            let off_middle = (column as f32 + 0.5) / SIDE as f32 * 2.0 - 1.0;
            let near = (-2.0 * off_middle * off_middle).exp();
            let edge = [0.1, 0.6].get(row).copied().unwrap_or(1.0);
            let depth = edge * (1.0 - 0.5 * row as f32 / DEPTH as f32);
            let weight = inside * near * depth;
            weights.extend([weight; CHANNELS]);
        }
    }
    weights
}

/// Subtracts the mean of all strips from each of them, and applies the weights.
fn centred(all: Vec<Vec<f32>>) -> Vec<Strip> {
    let weights = weights();
    let number = all.len().max(1) as f32;
    let mut mean = vec![0.0; ROW * DEPTH];
    for strip in &all {
        for (sum, value) in mean.iter_mut().zip(strip) {
            *sum += value / number;
        }
    }
    let strip = |values: Vec<f32>| {
        let values: Vec<f32> =
            (0..values.len()).map(|i| (values[i] - mean[i]) * weights[i].sqrt()).collect();
        let square = values.iter().map(|v| v * v).sum::<f32>().max(1e-6);
        Strip { values, square }
    };
    all.into_iter().map(strip).collect()
}

impl Strip {
    /// The distance between two strips, at the best shift: 0 if they are equal, about 1 if
    /// uncorrelated, about 2 if opposite.
    pub fn distance(&self, other: &Strip) -> f32 {
        let mut most = f32::MIN;
        for down in -ACROSS..=ACROSS {
            for along in -ALONG..=ALONG {
                // Larger shifts need better evidence.
                let far = (along.abs() + down.abs()) as f32 * 0.004;
                most = most.max(self.product(other, along, down) - far);
            }
        }
        1.0 - 2.0 * most / (self.square + other.square)
    }

    /// The scalar product with a strip that is shifted by this number of pixels along and down.
    fn product(&self, other: &Strip, along: isize, down: isize) -> f32 {
        let mut sum = 0.0;
        for row in 0..DEPTH as isize {
            let shifted = row + down;
            if shifted < 0 || shifted >= DEPTH as isize {
                continue;
            }
            let own = &self.values[row as usize * ROW..][..ROW];
            let others = &other.values[shifted as usize * ROW..][..ROW];
            let off = along.unsigned_abs() * CHANNELS;
            let (a, b) = if along >= 0 {
                (&own[..ROW - off], &others[off..])
            } else {
                (&own[off..], &others[..ROW - off])
            };
            sum += dot(a, b);
        }
        sum
    }
}

/// The scalar product of slices of equal length, computed in lanes so that it is vectorised.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let (left, right) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f32 = left.remainder().iter().zip(right.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in left.zip(right) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// The mean distance of strips from their nearest neighbours; it is large if cards were cut out
/// wrongly or are not those of one puzzle. Only about 24 strips are compared with all others.
///
/// # Errors
/// If the token stops the run.
pub(crate) fn strangeness(strips: &[Strip], token: &CancelToken<'_>) -> Result<f32> {
    /// The approximate number of strips that are compared with all others.
    const PROBES: usize = 24;
    let step = strips.len().div_ceil(PROBES).max(1);
    let probes: Vec<usize> = (0..strips.len()).step_by(step).collect();
    let mut sum = 0.0;
    for &probe in &probes {
        let mut nearest = f32::MAX;
        for other in (0..strips.len()).filter(|&other| other != probe) {
            poll(token)?;
            nearest = nearest.min(strips[probe].distance(&strips[other]));
        }
        sum += nearest;
    }
    Ok(sum / probes.len().max(1) as f32)
}

/// The distances between all strips, as a symmetric matrix with zeros on the diagonal.
///
/// # Errors
/// If the token stops the run.
pub(crate) fn distances(strips: &[Strip], token: &CancelToken<'_>) -> Result<Vec<Vec<f32>>> {
    let mut all = vec![vec![0.0; strips.len()]; strips.len()];
    for a in 0..strips.len() {
        for b in 0..a {
            poll(token)?;
            let distance = strips[a].distance(&strips[b]);
            all[a][b] = distance;
            all[b][a] = distance;
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn areas_of_colour_need_not_coincide() {
        // A grey card with an area at its top side in which half of the squares are coloured.
        let card = |colour: [u8; 3], seed: u32| {
            RgbImage::from_fn(240, 240, |x, y| {
                let (x, y) = (x / 5, y / 5);
                let is_coloured = (x * 7919 + y * 104_729 + (x + seed) * (y + seed) * 31) % 97 < 48;
                let is_area = (12..36).contains(&x) && y < 18;
                Rgb(if is_area && is_coloured { colour } else { [128; 3] })
            })
        };
        // As bright as the grey.
        let (red, blue) = ([200, 95, 120], [95, 128, 214]);
        let strips = strips(&[card(red, 1), card(red, 2), card(blue, 1)]);
        let (one, other, blue) = (&strips[0], &strips[4], &strips[8]);
        let (near, far) = (one.distance(other), one.distance(blue));
        assert!(near < 0.2 && far > 1.0, "{near} {far}");
    }
}
