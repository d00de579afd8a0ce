//! Quadrilaterals in a photograph, and cutting out their contents.

use image::{Rgb, RgbImage, imageops};

/// A point in a photograph, in pixels from the left and from the top.
pub type Point = (f32, f32);

/// The distance between two points.
pub(crate) fn distance(a: Point, b: Point) -> f32 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// A line: the points whose scalar product with the unit vector `normal` is `offset`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    normal: Point,
    offset: f32,
}

impl Line {
    /// The line through two points.
    pub fn through(a: Point, b: Point) -> Line {
        let length = distance(a, b).max(f32::MIN_POSITIVE);
        let normal = ((b.1 - a.1) / length, (a.0 - b.0) / length);
        Line { normal, offset: normal.0 * a.0 + normal.1 * a.1 }
    }

    /// The distance of a point from the line, positive on the right of the way from its first to
    /// its second point as seen in the picture.
    pub fn distance(&self, point: Point) -> f32 {
        self.offset - self.normal.0 * point.0 - self.normal.1 * point.1
    }

    /// The point where two lines cross; `None` if they are nearly parallel.
    pub fn crossing(&self, other: &Line) -> Option<Point> {
        let determinant = self.normal.0 * other.normal.1 - self.normal.1 * other.normal.0;
        (determinant.abs() > 1e-3).then(|| {
            (
                (self.offset * other.normal.1 - other.offset * self.normal.1) / determinant,
                (other.offset * self.normal.0 - self.offset * other.normal.0) / determinant,
            )
        })
    }
}

/// The area of a polygon, by the shoelace formula.
pub(crate) fn area(corners: &[Point]) -> f32 {
    let doubled = corners.iter().zip(corners.iter().cycle().skip(1));
    doubled.map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f32>().abs() / 2.0
}

/// A quadrilateral given by its corners, clockwise from the top left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quad(pub [Point; 4]);

impl Quad {
    /// The quadrilateral of a whole picture.
    pub fn whole_picture(width: u32, height: u32) -> Quad {
        let (right, bottom) = (width as f32, height as f32);
        Quad([(0.0, 0.0), (right, 0.0), (right, bottom), (0.0, bottom)])
    }

    /// The quadrilateral with these corners in any order. The first one becomes the corner with the
    /// smallest sum of coordinates.
    pub fn sorted(mut corners: [Point; 4]) -> Quad {
        let middle = Quad(corners).middle();
        let angle = |p: &Point| (p.1 - middle.1).atan2(p.0 - middle.0);
        corners.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
        let from_corner = |p: &Point| p.0 + p.1;
        let first =
            (0..4).min_by(|&a, &b| from_corner(&corners[a]).total_cmp(&from_corner(&corners[b])));
        corners.rotate_left(first.unwrap_or(0));
        Quad(corners)
    }

    /// The square around a point with sides of this length, rotated by an angle in radians.
    pub(crate) fn square(middle: Point, side: f32, angle: f32) -> Quad {
        let (sin, cos) = angle.sin_cos();
        let half = side / 2.0;
        Quad(
            [(-half, -half), (half, -half), (half, half), (-half, half)]
                .map(|(x, y): Point| (middle.0 + x * cos - y * sin, middle.1 + x * sin + y * cos)),
        )
    }

    /// The quadrilateral between the lines of its top, right, bottom and left sides; `None` if
    /// adjacent lines are nearly parallel.
    pub(crate) fn between([top, right, bottom, left]: &[Line; 4]) -> Option<Quad> {
        Some(Quad([
            left.crossing(top)?,
            top.crossing(right)?,
            right.crossing(bottom)?,
            bottom.crossing(left)?,
        ]))
    }

    /// The two squares with sides of this length that share a corner and the direction of a side:
    /// one at each end of the side.
    pub(crate) fn squares_at(&self, side: usize, length: f32) -> [Quad; 2] {
        let (a, b) = (self.0[side], self.0[(side + 1) % 4]);
        let by = length / distance(a, b).max(f32::MIN_POSITIVE);
        let along = ((b.0 - a.0) * by, (b.1 - a.1) * by);
        let inwards = (-along.1, along.0);
        let add = |p: Point, q: Point| (p.0 + q.0, p.1 + q.1);
        let from = |a: Point| {
            let b = add(a, along);
            Quad([a, b, add(b, inwards), add(a, inwards)])
        };
        [from(a), from((b.0 - along.0, b.1 - along.1))]
    }

