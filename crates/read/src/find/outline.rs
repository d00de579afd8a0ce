//! Fits quadrilaterals to regions and to the edges in the photograph.

use imageproc::geometry::{contour_area, convex_hull, min_area_rect};
use imageproc::point::Point as Pixel;

use super::ground::Planes;
use crate::quad::{Point, Quad};
use crate::sorted;

/// A line: the points whose scalar product with the unit vector `normal` is `offset`.
#[derive(Debug, Clone, Copy)]
struct BorderLine {
    normal: Point,
    offset: f32,
}

impl BorderLine {
    /// Fits a line to points by total least squares; `None` if there are fewer than two.
    fn through(points: &[Point]) -> Option<BorderLine> {
        if points.len() < 2 {
            return None;
        }
        let number = points.len() as f32;
        let mean_x = points.iter().map(|p| p.0).sum::<f32>() / number;
        let mean_y = points.iter().map(|p| p.1).sum::<f32>() / number;
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for (x, y) in points {
            let (dx, dy) = (x - mean_x, y - mean_y);
            xx += dx * dx;
            xy += dx * dy;
            yy += dy * dy;
        }
        let angle = 0.5 * f32::atan2(2.0 * xy, xx - yy);
        let normal = (-angle.sin(), angle.cos());
        Some(BorderLine { normal, offset: normal.0 * mean_x + normal.1 * mean_y })
    }

    /// The distance of a point from the line, in pixels.
    fn distance(&self, p: Point) -> f32 {
        (self.normal.0 * p.0 + self.normal.1 * p.1 - self.offset).abs()
    }

    /// Fits a line like [`BorderLine::through`], but four times discards the most distant 15 % of
    /// the points and fits again. `None` if a fit fails.
    fn through_most(points: &[Point]) -> Option<BorderLine> {
        const ROUNDS: usize = 4;
        const KEPT: f32 = 0.85;
        let mut kept = points.to_vec();
        let mut line = BorderLine::through(&kept)?;
        for _ in 0..ROUNDS {
            kept.sort_by(|&a, &b| line.distance(a).total_cmp(&line.distance(b)));
            kept.truncate(((kept.len() as f32 * KEPT) as usize).max(3));
            line = BorderLine::through(&kept)?;
        }
        Some(line)
    }

    /// The intersection of two lines; `None` if they are nearly parallel.
    fn crossing(&self, other: &BorderLine) -> Option<Point> {
        let determinant = self.normal.0 * other.normal.1 - self.normal.1 * other.normal.0;
        (determinant.abs() > 0.1).then(|| {
            (
                (self.offset * other.normal.1 - other.offset * self.normal.1) / determinant,
                (other.offset * self.normal.0 - self.offset * other.normal.0) / determinant,
            )
        })
    }
}

/// Fits a quadrilateral to the border pixels of a region. Also returns the ratio, at most 1, of the
/// areas of the quadrilateral and the region's convex hull, which is 1 for four straight sides.
/// `None` if the region is too small or has no four sides.
pub(super) fn fit_quad(border: &[Pixel<i32>]) -> Option<(Quad, f32)> {
    if border.len() < 8 {
        return None;
    }
    let hull = convex_hull(border.to_vec());
    if hull.len() < 4 {
        return None;
    }
    let area = contour_area(&hull) as f32;
    let mut quad = Quad::sorted(min_area_rect(&hull).map(|p| (p.x as f32, p.y as f32)));
    let points = sample_polygon(&hull);
    for _ in 0..5 {
        let mut sides: [Vec<Point>; 4] = Default::default();
        for &p in &points {
            if let Some(side) = nearest_side(&quad, p) {
                sides[side].push(p);
            }
        }
        let lines: Vec<BorderLine> =
            sides.iter().filter_map(|p| BorderLine::through_most(p)).collect();
        quad = quad_between(&lines)?;
    }
    // Coordinates of pixels are those of their top left corners; their colours are at their
    // centres.
    let shifted = Quad(quad.0.map(|(x, y)| (x + 0.5, y + 0.5)));
    let fill = area / quad.area().max(1.0);
    Some((shifted, fill.min(1.0 / fill.max(0.01))))
}

/// Points along a polygon, at intervals of at most one pixel in x and in y.
fn sample_polygon(polygon: &[Pixel<i32>]) -> Vec<Point> {
    let mut points = Vec::new();
    for (i, a) in polygon.iter().enumerate() {
        let b = polygon[(i + 1) % polygon.len()];
        let (dx, dy) = ((b.x - a.x) as f32, (b.y - a.y) as f32);
        let steps = dx.abs().max(dy.abs()).max(1.0) as usize;
        for step in 0..steps {
            let t = step as f32 / steps as f32;
            points.push((a.x as f32 + dx * t, a.y as f32 + dy * t));
        }
    }
    points
}

