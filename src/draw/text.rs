//! A picture of characters, for terminals.

use std::collections::BTreeSet;

use unicode_width::UnicodeWidthStr;

use super::figure::Figure;
use super::first_labels;
use super::table::{arranged, listed};
use crate::board::{Arrangement, Placed, Problem};
use crate::puzzle::{Face, Half, Label, Orientation};

/// Whether the picture may use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Characters alone.
    Plain,
    /// Names of edges in the colours of their figures, as ANSI escapes.
    Colour,
}

/// What is written for each label.
pub(super) struct Writing {
    pub names: Vec<String>,
    /// The names in their colours.
    painted: Vec<String>,
    longest_tile: usize,
    pub legend: Vec<String>,
}

impl Writing {
    /// A label as it is written, spaces behind it up to a width.
    pub fn padded(&self, label: Label, width: usize) -> String {
        let more = width.saturating_sub(self.names[label.index()].width());
        format!("{}{}", self.painted[label.index()], " ".repeat(more))
    }

    /// The names of the labels; where those make it wider than `columns`, letters.
    pub fn within(
        problem: &Problem,
        columns: usize,
        ink: Ink,
        width: impl Fn(&Writing) -> usize,
    ) -> Writing {
        let full = full_names(problem);
        let writing = match width(&full) > columns {
            true => letters(problem),
            false => full,
        };
        Writing {
            painted: painted(problem, &writing.names, ink),
            ..writing
        }
    }
}

/// Draws an arrangement: on a grid with the names of the edges around each tile, and an arrow that
/// shows where the tile's top has turned; on any other board as a table, a line a cell. Names that
/// would make it wider than `columns` are replaced by letters, which are explained below the picture.
pub fn text(problem: &Problem, arrangement: &Arrangement, columns: usize, ink: Ink) -> String {
    match problem.board.rows_and_columns() {
        Some((_, in_a_row)) => grid(problem, &arrangement.0, in_a_row, columns, ink),
        None => arranged(problem, arrangement, columns, ink),
    }
}

/// Draws the tiles as they lie in the file, in the same way, both faces of two-sided tiles.
pub fn text_of_tiles(problem: &Problem, columns: usize, ink: Ink) -> String {
    let tiles = problem.puzzle.tiles.iter().enumerate();
    let faces = tiles.flat_map(|(tile, definition)| {
        let faces = definition.faces();
        faces.map(move |face| Placed {
            tile,
            orientation: Orientation::turned(0).on(face),
        })
    });
    let faces: Vec<Placed> = faces.collect();
    match problem.board.rows_and_columns() {
        Some((_, in_a_row)) => grid(problem, &faces, in_a_row, columns, ink),
        None => listed(problem, &faces, columns, ink),
    }
}

fn grid(problem: &Problem, placed: &[Placed], in_a_row: usize, columns: usize, ink: Ink) -> String {
    let writing = Writing::within(problem, columns, ink, |writing| {
        in_a_row * (cell_width(problem, placed, writing) + 1) + 1
    });
    let cell = cell_width(problem, placed, &writing);
    let rule = |left: &str, middle: &str, right: &str, cells: usize| {
        let bars = vec!["─".repeat(cell); cells];
        format!("{left}{}{right}\n", bars.join(middle))
    };
    let mut picture = String::new();
    for (index, row) in placed.chunks(in_a_row).enumerate() {
        picture += &match index {
            0 => rule("┌", "┬", "┐", row.len()),
            _ => rule("├", "┼", "┤", row.len()),
        };
        for line in 0..3 {
            let cells = row.iter();
            let cells = cells.map(|&placed| cell_line(problem, placed, line, cell, &writing));
            picture += &format!("│{}│\n", itertools::join(cells, "│"));
        }
    }
    let last = placed.chunks(in_a_row).last().map_or(0, <[Placed]>::len);
    picture += &rule("└", "┴", "┘", last);
    for line in writing.legend {
        picture += &line;
        picture.push('\n');
    }
    picture
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

/// Characters of a tile's name where there is little room.
const SHORT_TILE: usize = 8;

/// `a+`, `b-`, …, with what they stand for.
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
    Writing {
        names,
        painted: Vec::new(),
        longest_tile: SHORT_TILE,
        legend,
    }
}

/// a, b, …, z, aa, ab, …
fn letter(number: usize) -> String {
    let last = char::from(b'a' + (number % 26) as u8).to_string();
    match number / 26 {
        0 => last,
        more => letter(more - 1) + &last,
    }
}

/// The tile's name as far as there is room.
pub(super) fn tile_name(problem: &Problem, tile: usize, writing: &Writing) -> String {
    let name = printable(&problem.puzzle.tiles[tile].name);
    match name.chars().count() > writing.longest_tile {
        true => {
            let kept = name.chars().take(writing.longest_tile - 1);
            kept.chain(['…']).collect()
        }
        false => name,
    }
}

/// The tile's name and where its top points: ↑ unturned, ← after one step counter-clockwise. Where its
/// back is up, that is said.
fn centre(problem: &Problem, placed: Placed, writing: &Writing) -> String {
    const ARROWS: [char; 4] = ['↑', '←', '↓', '→'];
    let arrow = ARROWS[placed.orientation.rotation() % ARROWS.len()];
    let back = match placed.orientation.face() {
        Face::Front => "",
        Face::Back => " back",
    };
    let name = tile_name(problem, placed.tile, writing);
    format!("{name}{arrow}{back}")
}

fn cell_width(problem: &Problem, placed: &[Placed], writing: &Writing) -> usize {
    let needs = |&placed: &Placed| {
        let look = problem.puzzle.tiles[placed.tile].look(placed.orientation);
        let of = |side: usize| writing.names[look[side].index()].width();
        let middle = of(2) + centre(problem, placed, writing).width() + of(0) + 2;
        middle.max(of(1)).max(of(3))
    };
    placed.iter().map(needs).max().unwrap_or(0)
}

/// One of the three lines of a cell: top edge; left edge, tile, right edge; bottom edge.
fn cell_line(
    problem: &Problem,
    placed: Placed,
    line: usize,
    width: usize,
    writing: &Writing,
) -> String {
    let look = problem.puzzle.tiles[placed.tile].look(placed.orientation);
    let edge = |side: usize| {
        let label = look[side].index();
        (writing.painted[label].clone(), writing.names[label].width())
    };
    let centred = |(text, text_width): (String, usize), width: usize| {
        let left = (width - text_width) / 2;
        let right = width - text_width - left;
        format!("{}{text}{}", " ".repeat(left), " ".repeat(right))
    };
    match line {
        0 => centred(edge(1), width),
        1 => {
            let (left, right, tile) = (edge(2), edge(0), centre(problem, placed, writing));
            let room = width - left.1 - right.1;
            let tile_width = tile.width();
            format!("{}{}{}", left.0, centred((tile, tile_width), room), right.0)
        }
        _ => centred(edge(3), width),
    }
}

/// The text without characters that would do something to the terminal: control characters, and
/// those that turn the direction of what follows.
pub fn printable(text: &str) -> String {
    let harmless = |c: char| match c {
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '?',
        c if c.is_control() => '?',
        c => c,
    };
    text.chars().map(harmless).collect()
}

/// The names as they are written, in the colours of their figures where ink allows.
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
        let (red, green, blue) = Figure::of_image(number, &labels.edge(first).image).rgb();
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
