//! Animals cut in half by an edge: the head is on the `+` half, the tail on the `-` half.
//!
//! An animal is drawn from above for the right side of a tile: the origin is the middle of the
//! edge, x points out of the tile, y along the edge. The tile shows what has a negative x. Both
//! halves of the trunk are equally wide at the edge.

use super::figure::Figure;
use super::svg::{Element, Svg};

/// The colour of a part. Parts other than lines are outlined.
#[derive(Clone, Copy)]
enum Paint {
    /// The colour of the image.
    Body,
    /// A darker shade of it, without an outline.
    Dark,
    /// A paler shade of it.
    Pale,
    Ink,
    White,
    Pink,
    Yellow,
    /// An outline only.
    Line,
    /// A thick pink line.
    Tail,
}

/// A part of an animal, drawn over the parts before it.
enum Part {
    /// Path data.
    Path(Paint, &'static str),
    /// Discs of this radius.
    Dots(Paint, f64, &'static [(f64, f64)]),
}

/// The parts of an animal on either side of the edge.
struct Animal {
    head: &'static [Part],
    tail: &'static [Part],
}

use Paint::{Body, Dark, Ink, Line, Pale, Pink, Tail, White, Yellow};
use Part::{Dots, Path};

/// Draws a half of the animal with this number in the colours of a figure.
pub(super) fn put_animal(number: usize, figure: Figure, is_head: bool, svg: &mut Svg) {
    let animal = &ANIMALS[number % ANIMALS.len()];
    for part in if is_head { animal.head } else { animal.tail } {
        match part {
            Path(Tail, data) => {
                for (colour, width) in [("#222", 4.2), (PINK, 2.0)] {
                    let line = Element::path(data).with("fill", "none");
                    svg.put(line.with_stroke(colour, width).with("stroke-linecap", "round"));
                }
            }
            Path(paint, data) => svg.put(painted(Element::path(data), *paint, figure)),
            Dots(paint, radius, middles) => {
                for (x, y) in *middles {
                    let disc = Element::new("circle").with("cx", x).with("cy", y);
                    svg.put(painted(disc.with("r", radius), *paint, figure));
                }
            }
        }
    }
}

/// An element with the fill and the outline of a part.
fn painted(element: Element, paint: Paint, figure: Figure) -> Element {
    let stroke = if matches!(paint, Dark) { "none" } else { "#222" };
    let fill = match paint {
        Body => figure.strong(),
        Dark => figure.mixed(0.3, 0.0),
        Pale => figure.mixed(0.65, 255.0),
        Ink => "#222".to_owned(),
        White => "#fff".to_owned(),
        Pink | Tail => PINK.to_owned(),
        Yellow => "#ffc53d".to_owned(),
        Line => "none".to_owned(),
    };
    element.with("fill", fill).with("stroke", stroke)
}

const PINK: &str = "#f0a3b5";

/// The animals, each next to a colour of the palette that suits it. The numbers of animals (11) and
/// colours (8) are coprime.
const ANIMALS: [Animal; 11] = [
    // Cat.
    Animal {
        head: &[
            Path(Body, "M6 -11H-4C-12 -11 -15 -7 -15 0C-15 7 -12 11 -4 11H6Z"),
            Path(Dark, "M-7 -11L-4 -3L-1 -11ZM-7 11L-4 3L-1 11Z"),
            Path(Body, "M-14 -6L-13 -16L-23 -11ZM-14 6L-13 16L-23 11Z"),
            Dots(Body, 11.0, &[(-21.0, 0.0)]),
            Dots(White, 2.6, &[(-23.0, 4.5), (-23.0, -4.5)]),
            Dots(Ink, 1.3, &[(-23.7, 4.5), (-23.7, -4.5)]),
            Path(Pale, "M-27.5 -2.5L-31 0L-27.5 2.5Z"),
            Path(Line, "M-27 6L-31 12M-25 8L-27 14M-27 -6L-31 -12M-25 -8L-27 -14"),
        ],
        tail: &[
            Path(Body, "M-11 -4C-18 -6 -20 -14 -27 -14C-34 -14 -33 -5 -28 -6C-23 -7 -22 4 -11 4Z"),
            Path(Body, "M6 -11H-3C-11 -11 -15 -7 -15 0C-15 7 -11 11 -3 11H6Z"),
            Path(Dark, "M-9 -10L-5 -2L-2 -11ZM-9 10L-5 2L-2 11Z"),
        ],
    },
    // Fish.
    Animal {
        head: &[
            Path(Body, "M6 -12H0C-14 -12 -24 -6 -31 0C-24 6 -14 12 0 12H6Z"),
            Path(
                Pale,
                "M-2 -4C-6 -9 -11 -8 -12 -6C-8 -5 -6 -3 -2 -4ZM-2 4C-6 9 -11 8 -12 6\
             C-8 5 -6 3 -2 4Z",
            ),
            Path(Line, "M-14 -8C-11 -4 -11 4 -14 8"),
            Dots(White, 3.2, &[(-21.0, -2.5)]),
            Dots(Ink, 1.5, &[(-21.8, -2.5)]),
        ],
        tail: &[
            Path(
                Body,
                "M-14 -5C-20 -8 -26 -15 -32 -15C-29 -9 -28 -5 -28 0C-28 5 -29 9 -32 15\
             C-26 15 -20 8 -14 5Z",
            ),
            Path(Body, "M6 -12H0C-8 -12 -14 -8 -17 0C-14 8 -8 12 0 12H6Z"),
            Path(Pale, "M-1 -8a4 4 0 0 0 0 8M-1 0a4 4 0 0 0 0 8M-8 -5a4 4 0 0 0 0 9"),
        ],
    },
    // Turtle.
    Animal {
        head: &[
            Path(Pale, "M-32.5 0a7.5 6 0 1 0 15 0a7.5 6 0 1 0 -15 0Z"),
            Dots(Ink, 1.3, &[(-27.0, 3.0), (-27.0, -3.0)]),
            Path(
                Pale,
                "M-10 10C-16 10 -20 14 -20 17C-14 18 -8 16 -6 12ZM-10 -10\
             C-16 -10 -20 -14 -20 -17C-14 -18 -8 -16 -6 -12Z",
            ),
            Path(Body, "M6 -14H0C-12 -14 -19 -8 -19 0C-19 8 -12 14 0 14H6Z"),
            Path(Dark, "M6 -7H-2L-9 0L-2 7H6Z"),
            Path(Line, "M-9 0H-19M-2 -7L-8 -12.5M-2 7L-8 12.5"),
        ],
        tail: &[
            Path(Pale, "M-17 -3L-27 0L-17 3Z"),
            Path(
                Pale,
                "M-9 11C-12 16 -17 17 -21 15C-21 11 -17 8 -13 8ZM-9 -11\
             C-12 -16 -17 -17 -21 -15C-21 -11 -17 -8 -13 -8Z",
            ),
            Path(Body, "M6 -14H0C-12 -14 -19 -8 -19 0C-19 8 -12 14 0 14H6Z"),
            Path(Dark, "M6 -7H-2L-9 0L-2 7H6Z"),
            Path(Line, "M-9 0H-19M-2 -7L-8 -12.5M-2 7L-8 12.5"),
        ],
    },
    // Ladybird.
    Animal {
        head: &[
            Path(Line, "M-24 -4C-28 -6 -30 -10 -33 -11M-24 4C-28 6 -30 10 -33 11"),
            Dots(Ink, 9.0, &[(-19.0, 0.0)]),
            Dots(White, 2.2, &[(-23.0, 4.5), (-23.0, -4.5)]),
            Path(Body, "M6 -15H0C-8 -15 -16 -9 -16 0C-16 9 -8 15 0 15H6Z"),
            Dots(Ink, 3.0, &[(-7.0, 7.0), (-7.0, -7.0)]),
            Path(Line, "M-16 0H6"),
        ],
        tail: &[
            Path(Body, "M6 -15H0C-14 -15 -23 -9 -23 0C-23 9 -14 15 0 15H6Z"),
            Dots(Ink, 3.4, &[(-9.0, 7.0), (-9.0, -7.0)]),
            Dots(Ink, 2.0, &[(-16.0, 4.5), (-16.0, -4.5)]),
            Path(Line, "M-23 0H6"),
        ],
    },
    // Bird.
    Animal {
        head: &[
            Path(Yellow, "M-24 -5L-33 0L-24 5Z"),
            Path(
                Body,
                "M6 -11H-2C-10 -11 -12 -8 -14 -7C-22 -11 -28 -6 -28 0C-28 6 -22 11 -14 7\
             C-12 8 -10 11 -2 11H6Z",
            ),
            Dots(White, 2.6, &[(-21.5, 5.0), (-21.5, -5.0)]),
            Dots(Ink, 1.3, &[(-22.3, 5.0), (-22.3, -5.0)]),
            Path(
                Dark,
                "M6 -12C-2 -16 -8 -13 -10 -9C-4 -8 0 -7 6 -8ZM6 12C-2 16 -8 13 -10 9\
             C-4 8 0 7 6 8Z",
            ),
        ],
        tail: &[
            Path(Dark, "M-10 -3L-31 -11L-33 -5L-26 0L-33 5L-31 11L-10 3Z"),
            Path(Line, "M-12 0L-29 -7M-12 0L-29 7"),
            Path(Body, "M6 -11H-2C-10 -11 -17 -6 -17 0C-17 6 -10 11 -2 11H6Z"),
            Path(
                Dark,
                "M6 -12C0 -15 -10 -14 -18 -9C-10 -7 -2 -7 6 -8ZM6 12C0 15 -10 14 -18 9\
             C-10 7 -2 7 6 8Z",
            ),
        ],
    },
    // Rabbit.
    Animal {
        head: &[
            Path(
                Body,
                "M-16 6C-18 11 -12 18 -2 17C4 16 2 12 -4 10C-8 9 -11 8 -13 5ZM-16 -6\
             C-18 -11 -12 -18 -2 -17C4 -16 2 -12 -4 -10C-8 -9 -11 -8 -13 -5Z",
            ),
            Path(
                Pale,
                "M-14 9C-13 13 -8 15 -3 14.5C-6 12 -10 11 -14 9ZM-14 -9\
             C-13 -13 -8 -15 -3 -14.5C-6 -12 -10 -11 -14 -9Z",
            ),
            Path(
                Body,
                "M6 -9H0C-8 -9 -10 -8 -12 -7C-15 -10 -19 -10 -22 -9C-28 -7 -31 -4 -31 0\
             C-31 4 -28 7 -22 9C-19 10 -15 10 -12 7C-10 8 -8 9 0 9H6Z",
            ),
            Dots(White, 2.4, &[(-21.0, 5.0), (-21.0, -5.0)]),
            Dots(Ink, 1.3, &[(-21.6, 5.0), (-21.6, -5.0)]),
            Path(Pink, "M-31.5 -2L-28 0L-31.5 2Z"),
        ],
        tail: &[
            Path(
                White,
                "M-30 0a4 4 0 0 1 3 -6a5 5 0 0 1 9 -1a5 5 0 0 1 4 7a5 5 0 0 1 -4 7\
             a5 5 0 0 1 -9 -1a4 4 0 0 1 -3 -6Z",
            ),
            Path(
                Body,
                "M6 -9H2C-2 -9 -3 -14 -9 -14C-15 -14 -19 -8 -19 0C-19 8 -15 14 -9 14\
             C-3 14 -2 9 2 9H6Z",
            ),
            Path(Line, "M-3 -6C-8 -8 -12 -7 -14 -4M-3 6C-8 8 -12 7 -14 4"),
        ],
    },
    // Bee.
    Animal {
        head: &[
            Path(Line, "M-24 -4C-27 -9 -31 -9 -32 -8M-24 4C-27 9 -31 9 -32 8"),
            Path(
                Pale,
                "M-4 9C-16 10 -20 17 -13 17C-6 17 0 14 4 11ZM-4 -9\
             C-16 -10 -20 -17 -13 -17C-6 -17 0 -14 4 -11Z",
            ),
            Dots(Ink, 8.0, &[(-20.0, 0.0)]),
            Dots(White, 2.0, &[(-23.0, 3.5), (-23.0, -3.5)]),
            Path(Body, "M6 -11H-2C-10 -11 -15 -7 -15 0C-15 7 -10 11 -2 11H6Z"),
            Path(Ink, "M-4 -11H1V11H-4C-5 4 -5 -4 -4 -11Z"),
        ],
        tail: &[
            Path(Ink, "M-22 -2.5L-33 0L-22 2.5Z"),
            Path(Body, "M6 -11H0C-14 -11 -25 -7 -25 0C-25 7 -14 11 0 11H6Z"),
            Path(
                Ink,
                "M-4 -11H1V11H-4C-5 4 -5 -4 -4 -11ZM-14 -9.300L-9 -10.300\
             C-10 -4 -10 4 -9 10.300L-14 9.300C-15 4 -15 -4 -14 -9.300ZM-21 -6\
             L-18 -7.700C-19 -3 -19 3 -18 7.700L-21 6C-22 3 -22 -3 -21 -6Z",
            ),
        ],
    },
    // Mouse.
    Animal {
        head: &[
            Dots(Body, 6.5, &[(-14.0, 10.5), (-14.0, -10.5)]),
            Dots(Pale, 3.6, &[(-14.0, 10.5), (-14.0, -10.5)]),
            Path(Body, "M6 -10H0C-16 -11 -24 -6 -32 0C-24 6 -16 11 0 10H6Z"),
            Dots(Ink, 1.7, &[(-21.5, 4.2), (-21.5, -4.2)]),
            Dots(Pink, 2.4, &[(-31.0, 0.0)]),
            Path(Line, "M-27 4L-26 11M-27 -4L-26 -11"),
        ],
        tail: &[
            Path(Tail, "M-15 0C-22 0 -20 -9 -26 -9C-32 -9 -30 2 -33 5"),
            Path(Body, "M6 -10H0C-12 -11 -18 -7 -18 0C-18 7 -12 11 0 10H6Z"),
            Path(Pink, "M-9 9l-7 4l2 -6ZM-9 -9l-7 -4l2 6Z"),
        ],
    },
    // Lobster.
    Animal {
        head: &[
            Path(Body, "M-12 6L-16 12L-14 14L-8 9ZM-12 -6L-16 -12L-14 -14L-8 -9Z"),
            Path(
                Body,
                "M-13 11C-18 9 -22 10 -25 7C-28 8 -32 6 -33 9C-31 11 -28 11 -26 11\
             C-29 13 -31 13 -32 15C-26 18 -15 17 -13 11ZM-13 -11\
             C-18 -9 -22 -10 -25 -7C-28 -8 -32 -6 -33 -9C-31 -11 -28 -11 -26 -11\
             C-29 -13 -31 -13 -32 -15C-26 -18 -15 -17 -13 -11Z",
            ),
            Path(Line, "M-17 -2L-30 -3M-17 2L-30 3"),
            Path(Body, "M6 -9H0C-10 -9 -20 -6 -20 0C-20 6 -10 9 0 9H6Z"),
            Dots(White, 2.2, &[(-15.0, 4.4), (-15.0, -4.4)]),
            Dots(Ink, 1.1, &[(-15.6, 4.4), (-15.6, -4.4)]),
            Path(Line, "M-6 -8C-3 -4 -3 4 -6 8"),
        ],
        tail: &[
            Path(Body, "M-19 -3L-30 -13C-34 -8 -34 8 -30 13L-19 3Z"),
            Path(Line, "M-21 -1.5L-32 -5M-21 1.5L-32 5"),
            Path(Body, "M6 -9H0C-8 -9 -20 -7 -22 -4V4C-20 7 -8 9 0 9H6Z"),
            Path(
                Line,
                "M-2 -9C-5 -4 -5 4 -2 9M-9 -8C-12 -3 -12 3 -9 8M-15.5 -7\
             C-18 -3 -18 3 -15.5 7",
            ),
        ],
    },
    // Octopus.
    Animal {
        head: &[
            Path(
                Body,
                "M6 -10H0C-4 -10 -6 -13 -14 -14C-26 -15 -32 -8 -32 0C-32 8 -26 15 -14 14\
             C-6 13 -4 10 0 10H6Z",
            ),
            Dots(Pale, 2.2, &[(-25.0, -6.0)]),
            Dots(Pale, 1.5, &[(-27.0, 3.0), (-22.0, 8.0)]),
            Dots(White, 3.4, &[(-8.0, 5.0), (-8.0, -5.0)]),
            Dots(Ink, 1.7, &[(-7.3, 5.0), (-7.3, -5.0)]),
        ],
        tail: &[
            Path(
                Body,
                "M6 -10H-2C-8 -10 -14 -16 -21 -15C-26 -14 -28 -17 -31 -16\
             C-30 -11 -25 -10 -21 -11C-17 -11 -13 -8 -9 -5C-16 -7 -24 -7 -33 -5\
             C-30 -2 -27 -2 -25 -3C-18 -4 -13 -3 -9 0C-13 3 -18 4 -25 3\
             C-27 2 -30 2 -33 5C-24 7 -16 7 -9 5C-13 8 -17 11 -21 11\
             C-25 10 -30 11 -31 16C-28 17 -26 14 -21 15C-14 16 -8 10 -2 10H6Z",
            ),
            Dots(Pale, 1.3, &[(-14.0, -11.5), (-14.0, 11.5)]),
            Dots(Pale, 1.2, &[(-18.0, -5.0), (-18.0, 5.0)]),
        ],
    },
    // Frog.
    Animal {
        head: &[
            Dots(Body, 5.0, &[(-17.0, 9.5), (-17.0, -9.5)]),
            Path(
                Body,
                "M6 -11H0C-8 -11 -10 -12 -15 -12C-25 -12 -31 -6 -31 0C-31 6 -25 12 -15 12\
             C-10 12 -8 11 0 11H6Z",
            ),
            Dots(White, 3.4, &[(-17.5, 10.0), (-17.5, -10.0)]),
            Dots(Ink, 1.8, &[(-18.3, 10.0), (-18.3, -10.0)]),
            Path(Line, "M-24 -9C-28 -5 -29 -2 -29 0C-29 2 -28 5 -24 9"),
            Dots(Ink, 0.8, &[(-28.0, 1.6), (-28.0, -1.6)]),
            Dots(Dark, 2.4, &[(-7.0, -3.0)]),
            Dots(Dark, 1.8, &[(-12.0, 4.0), (-3.0, 6.0)]),
        ],
        tail: &[
            Path(
                Body,
                "M-3 9C-6 17 -16 18 -22 15C-25 14 -22 10 -19 9L-29 12L-27 9L-33 8L-28 6\
             L-31 3C-26 3 -22 5 -17 6L-8 4ZM-3 -9C-6 -17 -16 -18 -22 -15\
             C-25 -14 -22 -10 -19 -9L-29 -12L-27 -9L-33 -8L-28 -6L-31 -3\
             C-26 -3 -22 -5 -17 -6L-8 -4Z",
            ),
            Path(Body, "M6 -11H0C-12 -11 -17 -6 -17 0C-17 6 -12 11 0 11H6Z"),
            Dots(Dark, 2.2, &[(-5.0, -4.0)]),
            Dots(Dark, 2.0, &[(-9.0, 3.0)]),
            Dots(Dark, 1.6, &[(-1.0, 5.0)]),
        ],
    },
];
