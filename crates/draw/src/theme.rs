//! Themes: what the edges of tiles show.

use edgematch::problem::Problem;
use edgematch::puzzle::Half;

use super::animals::{self, put_animal};
use super::figure::{Figure, SIGN_OFFSET};
use super::lettering::{BASELINE, lettering};
use super::polygon::short;
use super::svg::{Element, Svg};

/// What the edges of tiles show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Figures cut in half.
    #[default]
    Figures,
    /// Animals cut in half: heads on `+` halves, tails on `-` halves. Whole images are flowers.
    Animals,
    /// Letters, without colours: capitals on `+` halves, small letters on `-` halves.
    Letters,
    /// A coloured wedge for each edge, with a figure, as players of large framed boards prefer.
    Wedges,
}

impl Theme {
    /// All themes, with their names.
    pub const ALL: [(&'static str, Theme); 4] = [
        ("figures", Theme::Figures),
        ("animals", Theme::Animals),
        ("letters", Theme::Letters),
        ("wedges", Theme::Wedges),
    ];

    /// The theme that suits a puzzle: wedges on framed boards and on tiles of whole images that may
    /// not be turned, otherwise figures or, if there are enough, animals, so that puzzles in a list
    /// look different.
    pub fn suited_to(problem: &Problem) -> Theme {
        let puzzle = &problem.puzzle;
        if puzzle.border.is_some() || (!puzzle.may_turn && puzzle.labels.halved_images() == 0) {
            return Theme::Wedges;
        }
        let letters = puzzle.name.bytes().map(usize::from).sum::<usize>();
        let has_animals = puzzle.labels.images() <= animals::number() && letters % 5 < 3;
        if has_animals { Theme::Animals } else { Theme::Figures }
    }
}

/// An image as it is drawn: its number among the images, and its figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Motif {
    pub number: usize,
    pub figure: Figure,
}

impl Motif {
    /// The motif of the image with this number and name.
    pub fn from_image(number: usize, name: &str) -> Self {
        Motif { number, figure: Figure::from_image(number, name) }
    }

    /// Draws the half of an image around the middle of a vertical side, at the origin, on the right
    /// of a tile.
    pub fn put(self, theme: Theme, half: Half, svg: &mut Svg) {
        match (theme, half) {
            (Theme::Figures, _) => svg.put(self.figure_at(0.0, half, 1.0)),
            (Theme::Animals, Half::Whole) => self.put_flower(svg),
            (Theme::Animals, _) => put_animal(self.number, self.figure, half == Half::Plus, svg),
            (Theme::Letters, _) => self.put_letter(half, svg),
            (Theme::Wedges, _) => {
                // Another order of the figures than that of the wedges' colours.
                svg.put(Motif::from_image(5 * self.number + 3, "").figure_at(0.0, half, 1.0));
            }
        }
    }

    /// The colour of the image's wedges: hues a golden angle apart, in three lightnesses.
    pub fn hue(self) -> String {
        let lightness = [52, 36, 70][self.number / 8 % 3];
        let degrees = (self.number as f64 * 137.508).rem_euclid(360.0).round();
        format!("hsl({degrees}, 70%, {lightness}%)")
    }

    /// Draws both halves of an image around the origin.
    pub fn put_both(self, theme: Theme, is_half: bool, svg: &mut Svg) {
        match theme {
            Theme::Animals if is_half => {
                self.put(theme, Half::Plus, svg);
                svg.open(Element::new("g").with("transform", "rotate(180)"));
                self.put(theme, Half::Minus, svg);
                svg.close("g");
            }
            Theme::Letters => {
                svg.open(Element::new("g").with("transform", "rotate(90)"));
                self.put_letter(Half::Whole, svg);
                svg.close("g");
            }
            Theme::Wedges => {
                let square = Element::path("M-26 -26H26V26H-26Z").with("fill", self.hue());
                svg.put(square.with("stroke", "#222"));
                self.put(theme, Half::Whole, svg);
            }
            Theme::Animals | Theme::Figures => self.put(theme, Half::Whole, svg),
        }
    }

    /// A figure at a distance from the origin; of an image in halves a `+` half is darker and beside
    /// the middle.
    pub fn figure_at(self, x: f64, half: Half, scale: f64) -> Element {
        let (offset, fill) = match half {
            Half::Plus => (SIGN_OFFSET, self.figure.strong()),
            Half::Minus => (-SIGN_OFFSET, self.figure.pale()),
            Half::Whole => (0.0, self.figure.strong()),
        };
        let place = format!("translate({x} {})", short(offset * scale));
        let smaller = if scale == 1.0 { String::new() } else { format!("scale({scale})") };
        let path = Element::new("path").with_transform([place, smaller]);
        path.with("d", self.figure.path()).with("fill", fill).with("stroke", "#222")
    }

