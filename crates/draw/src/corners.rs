//! Coloured corners: a disc around each corner, of which every adjacent tile shows a sector.

use std::collections::HashMap;

use edgematch::problem::Problem;
use edgematch::puzzle::{EdgeCorners, UNKNOWN};

use super::figure::{Figure, ellipse};
use super::polygon::{Point, short};

/// The radius of a disc; a side is [`TILE`](super::TILE) long.
pub(super) const RADIUS: f64 = 30.0;

/// The corner colours of a puzzle and the images between them, numbered by first occurrence.
pub(super) struct Colours {
    corners: NumberedNames,
    between: NumberedNames,
}

/// Names in the order of insertion, each with its number.
#[derive(Default)]
struct NumberedNames {
    all: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl NumberedNames {
    /// Adds a name unless it is present or unknown.
    fn add(&mut self, name: String) {
        if name != UNKNOWN && !self.numbers.contains_key(&name) {
            self.numbers.insert(name.clone(), self.all.len());
            self.all.push(name);
        }
    }
}

/// The mark of a corner colour: a disc or rings. Three ring patterns and eight colours distinguish
/// 24 corners.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub colour: String,
    rings: usize,
}

impl Mark {
    fn new(number: usize, name: &str) -> Mark {
        Mark { colour: Figure::from_image(number, name).strong(), rings: number % 3 }
    }

    /// Concentric circles around a point, as path data for the fill rule `evenodd`.
    pub fn path(&self, (x, y): Point, radius: f64) -> String {
        const PARTS: [f64; 3] = [1.0, 0.68, 0.36];
        let circle = |part: &f64| ellipse(x, y, short(radius * part), short(radius * part));
        PARTS[..=self.rings].iter().map(circle).collect()
    }
}

impl Colours {
    /// Collects the corner colours of a puzzle; empty if its corners have no colours.
    pub fn from_problem(problem: &Problem) -> Colours {
        let mut colours =
            Colours { corners: NumberedNames::default(), between: NumberedNames::default() };
        let labels = &problem.puzzle.labels;
        for corners in labels.all().filter_map(|l| EdgeCorners::from_edge(labels.edge(l))) {
            let EdgeCorners { first, between, second } = corners;
            colours.corners.add(first);
            colours.corners.add(second);
            if let Some(edge) = between {
                colours.between.add(edge.image);
            }
        }
        colours
    }

    /// Every corner colour with its mark.
    pub fn marks(&self) -> impl Iterator<Item = (&str, Mark)> {
        let marks = self.corners.all.iter().enumerate();
        marks.map(|(number, name)| (&name[..], Mark::new(number, name)))
    }

    /// The mark of a corner colour.
    pub fn mark(&self, name: &str) -> Option<Mark> {
        Some(Mark::new(*self.corners.numbers.get(name)?, name))
    }

    /// Every image between corners with its figure.
    pub fn figures(&self) -> impl Iterator<Item = (&str, Figure)> {
        let images = self.between.all.iter().enumerate();
        images.map(|(number, name)| (&name[..], Figure::from_image(number, name)))
    }

    /// The figure of an image between corners.
    pub fn figure(&self, name: &str) -> Option<Figure> {
        Some(Figure::from_image(*self.between.numbers.get(name)?, name))
    }
}