/// The index of the side nearest to a point; `None` near a corner, because corners may be rounded.
fn nearest_side(quad: &Quad, p: Point) -> Option<usize> {
    /// The distance from a corner that counts as near, relative to the side.
    const CORNER: f32 = 0.06;
    let reach = quad.side() * CORNER;
    if quad.0.iter().any(|c: &Point| (c.0 - p.0).hypot(c.1 - p.1) < reach) {
        return None;
    }
    let distance = |side: usize| {
        let (a, b) = (quad.0[side], quad.0[(side + 1) % 4]);
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let t = ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / (dx * dx + dy * dy).max(1e-6);
        let t = t.clamp(0.0, 1.0);
        (p.0 - a.0 - t * dx).hypot(p.1 - a.1 - t * dy)
    };
    (0..4).min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
}

/// The quadrilateral bounded by four lines: top, right, bottom, left. `None` if their number
/// differs or adjacent lines are nearly parallel.
fn quad_between(lines: &[BorderLine]) -> Option<Quad> {
    let [top, right, bottom, left] = lines else {
        return None;
    };
    Some(Quad([
        left.crossing(top)?,
        top.crossing(right)?,
        right.crossing(bottom)?,
        bottom.crossing(left)?,
    ]))
}

/// Moves and slightly rotates each side of a card to the position with the sharpest steps in the
/// photograph. The ends of a side move by at most `reach` pixels perpendicular to it.
pub(super) fn sharpened(quad: &Quad, planes: &Planes, reach: f32) -> Quad {
    let moved: Vec<BorderLine> =
        (0..4).filter_map(|side| sharpest(quad, side, planes, reach)).collect();
    quad_between(&moved).unwrap_or(*quad)
}

/// The maximum number of offsets that are tried for each end of a side.
const OFFSETS: usize = 60;

/// The line within `reach` of a side along which the sum of the steps is greatest; it may be
/// inclined. As two points always suffice for a line, never `None`.
fn sharpest(quad: &Quad, side: usize, planes: &Planes, reach: f32) -> Option<BorderLine> {
    let (a, b) = (quad.0[side], quad.0[(side + 1) % 4]);
    let length = (a.0 - b.0).hypot(a.1 - b.1).max(1.0);
    // Corners are clockwise, so this normal points outwards.
    let normal = ((b.1 - a.1) / length, (a.0 - b.0) / length);
    let at = |t: f32, off: f32| {
        (a.0 + (b.0 - a.0) * t + normal.0 * off, a.1 + (b.1 - a.1) * t + normal.1 * off)
    };
    let number = ((4.0 * reach) as usize + 1).clamp(9, OFFSETS);
    let off = |i: usize| (i as f32 / (number - 1) as f32 * 2.0 - 1.0) * reach;
    let steps = steps_across(planes, number, |t, i| at(t, off(i)));
    let mut best = (f32::MIN, number / 2, number / 2);
    for from in 0..number {
        for to in 0..number {
            let along = steps.iter().enumerate().map(|(sample, steps)| {
                steps[(from as f32 + (to as f32 - from as f32) * place(sample)).round() as usize]
            });
            let sum: f32 = along.sum();
            if sum > best.0 {
                best = (sum, from, to);
            }
        }
    }
    BorderLine::through(&[at(0.0, off(best.1)), at(1.0, off(best.2))])
}

/// The number of samples along a side.
const SAMPLES: usize = 40;

/// The position of a sample along a side, from 0 to 1.
fn place(sample: usize) -> f32 {
    (sample as f32 + 0.5) / SAMPLES as f32
}

/// The size of the step at each sample along a side and each of `number` offsets across it. Steps
/// are capped at 1.5 times the median of the samples' largest steps. `at` returns the point for a
/// position along the side and an offset.
fn steps_across(planes: &Planes, number: usize, at: impl Fn(f32, usize) -> Point) -> Vec<Vec<f32>> {
    const LARGEST: f32 = 1.5;
    let mut all = Vec::new();
    for sample in 0..SAMPLES {
        let values: Vec<[f32; 3]> =
            (0..number).map(|i| planes.interpolate(at(place(sample), i))).collect();
        let step = |i: usize| {
            let (before, after) = (values[i.saturating_sub(2)], values[(i + 2).min(number - 1)]);
            (0..3).map(|c| (after[c] - before[c]).abs()).fold(0.0, f32::max)
        };
        all.push((0..number).map(step).collect::<Vec<f32>>());
    }
    let most = sorted(all.iter().map(|steps| steps.iter().copied().fold(0.0, f32::max)));
    let cap = most[SAMPLES / 2] * LARGEST;
    for step in all.iter_mut().flatten() {
        *step = step.min(cap);
    }
    all
}

impl Planes {
    /// The values at a point, interpolated bilinearly. A point outside the picture is moved to its
    /// border.
    pub fn interpolate(&self, (x, y): Point) -> [f32; 3] {
        let x = (x - 0.5).clamp(0.0, (self.width - 1) as f32);
        let y = (y - 0.5).clamp(0.0, (self.height - 1) as f32);
        let (left, top) = (x as usize, y as usize);
        let right = (left + 1).min(self.width - 1);
        let bottom = (top + 1).min(self.height - 1);
        let (across, down) = (x.fract(), y.fract());
        [0, 1, 2].map(|c| {
            let at = |x: usize, y: usize| self.pixels[y * self.width + x][c];
            let above = at(left, top) + (at(right, top) - at(left, top)) * across;
            let below = at(left, bottom) + (at(right, bottom) - at(left, bottom)) * across;
            above + (below - above) * down
        })
    }
}
