//! Coloured corners: a disc around each, of which every tile there shows its part.

use edgematch::problem::Problem;
use edgematch::puzzle::{Corners, UNKNOWN};

use super::figure::{Figure, ellipse};
use super::polygon::{Point, short};

/// The radius of a disc, in units of which a side has [`TILE`](super::TILE).
pub(super) const RADIUS: f64 = 30.0;

/// The colours of corners, and what stands between them, as they are first met.
pub(super) struct Colours {
    corners: Vec<String>,
    between: Vec<String>,
}

/// A disc, or rings: with eight colours 24 corners are told apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub colour: String,
    rings: usize,
}

impl Mark {
    /// The circles around a point, as path data for the rule `evenodd`.
    pub fn path(&self, (x, y): Point, radius: f64) -> String {
        const PARTS: [f64; 3] = [1.0, 0.68, 0.36];
        let circle = |part: &f64| ellipse(x, y, short(radius * part), short(radius * part));
        PARTS[..=self.rings].iter().map(circle).collect()
    }
}

impl Colours {
    /// Those of a puzzle; empty where corners have no colours.
    pub fn of(problem: &Problem) -> Colours {
        let mut colours = Colours { corners: Vec::new(), between: Vec::new() };
        let labels = &problem.puzzle.labels;
        for corners in labels.all().filter_map(|l| Corners::of(labels.edge(l))) {
            let Corners { first, between, second } = corners;
            number(&mut colours.corners, first);
            number(&mut colours.corners, second);
            if let Some(edge) = between {
                number(&mut colours.between, edge.image);
            }
        }
        colours
    }

    /// Each colour of a corner with what stands for it.
    pub fn marks(&self) -> impl Iterator<Item = (&str, Mark)> {
        let marks = self.corners.iter().enumerate();
        marks.map(|(number, name)| {
            let colour = Figure::of_image(number, name).strong();
            let rings = number % 3;
            (&name[..], Mark { colour, rings })
        })
    }

    /// Each image between corners with its figure.
    pub fn figures(&self) -> impl Iterator<Item = (&str, Figure)> {
        let images = self.between.iter().enumerate();
        images.map(|(number, name)| (&name[..], Figure::of_image(number, name)))
    }
}

/// Notes a name that is not there yet.
fn number(names: &mut Vec<String>, name: String) {
    if name != UNKNOWN && !names.contains(&name) {
        names.push(name);
    }
}
