//! The legend below a drawing: the names of the images, each next to its figure.

use edgematch::load::printable;
use edgematch::problem::Problem;
use edgematch::puzzle::EdgeCorners;
use unicode_width::UnicodeWidthStr;

use super::Style;
use super::common::figures;
use super::corners::Colours;
use super::lettering::{ADVANCE, BASELINE, lettering};
use super::polygon::{Point, short};
use super::svg::{Element, Svg};

/// The maximum number of entries; a longer legend is not drawn.
const MOST: usize = 60;

/// The height of a line, in units.
const LINE: f64 = 20.0;
/// The font size, in units.
const LETTERS: f64 = 12.0;

/// The width reserved for a figure, in units.
const FIGURE: f64 = 24.0;
/// The scale of a figure relative to that on a tile.
const SCALE: f64 = 0.36;

/// The radius of a corner's mark, before scaling by [`SCALE`].
const MARK: f64 = 20.0;

/// A legend, laid out in lines.
pub(super) struct Legend {
    entries: Vec<LegendEntry>,
    columns: usize,
    /// The width of a column, in units.
    width: f64,
}

/// A name with its figure as path data and the fill colour.
struct LegendEntry {
    name: String,
    path: String,
    fill: String,
}

/// The entries: corner colours, the images between them, then all other images except the border.
fn entries(problem: &Problem, style: &Style<'_>) -> Vec<LegendEntry> {
    let Colours { corners, between } = Colours::from_problem(problem);
    let marks = corners.into_iter().map(|(name, mark)| LegendEntry {
        name: printable(&name),
        path: mark.path((0.0, 0.0), MARK),
        fill: mark.colour,
    });
    let all = figures(problem, style).into_iter().filter_map(|(first, figure)| {
        let edge = problem.puzzle.labels.edge(first);
        let is_whole =
            problem.puzzle.border != Some(first) && EdgeCorners::from_edge(edge).is_none();
        is_whole.then(|| (edge.image.clone(), figure))
    });
    let figures = between.into_iter().chain(all).map(|(name, figure)| LegendEntry {
        name: printable(&name),
        path: figure.path().to_owned(),
        fill: figure.strong(),
    });
    marks.chain(figures).collect()
}

impl Legend {
    /// Lays out a legend of at most this width; a single entry may be wider. `None` if the style
    /// has no legend or uses pictures, or if there are no entries or more than [`MOST`].
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

    /// The height of the legend, in units.
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
                .with_transform([place, format!("scale({SCALE})")])
                .with("d", &entry.path)
                .with("fill", &entry.fill)
                .with("fill-rule", "evenodd");
            svg.put(figure.with_stroke("#222", 2.0));
            let text = lettering((x + FIGURE, y + LETTERS * BASELINE), LETTERS);
            svg.text(text.with("style", "text-anchor: start"), &entry.name);
        }
    }
}
