//! Marks on top of the tiles: lines to cut and fold, seam numbers, crosses where a seam does not
//! match.

use std::collections::HashSet;

use edgematch::board::{Area, CellSide};
use edgematch::enumerate::solution::ArrangementError;

use super::common::through;
use super::lettering::{lettering, underline};
use super::net::Net;
use super::polygon::{Point, Polygon, short};
use super::svg::{Element, Svg};
use super::{Marks, TILE};

/// The colour of highlights.
const MARK: &str = "#e07000";

/// Tiles as placed on a board.
pub(super) struct OnBoard<'a> {
    pub net: &'a Net,
    /// The polygons of the net as drawn.
    pub polygons: &'a [Polygon],
    pub violations: &'a [ArrangementError],
    /// The scale of figures.
    pub scale: f64,
}

impl OnBoard<'_> {
    /// Draws the lines along which to cut and fold.
    pub fn lines(&self, svg: &mut Svg) {
        let fold = self.net.folds.iter().map(|ends| self.line(ends[0])).collect::<String>();
        let folded: HashSet<&CellSide> = self.net.folds.iter().flatten().collect();
        let cells = self.polygons.iter().enumerate();
        let sides = cells.flat_map(|(cell, polygon)| (0..polygon.sides).map(move |s| (cell, s)));
        let cut = sides
            .filter(|side| !folded.contains(side))
            .map(|side| self.line(side))
            .collect::<String>();
        let path = |d: &str, class: &str, colour: &str, width: f64| {
            let path = Element::new("path")
                .with("class", class)
                .with("d", d)
                .with("fill", "none")
                .with("stroke", colour);
            path.with("stroke-width", width)
        };
        // The outlines of the tiles are underneath, so dashes need a white background.
        svg.put(path(&fold, "fold", "#fff", 2.0));
        svg.put(path(&fold, "fold", "#333", 1.0).with("stroke-dasharray", "5 4"));
        svg.put(path(&cut, "cut", "#111", 2.0).with("stroke-linecap", "round"));
    }

    /// Draws lines between the parts of a divided board.
    pub fn parts(&self, area: &Area, svg: &mut Svg) {
        let is_between = |ends: &&[CellSide; 2]| area.letter(ends[0].0) != area.letter(ends[1].0);
        let folds = self.net.folds.iter().filter(is_between);
        let d = folds.map(|ends| self.line(ends[0])).collect::<String>();
        if !d.is_empty() {
            let path = Element::new("path").with("class", "part").with("d", d);
            let path = path.with("fill", "none").with("stroke", "#111");
            svg.put(path.with("stroke-width", 4.0).with("stroke-linecap", "round"));
        }
    }

    fn line(&self, (cell, side): CellSide) -> String {
        let [from, to] = self.polygons[cell].ends(side);
        line(from, to)
    }

    /// Draws the numbers of the sides that are glued together.
    pub fn numbers(&self, svg: &mut Svg) {
        for (number, ends) in self.net.cuts.iter().enumerate() {
            for &side in ends {
                self.number(number + 1, side, svg);
            }
        }
    }

    /// Draws a number inside the side, so that cutting does not remove it, between the start of the
    /// side and the figure.
    fn number(&self, number: usize, (cell, side): CellSide, svg: &mut Svg) {
        const SIZE: f64 = 9.0;
        /// The distance from the middle of a side to the farthest end of a figure, unscaled.
        const FIGURE: f64 = 34.0;
        const SPACE: f64 = 2.5;
        let digits = number.to_string();
        let half_width = digits.len() as f64 * SIZE * 0.31;
        let half_height = SIZE * 0.36;
        let polygon = &self.polygons[cell];
        let (x, y) = polygon.direction(side);
        let across = x.abs() * half_width + y.abs() * half_height;
        let along = x.abs() * half_height + y.abs() * half_width;
        let before = FIGURE * self.scale + SPACE + along;
        let (x, y) = polygon.at_side(side, -before, SPACE + across);
        let place = (x, y + half_height);
        let text = lettering(place, SIZE).with("class", "seam");
        let halo = |element: Element| element.with("stroke", "#fff");
        let text = halo(text)
            .with("stroke-width", "2.5")
            .with("stroke-linejoin", "round")
            .with("paint-order", "stroke");
        if let Some(line) = underline(&digits, "01689", place, SIZE) {
            let path = || Element::new("path").with("d", &line);
            svg.put(halo(path()).with("stroke-width", "3"));
            svg.text(text, &digits);
            svg.put(path().with("stroke", "#222").with("stroke-width", "0.6"));
        } else {
            svg.text(text, &digits);
        }
    }

    /// Draws bars on the marked seams.
    pub fn bars(&self, marks: &Marks, svg: &mut Svg) {
        for &[side, _] in &marks.seams {
            for side in self.net.places(side) {
                self.bar(side, svg);
            }
        }
    }

    fn bar(&self, (cell, side): CellSide, svg: &mut Svg) {
        const END: f64 = 8.0;
        let half = TILE / 2.0 - END;
        let [from, to] = [-half, half].map(|along| self.polygons[cell].at_side(side, along, 0.0));
        let path = Element::new("path").with("class", "marked").with("d", line(from, to));
        let path = path.with("stroke", MARK).with("stroke-width", "7");
        svg.put(path.with("stroke-linecap", "round"));
    }

    /// Draws a cross on each seam or side that does not match, and on each misplaced tile.
    pub fn crosses(&self, svg: &mut Svg) {
        let middle = |cell: usize| (self.polygons[cell].x, self.polygons[cell].y);
        let on_side = |(cell, side): CellSide| self.polygons[cell].at_side(side, 0.0, 0.0);
        for violation in self.violations {
            let at: Vec<Point> = match *violation {
                ArrangementError::Size { .. }
                | ArrangementError::Constraint { .. }
                | ArrangementError::ManyBroken { .. } => Vec::new(),
                ArrangementError::NoSuchTile { cell } | ArrangementError::Turned { cell } => {
                    vec![middle(cell)]
                }
                ArrangementError::Twice { cells, .. } => vec![middle(cells.0), middle(cells.1)],
                ArrangementError::TooOften { ref cells, .. } => {
                    cells.iter().copied().map(middle).collect()
                }
                ArrangementError::Seam { first, .. } => {
                    self.net.places(first.0).into_iter().map(on_side).collect()
                }
                ArrangementError::BorderInside { side } => vec![on_side(side)],
                ArrangementError::Rim { side } => vec![on_side(side.0)],
            };
            for place in at {
                cross(place, svg);
            }
        }
    }
}