    /// Draws a flower, which looks the same upside down.
    fn put_flower(self, svg: &mut Svg) {
        const PETALS: [&str; 3] = [
            "M0 0C8 -13 27 -12 27 0C27 12 8 13 0 0Z",
            "M0 0C8 -11 16 -9 30 0C16 9 8 11 0 0Z",
            "M0 0C6 -14 25 -17 26 -8C26 -4 23 -2 21 0C23 2 26 4 26 8C25 17 6 14 0 0Z",
        ];
        let petal = PETALS[self.number % PETALS.len()];
        let petals = [4, 8][self.number / PETALS.len() % 2];
        // Every other petal lies above its neighbours, so half a turn changes little.
        for number in (0..petals).step_by(2).chain((1..petals).step_by(2)) {
            let turn = short(360.0 * number as f64 / petals as f64);
            let path = Element::path(petal).with_transform([format!("rotate({turn})")]);
            svg.put(path.with("fill", self.figure.strong()).with("stroke", "#222"));
        }
        let middle = Element::new("circle").with("r", 8).with("fill", "#ffd86b");
        svg.put(middle.with("stroke", "#222"));
    }

    /// Draws a letter in a tab, with its feet at the side.
    fn put_letter(self, half: Half, svg: &mut Svg) {
        let (paper, ink) = match half {
            Half::Plus => ("#222", "#fff"),
            Half::Minus => ("#fff", "#222"),
            Half::Whole => ("#d8d4ca", "#222"),
        };
        let tab = Element::path("M6 -14H-16A10 10 0 0 0 -26 -4V4A10 10 0 0 0 -16 14H6Z");
        svg.put(tab.with("fill", paper).with("stroke", "#222"));
        let first = if half == Half::Minus { b'a' } else { b'A' };
        let round = self.number / 26;
        let mut text = char::from(first + (self.number % 26) as u8).to_string();
        if round > 0 {
            text += &(round + 1).to_string();
        }
        let size = if round > 0 { 14.0 } else { 18.0 };
        let letter = lettering((0.0, -12.0 + BASELINE * size), size)
            .with_transform(["rotate(-90)".to_owned()])
            .with("font-weight", "bold");
        svg.text(letter.with("fill", ink), &text);
    }
}

#[cfg(feature = "png")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Drawing, Renderer, TILE};

    /// The grey pixels of the right side of a tile with a half of an image.
    fn rendered(theme: Theme, number: usize, half: Half, turn: &str) -> Vec<u8> {
        let mut svg = Svg::new([25.0, 50.0], [50, 100], "");
        let group = Element::new("g").with("transform", format!("translate(25 25) {turn}"));
        svg.open(group.with("font-size", 1).with("fill-rule", "evenodd"));
        Motif::from_image(number, "").put(theme, half, &mut svg);
        svg.close("g");
        let drawing = Drawing { svg: svg.finish(), width: TILE, height: 2.0 * TILE };
        let png = Renderer::new(50).png(&drawing).unwrap();
        image::load_from_memory(&png).unwrap().to_luma8().into_raw()
    }

    fn differences(one: &[u8], other: &[u8]) -> usize {
        one.iter().zip(other).filter(|(a, b)| a.abs_diff(**b) > 64).count()
    }

    #[test]
    fn images_differ_without_colours() {
        for theme in [Theme::Figures, Theme::Animals, Theme::Letters] {
            let images =
                || (0..9).flat_map(|number| [Half::Plus, Half::Minus].map(|h| (number, h)));
            let all: Vec<_> =
                images().map(|(n, half)| (n, half, rendered(theme, n, half, ""))).collect();
            for (place, (number, half, one)) in all.iter().enumerate() {
                for (other, other_half, image) in &all[..place] {
                    let pixels = differences(one, image);
                    assert!(
                        pixels >= 10,
                        "{theme:?}: {number} {half:?}, {other} {other_half:?}: {pixels}"
                    );
                }
            }
        }
    }

    #[test]
    fn whole_images_look_the_same_upside_down() {
        for number in 0..6 {
            let turned =
                ["", "rotate(180)"].map(|t| rendered(Theme::Animals, number, Half::Whole, t));
            // Wide petals overlap a little.
            let pixels = differences(&turned[0], &turned[1]);
            assert!(pixels < 40, "flower {number}: {pixels}");
        }
    }

    #[test]
    fn the_halves_of_an_animal_are_equally_wide_at_the_edge() {
        for number in 0..11 {
            let widths = [Half::Plus, Half::Minus].map(|half| {
                let pixels = rendered(Theme::Animals, number, half, "");
                pixels.chunks(50).filter(|row| row[49] > 0).count()
            });
            assert!(widths[0].abs_diff(widths[1]) <= 2, "animal {number}: {widths:?}");
        }
    }
}
