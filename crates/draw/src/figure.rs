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
        Figure { shape: number % NUMBER, colour: named.unwrap_or(number % COLOURS.len()) }
    }

    /// The outline around the middle of the side, as SVG path data for the fill rule `evenodd`: x
    /// across the side, y along it.
    pub fn path(self) -> &'static str {
        SHAPES.lines().nth(self.shape).unwrap_or_default()
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

/// The number of shapes.
const NUMBER: usize = 29;

/// The outlines of the shapes as SVG path data, one per line. No two have the same half, even
/// rotated.
const SHAPES: &str = include_str!("shapes.txt");

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn two_hundred_images_have_different_figures() {
        let figures: HashSet<Figure> = (0..200).map(|n| Figure::from_image(n, "")).collect();
        assert_eq!(figures.len(), 200);
        assert_eq!(SHAPES.lines().collect::<HashSet<_>>().len(), NUMBER);
        assert_eq!(SHAPES.lines().count(), NUMBER);
    }

    #[test]
    #[cfg(feature = "png")]
    fn shapes_look_the_same_upside_down() {
        use crate::{Drawing, Renderer, TILE};
        let renderer = Renderer::new(64);
        for path in SHAPES.lines() {
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