/// A line between two points, as path data.
pub(super) fn line(from: Point, to: Point) -> String {
    let [from, to] = [from, to].map(|(x, y)| format!("{} {}", short(x), short(y)));
    format!("M{from}L{to}")
}

/// Draws a frame inside a marked tile.
pub(super) fn frame(polygon: &Polygon, svg: &mut Svg) {
    const INSET: f64 = 5.0;
    let smaller = 1.0 - INSET / polygon.apothem();
    let corners = polygon.corners().into_iter().map(|(x, y)| {
        (polygon.x + smaller * (x - polygon.x), polygon.y + smaller * (y - polygon.y))
    });
    let path = Element::new("path")
        .with("class", "marked")
        .with("d", through(&corners.collect::<Vec<_>>()));
    svg.put(path.with("fill", "none").with("stroke", MARK).with("stroke-width", "4"));
}

fn cross((x, y): Point, svg: &mut Svg) {
    let place = format!("translate({} {})", short(x), short(y));
    svg.open(Element::new("g").with("transform", place).with("class", "misfit"));
    svg.title("does not fit");
    let circle = Element::new("circle").with("r", 11).with("fill", "#fff");
    svg.put(circle.with("stroke", "#000").with("stroke-width", "2"));
    let arms = Element::new("path").with("d", "M-6 -6L6 6M6 -6L-6 6");
    svg.put(
        arms.with("stroke", "#d00000").with("stroke-width", "4").with("stroke-linecap", "round"),
    );
    svg.close("g");
}
