//! Quadrilaterals around the regions of a picture.
//!
//! No single rule separates cards from every ground. Many cheap masks are made, and quadrilaterals
//! are fitted to the regions of each; later steps decide which of them are cards.

use edgematch::runtime::limits::CancelToken;
use image::{GrayImage, Luma};

use super::edges::Edges;
use super::mask::{self, opened};
use crate::quad::{Line, Point, Quad, area};
use crate::{Result, poll};

/// The differences from the colours of the rim above which a pixel is not ground, in L*a*b*.
const DIFFERENCES: [f32; 4] = [5.0, 9.0, 15.0, 24.0];

/// The steps above which a pixel separates regions, in L*a*b* per pixel.
const STEPS: [f32; 5] = [1.5, 3.0, 5.0, 8.0, 12.0];

/// The maximum number of regions of a mask; the largest are kept.
const MOST: usize = 60;

/// The minimum area of a region, in pixels.
const SMALLEST: usize = 120;

/// The minimum fraction of its convex hull that a region fills if the mask excludes pixels of the
/// card.
const FILLED_BROKEN: f32 = 0.4;

/// The minimum fraction of its convex hull that a region fills if the mask contains the whole card.
const FILLED: f32 = 0.5;

/// The minimum fraction of its quadrilateral that a convex hull fills.
const FOUR_SIDED: f32 = 0.86;

/// The maximum ratio of two sides of a card in perspective.
const OBLONG: f32 = 1.45;

/// A corner of a pixel.
type Pixel = (i32, i32);

/// The pixels that may belong to cards are 255.
struct CardMask {
    pixels: GrayImage,
    /// The minimum fraction of its convex hull that the region of a card fills.
    filled: f32,
}

/// The quadrilaterals around the regions of all masks.
///
/// # Errors
/// If the token stops the run.
pub(super) fn quads(edges: &Edges, token: &CancelToken<'_>) -> Result<Vec<Quad>> {
    let mut all = Vec::new();
    for mask in rim_masks(edges).into_iter().chain(step_masks(edges)) {
        poll(token)?;
        all.extend(regions(&mask));
    }
    Ok(all)
}

/// The masks of pixels that differ from the colours of the picture's rim.
fn rim_masks(edges: &Edges) -> Vec<CardMask> {
    const RIM: usize = 3;
    let rim = (0..edges.colours.len()).filter(|&at| is_rim(edges, at, RIM));
    let rim: Vec<[f32; 3]> = rim.map(|at| edges.colours[at]).collect();
    let centres = centres(&rim);
    let nearest = |colour: &[f32; 3]| {
        centres.iter().map(|centre| squared(colour, centre)).fold(f32::MAX, f32::min).sqrt()
    };
    let off: Vec<f32> = edges.colours.iter().map(nearest).collect();
    DIFFERENCES
        .into_iter()
        .flat_map(|difference| with_opened(mask(edges, |at| off[at] > difference), FILLED_BROKEN))
        .collect()
}

/// Returns true if a pixel, given by its index, is in a rim of this width.
fn is_rim(edges: &Edges, at: usize, rim: usize) -> bool {
    let (x, y) = (at % edges.width, at / edges.width);
    x.min(y) < rim || x + rim >= edges.width || y + rim >= edges.height
}

/// The masks that steps in colour separate: of regions without steps, and of everything that such a
/// region at the rim does not reach.
fn step_masks(edges: &Edges) -> Vec<CardMask> {
    /// The minimum area of a region of the ground, as a fraction of the picture.
    const GROUND: f32 = 0.004;
    let mut masks = Vec::new();
    for step in STEPS {
        let even = mask(edges, |at| edges.steps[at] <= step);
        let regions = mask::regions(&even);
        let large = edges.colours.len() as f32 * GROUND;
        let mut is_ground = vec![false; regions.areas.len()];
        for (at, &region) in regions.of.iter().enumerate() {
            is_ground[region] |= is_rim(edges, at, 1) && regions.areas[region] as f32 > large;
        }
        let rest = mask(edges, |at| !is_ground[regions.of[at]]);
        masks.push(CardMask { pixels: even, filled: FILLED });
        masks.extend(with_opened(rest, FILLED));
    }
    masks
}

/// The mask of the pixels, given by their indices, for which a condition holds.
fn mask(edges: &Edges, is_card: impl Fn(usize) -> bool) -> GrayImage {
    GrayImage::from_fn(edges.width as u32, edges.height as u32, |x, y| {
        Luma([if is_card(y as usize * edges.width + x as usize) { 255 } else { 0 }])
    })
}

/// A mask as it is, and opened.
fn with_opened(pixels: GrayImage, filled: f32) -> [CardMask; 2] {
    let opened = opened(&pixels);
    [CardMask { pixels, filled }, CardMask { pixels: opened, filled }]
}

/// The squared distance between two colours.
fn squared(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    (0..3).map(|c| (a[c] - b[c]) * (a[c] - b[c])).sum()
}

/// Three centres of colours by k-means (Lloyd, 1982), which starts from colours far from each other.
fn centres(colours: &[[f32; 3]]) -> Vec<[f32; 3]> {
    const CENTRES: usize = 3;
    const ROUNDS: usize = 8;
    let Some(&first) = colours.first() else {
        return Vec::new();
    };
    let mut centres = vec![first];
    while centres.len() < CENTRES {
        let off = |colour: &[f32; 3]| {
            centres.iter().map(|centre| squared(colour, centre)).fold(f32::MAX, f32::min)
        };
        let farthest = colours.iter().max_by(|a, b| off(a).total_cmp(&off(b)));
        centres.push(farthest.copied().unwrap_or(first));
    }
    for _ in 0..ROUNDS {
        let mut sums = vec![([0.0_f32; 3], 0.0_f32); centres.len()];
        for colour in colours {
            let off = |at: &usize| squared(colour, &centres[*at]);
            let nearest = (0..centres.len()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0);
            let (sum, number) = &mut sums[nearest];
            *number += 1.0;
            for c in 0..3 {
                sum[c] += colour[c];
            }
        }
        for (centre, (sum, number)) in centres.iter_mut().zip(sums) {
            if number > 0.0 {
                *centre = sum.map(|value| value / number);
            }
        }
    }
    centres
}

