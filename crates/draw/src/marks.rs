//! Marks on top of the tiles: lines to cut and fold, seam numbers, highlights, and crosses where a
//! seam does not match.

use std::collections::HashSet;

use edgematch::board::{Area, CellSide};
use edgematch::enumerate::solution::{ArrangementError, violations};
use edgematch::problem::{Arrangement, Problem};

use super::common::{closed_path, scale};
use super::lettering::{BASELINE, lettering, underline};
use super::net::Net;
use super::polygon::{PlacedPolygon, Point, short};
use super::svg::{Element, Svg};
use super::{Marks, TILE};

/// The colour of highlights.
const MARK: &str = "#e07000";

impl Net {
    /// Draws the lines of the net, the seams in `marks`, and a cross on everything that does not
    /// fit. The tiles in `marks` are ignored; see [`draw_frame`].
    pub fn draw_marks(
        &self,
        problem: &Problem,
        arrangement: &Arrangement,
        marks: &Marks,
        svg: &mut Svg,
    ) {
        if self.is_cut() {
            self.draw_lines(svg);
        }
        if let Some(area) = problem.board.area() {
            self.draw_parts(area, svg);
        }
        for side in marks.seams.iter().flat_map(|&[side, _]| self.places(side)) {
            self.draw_bar(side, svg);
        }
        self.draw_numbers(scale(problem), svg);
        for violation in violations(problem, arrangement) {
            self.draw_crosses(violation, svg);
        }
    }

    /// Draws dashed lines along which to fold and solid lines along which to cut.
    pub fn draw_lines(&self, svg: &mut Svg) {
        let fold: String = self.folds.iter().map(|ends| self.line(ends[0])).collect();
        let folded: HashSet<&CellSide> = self.folds.iter().flatten().collect();
        let cells = self.polygons.iter().enumerate();
        let sides = cells.flat_map(|(cell, polygon)| (0..polygon.sides).map(move |s| (cell, s)));
        let cut = sides.filter(|side| !folded.contains(side)).map(|side| self.line(side));
        let path = |class: &str, data: &str, colour: &str, width: f64| {
            let path = Element::new("path").with("class", class).with("d", data);
            path.with("fill", "none").with_stroke(colour, width)
        };
        // The outlines of the tiles are underneath, so dashes need a white background.
        svg.put(path("fold", &fold, "#fff", 2.0));
        svg.put(path("fold", &fold, "#333", 1.0).with("stroke-dasharray", "5 4"));
        let cut = path("cut", &cut.collect::<String>(), "#111", 2.0);
        svg.put(cut.with("stroke-linecap", "round"));
    }

    /// Draws thick lines between the parts of a board that is divided into parts.
    fn draw_parts(&self, area: &Area, svg: &mut Svg) {
        let is_between = |ends: &&[CellSide; 2]| area.letter(ends[0].0) != area.letter(ends[1].0);
        let folds = self.folds.iter().filter(is_between);
        let data: String = folds.map(|ends| self.line(ends[0])).collect();
        if !data.is_empty() {
            let path = Element::new("path").with("class", "part").with("d", data);
            let path = path.with("fill", "none").with_stroke("#111", 4.0);
            svg.put(path.with("stroke-linecap", "round"));
        }
    }

    /// A side of a cell as path data.
    fn line(&self, (cell, side): CellSide) -> String {
        let [from, to] = self.polygons[cell].ends(side);
        line(from, to)
    }

