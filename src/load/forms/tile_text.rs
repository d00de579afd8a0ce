//! Tile text: `p tile ROWS COLS COLOURS`, then four numbers a line, 0 the frame.

use itertools::Itertools;

use super::draft::{Draft, at_end};
use super::losses::{Detail, images, lost, refuse_all_but_squares, refuse_halves};
use super::words::{LARGEST, Word, four, length, lines, number};
use crate::load::Result;
use crate::load::edge_order::EdgeOrder;
use crate::load::form::{Exported, Form, ReadOptions, WriteError};
use crate::load::text::Source;
use crate::problem::{Arrangement, Problem};
use crate::puzzle::{EdgeName, Half, Label, Puzzle};

/// A tile a line behind a line with the size, clockwise from the top.
pub(super) const FORM: Form = Form {
    endings: &["puz"],
    is_like: |text| tile_lines(text).next().is_some_and(|words| words[0].text == "p"),
    write: Some(write),
    ..Form::new("tile", "tile text", read)
};

/// What is shown beside errors.
const EXAMPLE: &str =
    "the first line is `p tile ROWS COLS COLOURS`, then each tile is a line such as 0 1 2 0";

/// The lines that are no comments: `c` begins one here.
fn tile_lines(text: &str) -> impl Iterator<Item = Vec<Word<'_>>> {
    lines(text).filter(|words| words[0].text != "c")
}

fn read(source: &Source<'_>, options: &ReadOptions, name: &str) -> Result<Problem> {
    let mut lines = tile_lines(source.text);
    let Some(head) = lines.next() else {
        return Err(source.error("the file is empty".into()).with_help(EXAMPLE));
    };
    let (size, colours) = head_of(source, &head)?;
    let mut draft = Draft::new();
    draft.size = Some(size);
    draft.states_rules = true;
    for words in lines {
        let tile = four(source, &words, EXAMPLE)?;
        let mut edges = Vec::new();
        for word in tile {
            let image = number(source, word).map_err(|e| e.with_help(EXAMPLE))?;
            if image > colours {
                let message =
                    format!("colour {image}, the first line says that there are {colours}");
                return Err(source.error_at_byte(word.at, message));
            }
            edges.push(image);
        }
        draft.add_numbers(&edges);
    }
    let tiles = draft.tiles.len();
    let cells = size.0 * size.1;
    if tiles < cells && options.board.is_none() {
        let message =
            format!("{tiles} tiles, the first line says {} × {} = {cells}", size.0, size.1);
        return Err(at_end(source, message).with_help("is the file cut off?"));
    }
    draft.problem(source, options, name)
}

/// Rows and columns, and the largest number of a colour.
fn head_of(source: &Source<'_>, words: &[Word<'_>]) -> Result<((usize, usize), u32)> {
    match words {
        [p, tile, rows, columns, colours] if (p.text, tile.text) == ("p", "tile") => {
            let size = (length(source, *rows)?, length(source, *columns)?);
            Ok((size, number(source, *colours)?))
        }
        words => {
            let at = words.first().map_or(0, |word| word.at);
            let message = "expected `p tile ROWS COLS COLOURS`".into();
            Err(source.error_at_byte(at, message).with_help(EXAMPLE))
        }
    }
}

impl Draft {
    /// Takes a tile in whose images are numbers, 0 the frame.
    pub(super) fn add_numbers(&mut self, numbers: &[u32]) {
        let edge = |image: u32| EdgeName { image: image.to_string(), half: Half::Whole };
        if numbers.contains(&0) {
            self.border = Some(edge(0));
        }
        if let &[top, right, bottom, left] = numbers {
            self.add([top, right, bottom, left].map(edge));
        }
    }
}

/// A number for each image; the border has 0.
pub(super) struct Numbers {
    /// Whether images are called by these numbers already.
    pub are_names: bool,
    images: Vec<String>,
    border: Option<String>,
    first: usize,
}

impl Numbers {
    /// Their own, where images are called by numbers from the first one on, else the next free
    /// ones. A first number of 0 makes it that of the border, else the border comes last.
    pub fn new(problem: &Problem, first: usize) -> Numbers {
        let puzzle = &problem.puzzle;
        let border = puzzle.border.map(|border| puzzle.labels.edge(border).image.clone());
        let mut images = images(problem);
        let border = match first {
            0 => border,
            _ => {
                images.extend(border);
                None
            }
        };
        let is_number = |image: &String| {
            let number = image.parse().ok().filter(|number| (1..=LARGEST).contains(number));
            number.is_some_and(|number| number.to_string() == *image)
        };
        let is_border = border.as_ref().is_none_or(|border| border == "0");
        Numbers {
            are_names: is_border && images.iter().all(is_number),
            images,
            border,
            first: first.max(1),
        }
    }

    /// The number of an image.
    pub fn of_image(&self, image: &str) -> usize {
        if self.border.as_deref() == Some(image) {
            return 0;
        }
        if self.are_names {
            image.parse().unwrap_or_default()
        } else {
            self.images.iter().position(|own| own == image).unwrap_or_default() + self.first
        }
    }

    /// The largest number.
    pub fn largest(&self) -> usize {
        self.images.iter().map(|image| self.of_image(image)).max().unwrap_or_default()
    }

    /// The edges of each tile, clockwise from the top.
    pub fn rows(&self, puzzle: &Puzzle) -> Vec<Vec<usize>> {
        let number = |&label: &Label| self.of_image(&puzzle.labels.edge(label).image);
        let tiles = puzzle.tiles.iter().map(|tile| {
            EdgeOrder::CLOCKWISE_FROM_TOP.listed(&tile.edges).iter().map(number).collect()
        });
        tiles.collect()
    }
}

fn write(problem: &Problem, _: Option<&Arrangement>) -> Result<Exported, WriteError> {
    refuse_all_but_squares(problem)?;
    refuse_halves(problem)?;
    let (rows, columns) = problem.board.rectangle().unwrap_or_default();
    let numbers = Numbers::new(problem, 0);
    let written = numbers.rows(&problem.puzzle);
    let lines = written.iter().map(|numbers| numbers.iter().join(" ") + "\n");
    let keeps = [numbers.are_names.then_some(Detail::ImageNames), Some(Detail::Size)];
    let head = format!("p tile {rows} {columns} {}\n", numbers.largest());
    Ok(Exported { text: head + &lines.collect::<String>(), lost: lost(problem, &keeps) })
}
