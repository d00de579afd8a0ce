//! The contact sheet: a drawing of the sides, in which those read as the same edge are in a row.
//!
//! A row is a group of sides, the most certain first. The rows of two halves are placed edge to
//! edge like cards: the upper one has its edges at the bottom, the lower one at the top.

use std::fmt::Write;

use edgematch::puzzle::Half;
use edgematch_draw::Drawing;
use image::{RgbImage, imageops};

use crate::card::{SIDES, to_data_url, turned};
use crate::reading::Reading;

/// The width of a strip, in units of the drawing.
const WIDTH: f64 = 100.0;

/// The depth of a strip as a fraction of the card.
const DEPTH: f64 = 0.42;

/// The space between strips and around the sheet, in units.
const GAP: f64 = 12.0;

/// The width of the names of groups on the left, in units.
const NAMES: f64 = 80.0;

/// The height of the name of a side at its strip, in units.
const CAPTION: f64 = 18.0;

/// A row of the sheet, which shows a group of sides.
struct SheetRow {
    group: usize,
    /// True if the edges are at the bottom of the strips.
    is_upper: bool,
}

impl Reading {
    /// Draws the contact sheet; a card is [`edgematch_draw::TILE`] units wide.
    pub fn contact_sheet(&self) -> Drawing {
        let rows = self.rows();
        let columns = rows.iter().map(|row| self.members(row.group).len()).max();
        let width = NAMES + columns.unwrap_or(0) as f64 * (WIDTH + GAP) + GAP;
        let mut body = String::new();
        let mut top = GAP;
        for row in &rows {
            top += self.draw_row(row, top, &mut body);
        }
        let height = top;
        Drawing {
            svg: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
                 width=\"{width}\" height=\"{height}\" font-family=\"DejaVu Sans, sans-serif\">\n\
                 <title>Sides that were read as the same edge</title>\n\
                 <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{body}</svg>\n"
            ),
            width,
            height,
        }
    }

    /// The rows, sorted by image; each `+` half is above its `-` half.
    fn rows(&self) -> Vec<SheetRow> {
        let edges = self.edges();
        let mut groups: Vec<usize> = (0..edges.len()).collect();
        let place = |&group: &usize| {
            let edge = &edges[group];
            (edge.image.len(), edge.image.clone(), edge.half == Half::Minus)
        };
        groups.sort_by_key(place);
        let row = |group: usize| SheetRow { group, is_upper: edges[group].half == Half::Plus };
        groups.into_iter().map(row).collect()
    }

    /// The sides of a group, the most certain first.
    pub(crate) fn members(&self, group: usize) -> Vec<usize> {
        let sides = 0..self.sides.len();
        let mut members: Vec<usize> =
            sides.filter(|&side| self.sides[side].group == group).collect();
        let certainty = |side: usize| self.sides[side].certainty;
        members.sort_by(|&a, &b| certainty(b).total_cmp(&certainty(a)));
        members
    }

    /// Appends the SVG of a row, the strips of sides that were read as the same edge, to `body` with
    /// its top at `top`; returns its height including the space below.
    fn draw_row(&self, row: &SheetRow, top: f64, body: &mut String) -> f64 {
        let height = WIDTH * DEPTH;
        let (strips, captions) = if row.is_upper {
            (top + CAPTION, top + CAPTION - 5.0)
        } else {
            (top, top + height + CAPTION - 4.0)
        };
        let name = self.edges()[row.group].to_string();
        let (colour, mark) = marks(self.doubtful_mates.contains(&row.group));
        // Writing to a string cannot fail.
        let _ = writeln!(
            body,
            "<text x=\"{GAP}\" y=\"{}\" font-size=\"22\" fill=\"{colour}\">{mark}{name}</text>",
            strips + height / 2.0 + 8.0
        );
        for (place, side) in self.members(row.group).into_iter().enumerate() {
            let left = NAMES + place as f64 * (WIDTH + GAP);
            let link = to_data_url(&self.strip(side, row.is_upper));
            let name = self.side_name(side);
            // Rounded down, so that a doubtful side has less than 90 %.
            let percent = (self.sides[side].certainty * 100.0).floor() as u32;
            let is_doubtful = self.sides[side].is_doubtful();
            let (colour, mark) = marks(is_doubtful);
            let _ = writeln!(
                body,
                "<image x=\"{left}\" y=\"{strips}\" width=\"{WIDTH}\" height=\"{height}\" \
                 preserveAspectRatio=\"none\" href=\"{link}\"/>\n\
                 <text x=\"{left}\" y=\"{captions}\" font-size=\"12\" fill=\"{colour}\">\
                 {mark}{name} {percent} %</text>",
            );
            if is_doubtful {
                let _ = writeln!(
                    body,
                    "<rect x=\"{left}\" y=\"{strips}\" width=\"{WIDTH}\" height=\"{height}\" \
                     fill=\"none\" stroke=\"{colour}\" stroke-width=\"3\"/>",
                );
            }
        }
        height + CAPTION + if row.is_upper { 2.0 } else { GAP }
    }

    /// The name of a side, such as `4 left`: the number of the card and its side in the photograph.
    pub fn side_name(&self, side: usize) -> String {
        const NAMES: [&str; SIDES] = ["top", "right", "bottom", "left"];
        format!("{} {}", side / SIDES + 1, NAMES[side % SIDES])
    }

    /// The part of a card's picture along a side, with the side at the bottom if `is_below`,
    /// otherwise at the top.
    fn strip(&self, side: usize, is_below: bool) -> RgbImage {
        let picture = &self.cards[side / SIDES].picture;
        let depth = (f64::from(picture.height()) * DEPTH).round() as u32;
        let turned = turned(picture, side % SIDES);
        let strip = imageops::crop_imm(&turned, 0, 0, turned.width(), depth).to_image();
        if is_below { imageops::rotate180(&strip) } else { strip }
    }
}

/// The colour of a name, and what stands before it.
fn marks(is_doubtful: bool) -> (&'static str, &'static str) {
    if is_doubtful { ("#c00", "? ") } else { ("#333", "") }
}
