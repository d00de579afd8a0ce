//! Text for edges and tiles in text drawings: their names, or letters if there is little room.

use std::collections::BTreeSet;

use edgematch::load::printable;
use edgematch::problem::Problem;
use edgematch::puzzle::{Half, Label};
use unicode_width::UnicodeWidthStr;

use super::figure::Figure;
use super::first_labels;

/// The use of colour in a text drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// No colour.
    Plain,
    /// Names of edges in the colours of their figures, as ANSI escapes.
    Colour,
}

/// The text for each label.
pub(super) struct Writing {
    pub names: Vec<String>,
    /// The names in colour.
    pub painted: Vec<String>,
    longest_tile: usize,
    pub legend: Vec<String>,
}

impl Writing {
    /// The text of a label, padded to a width.
    pub fn padded(&self, label: Label, width: usize) -> String {
        let more = width.saturating_sub(self.names[label.index()].width());
        format!("{}{}", self.painted[label.index()], " ".repeat(more))
    }

    /// Uses the names of the labels, or letters if the names make the drawing wider than `columns`.
    pub fn fit_to_columns(
        problem: &Problem,
        columns: usize,
        ink: Ink,
        width: impl Fn(&Writing) -> usize,
    ) -> Writing {
        let full = full_names(problem);
        let writing = if width(&full) > columns { letters(problem) } else { full };
        Writing { painted: painted(problem, &writing.names, ink), ..writing }
    }
}

fn full_names(problem: &Problem) -> Writing {
    let labels = &problem.puzzle.labels;
    Writing {
        names: labels.all().map(|l| printable(&labels.name(l))).collect(),
        painted: Vec::new(),
        longest_tile: usize::MAX,
        legend: Vec::new(),
    }
}

/// The length of a tile's name if there is little room, in characters.
const SHORT_TILE: usize = 8;

/// Uses `a+`, `b-`, … with a legend.
fn letters(problem: &Problem) -> Writing {
    let labels = &problem.puzzle.labels;
    let mut names = vec![String::new(); labels.len()];
    let mut legend = Vec::new();
    for (number, first) in first_labels(problem).into_iter().enumerate() {
        let letter = letter(number);
        let image = &labels.edge(first).image;
        if *image != letter {
            legend.push(format!("{letter} = {}", printable(image)));
        }
        for label in [first, labels.mate(first)] {
            names[label.index()] = match labels.edge(label).half {
                Half::Plus => format!("{letter}+"),
                Half::Minus => format!("{letter}-"),
                Half::Whole => letter.clone(),
            };
        }
    }
    Writing { names, painted: Vec::new(), longest_tile: SHORT_TILE, legend }
}

/// Counts a, b, …, z, aa, ab, …
fn letter(number: usize) -> String {
    let last = char::from(b'a' + (number % 26) as u8).to_string();
    match number / 26 {
        0 => last,
        more => letter(more - 1) + &last,
    }
}

/// The tile's name, truncated if there is little room.
pub(super) fn tile_name(problem: &Problem, tile: usize, writing: &Writing) -> String {
    let name = printable(&problem.puzzle.tiles[tile].name);
    if name.chars().count() > writing.longest_tile {
        name.chars().take(writing.longest_tile - 1).chain(['…']).collect()
    } else {
        name
    }
}

/// The names in the colours of their figures, if `ink` allows.
fn painted(problem: &Problem, names: &[String], ink: Ink) -> Vec<String> {
    let mut painted = names.to_vec();
    if ink == Ink::Plain {
        return painted;
    }
    let labels = &problem.puzzle.labels;
    for (number, first) in first_labels(problem).into_iter().enumerate() {
        if problem.puzzle.border == Some(first) {
            continue;
        }
        let (red, green, blue) = Figure::from_image(number, &labels.edge(first).image).rgb();
        for label in BTreeSet::from([first, labels.mate(first)]) {
            let weight = match labels.edge(label).half {
                Half::Minus => 22,
                Half::Plus | Half::Whole => 1,
            };
            let name = &names[label.index()];
            painted[label.index()] =
                format!("\u{1b}[{weight};38;2;{red};{green};{blue}m{name}\u{1b}[0m");
        }
    }
    painted
}