    /// The distance of a point from the nearest side, positive inside, if the quadrilateral is convex.
    pub(crate) fn depth(&self, point: Point) -> f32 {
        let side = |i: usize| Line::through(self.0[i], self.0[(i + 1) % 4]).distance(point);
        (0..4).map(side).fold(f32::MAX, f32::min)
    }

    /// The quadrilateral moved by a vector.
    pub(crate) fn moved(&self, by: Point) -> Quad {
        Quad(self.0.map(|(x, y)| (x + by.0, y + by.1)))
    }

    /// The mean of the corners.
    pub fn middle(&self) -> Point {
        let sum = self.0.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
        (sum.0 / 4.0, sum.1 / 4.0)
    }

    /// The lengths of the top, right, bottom and left sides.
    pub fn lengths(&self) -> [f32; 4] {
        [0, 1, 2, 3].map(|side| distance(self.0[side], self.0[(side + 1) % 4]))
    }

    /// The mean length of the four sides, in pixels.
    pub fn side(&self) -> f32 {
        self.lengths().iter().sum::<f32>() / 4.0
    }

    /// The mean length of the top and bottom sides, and that of the left and right sides.
    pub fn size(&self) -> (f32, f32) {
        let [top, right, bottom, left] = self.lengths();
        (top.midpoint(bottom), left.midpoint(right))
    }

    /// The area, by the shoelace formula.
    pub fn area(&self) -> f32 {
        area(&self.0)
    }

    /// The projective map from the unit square, whose corners are 0 and 1, to the quadrilateral
    /// (Heckbert, 1989); `None` if three corners are collinear.
    fn projection(&self) -> Option<impl Fn(Point) -> Point> {
        let [a, b, c, d] = self.0;
        let minus = |p: Point, q: Point| (p.0 - q.0, p.1 - q.1);
        let cross = |p: Point, q: Point| p.0 * q.1 - p.1 * q.0;
        let (right, bottom) = (minus(b, c), minus(d, c));
        let rest = minus(minus(a, b), minus(d, c));
        let determinant = cross(right, bottom);
        if determinant.abs() < 1e-3 {
            return None;
        }
        let (g, h) = (cross(rest, bottom) / determinant, cross(right, rest) / determinant);
        Some(move |(u, v): Point| {
            let over = 1.0 + g * u + h * v;
            let x = a.0 + (b.0 - a.0 + g * b.0) * u + (d.0 - a.0 + h * d.0) * v;
            let y = a.1 + (b.1 - a.1 + g * b.1) * u + (d.1 - a.1 + h * d.1) * v;
            (x / over, y / over)
        })
    }

    /// The parts that correspond to rectangles of the unit square, row by row. Rows are given by
    /// their upper and lower ends, columns by their left and right ones. `None` if three corners are
    /// collinear.
    pub fn parts(&self, rows: &[(f32, f32)], columns: &[(f32, f32)]) -> Option<Vec<Quad>> {
        let projection = self.projection()?;
        let both = rows.iter().flat_map(|row| columns.iter().map(move |column| (row, column)));
        let corners = both.map(|(&(top, bottom), &(left, right))| {
            [(left, top), (right, top), (right, bottom), (left, bottom)]
        });
        Some(corners.map(|corners| Quad(corners.map(&projection))).collect())
    }

    /// The quadrilateral with all coordinates multiplied by a factor.
    pub fn scaled(&self, by: f32) -> Quad {
        Quad(self.0.map(|(x, y)| (x * by, y * by)))
    }

