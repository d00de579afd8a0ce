//! The texts for edges and tiles in text drawings: their names, or letters if there is little room.

use std::collections::BTreeSet;

use edgematch::load::printable;
use edgematch::problem::Problem;
use edgematch::puzzle::{EdgeName, Half, Label};
use unicode_width::UnicodeWidthStr;

use super::figure::Figure;

/// The use of colour in a text drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// No colour.
    Plain,
    /// Names of edges in the colours of their figures, with ANSI escape sequences.
    Colour,
}

/// The texts for the labels of a puzzle.
pub(super) struct Writing {
    /// The text for each label, by its index.
    pub names: Vec<String>,
    /// The same with colour codes, or without if there is no colour.
    pub painted: Vec<String>,
    /// The maximum number of characters of a tile's name.
    longest_tile: usize,
    /// The legend of the letters, with line breaks; empty if names are used.
    pub legend: String,
}

impl Writing {
    /// Uses the names of the labels; or letters and a legend, if a drawing with the names would be
    /// wider than `columns`. `width` returns the width of the drawing with given texts.
    pub fn fit_to_columns(
        problem: &Problem,
        columns: usize,
        ink: Ink,
        width: impl Fn(&Writing) -> usize,
    ) -> Writing {
        let labels = &problem.puzzle.labels;
        let mut writing = Writing {
            names: labels.all().map(|l| printable(&labels.name(l))).collect(),
            painted: Vec::new(),
            longest_tile: usize::MAX,
            legend: String::new(),
        };
        if width(&writing) > columns {
            writing.use_letters(problem);
        }
        writing.painted = writing.names.clone();
        if ink == Ink::Colour {
            writing.paint(problem);
        }
        writing
    }

    /// Replaces the names of images by `a`, `b`, … and adds a legend; truncates names of tiles.
    fn use_letters(&mut self, problem: &Problem) {
        /// The maximum number of characters of a tile's name.
        const SHORT_TILE: usize = 8;
        let labels = &problem.puzzle.labels;
        self.longest_tile = SHORT_TILE;
        for (number, first) in labels.firsts().enumerate() {
            let letter = letter(number);
            let image = &labels.edge(first).image;
            if *image != letter {
                self.legend += &format!("{letter} = {}\n", printable(image));
            }
            for label in [first, labels.mate(first)] {
                let half = labels.edge(label).half;
                self.names[label.index()] = EdgeName { image: letter.clone(), half }.to_string();
            }
        }
    }

    /// Paints the names in the colours of their figures.
    fn paint(&mut self, problem: &Problem) {
        let labels = &problem.puzzle.labels;
        let border = problem.puzzle.border;
        for (number, first) in labels.firsts().enumerate().filter(|(_, l)| border != Some(*l)) {
            let [red, green, blue] = Figure::from_image(number, &labels.edge(first).image).rgb();
            for label in BTreeSet::from([first, labels.mate(first)]) {
                let weight = match labels.edge(label).half {
                    Half::Minus => 22,
                    Half::Plus | Half::Whole => 1,
                };
                let painted = &mut self.painted[label.index()];
                *painted = format!("\u{1b}[{weight};38;2;{red};{green};{blue}m{painted}\u{1b}[0m");
            }
        }
    }

    /// The text of a label in colour, padded with spaces to a width.
    pub fn padded(&self, label: Label, width: usize) -> String {
        let more = width.saturating_sub(self.names[label.index()].width());
        format!("{}{}", self.painted[label.index()], " ".repeat(more))
    }
}

/// The letters for a number from 0: a, b, …, z, aa, ab, …
fn letter(number: usize) -> String {
    let last = char::from(b'a' + (number % 26) as u8).to_string();
    match number / 26 {
        0 => last,
        more => letter(more - 1) + &last,
    }
}

/// The name of the tile with this index, truncated if `writing` uses letters.
pub(super) fn tile_name(problem: &Problem, tile: usize, writing: &Writing) -> String {
    let name = printable(&problem.puzzle.tiles[tile].name);
    if name.chars().count() > writing.longest_tile {
        name.chars().take(writing.longest_tile - 1).chain(['…']).collect()
    } else {
        name
    }
}
