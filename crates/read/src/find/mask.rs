//! Operations on masks: black and white pictures, in which a set pixel is 255.

use image::{GrayImage, Luma};

/// The distance across which [`opened`] separates regions, in pixels.
const RADIUS: u32 = 2;

/// The regions of set pixels, which touch at their sides.
pub(super) struct Regions {
    /// The region of each pixel, row by row; 0 for pixels that are not set.
    pub of: Vec<usize>,
    /// The number of pixels of each region; that of region 0 is 0.
    pub areas: Vec<usize>,
}

/// Finds the regions of a mask.
pub(super) fn regions(mask: &GrayImage) -> Regions {
    let (width, pixels) = (mask.width() as usize, mask.as_raw());
    let mut regions = Regions { of: vec![0; pixels.len()], areas: vec![0] };
    let mut open = Vec::new();
    for start in 0..pixels.len() {
        if pixels[start] == 0 || regions.of[start] > 0 {
            continue;
        }
        let region = regions.areas.len();
        regions.areas.push(0);
        regions.of[start] = region;
        open.push(start);
        while let Some(at) = open.pop() {
            regions.areas[region] += 1;
            let beside = [
                (at % width > 0).then(|| at - 1),
                ((at + 1) % width > 0).then_some(at + 1),
                at.checked_sub(width),
                (at + width < pixels.len()).then_some(at + width),
            ];
            for next in beside.into_iter().flatten() {
                if pixels[next] > 0 && regions.of[next] == 0 {
                    regions.of[next] = region;
                    open.push(next);
                }
            }
        }
    }
    regions
}

/// The morphological opening by a square: removes what is narrower than the square, such as the
/// corner at which two cards touch.
pub(super) fn opened(mask: &GrayImage) -> GrayImage {
    let eroded = by_square(mask, |set, all| set == all);
    by_square(&eroded, |set, _| set > 0)
}

/// The mask of the pixels for which a condition holds, given the numbers of set pixels and of all
/// pixels in the square around them. Sums over rectangles make it independent of the square's size.
fn by_square(mask: &GrayImage, holds: impl Fn(u32, u32) -> bool) -> GrayImage {
    let (width, height) = mask.dimensions();
    let stride = width as usize + 1;
    let mut sums = vec![0_u32; stride * (height as usize + 1)];
    for (x, y, pixel) in mask.enumerate_pixels() {
        let at = (y as usize + 1) * stride + x as usize + 1;
        let beside = sums[at - 1] + sums[at - stride] - sums[at - stride - 1];
        sums[at] = beside + u32::from(pixel[0] > 0);
    }
    GrayImage::from_fn(width, height, |x, y| {
        let (left, right) = (x.saturating_sub(RADIUS), (x + RADIUS + 1).min(width));
        let (top, bottom) = (y.saturating_sub(RADIUS), (y + RADIUS + 1).min(height));
        let sum = |x: u32, y: u32| sums[y as usize * stride + x as usize];
        let set = sum(right, bottom) + sum(left, top) - sum(left, bottom) - sum(right, top);
        Luma([if holds(set, (right - left) * (bottom - top)) { 255 } else { 0 }])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two squares of 7 × 7 pixels that touch at one pixel.
    fn squares() -> GrayImage {
        GrayImage::from_fn(20, 20, |x, y| {
            let is_set = [(2, 2), (8, 8)]
                .iter()
                .any(|&(left, top)| (left..left + 7).contains(&x) && (top..top + 7).contains(&y));
            Luma([if is_set { 255 } else { 0 }])
        })
    }

    #[test]
    fn regions_have_their_areas() {
        let found = regions(&squares());
        assert_eq!(found.areas, [0, 97]);
        assert_eq!((found.of[0], found.of[2 * 20 + 2], found.of[14 * 20 + 14]), (0, 1, 1));
    }

    #[test]
    fn opening_removes_what_is_narrow() {
        let mut mask = squares();
        for x in 8..18 {
            mask.put_pixel(x, 4, Luma([255]));
        }
        let opened = opened(&mask);
        assert_eq!(opened.get_pixel(14, 4)[0], 0);
        assert_eq!(opened.get_pixel(5, 5)[0], 255);
        assert_eq!(regions(&opened).areas, [0, 97]);
    }
}
