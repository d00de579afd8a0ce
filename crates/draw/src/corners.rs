//! Coloured corners: a disc around each corner of the board, of which each tile at that corner
//! shows a sector.

use edgematch::problem::Problem;
use edgematch::puzzle::{EdgeCorners, UNKNOWN};
use itertools::Itertools;

use super::figure::Figure;
use super::polygon::{Point, short};
use super::theme::Motif;

/// The radius of a disc, in units.
pub(super) const RADIUS: f64 = 30.0;

/// The corner colours of a puzzle and the images between them, with their drawings, in the order of
/// first occurrence. Both lists are empty if no corner has a colour.
pub(super) struct Colours {
    pub corners: Vec<(String, Mark)>,
    pub between: Vec<(String, Motif)>,
}

/// The drawing of a corner colour: a disc, a ring, or a ring around a disc. With eight colours,
/// these distinguish 24 consecutive numbers; a corner named after a colour has that colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub colour: String,
    /// The number of circles inside the outer one: 0, 1 or 2.
    rings: usize,
}

impl Mark {
    /// The mark of the corner colour with this number and name.
    fn from_corner(number: usize, name: &str) -> Mark {
        Mark { colour: Figure::from_image(number, name).strong(), rings: number % 3 }
    }

    /// The mark around a point: concentric circles as path data for the fill rule `evenodd`.
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
            between: numbered(between, Motif::from_image),
        }
    }
}

/// Each distinct name except `UNKNOWN`, with its drawing, which `drawn` makes from the name's
/// number in the order of first occurrence and the name.
fn numbered<T>(
    names: impl Iterator<Item = String>,
    drawn: impl Fn(usize, &str) -> T,
) -> Vec<(String, T)> {
    let known = names.filter(|name| name != UNKNOWN).unique();
    known.enumerate().map(|(number, name)| (name.clone(), drawn(number, &name))).collect()
}

/// The drawing of a name; `None` if the name is unknown.
pub(super) fn named<'a, T>(all: &'a [(String, T)], name: &str) -> Option<&'a T> {
    all.iter().find(|(known, _)| known == name).map(|(_, drawn)| drawn)
}
