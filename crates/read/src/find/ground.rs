//! Separates the ground, on which the cards are photographed, from the cards.
//!
//! The ground is the set of pixels that are connected to the border of the photograph by pixels
//! with the hue of the border, and without steps larger than those of the border. Brightness may
//! change gradually, so a shadow with a soft edge belongs to the ground.

use std::collections::VecDeque;

use image::{GrayImage, Luma, Rgb, RgbImage};
use imageproc::distance_transform::Norm;
use imageproc::filter::gaussian_blur_f32;
use imageproc::morphology::{close, dilate};

use crate::sorted;

/// The width of the border that is assumed to be ground, as a fraction of the shorter side.
const RING: f32 = 0.02;

/// The fraction of the border's pixels that may be something else.
const STRAY: f32 = 0.03;

/// The step that the ground may always have, and the one that it never has; differences of
/// logarithms.
const STEPS: (f32, f32) = (0.035, 0.3);

/// The difference in hue from the border's median that is always allowed for the ground, and the
/// spread of hue within the border above which no ground is found; differences of logarithms.
const HUES: (f32, f32) = (0.06, 0.35);

/// The maximum difference in brightness between the ground and the border; of logarithms.
const LIGHT: f32 = 1.1;

/// The radius of the morphological closing, in pixels: regions narrower than twice this are not
/// cards.
const CRUMB: u8 = 5;

/// A slightly blurred picture in the form of [`log_colours`].
pub(super) struct Planes {
    pub width: usize,
    pub height: usize,
    /// The pixels, row by row.
    pub pixels: Vec<[f32; 3]>,
}

/// For each pixel, row by row, the logarithms of the brightness and of the ratios red to green and
/// blue to green.
pub(crate) fn log_colours(picture: &RgbImage) -> Vec<[f32; 3]> {
    // This offset reduces the influence of dark pixels, which are mostly noise.
    const DARK: f32 = 16.0;
    let colour = |pixel: &Rgb<u8>| {
        let [red, green, blue] = pixel.0.map(|c| f32::from(c) + DARK);
        let light = 0.3 * red + 0.59 * green + 0.11 * blue;
        [light.ln(), (red / green).ln(), (blue / green).ln()]
    };
    picture.pixels().map(colour).collect()
}

impl Planes {
    /// Blurs the photograph slightly and converts its colours to logarithms.
    pub fn new(photo: &RgbImage) -> Planes {
        let blurred = gaussian_blur_f32(photo, 0.9);
        Planes {
            width: photo.width() as usize,
            height: photo.height() as usize,
            pixels: log_colours(&blurred),
        }
    }

    /// The largest difference between two pixels in one of the three values.
    pub fn difference(&self, a: usize, b: usize) -> f32 {
        let (a, b) = (self.pixels[a], self.pixels[b]);
        (0..3).map(|c| (a[c] - b[c]).abs()).fold(0.0, f32::max)
    }

    /// The larger of the horizontal and vertical steps between the neighbours of a pixel.
    fn step(&self, x: usize, y: usize) -> f32 {
        let row = y * self.width;
        let (left, right) = (x.saturating_sub(1), (x + 1).min(self.width - 1));
        let (above, below) = (y.saturating_sub(1), (y + 1).min(self.height - 1));
        let across = self.difference(row + left, row + right);
        across.max(self.difference(above * self.width + x, below * self.width + x))
    }
}

/// A mask that is 255 on the ground and 0 elsewhere; `None` if the border is too uneven for this
/// tolerance. The tolerance scales the largest step and the largest difference in hue of the ground;
/// 1 allows slightly more than those of the border.
pub(super) fn ground(planes: &Planes, tolerance: f32) -> Option<GrayImage> {
    let (width, height) = (planes.width, planes.height);
    let ring = ((width.min(height) as f32 * RING) as usize).max(2);
    let is_ring =
        |x: usize, y: usize| x < ring || y < ring || x >= width - ring || y >= height - ring;
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let border: Vec<(usize, usize)> = places.filter(|&(x, y)| is_ring(x, y)).collect();
    let of =
        |channel: usize| sorted(border.iter().map(|&(x, y)| planes.pixels[y * width + x][channel]));
    let colours = [of(0), of(1), of(2)];
    let middle = [0, 1, 2].map(|c| quantile(&colours[c], 0.5));
    let spread = [1, 2].map(|c| {
        let (low, high) = (quantile(&colours[c], STRAY), quantile(&colours[c], 1.0 - STRAY));
        (high - middle[c]).max(middle[c] - low)
    });
    if spread.iter().any(|&spread| spread > HUES.1) {
        return None;
    }
    let steps = sorted(border.iter().map(|&(x, y)| planes.step(x, y)));
    let step = (quantile(&steps, 1.0 - STRAY) * 1.3).max(STEPS.0) * tolerance;
    if step > STEPS.1 {
        return None;
    }
    let is_open = |x: usize, y: usize| {
        let pixel = planes.pixels[y * width + x];
        let hue = (1..3)
            .all(|c| (pixel[c] - middle[c]).abs() <= (spread[c - 1] * 1.4).max(HUES.0) * tolerance);
        hue && (pixel[0] - middle[0]).abs() <= LIGHT && planes.step(x, y) <= step
    };
    let closed = GrayImage::from_fn(width as u32, height as u32, |x, y| {
        Luma([if is_open(x as usize, y as usize) { 0 } else { 255 }])
    });
    Some(flood(&closed, &border))
}

/// Flood-fills the pixels that are not `closed` from the border, and returns them as 255. Small
/// holes in thin lines are closed first, and small remaining regions are added to the ground.
fn flood(closed: &GrayImage, border: &[(usize, usize)]) -> GrayImage {
    let width = closed.width() as usize;
    let wall = dilate(closed, Norm::LInf, 1);
    let mut reached = GrayImage::from_pixel(closed.width(), closed.height(), Luma([255]));
    let mut queue = VecDeque::new();
    let mut visit = |x: usize, y: usize, queue: &mut VecDeque<(usize, usize)>| {
        let (column, row) = (x as u32, y as u32);
        let is_new =
            wall.get_pixel(column, row)[0] == 0 && reached.get_pixel(column, row)[0] == 255;
        if is_new {
            reached.put_pixel(column, row, Luma([0]));
            queue.push_back((x, y));
        }
    };
    for &(x, y) in border {
        visit(x, y, &mut queue);
    }
    let height = closed.height() as usize;
    while let Some((x, y)) = queue.pop_front() {
        if x > 0 {
            visit(x - 1, y, &mut queue);
        }
        if y > 0 {
            visit(x, y - 1, &mut queue);
        }
        if x + 1 < width {
            visit(x + 1, y, &mut queue);
        }
        if y + 1 < height {
            visit(x, y + 1, &mut queue);
        }
    }
    // Undo the thickening of the wall by one pixel.
    let ground = GrayImage::from_fn(closed.width(), closed.height(), |x, y| {
        Luma([255 - reached.get_pixel(x, y)[0]])
    });
    let ground = dilate(&ground, Norm::LInf, 1);
    // Remove bumps and crumbs, where grain or shadows stopped the flood.
    close(&ground, Norm::LInf, CRUMB)
}

/// The value at this fraction of a sorted slice; 0 if it is empty.
fn quantile(sorted: &[f32], part: f32) -> f32 {
    let place = (sorted.len().saturating_sub(1)) as f32 * part;
    sorted.get(place.round() as usize).copied().unwrap_or(0.0)
}
