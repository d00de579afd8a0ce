//! Figures and colours, one pair per image.
//!
//! A figure is drawn around the middle of an edge, with x across the edge and y along it, and the
//! edge cuts it in half. It has 180° rotational symmetry, so the halves on both sides of a seam are
//! the same drawing, rotated. The colours are those of Okabe and Ito ("Color universal design",
//! 2008), which people with any colour vision can distinguish. Only the yellow is darker here, so
//! that in black and white a `+` half is always darker than a `-` half; there, images differ by
//! shape.

/// The offset of a `+` half from the middle of its side; a `-` half has the opposite offset.
pub const SIGN_OFFSET: f64 = 9.0;

/// Each colour, with the image names that select it.
const COLOURS: [([u8; 3], &[&str]); 8] = [
    ([0xe6, 0x9f, 0x00], &["orange"]),
    ([0x00, 0x72, 0xb2], &["blue", "blu", "blau"]),
    ([0x00, 0x9e, 0x73], &["green", "grn", "gruen", "grün"]),
    ([0xd5, 0x5e, 0x00], &["red", "rot"]),
    ([0x56, 0xb4, 0xe9], &["sky", "cyan"]),
    ([0xcc, 0x79, 0xa7], &["pink", "purple", "violet", "magenta"]),
    ([0xc8, 0xb4, 0x00], &["yellow", "ylw", "gelb"]),
    ([0x59, 0x59, 0x59], &["grey", "gray", "black", "grau", "schwarz"]),
];

/// The figure of an image on the side of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Figure {
    shape: usize,
    colour: usize,
}

impl Figure {
    /// The figure of the image with this number and name. An image named after a colour has that
    /// colour. For other images, the figures of 232 consecutive numbers are different: the numbers
    /// of shapes (29) and colours (8) are coprime.
    pub fn from_image(number: usize, name: &str) -> Self {
        let name = name.to_lowercase();
        let named = COLOURS.iter().position(|(_, names)| names.contains(&name.as_str()));
        Figure { shape: number % SHAPES.len(), colour: named.unwrap_or(number % COLOURS.len()) }
    }

    /// The outline around the middle of the side, as SVG path data for the fill rule `evenodd`: x
    /// across the side, y along it.
    pub fn path(self) -> &'static str {
        SHAPES[self.shape]
    }

    /// The colour of a `+` half or of a whole image.
    pub fn strong(self) -> String {
        hexadecimal(self.rgb())
    }

    /// The colour of a `-` half.
    pub fn pale(self) -> String {
        self.mixed(0.75, 255.0)
    }

    /// The strong colour with this share of a grey, from 0.0 for black to 255.0 for white.
    pub(super) fn mixed(self, share: f64, grey: f64) -> String {
        hexadecimal(self.rgb().map(|c| (f64::from(c) * (1.0 - share) + grey * share) as u8))
    }

    /// The red, green and blue components of the strong colour.
    pub(super) fn rgb(self) -> [u8; 3] {
        COLOURS[self.colour].0
    }
}

