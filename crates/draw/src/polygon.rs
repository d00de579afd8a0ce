//! Regular polygons in the plane of a drawing, in which x points right and y points down.
//!
//! All sides have the length [`TILE`], and are numbered counter-clockwise as seen on the page.

use std::f64::consts::PI;

use edgematch::problem::Problem;

use super::TILE;

/// A point or a vector: x and y, in units.
pub(super) type Point = (f64, f64);

/// The depth, in units, up to which intersecting polygons count as only touching.
const NEARLY: f64 = 0.01;

/// A regular polygon: the shape and position of a tile or cell in a drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedPolygon {
    /// The number of sides.
    pub sides: usize,
    /// The x coordinate of the middle, from the left.
    pub x: f64,
    /// The y coordinate of the middle, from the top.
    pub y: f64,
    /// The rotation in degrees, counter-clockwise; at 0, side 0 is on the right.
    pub turn: f64,
}

impl PlacedPolygon {
    /// Creates an unrotated polygon around the origin. With fewer than three sides, it is a
    /// triangle.
    pub(super) fn new(sides: usize) -> Self {
        PlacedPolygon { sides: sides.max(3), x: 0.0, y: 0.0, turn: 0.0 }
    }

    /// Creates an unrotated polygon whose bounding box has its middle at a point.
    pub(super) fn centred(sides: usize, (x, y): Point) -> Self {
        let polygon = PlacedPolygon::new(sides);
        let ((left, top), (right, bottom)) = bounds(&[polygon]);
        polygon.moved((x - (left + right) / 2.0, y - (top + bottom) / 2.0))
    }

    /// The same polygon, translated.
    pub(super) fn moved(self, (x, y): Point) -> Self {
        PlacedPolygon { x: self.x + x, y: self.y + y, ..self }
    }

    /// The angle between consecutive sides as seen from the middle, in degrees.
    pub(super) fn step(&self) -> f64 {
        360.0 / self.sides as f64
    }

    /// The distance of a side from the middle, in units.
    pub(super) fn apothem(&self) -> f64 {
        // Rounding makes that of a square exactly half its side.
        let exact = TILE / 2.0 / (PI / self.sides as f64).tan();
        (exact * 1e9).round() / 1e9
    }

    /// The distance of a corner from the middle, in units.
    fn radius(&self) -> f64 {
        TILE / 2.0 / (PI / self.sides as f64).sin()
    }

    /// Half the side of the smallest upright square around the middle that contains the unrotated
    /// polygon.
    pub(super) fn reach(&self) -> f64 {
        let corners = PlacedPolygon::new(self.sides).corners().into_iter();
        corners.map(|(x, y)| x.abs().max(y.abs())).fold(0.0, f64::max)
    }

    /// The unit vector from the middle towards a side.
    pub(super) fn direction(&self, side: usize) -> Point {
        let angle = (self.turn + side as f64 * self.step()).to_radians();
        (angle.cos(), -angle.sin())
    }

    /// The directions of all sides.
    fn directions(&self) -> impl Iterator<Item = Point> {
        (0..self.sides).map(|side| self.direction(side))
    }

    /// The point `along` units from the middle of a side, counter-clockwise along it, and `inside`
    /// units towards the middle of the polygon.
    pub(super) fn at_side(&self, side: usize, along: f64, inside: f64) -> Point {
        let (x, y) = self.direction(side);
        let out = self.apothem() - inside;
        (self.x + out * x + along * y, self.y + out * y - along * x)
    }

    /// The two ends of a side, in counter-clockwise order.
    pub(super) fn ends(&self, side: usize) -> [Point; 2] {
        [-TILE / 2.0, TILE / 2.0].map(|along| self.at_side(side, along, 0.0))
    }

    /// The corners, counter-clockwise, beginning with the one where side 0 starts.
    pub(super) fn corners(&self) -> Vec<Point> {
        (0..self.sides).map(|side| self.ends(side)[0]).collect()
    }

