//! Figures and colours, one pair per image.
//!
//! A figure is drawn around the middle of an edge, with x across the edge and y along it, and the
//! edge cuts it in half. It has 180° rotational symmetry, so the halves on both sides of a seam are
//! the same drawing, rotated. The colours are those of Okabe and Ito ("Color universal design",
//! 2008), which people with any colour vision can distinguish. Only the yellow is darker here, so
//! that in black and white a `+` half is always darker than a `-` half; there, images differ by
//! shape.

use std::f64::consts::PI;

/// The offset of a `+` half from the middle of its edge; a `-` half has the opposite offset.
pub(super) const OFFSET: f64 = 9.0;

const COLOURS: [(u8, u8, u8); 8] = [
    (0xe6, 0x9f, 0x00),
    (0x00, 0x72, 0xb2),
    (0x00, 0x9e, 0x73),
    (0xd5, 0x5e, 0x00),
    (0x56, 0xb4, 0xe9),
    (0xcc, 0x79, 0xa7),
    (0xc8, 0xb4, 0x00),
    (0x59, 0x59, 0x59),
];

/// Names of images that determine the colour, with the index of the colour.
const NAMED: [(&[&str], usize); 8] = [
    (&["orange"], 0),
    (&["blue", "blu", "blau"], 1),
    (&["green", "grn", "gruen", "grün"], 2),
    (&["red", "rot"], 3),
    (&["sky", "cyan"], 4),
    (&["pink", "purple", "violet", "magenta"], 5),
    (&["yellow", "ylw", "gelb"], 6),
    (&["grey", "gray", "black", "grau", "schwarz"], 7),
];

/// The figure of an image: shape and colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Figure {
    shape: usize,
    colour: usize,
}

impl Figure {
    /// The figure of an image with this number and name. An image named after a colour has that
    /// colour. For other images, the numbers of shapes and colours are coprime, so every pair is
    /// used before one repeats.
    pub fn from_image(number: usize, name: &str) -> Self {
        let name = name.to_lowercase();
        let named = NAMED.iter().find(|(names, _)| names.contains(&name.as_str()));
        Figure {
            shape: number % SHAPES.len(),
            colour: named.map_or(number % COLOURS.len(), |(_, colour)| *colour),
        }
    }

    /// The outline as SVG path data.
    pub fn path(self) -> String {
        SHAPES[self.shape]()
    }