/// A colour in the form `#rrggbb`.
fn hexadecimal([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The outlines of the shapes as SVG path data. No two have the same half, even rotated.
const SHAPES: [&str; 29] = [
    "M-20 0A20 20 0 1 1 20 0A20 20 0 1 1 -20 0Z",
    "M22 0L0 22L-22 0L0 -22Z",
    "M18 -18L18 18L-18 18L-18 -18Z",
    "M22 0L12 5L15.6 15.6L5 12L0 22L-5 12L-15.6 15.6L-12 5L-22 0\
     L-12 -5L-15.6 -15.6L-5 -12L0 -22L5 -12L15.6 -15.6L12 -5Z",
    "M20 -7L20 7L7 7L7 20L-7 20L-7 7L-20 7L-20 -7L-7 -7L-7 -20L7 -20L7 -7Z",
    "M-20 0A20 20 0 1 1 20 0A20 20 0 1 1 -20 0ZM-10 0A10 10 0 1 1 10 0A10 10 0 1 1 -10 0Z",
    "M20 -18L20 18L0 0L-20 18L-20 -18L0 0Z",
    "M23 0L4.9 4.9L0 23L-4.9 4.9L-23 0L-4.9 -4.9L0 -23L4.9 -4.9Z",
    "M-10 -13A10 9 0 1 1 10 -13A10 9 0 1 1 -10 -13ZM-10 13A10 9 0 1 1 10 13A10 9 0 1 1 -10 13Z",
    "M24 0L10 16L10 6L-10 6L-10 16L-24 0L-10 -16L-10 -6L10 -6L10 -16Z",
    "M-25 0A25 11 0 1 1 25 0A25 11 0 1 1 -25 0Z",
    "M20 -18L20 18L12 18L12 6L-12 6L-12 18L-20 18L-20 -18L-12 -18L-12 -6L12 -6L12 -18Z",
    "M-24 0Q0 -26 24 0Q0 26 -24 0Z",
    "M18 -21L0 0L-18 -21L-18 21L0 0L18 21Z",
    "M18 6L18 -22L-18 -6L-18 22Z",
    "M-11 0A11 24 0 1 1 11 0A11 24 0 1 1 -11 0Z",
    "M22 0L9.5 5.5L11 19.1L0 11L-11 19.1L-9.5 5.5L-22 0L-9.5 -5.5\
     L-11 -19.1L0 -11L11 -19.1L9.5 -5.5Z",
    "M-18 -20H18V-8H-18ZM-18 8H18V20H-18Z",
    "M0 -24L18 -9L18 9L0 24L-18 9L0 24L-18 9L-18 -9L0 -24L18 -9Z",
    "M3 11A8 8 0 1 1 19 11A8 8 0 1 1 3 11ZM-19 -11A8 8 0 1 1 -3 -11A8 8 0 1 1 -19 -11Z\
     M3 -11A8 8 0 1 1 19 -11A8 8 0 1 1 3 -11ZM-19 11A8 8 0 1 1 -3 11A8 8 0 1 1 -19 11Z",
    "M20 18L20 8L6 8L6 -8L20 -8L20 -18L-20 -18L-20 -8L-6 -8L-6 8L-20 8L-20 18Z",
    "M18 22L18 -6L-18 -22L-18 6Z",
    "M-20 -20H20V20H-20ZM-11 -11H11V11H-11Z",
    "M10 -21L23 -14L10 -7L23 0L10 7L23 14L10 21L-10 21L-23 14L-10 7L-23 0L-10 -7L-23 -14L-10 -21Z",
    "M0 -25Q-17 0 0 25Q17 0 0 -25Z",
    "M-22 0A22 22 0 1 1 22 0A22 22 0 1 1 -22 0ZM-17 -4H17V4H-17Z",
    "M-6 -14A6 6 0 1 1 6 -14A6 6 0 1 1 -6 -14ZM-6 0A6 6 0 1 1 6 0A6 6 0 1 1 -6 0Z\
     M-6 14A6 6 0 1 1 6 14A6 6 0 1 1 -6 14Z",
    "M21 14L14 21L0 7L-14 21L-21 14L-7 0L-21 -14L-14 -21L0 -7L14 -21L21 -14L7 0Z",
    "M-22 0A22 22 0 1 1 22 0A22 22 0 1 1 -22 0ZM-15 0A15 15 0 1 1 15 0A15 15 0 1 1 -15 0Z\
     M-8 0A8 8 0 1 1 8 0A8 8 0 1 1 -8 0Z",
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn two_hundred_images_have_different_figures() {
        let figures: HashSet<Figure> = (0..200).map(|n| Figure::from_image(n, "")).collect();
        assert_eq!(figures.len(), 200);
        assert_eq!(HashSet::from(SHAPES).len(), SHAPES.len());
    }

    #[test]
    #[cfg(feature = "png")]
    fn shapes_look_the_same_upside_down() {
        use crate::{Drawing, Renderer, TILE};
        let renderer = Renderer::new(64);
        for path in SHAPES {
            let [upright, turned] = [0, 180].map(|degrees| {
                let svg = format!(
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-50 -50 100 100\" \
                     width=\"100\" height=\"100\"><path d=\"{path}\" fill-rule=\"evenodd\" \
                     transform=\"rotate({degrees})\"/></svg>"
                );
                let png = renderer.png(&Drawing { svg, width: TILE, height: TILE }).unwrap();
                image::load_from_memory(&png).unwrap().to_rgba8()
            });
            let differs = |(a, b): &(&u8, &u8)| a.abs_diff(**b) > 64;
            assert_eq!(upright.iter().zip(turned.iter()).filter(differs).count(), 0, "{path}");
        }
    }
}