    /// The polygon with `sides` sides outside this one whose side `its_side` coincides with this
    /// one's `side`.
    pub(super) fn adjacent(&self, side: usize, sides: usize, its_side: usize) -> PlacedPolygon {
        let other = PlacedPolygon::new(sides);
        let (x, y) = self.direction(side);
        let distance = self.apothem() + other.apothem();
        let there = self.turn + side as f64 * self.step() + 180.0;
        let turn = (there - its_side as f64 * other.step()).rem_euclid(360.0);
        PlacedPolygon {
            x: self.x + distance * x,
            y: self.y + distance * y,
            turn: (turn * 1e9).round() / 1e9 % 360.0,
            ..other
        }
    }

    /// Returns true if the interiors intersect by more than [`NEARLY`].
    pub(super) fn overlaps(&self, other: &PlacedPolygon) -> bool {
        if (self.x - other.x).hypot(self.y - other.y) >= self.radius() + other.radius() {
            return false;
        }
        // Separating axis theorem: disjoint convex polygons are separated by a line along one of
        // their sides.
        let corners = [self.corners(), other.corners()];
        let mut across = [self, other].into_iter().flat_map(PlacedPolygon::directions);
        across.all(|(ax, ay)| {
            let range = |corners: &[Point]| {
                let along = corners.iter().map(|(x, y)| x * ax + y * ay);
                along.fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at), high.max(at)))
            };
            let [first, second] = [range(&corners[0]), range(&corners[1])];
            first.1 - second.0 > NEARLY && second.1 - first.0 > NEARLY
        })
    }
}

/// The bounding box of polygons: (left, top) and (right, bottom). Without polygons, left and top
/// are the greatest number, right and bottom the least.
pub(super) fn bounds<'a>(polygons: impl IntoIterator<Item = &'a PlacedPolygon>) -> (Point, Point) {
    let none = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    let corners = polygons.into_iter().flat_map(PlacedPolygon::corners);
    corners.fold(none, |((left, top), (right, bottom)), (x, y)| {
        ((left.min(x), top.min(y)), (right.max(x), bottom.max(y)))
    })
}

/// The greatest width and the greatest height of unrotated tiles, in units.
pub(super) fn largest_tile(problem: &Problem) -> Point {
    let sizes = problem.puzzle.tiles.iter().map(|tile| {
        let ((left, top), (right, bottom)) = bounds(&[PlacedPolygon::new(tile.sides())]);
        (right - left, bottom - top)
    });
    sizes.fold((0.0, 0.0), |(w, h), (width, height)| (f64::max(w, width), f64::max(h, height)))
}

/// Rounds a number to thousandths, for output; never returns -0.
pub(super) fn short(number: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (number * 1000.0).round() / 1000.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(a: Point, b: Point) -> bool {
        (a.0 - b.0).hypot(a.1 - b.1) < 1e-6
    }

    #[test]
    fn sides_are_numbered_counter_clockwise_on_the_page() {
        let square = PlacedPolygon::new(4);
        let middles = [(50.0, 0.0), (0.0, -50.0), (-50.0, 0.0), (0.0, 50.0)];
        for (side, middle) in middles.into_iter().enumerate() {
            assert!(is_near(square.at_side(side, 0.0, 0.0), middle));
        }
        // The right side runs upwards, and y points down.
        assert!(is_near(square.ends(0)[0], (50.0, 50.0)));
        assert!(is_near(square.ends(0)[1], (50.0, -50.0)));
        for sides in 3..=16 {
            let polygon = PlacedPolygon::new(sides);
            for side in 0..sides {
                let next = polygon.ends((side + 1) % sides);
                assert!(is_near(polygon.ends(side)[1], next[0]));
            }
        }
    }

    #[test]
    fn an_adjacent_polygon_shares_only_a_side() {
        for (sides, other) in [(3, 3), (4, 3), (5, 16), (7, 4)] {
            let polygon =
                PlacedPolygon { turn: 17.0, ..PlacedPolygon::new(sides).moved((5.0, -8.0)) };
            for (side, its_side) in [(0, 1), (2, 0), (1, 2)] {
                let beside = polygon.adjacent(side, other, its_side);
                let [from, to] = beside.ends(its_side);
                assert!(is_near(polygon.ends(side)[0], to) && is_near(polygon.ends(side)[1], from));
                assert!(!polygon.overlaps(&beside));
                let (x, y) = polygon.direction(side);
                assert!(polygon.overlaps(&beside.moved((-x, -y))));
            }
        }
    }
}