/// The quadrilaterals around the largest regions of a mask that can be cards.
fn regions(mask: &CardMask) -> Vec<Quad> {
    let mask::Regions { of, areas } = mask::regions(&mask.pixels);
    let mut largest: Vec<usize> =
        (1..areas.len()).filter(|&region| areas[region] >= SMALLEST).collect();
    largest.sort_by_key(|&region| std::cmp::Reverse(areas[region]));
    largest.truncate(MOST);
    let mut place = vec![None; areas.len()];
    for (at, &region) in largest.iter().enumerate() {
        place[region] = Some(at);
    }
    let mut outlines = vec![Vec::new(); largest.len()];
    for (y, row) in of.chunks(mask.pixels.width() as usize).enumerate() {
        add_ends(row.iter().map(|&region| place[region]), y as i32, &mut outlines);
    }
    let outlined = largest.iter().zip(outlines);
    outlined.filter_map(|(&region, points)| fitted(points, areas[region], mask.filled)).collect()
}

/// Adds the corners of the first and of the last pixel of each region in a row to the points of its
/// outline. `row` has the region of each pixel.
fn add_ends(row: impl Iterator<Item = Option<usize>>, y: i32, outlines: &mut [Vec<Pixel>]) {
    let mut ends: Vec<(usize, i32, i32)> = Vec::new();
    for (x, region) in row.enumerate() {
        let Some(region) = region else {
            continue;
        };
        match ends.iter_mut().find(|end| end.0 == region) {
            Some(end) => end.2 = x as i32 + 1,
            None => ends.push((region, x as i32, x as i32 + 1)),
        }
    }
    for (region, left, right) in ends {
        let corners = [(left, y), (left, y + 1), (right, y), (right, y + 1)];
        outlines[region].extend(corners);
    }
}

/// The quadrilateral around a region with this number of pixels; `None` if it does not look like a
/// card.
fn fitted(outline: Vec<Pixel>, number: usize, filled: f32) -> Option<Quad> {
    let hull = convex_hull(outline);
    let hull_area = area(&hull);
    if (number as f32) < hull_area * filled {
        return None;
    }
    let quad = around(hull)?;
    let sides = quad.lengths();
    let (least, most) =
        sides.into_iter().fold((f32::MAX, 0.0_f32), |(a, b), side| (a.min(side), b.max(side)));
    (hull_area >= quad.area() * FOUR_SIDED && most <= least * OBLONG).then_some(quad)
}

/// The corners of the convex hull in order, by monotone chains (Andrew, 1979).
fn convex_hull(mut points: Vec<Pixel>) -> Vec<Point> {
    points.sort_unstable();
    points.dedup();
    let mut hull: Vec<Pixel> = Vec::new();
    // One chain, then the other.
    for _ in 0..2 {
        let start = hull.len();
        for &point in &points {
            while let [.., a, b] = hull[start..]
                && (b.0 - a.0) * (point.1 - a.1) <= (b.1 - a.1) * (point.0 - a.0)
            {
                hull.pop();
            }
            hull.push(point);
        }
        // The other chain begins with the last point.
        hull.pop();
        points.reverse();
    }
    hull.into_iter().map(|(x, y)| (x as f32, y as f32)).collect()
}

/// The quadrilateral around a convex polygon: repeatedly drops the edge whose removal adds the
/// least area, and extends its neighbours. `None` if that does not lead to four corners.
fn around(mut corners: Vec<Point>) -> Option<Quad> {
    while corners.len() > 4 {
        let number = corners.len();
        let cut = |edge: usize| {
            let at = |i: usize| corners[(edge + i) % number];
            let (before, a, b, after) = (at(number - 1), at(0), at(1), at(2));
            let crossing = Line::through(before, a).crossing(&Line::through(after, b))?;
            // The neighbours of an edge meet on its outer side if the edge can be dropped.
            let outer =
                (crossing.0 - a.0) * (a.0 - before.0) + (crossing.1 - a.1) * (a.1 - before.1);
            let area =
                (a.0 - crossing.0) * (b.1 - crossing.1) - (b.0 - crossing.0) * (a.1 - crossing.1);
            (outer >= 0.0).then_some((edge, crossing, area.abs()))
        };
        let (edge, crossing, _) = (0..number).filter_map(cut).min_by(|a, b| a.2.total_cmp(&b.2))?;
        corners[edge] = crossing;
        corners.remove((edge + 1) % number);
    }
    Some(Quad::sorted(corners.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_has_the_corners_of_its_points() {
        let points = (0..100).map(|i| (i % 10, i / 10)).chain([(20, 5)]).collect();
        let corners = [(0, 0), (9, 0), (20, 5), (9, 9), (0, 9)].map(|(x, y)| (x as f32, y as f32));
        assert_eq!(convex_hull(points), corners);
    }

    #[test]
    fn the_quadrilateral_around_a_square_with_cut_corners_has_its_corners() {
        let octagon = [(2, 0), (8, 0), (10, 2), (10, 8), (8, 10), (2, 10), (0, 8), (0, 2)];
        let quad = around(octagon.map(|(x, y)| (x as f32, y as f32)).to_vec()).unwrap();
        assert!((quad.area() - 100.0).abs() < 0.01, "{quad:?}");
    }
}
