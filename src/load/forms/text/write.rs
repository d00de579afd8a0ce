//! The list notations of other programs, each with a name under which it can be written.

use std::collections::HashMap;

use itertools::Itertools;
use serde_json::json;

use super::halves::{by_sign, cased};
use super::{is_tree, read, recognises};
use crate::load::edge_order::EdgeOrder;
use crate::load::form::{Detail, PuzzleFormat, Written};
use crate::load::forms::losses::{images, refuse_halves, refuse_whole_images};
use crate::load::notation::{Notation, is_number};
use crate::load::yaml;
use crate::problem::Problem;
use crate::puzzle::{EdgeName, Half};

/// A named form for a list of tiles.
const fn list(name: &'static str, what: &'static str) -> PuzzleFormat {
    PuzzleFormat {
        write: Some(|notation, problem, _| notation.write(problem)),
        ..PuzzleFormat::new(name, what, read)
    }
}

/// Cards as JSON: each card is a list of four pairs such as `["B", 1]`, in which 1 and 0 are the
/// halves.
pub(in crate::load::forms) const CARDS: PuzzleFormat = PuzzleFormat {
    extensions: &["json"],
    is_shared: true,
    read: |notation, source, options| {
        if is_tree(source.text) {
            read(notation, source, options)
        } else {
            yaml::problem(source, options)
        }
    },
    write: Some(|notation, problem, _| {
        let written = notation.write(problem)?;
        let cards = written.text.lines().map(|line| format!("[{line}]"));
        Ok(Written { text: format!("[{}]\n", cards.format(",\n ")), ..written })
    }),
    notation: Notation {
        keeps: |_| true,
        edge: |image, half| format!("[{}, {}]", json!(image), u8::from(half != Half::Minus)),
        between: ", ",
        ..Notation::ANY
    },
    ..list("cards", "cards as JSON")
};

/// One word of four letters per tile; upper and lower case are the halves of an image.
pub(in crate::load::forms) const LETTERS: PuzzleFormat = PuzzleFormat {
    write: Some(|notation, problem, _| {
        let mut written = notation.write(problem)?;
        if !recognises(&written.text) {
            // Without a comment the words would be taken for ordinary text.
            written.text.insert_str(0, "# tiles\n");
        }
        Ok(written)
    }),
    notation: Notation {
        are_packed: true,
        edges: Some(cased),
        keeps: |image| image.len() == 1 && image.bytes().all(|b| b.is_ascii_uppercase()),
        nth: |index| ('A'..='Z').nth(index).map(String::from),
        edge: |image, half| {
            if half == Half::Minus { image.to_lowercase() } else { image.to_owned() }
        },
        between: "",
        ..Notation::ANY
    },
    ..list("letters", "tiles of four letters")
};

/// Four integers per line; `+3` and `-3` are the halves of an image.
pub(in crate::load::forms) const SIGNED: PuzzleFormat = PuzzleFormat {
    notation: Notation {
        edges: Some(by_sign),
        edge: |image, half| format!("{}{image}", if half == Half::Minus { '-' } else { '+' }),
        ..Notation::ANY
    },
    ..list("signed", "lines of four signed integers")
};

const NUMBERS: Notation =
    Notation { are_numbers: true, has_halves: false, has_names: true, ..Notation::ANY };

/// The line `p tile ROWS COLS COLOURS`, then four numbers per line; 0 is the frame.
pub(in crate::load::forms) const TILE: PuzzleFormat = PuzzleFormat {
    extensions: &["puz"],
    notation: Notation {
        columns_first: true,
        head: Some(|[rows, columns, most]| format!("p tile {rows} {columns} {most}")),
        has_names: false,
        ..NUMBERS
    },
    ..list("tile", "tile text")
};

/// Rows and columns, then four numbers per line; 0 is the frame.
pub(in crate::load::forms) const ETERNITY: PuzzleFormat = PuzzleFormat {
    notation: Notation { head: Some(|[rows, columns, _]| format!("{rows} {columns}")), ..NUMBERS },
    ..list("eternity", "plain Eternity II text")
};

/// Same as `ETERNITY`, but the width precedes the height.
pub(in crate::load::forms) const PUZ: PuzzleFormat = PuzzleFormat {
    extensions: &["puz"],
    notation: Notation {
        columns_first: true,
        head: Some(|[rows, columns, _]| format!("{columns} {rows}")),
        ..NUMBERS
    },
    ..list("puz", "Eternity II text with width and height")
};

/// Same as `ETERNITY`, but separated by commas.
pub(in crate::load::forms) const CSV: PuzzleFormat = PuzzleFormat {
    extensions: &["csv"],
    is_shared: true,
    notation: Notation {
        are_numbers: false,
        head: Some(|[rows, columns, _]| format!("{rows},{columns}")),
        between: ",",
        ..NUMBERS
    },
    ..list("csv", "Eternity II as CSV")
};

impl Notation {
    /// Writes a puzzle in this notation, a tile on each line. Fails unless the notation can
    /// represent its board and its edges; what else is lost is listed.
    fn write(&self, problem: &Problem) -> Result<Written, String> {
        let refuse = if self.has_halves { refuse_whole_images } else { refuse_halves };
        let omits = vec![refuse(problem)?];
        let puzzle = &problem.puzzle;
        let (images, are_kept) = self.images(problem)?;
        let names = puzzle.tiles.iter().map(|tile| &tile.name[..]);
        let has_numbers = self.has_names && names.clone().all(is_number);
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
        let first = self.head.map(|head| head([rows, columns, most()]) + "\n");
        let keeps = vec![
            are_kept.then_some(Detail::ImageNames),
            has_numbers.then_some(Detail::TileNames),
            self.head.map(|_| Detail::Size),
        ];
        let text = first.into_iter().chain(lines).collect();
        Ok(Written { text, keeps: Some(keeps), omits })
    }

    /// The written name of each image, and true if all images keep their names. The border is
    /// written as 0 if edges have no halves.
    fn images(&self, problem: &Problem) -> Result<(HashMap<String, String>, bool), String> {
        let puzzle = &problem.puzzle;
        let border = puzzle.border.map(|border| puzzle.labels.edge(border).image.clone());
        let mut names = images(problem);
        let mut written = HashMap::new();
        let mut are_kept = names.iter().all(|image| (self.keeps)(image));
        if self.has_halves {
            are_kept &= border.as_ref().is_none_or(|border| (self.keeps)(border));
            names.extend(border);
        } else if let Some(border) = border {
            are_kept &= border == "0";
            written.insert(border, "0".to_owned());
        }
        let number = names.len();
        for (index, image) in names.into_iter().enumerate() {
            let name = if are_kept { Some(image.clone()) } else { (self.nth)(index) };
            let name =
                name.ok_or_else(|| format!("{number} images, and there are {index} letters"))?;
            written.insert(image, name);
        }
        Ok((written, are_kept))
    }
}
