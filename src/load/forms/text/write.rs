//! The notations that other programs read, and how each is written.

use std::collections::HashMap;

use itertools::Itertools;
use serde_json::json;

use super::{Dialect, form, is_tree, read};
use crate::load::edge_order::EdgeOrder;
use crate::load::form::{Exported, Form, WriteError};
use crate::load::forms::losses::{
    Detail, images, lost, refuse_all_but_squares, refuse_halves, refuse_whole_images,
};
use crate::load::forms::words::LARGEST;
use crate::load::yaml;
use crate::problem::Problem;
use crate::puzzle::{EdgeName, Half};

/// Cards as JSON: each a list of four `["B", 1]`, 1 and 0 the halves.
pub(in crate::load::forms) const CARDS: Form = Form {
    endings: &["json"],
    is_shared: true,
    write: Some(|problem, _| {
        let edge =
            |image: &str, half| format!("[{}, {}]", json!(image), u8::from(half != Half::Minus));
        let notation = Notation { image: |_| true, nth: |_| None, edge, between: ", ", ..HALVES };
        let written = notation.write(problem, None)?;
        let cards = written.text.lines().map(|line| format!("[{line}]"));
        Ok(Exported { text: format!("[{}]\n", cards.format(",\n ")), ..written })
    }),
    ..form("cards", "cards as JSON", |source, options, name| {
        if !is_tree(source.text) {
            return yaml::problem(source, name, options);
        }
        read(source, options, name, Dialect::ANY)
    })
};

/// A word of four letters a tile, upper and lower case the halves of one image.
pub(in crate::load::forms) const LETTERS: Form = Form {
    write: Some(|problem, _| {
        let mut written = LETTER_PAIRS.write(problem, None)?;
        if problem.puzzle.tiles.len() < 4 {
            // Without a comment, few tiles could be taken for ordinary words.
            written.text.insert_str(0, "# tiles\n");
        }
        Ok(written)
    }),
    ..form("letters", "tiles of four letters", |source, options, name| {
        read(source, options, name, Dialect::LETTERS)
    })
};

/// Four integers a line, `+3` and `-3` the halves of one image.
pub(in crate::load::forms) const SIGNED: Form = Form {
    write: Some(|problem, _| {
        let edge =
            |image: &str, half| format!("{}{image}", if half == Half::Minus { '-' } else { '+' });
        Notation { edge, ..HALVES }.write(problem, None)
    }),
    ..form("signed", "lines of four signed integers", |source, options, name| {
        read(source, options, name, Dialect::SIGNED)
    })
};

/// `p tile ROWS COLS COLOURS`, then four numbers a line, 0 the frame.
pub(in crate::load::forms) const TILE: Form = Form {
    endings: &["puz"],
    write: Some(|problem, _| {
        let head = |[rows, columns, most]: [usize; 3]| format!("p tile {rows} {columns} {most}");
        Notation { names: false, ..NUMBERS }.write(problem, Some(head))
    }),
    ..form("tile", "tile text", |source, options, name| {
        read(source, options, name, Dialect::WIDTH_FIRST)
    })
};

/// Rows and columns, then four numbers a line, 0 the frame.
pub(in crate::load::forms) const ETERNITY: Form = Form {
    write: Some(|problem, _| {
        NUMBERS.write(problem, Some(|[rows, columns, _]| format!("{rows} {columns}")))
    }),
    ..form("eternity", "plain Eternity II text", |source, options, name| {
        read(source, options, name, Dialect::NUMBERS)
    })
};

/// The same with the width before the height.
pub(in crate::load::forms) const PUZ: Form = Form {
    endings: &["puz"],
    write: Some(|problem, _| {
        NUMBERS.write(problem, Some(|[rows, columns, _]| format!("{columns} {rows}")))
    }),
    ..form("puz", "Eternity II text with width and height", |source, options, name| {
        read(source, options, name, Dialect::WIDTH_FIRST)
    })
};

/// The same with commas, the rows first.
pub(in crate::load::forms) const CSV: Form = Form {
    endings: &["csv"],
    is_shared: true,
    write: Some(|problem, _| {
        let head = |[rows, columns, _]: [usize; 3]| format!("{rows},{columns}");
        Notation { between: ",", ..NUMBERS }.write(problem, Some(head))
    }),
    ..form("csv", "Eternity II as CSV", |source, options, name| {
        read(source, options, name, Dialect::ANY)
    })
};

