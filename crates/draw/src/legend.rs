//! The legend below a drawing: the names of the images, each next to its figure.

use edgematch::load::printable;
use edgematch::problem::Problem;
use edgematch::puzzle::{EdgeCorners, Half};
use unicode_width::UnicodeWidthStr;

use super::Style;
use super::common::motifs;
use super::corners::{Colours, Mark};
use super::lettering::{ADVANCE, BASELINE, lettering};
use super::polygon::{Point, short};
use super::svg::{Element, Svg};
use super::theme::{Motif, Theme};

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
    theme: Theme,
    columns: usize,
    /// The width of a column, in units.
    width: f64,
}

/// A name with its drawing.
struct LegendEntry {
    name: String,
    sign: Sign,
}

/// What a legend shows next to a name.
enum Sign {
    /// The mark of a corner colour.
    Corner(Mark),
    /// An image; true if it has halves.
    Image(Motif, bool),
}

/// The entries: corner colours, the images between them, then all other images except the border.
fn entries(problem: &Problem, style: &Style<'_>) -> Vec<LegendEntry> {
    let Colours { corners, between } = Colours::from_problem(problem);
    let entry = |(name, sign): (String, Sign)| LegendEntry { name: printable(&name), sign };
    let marks = corners.into_iter().map(|(name, mark)| (name, Sign::Corner(mark)));
    let between = between.into_iter().map(|(name, motif)| (name, Sign::Image(motif, false)));
    let all = motifs(problem, style).into_iter().filter_map(|(first, motif)| {
        let edge = problem.puzzle.labels.edge(first);
        let is_image =
            problem.puzzle.border != Some(first) && EdgeCorners::from_edge(edge).is_none();
        let is_half = edge.half != Half::Whole;
        is_image.then(|| (edge.image.clone(), Sign::Image(motif, is_half)))
    });
    marks.chain(between).chain(all).map(entry).collect()
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
        let columns = ((width / entry) as usize).max(1);
        Some(Legend { entries, theme: style.theme, columns, width: entry })
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
            let group = Element::new("g").with_transform([place, format!("scale({SCALE})")]);
            svg.open(group.with("fill-rule", "evenodd").with("stroke-width", 2));
            match &entry.sign {
                Sign::Image(motif, is_half) => motif.put_both(self.theme, *is_half, svg),
                Sign::Corner(mark) => {
                    let path = Element::path(mark.path((0.0, 0.0), MARK));
                    svg.put(path.with("fill", &mark.colour).with("stroke", "#222"));
                }
            }
            svg.close("g");
            let text = lettering((x + FIGURE, y + LETTERS * BASELINE), LETTERS);
            svg.text(text.with("style", "text-anchor: start"), &entry.name);
        }
    }
}