    /// Draws the number of each cut seam on both its sides; sides with equal numbers are glued
    /// together. Each number is inside its polygon, so that cutting does not remove it, and between
    /// the start of the side and the figure. `scale` is the scale of the figures. Numbers that read
    /// as another number upside down are underlined.
    pub fn draw_numbers(&self, scale: f64, svg: &mut Svg) {
        const SIZE: f64 = 9.0;
        /// The distance from the middle of a side to the farthest end of a figure, unscaled.
        const FIGURE: f64 = 34.0;
        /// The space around a number.
        const SPACE: f64 = 2.5;
        let cuts = self.cuts.iter().enumerate();
        for (index, (cell, side)) in cuts.flat_map(|(index, ends)| ends.map(|end| (index, end))) {
            let digits = (index + 1).to_string();
            let half_width = digits.len() as f64 * SIZE * 0.31;
            let half_height = SIZE * BASELINE;
            let polygon = &self.polygons[cell];
            let (x, y) = polygon.direction(side);
            let across = x.abs() * half_width + y.abs() * half_height;
            let along = x.abs() * half_height + y.abs() * half_width;
            let before = FIGURE * scale + SPACE + along;
            let (x, y) = polygon.at_side(side, -before, SPACE + across);
            let place = (x, y + half_height);
            let line = underline(&digits, "01689", place, SIZE);
            if let Some(line) = &line {
                svg.put(Element::path(line).with_stroke("#fff", 3.0));
            }
            let text = lettering(place, SIZE).with("class", "seam").with_stroke("#fff", 2.5);
            let text = text.with("stroke-linejoin", "round").with("paint-order", "stroke");
            svg.text(text, &digits);
            if let Some(line) = line {
                svg.put(Element::path(line).with_stroke("#222", 0.6));
            }
        }
    }

    /// Draws a bar on a side of a marked seam.
    fn draw_bar(&self, (cell, side): CellSide, svg: &mut Svg) {
        /// The distance of the bar from both ends of the side.
        const END: f64 = 8.0;
        let half = TILE / 2.0 - END;
        let [from, to] = [-half, half].map(|along| self.polygons[cell].at_side(side, along, 0.0));
        let path = Element::new("path").with("class", "marked").with("d", line(from, to));
        svg.put(path.with_stroke(MARK, 7.0).with("stroke-linecap", "round"));
    }

    /// Draws a cross at each place of a violation: a seam or side that does not match, or a tile.
    /// Nothing is drawn for violations without a place, such as those of constraints.
    fn draw_crosses(&self, violation: ArrangementError, svg: &mut Svg) {
        let middle = |&cell: &usize| (self.polygons[cell].x, self.polygons[cell].y);
        let on_side = |&(cell, side): &CellSide| self.polygons[cell].at_side(side, 0.0, 0.0);
        let at: Vec<Point> = match violation {
            ArrangementError::Size { .. }
            | ArrangementError::Constraint { .. }
            | ArrangementError::ManyBroken { .. } => Vec::new(),
            ArrangementError::NoSuchTile { cell }
            | ArrangementError::WrongSides { cell, .. }
            | ArrangementError::Turned { cell } => vec![middle(&cell)],
            ArrangementError::Twice { cells, .. } => vec![middle(&cells.0), middle(&cells.1)],
            ArrangementError::TooOften { cells, .. } => cells.iter().map(middle).collect(),
            ArrangementError::Seam { first, .. } => {
                self.places(first.0).iter().map(on_side).collect()
            }
            ArrangementError::BorderInside { side } => vec![on_side(&side)],
            ArrangementError::Rim { side } => vec![on_side(&side.0)],
        };
        for (x, y) in at {
            let place = format!("translate({} {})", short(x), short(y));
            svg.open(Element::new("g").with("transform", place).with("class", "misfit"));
            svg.text(Element::new("title"), "does not fit");
            let circle = Element::new("circle").with("r", 11).with("fill", "#fff");
            svg.put(circle.with_stroke("#000", 2.0));
            let arms = Element::path("M-6 -6L6 6M6 -6L-6 6").with_stroke("#d00000", 4.0);
            svg.put(arms.with("stroke-linecap", "round"));
            svg.close("g");
        }
    }
}

/// A line between two points, as path data.
pub(super) fn line(from: Point, to: Point) -> String {
    let [from, to] = [from, to].map(|(x, y)| format!("{} {}", short(x), short(y)));
    format!("M{from}L{to}")
}

/// Draws a frame inside a marked tile.
pub(super) fn draw_frame(polygon: &PlacedPolygon, svg: &mut Svg) {
    const INSET: f64 = 5.0;
    let smaller = 1.0 - INSET / polygon.apothem();
    let corners = polygon.corners().into_iter().map(|(x, y)| {
        (polygon.x + smaller * (x - polygon.x), polygon.y + smaller * (y - polygon.y))
    });
    let data = closed_path(&corners.collect::<Vec<_>>());
    let path = Element::new("path").with("class", "marked").with("d", data);
    svg.put(path.with("fill", "none").with_stroke(MARK, 4.0));
}
