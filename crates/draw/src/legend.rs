//! The legend below a drawing: the names of the images, each next to its figure.

use edgematch::load::printable;
use edgematch::problem::Problem;
use edgematch::puzzle::{EdgeCorners, Label};
use unicode_width::UnicodeWidthStr;

use super::Style;
use super::common::figures;
use super::corners::Colours;
use super::figure::Figure;
use super::lettering::{ADVANCE, lettering};
use super::polygon::{Point, short};
use super::svg::{Element, Svg};

/// The maximum number of entries; a longer legend is not drawn.
const MOST: usize = 60;

/// The height of a line and the font size.
const LINE: f64 = 20.0;
const LETTERS: f64 = 12.0;

/// The width reserved for a figure, and its scale relative to a tile.
const FIGURE: f64 = 24.0;
const SCALE: f64 = 0.36;

/// The radius of a corner's mark, before scaling by [`SCALE`].
const MARK: f64 = 20.0;

/// A legend, laid out in lines.
pub(super) struct Legend {
    entries: Vec<LegendEntry>,
    columns: usize,
    width: f64,
}

struct LegendEntry {
    name: String,
    path: String,
    fill: String,
}

/// Every image except the border; an image with coloured corners is replaced by its parts.
fn entries(problem: &Problem, style: &Style<'_>) -> Vec<LegendEntry> {
    let border = problem.puzzle.border;
    let edge = |first: Label| problem.puzzle.labels.edge(first);
    let of_figure = |name: &str, figure: Figure| LegendEntry {
        name: printable(name),
        path: figure.path(),
        fill: figure.strong(),
    };
    let all = figures(problem, style).into_iter();
    let whole = all.filter(|&(first, _)| {
        border != Some(first) && EdgeCorners::from_edge(edge(first)).is_none()
    });
    let whole = whole.map(|(first, figure)| of_figure(&edge(first).image, figure));
    let colours = Colours::from_problem(problem);
    let marks = colours.marks().map(|(name, mark)| LegendEntry {
        name: printable(name),
        path: mark.path((0.0, 0.0), MARK),
        fill: mark.colour,
    });
    let between = colours.figures().map(|(name, figure)| of_figure(name, figure));
    marks.chain(between).chain(whole).collect()
}

impl Legend {
    /// Lays out the legend of a drawing of this width; `None` if the style has no legend or no
    /// figures, or if there are no or too many entries.
    pub fn new(problem: &Problem, style: &Style<'_>, width: f64) -> Option<Legend> {
        if !style.has_legend || style.pictures.is_some() {
            return None;
        }
        let entries = entries(problem, style);
        if entries.is_empty() || entries.len() > MOST {
            return None;
        }
        let longest = entries.iter().map(|entry| entry.name.width()).max();
        let entry = FIGURE + ADVANCE * LETTERS * (longest.unwrap_or_default() + 1) as f64;
        Some(Legend { entries, columns: ((width / entry) as usize).max(1), width: entry })
    }

    /// The height of the legend.
    pub fn height(&self) -> f64 {
        LINE * self.entries.len().div_ceil(self.columns) as f64
    }

    /// Draws the legend with its top left corner at a point.
    pub fn draw(&self, (left, top): Point, svg: &mut Svg) {
        for (index, entry) in self.entries.iter().enumerate() {
            let x = left + self.width * (index % self.columns) as f64;
            let y = top + LINE * ((index / self.columns) as f64 + 0.5);
            let place = format!("translate({} {})", short(x + FIGURE / 2.0), short(y));
            let figure = Element::new("path")
                .with("transform", format!("{place} scale({SCALE})"))
                .with("d", &entry.path)
                .with("fill", &entry.fill)
                .with("fill-rule", "evenodd")
                .with("stroke", "#222")
                .with("stroke-width", 2);
            svg.put(figure);
            let text = lettering((x + FIGURE, y + LETTERS * 0.36), LETTERS);
            svg.text(text.with("style", "text-anchor: start"), &entry.name);
        }
    }
}
