//! Coloured corners: a disc around each corner, of which every adjacent tile shows a sector.

use edgematch::problem::Problem;
use edgematch::puzzle::{EdgeCorners, UNKNOWN};
use itertools::Itertools;

use super::figure::Figure;
use super::polygon::{Point, short};

/// The radius of a disc; a side is [`TILE`](super::TILE) long.
pub(super) const RADIUS: f64 = 30.0;

/// The corner colours of a puzzle and the images between them, by first occurrence; empty if its
/// corners have no colours.
pub(super) struct Colours {
    pub corners: Vec<(String, Mark)>,
    pub between: Vec<(String, Figure)>,
}

/// The mark of a corner colour: a disc or rings. Three ring patterns and eight colours distinguish
/// 24 corners.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub colour: String,
    rings: usize,
}

impl Mark {
    fn from_corner(number: usize, name: &str) -> Mark {
        Mark { colour: Figure::from_image(number, name).strong(), rings: number % 3 }
    }

    /// Concentric circles around a point, as path data for the fill rule `evenodd`.
    pub fn path(&self, (x, y): Point, radius: f64) -> String {
        const PARTS: [f64; 3] = [1.0, 0.68, 0.36];
        let circles = PARTS[..=self.rings].iter().map(|part| {
            let r = short(radius * part);
            let [left, right] = [x - r, x + r];
            format!("M{left} {y}A{r} {r} 0 1 1 {right} {y}A{r} {r} 0 1 1 {left} {y}Z")
        });
        circles.collect()
    }
}

impl Colours {
    /// Collects the corner colours of a puzzle.
    pub fn from_problem(problem: &Problem) -> Colours {
        let labels = &problem.puzzle.labels;
        let edges = || labels.all().filter_map(|l| EdgeCorners::from_edge(labels.edge(l)));
        let corners = edges().flat_map(|edge| [edge.first, edge.second]);
        let between = edges().filter_map(|edge| edge.between).map(|edge| edge.image);
        Colours {
            corners: numbered(corners, Mark::from_corner),
            between: numbered(between, Figure::from_image),
        }
    }
}

/// Each known name once, with what its number and name determine.
fn numbered<T>(
    names: impl Iterator<Item = String>,
    drawn: impl Fn(usize, &str) -> T,
) -> Vec<(String, T)> {
    let known = names.filter(|name| name != UNKNOWN).unique();
    known.enumerate().map(|(number, name)| (name.clone(), drawn(number, &name))).collect()
}

/// Finds what is drawn for a name.
pub(super) fn named<'a, T>(all: &'a [(String, T)], name: &str) -> Option<&'a T> {
    all.iter().find(|(known, _)| known == name).map(|(_, drawn)| drawn)
}