/// The first line, from rows, columns and the largest number.
type Head = fn([usize; 3]) -> String;

/// The way in which a tile is written in a line.
struct Notation {
    /// True if all images have halves, false if none has.
    halves: bool,
    /// Returns true for the names that images keep.
    image: fn(&str) -> bool,
    /// The names of images otherwise, from 0 on.
    nth: fn(usize) -> Option<String>,
    edge: fn(&str, Half) -> String,
    between: &'static str,
    /// True if the names of the tiles may be numbers before their edges.
    names: bool,
}

const HALVES: Notation = Notation {
    halves: true,
    image: |image| is_number(image) && image != "0",
    nth: |index| Some((index + 1).to_string()),
    edge: |image, _| image.to_owned(),
    between: " ",
    names: false,
};

const NUMBERS: Notation = Notation { halves: false, names: true, ..HALVES };

const LETTER_PAIRS: Notation = Notation {
    image: |image| image.len() == 1 && image.bytes().all(|b| b.is_ascii_uppercase()),
    nth: |index| ('A'..='Z').nth(index).map(String::from),
    edge: |image, half| match half {
        Half::Minus => image.to_lowercase(),
        Half::Plus | Half::Whole => image.to_owned(),
    },
    between: "",
    ..HALVES
};

/// Returns true for a number that is written as Rust writes it.
fn is_number(text: &str) -> bool {
    text.parse::<u32>().is_ok_and(|number| number <= LARGEST && number.to_string() == text)
}

impl Notation {
    fn write(&self, problem: &Problem, head: Option<Head>) -> Result<Exported, WriteError> {
        refuse_all_but_squares(problem)?;
        let border = if self.halves {
            refuse_whole_images(problem)?
        } else {
            refuse_halves(problem).map(|()| None)?
        };
        let puzzle = &problem.puzzle;
        let (images, are_kept) = self.images(problem)?;
        let names = puzzle.tiles.iter().map(|tile| &tile.name[..]);
        let has_numbers = self.names && names.clone().all(is_number);
        let is_numbered = has_numbers && names.zip(1..).any(|(name, n)| name != n.to_string());
        let lines = puzzle.tiles.iter().map(|tile| {
            let edges = EdgeOrder::CLOCKWISE_FROM_TOP.listed(&tile.edges);
            let edges = edges.iter().map(|&label| {
                let EdgeName { image, half } = puzzle.labels.edge(label);
                (self.edge)(&images[image], *half)
            });
            let name = is_numbered.then(|| tile.name.clone());
            name.into_iter().chain(edges).join(self.between) + "\n"
        });
        let (rows, columns) = problem.board.rectangle().unwrap_or_default();
        let most = || images.values().filter_map(|image| image.parse().ok()).max().unwrap_or(0);
        let first = head.map(|head| head([rows, columns, most()]) + "\n");
        let keeps = [
            are_kept.then_some(Detail::ImageNames),
            has_numbers.then_some(Detail::TileNames),
            head.map(|_| Detail::Size),
        ];
        let lost = lost(problem, &keeps).into_iter().chain(border).collect();
        Ok(Exported { text: first.into_iter().chain(lines).collect(), lost })
    }

    /// The written name of each image, and true if all keep their names. The border is 0 if edges have no halves.
    fn images(&self, problem: &Problem) -> Result<(HashMap<String, String>, bool), WriteError> {
        let puzzle = &problem.puzzle;
        let border = puzzle.border.map(|border| puzzle.labels.edge(border).image.clone());
        let mut names = images(problem);
        let mut written = HashMap::new();
        let mut are_kept = names.iter().all(|image| (self.image)(image));
        if self.halves {
            are_kept &= border.as_ref().is_none_or(|border| (self.image)(border));
            names.extend(border);
        } else if let Some(border) = border {
            are_kept &= border == "0";
            written.insert(border, "0".to_owned());
        }
        let number = names.len();
        for (index, image) in names.into_iter().enumerate() {
            let name = if are_kept { Some(image.clone()) } else { (self.nth)(index) };
            let name = name.ok_or_else(|| {
                WriteError(format!("{number} images, and there are {index} letters"))
            })?;
            written.insert(image, name);
        }
        Ok((written, are_kept))
    }
}