    /// The colour of a `+` half or of a whole image.
    pub fn strong(self) -> String {
        let (red, green, blue) = self.rgb();
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// The colour of a `-` half.
    pub fn pale(self) -> String {
        let (red, green, blue) = self.rgb();
        let mix = |c: u8| (f64::from(c) * 0.25 + 255.0 * 0.75) as u8;
        format!("#{:02x}{:02x}{:02x}", mix(red), mix(green), mix(blue))
    }

    /// The red, green and blue components.
    pub fn rgb(self) -> (u8, u8, u8) {
        COLOURS[self.colour]
    }
}

/// The shapes; no two have the same half, rotated or not.
const SHAPES: [fn() -> String; 29] = [
    || ellipse(0.0, 0.0, 20.0, 20.0),
    || polygon(&[(22.0, 0.0), (0.0, 22.0)]),
    || polygon(&[(18.0, -18.0), (18.0, 18.0)]),
    || star(8, 22.0, 13.0),
    || polygon(&[(20.0, -7.0), (20.0, 7.0), (7.0, 7.0), (7.0, 20.0), (-7.0, 20.0), (-7.0, 7.0)]),
    || ellipse(0.0, 0.0, 20.0, 20.0) + &ellipse(0.0, 0.0, 10.0, 10.0),
    || polygon(&[(20.0, -18.0), (20.0, 18.0), (0.0, 0.0)]),
    || star(4, 23.0, 7.0),
    || ellipse(0.0, -13.0, 10.0, 9.0) + &ellipse(0.0, 13.0, 10.0, 9.0),
    || polygon(&[(24.0, 0.0), (10.0, 16.0), (10.0, 6.0), (-10.0, 6.0), (-10.0, 16.0)]),
    || ellipse(0.0, 0.0, 25.0, 11.0),
    || {
        polygon(&[
            (20.0, -18.0),
            (20.0, 18.0),
            (12.0, 18.0),
            (12.0, 6.0),
            (-12.0, 6.0),
            (-12.0, 18.0),
        ])
    },
    || "M-24 0Q0 -26 24 0Q0 26 -24 0Z".into(),
    || polygon(&[(18.0, -21.0), (0.0, 0.0), (-18.0, -21.0)]),
    || polygon(&[(18.0, 6.0), (18.0, -22.0)]),
    || ellipse(0.0, 0.0, 11.0, 24.0),
    || star(6, 22.0, 11.0),
    || rectangle(18.0, -20.0, -8.0) + &rectangle(18.0, 8.0, 20.0),
    || polygon(&[(0.0, -24.0), (18.0, -9.0), (18.0, 9.0), (0.0, 24.0), (-18.0, 9.0)]),
    || dots(&[(11.0, 11.0), (11.0, -11.0)], 8.0),
    || {
        let prongs = [(20.0, 8.0), (6.0, 8.0), (6.0, -8.0), (20.0, -8.0), (20.0, -18.0)];
        polygon(&[&[(20.0, 18.0)][..], &prongs].concat())
    },
    || polygon(&[(18.0, 22.0), (18.0, -6.0)]),
    || rectangle(20.0, -20.0, 20.0) + &rectangle(11.0, -11.0, 11.0),
    || {
        let zigzag = [(10.0, -21.0), (23.0, -14.0), (10.0, -7.0), (23.0, 0.0), (10.0, 7.0)];
        polygon(&[&zigzag[..], &[(23.0, 14.0), (10.0, 21.0)]].concat())
    },
    || "M0 -25Q-17 0 0 25Q17 0 0 -25Z".into(),
    || ellipse(0.0, 0.0, 22.0, 22.0) + &rectangle(17.0, -4.0, 4.0),
    || ellipse(0.0, -14.0, 6.0, 6.0) + &ellipse(0.0, 0.0, 6.0, 6.0) + &ellipse(0.0, 14.0, 6.0, 6.0),
    || {
        let arm =
            [(21.0, 14.0), (14.0, 21.0), (0.0, 7.0), (-14.0, 21.0), (-21.0, 14.0), (-7.0, 0.0)];
        polygon(&arm)
    },
    || {
        let discs = ellipse(0.0, 0.0, 15.0, 15.0) + &ellipse(0.0, 0.0, 8.0, 8.0);
        ellipse(0.0, 0.0, 22.0, 22.0) + &discs
    },
];

/// A polygon with 180° rotational symmetry, from the first half of its corners.
fn polygon(half: &[(f64, f64)]) -> String {
    let other = half.iter().map(|&(x, y)| (-x, -y));
    corners(half.iter().copied().chain(other))
}

fn corners(points: impl Iterator<Item = (f64, f64)>) -> String {
    let points = points.map(|(x, y)| format!("{} {}", short(x), short(y)));
    format!("M{}Z", itertools::join(points, "L"))
}

/// A star with an even number of points, one of which points across the edge.
fn star(points: usize, outer: f64, inner: f64) -> String {
    corners((0..2 * points).map(|i| {
        let radius = if i % 2 == 0 { outer } else { inner };
        let angle = i as f64 * PI / points as f64;
        (radius * angle.cos(), radius * angle.sin())
    }))
}

/// An ellipse around a point, as SVG path data.
pub(super) fn ellipse(x: f64, y: f64, rx: f64, ry: f64) -> String {
    let left = x - rx;
    let right = x + rx;
    format!("M{left} {y}A{rx} {ry} 0 1 1 {right} {y}A{rx} {ry} 0 1 1 {left} {y}Z")
}

/// A rectangle across the edge.
fn rectangle(half_width: f64, top: f64, bottom: f64) -> String {
    format!("M{} {top}H{half_width}V{bottom}H{}Z", -half_width, -half_width)
}

/// Discs at the given points, and their images under a rotation by 180°.
fn dots(centres: &[(f64, f64)], radius: f64) -> String {
    let all = centres.iter().flat_map(|&(x, y)| [(x, y), (-x, -y)]);
    all.map(|(x, y)| ellipse(x, y, radius, radius)).collect()
}

fn short(number: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (number * 10.0).round() / 10.0 + 0.0
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn two_hundred_images_have_different_figures() {
        let figures: HashSet<Figure> = (0..200).map(|n| Figure::from_image(n, "")).collect();
        assert_eq!(figures.len(), 200);
        let shapes: HashSet<String> = SHAPES.iter().map(|shape| shape()).collect();
        assert_eq!(shapes.len(), SHAPES.len());
    }
}