    /// Cuts out the content and rectifies it to a picture of this size; `None` if three corners are
    /// collinear.
    pub fn straightened(&self, photo: &RgbImage, width: u32, height: u32) -> Option<RgbImage> {
        // If the picture is much smaller, pixels are averaged first, to avoid aliasing.
        let (wide, high) = self.size();
        let shrink = (wide / width as f32).min(high / height as f32);
        if shrink >= 1.5 {
            let by = 1.0 / shrink;
            let (left, top, right, bottom) = self.bounds(photo);
            let inside =
                imageops::crop_imm(photo, left, top, right - left, bottom - top).to_image();
            let size = |length: u32| ((length as f32 * by).round() as u32).max(1);
            let (w, h) = (size(inside.width()), size(inside.height()));
            let small = imageops::resize(&inside, w, h, imageops::FilterType::Triangle);
            let x = w as f32 / inside.width() as f32;
            let y = h as f32 / inside.height() as f32;
            let moved = self.0.map(|p| ((p.0 - left as f32) * x, (p.1 - top as f32) * y));
            return Quad(moved).warped(&small, width, height);
        }
        self.warped(photo, width, height)
    }

    /// Rectifies the content by bilinear interpolation, without averaging; `None` if three corners
    /// are collinear.
    fn warped(&self, photo: &RgbImage, width: u32, height: u32) -> Option<RgbImage> {
        let projection = self.projection()?;
        let (right, bottom) = ((photo.width() - 1) as f32, (photo.height() - 1) as f32);
        Some(RgbImage::from_fn(width, height, |x, y| {
            // The colour of a pixel is at its centre, while corners are between pixels.
            let at = |place: u32, length: u32| (place as f32 + 0.5) / length as f32;
            let (x, y) = projection((at(x, width), at(y, height)));
            let (x, y) = ((x - 0.5).clamp(0.0, right), (y - 0.5).clamp(0.0, bottom));
            imageops::interpolate_bilinear(photo, x, y).unwrap_or(Rgb([255; 3]))
        }))
    }

    /// The bounding box inside the photograph, at least one pixel wide and high: left, top, right,
    /// bottom; the last two are exclusive.
    fn bounds(&self, photo: &RgbImage) -> (u32, u32, u32, u32) {
        let least = |f: fn(&Point) -> f32| self.0.iter().map(f).fold(f32::MAX, f32::min);
        let most = |f: fn(&Point) -> f32| self.0.iter().map(f).fold(f32::MIN, f32::max);
        let left = (least(|p| p.0).max(0.0) as u32).min(photo.width() - 1);
        let top = (least(|p| p.1).max(0.0) as u32).min(photo.height() - 1);
        let right = (most(|p| p.0).ceil().max(0.0) as u32).clamp(left + 1, photo.width());
        (left, top, right, (most(|p| p.1).ceil().max(0.0) as u32).clamp(top + 1, photo.height()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_in_any_order_are_put_in_order() {
        let square = [(1.0, 1.0), (5.0, 1.2), (5.1, 5.0), (0.9, 5.2)];
        for order in [[0, 1, 2, 3], [2, 0, 3, 1], [3, 2, 1, 0]] {
            assert_eq!(Quad::sorted(order.map(|i| square[i])).0, square);
        }
    }

    #[test]
    fn a_projection_maps_the_corners_and_keeps_lines() {
        let quad = Quad([(10.0, 12.0), (90.0, 5.0), (120.0, 80.0), (0.0, 100.0)]);
        let projection = quad.projection().unwrap();
        let unit = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        for (corner, expected) in unit.map(&projection).into_iter().zip(quad.0) {
            assert!(distance(corner, expected) < 1e-3, "{corner:?} {expected:?}");
        }
        let diagonal = Line::through(quad.0[0], quad.0[2]);
        assert!(diagonal.distance(projection((0.3, 0.3))).abs() < 1e-3);
        assert!(Quad([(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]).projection().is_none());
    }

    #[test]
    fn cutting_out_an_upright_square_copies_its_pixels() {
        let photo = RgbImage::from_fn(40, 40, |x, y| Rgb([x as u8 * 6, y as u8 * 6, 0]));
        let quad = Quad([(10.0, 20.0), (30.0, 20.0), (30.0, 40.0), (10.0, 40.0)]);
        assert!((quad.area() - 400.0).abs() < 0.01);
        let cut = quad.straightened(&photo, 20, 20).unwrap();
        for (x, y) in [(0, 0), (7, 12), (19, 19)] {
            let (own, other) = (cut.get_pixel(x, y), photo.get_pixel(10 + x, 20 + y));
            assert!((0..3).all(|c| own[c].abs_diff(other[c]) <= 1), "{x} {y}");
        }
    }
}
