//! Counts that rule out a solution without any search: too few pairs, halves out of balance.
//!
//! Each count is a statement about edges that a reader can verify by hand.

use std::fmt;

use crate::problem::Problem;
use crate::puzzle::{Label, turns};

/// Numbers that would have to agree in every solution, and do not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Count {
    /// On a framed board that all tiles fill, both halves of an image lie inside equally often.
    Halves {
        /// One half.
        first: Label,
        /// How many edges show it.
        of_first: usize,
        /// The other half.
        second: Label,
        /// How many edges show that one.
        of_second: usize,
    },
    /// There an image without halves lies on an even number of sides.
    Odd {
        /// The image.
        label: Label,
        /// How many edges show it.
        edges: usize,
    },
    /// Each seam needs a pair of edges.
    Pairs {
        /// Seams that must fit.
        seams: usize,
        /// Pairs that the tiles make at most.
        pairs: usize,
    },
    /// Each side on the rim needs a border edge, and all border edges of tiles that are used lie
    /// there.
    Rim {
        /// Sides on the rim.
        sides: usize,
        /// Edges that show the border image.
        edges: usize,
    },
    /// Each cell with border sides that lie so needs such a tile.
    Frame {
        /// Cells of one form: with so many sides on the rim, or two that meet or do not.
        cells: usize,
        /// Tiles of that form.
        tiles: usize,
        /// What such cells are called.
        form: &'static str,
    },
}

/// All counts that prove that there is no solution; there may be none though none of them does.
pub fn counts(problem: &Problem) -> Vec<Count> {
    let mut found = Vec::new();
    found.extend(frame(problem));
    found.extend(inside(problem));
    found.extend(pairs(problem));
    found
}

impl Count {
    /// One sentence with the puzzle's names in it.
    pub fn describe(&self, problem: &Problem) -> String {
        let name = |label: Label| problem.puzzle.labels.name(label);
        match *self {
            Count::Halves {
                first,
                of_first,
                second,
                of_second,
            } => format!(
                "inside lie {of_first} `{}` but {of_second} `{}`",
                name(first),
                name(second)
            ),
            Count::Odd { label, edges } => format!(
                "inside lie {edges} `{}`, which do not go in pairs",
                name(label)
            ),
            Count::Pairs { seams, pairs } => format!(
                "the board has {}, the tiles make at most {}",
                Number(seams, "seam"),
                Number(pairs, "pair")
            ),
            Count::Rim { sides, edges } => format!(
                "the rim has {}, the tiles {}",
                Number(sides, "side"),
                Number(edges, "border edge")
            ),
            Count::Frame { cells, tiles, form } => format!(
                "the board has {}, and {} that fit there",
                Number(cells, form),
                Number(tiles, "tile")
            ),
        }
    }
}

/// A number with its noun.
struct Number(usize, &'static str);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Number(number, noun) = self;
        let end = if *number == 1 { "" } else { "s" };
        write!(f, "{number} {noun}{end}")
    }
}

/// On a framed board that all tiles fill every other edge lies in a seam.
fn inside(problem: &Problem) -> Vec<Count> {
    let labels = &problem.puzzle.labels;
    let is_framed = problem.puzzle.border.is_some();
    if !labels.are_known() || !is_framed || !problem.uses_every_tile() || !problem.board.is_whole()
    {
        return Vec::new();
    }
    let edges = problem.puzzle.edges_within(problem.board.size());
    let images = labels
        .firsts()
        .filter(|&label| problem.puzzle.border != Some(label));
    let uneven = images.filter_map(|first| {
        let second = labels.mate(first);
        let of_first = edges[first.index()];
        let of_second = edges[second.index()];
        if first == second {
            (of_first % 2 == 1).then_some(Count::Odd {
                label: first,
                edges: of_first,
            })
        } else {
            (of_first != of_second).then_some(Count::Halves {
                first,
                of_first,
                second,
                of_second,
            })
        }
    });
    uneven.collect()
}

fn pairs(problem: &Problem) -> Option<Count> {
    let seams = problem.board.required().count();
    let pairs = problem.puzzle.pairs_within(problem.board.size());
    (pairs < seams).then_some(Count::Pairs { seams, pairs })
}

/// Which sides of a cell or a tile are border, as they lie around it: the smallest turn.
fn form(sides: &[bool]) -> Vec<bool> {
    turns(sides).max().unwrap_or_default()
}

fn frame(problem: &Problem) -> Vec<Count> {
    let Some(border) = problem.puzzle.border else {
        return Vec::new();
    };
    if !problem.puzzle.labels.are_known() {
        return Vec::new();
    }
    let board = &problem.board;
    let cells: Vec<Vec<bool>> = board
        .cells()
        .iter()
        .enumerate()
        .map(|(cell, c)| {
            let sides: Vec<bool> = (0..c.sides)
                .map(|side| board.rim().contains(&(cell, side)))
                .collect();
            form(&sides)
        })
        .collect();
    let tiles = problem.puzzle.tiles.iter().flat_map(|tile| {
        let sides: Vec<bool> = tile.edges.iter().map(|&e| e == border).collect();
        std::iter::repeat_n(form(&sides), tile.copies.within(board.size()))
    });
    let tiles: Vec<Vec<bool>> = tiles.collect();
    let mut forms = cells.clone();
    forms.sort();
    forms.dedup();
    let mut found = Vec::new();
    for wanted in forms.into_iter().rev() {
        let number = |list: &[Vec<bool>]| list.iter().filter(|form| **form == wanted).count();
        let cells = number(&cells);
        let tiles = number(&tiles);
        if tiles < cells {
            found.push(Count::Frame {
                cells,
                tiles,
                form: name_of(&wanted),
            });
        }
    }
    let sides = board.rim().len();
    let edges = problem.puzzle.edges_within(problem.board.size())[border.index()];
    let is_short = edges < sides || problem.uses_every_tile() && edges > sides;
    if is_short {
        found.push(Count::Rim { sides, edges });
    }
    found
}

/// What cells with such sides on the rim are called.
fn name_of(form: &[bool]) -> &'static str {
    let meet = (0..form.len()).any(|side| form[side] && form[(side + 1) % form.len()]);
    match form.iter().filter(|&&on_rim| on_rim).count() {
        0 => "inner cell",
        1 => "cell with one side on the rim",
        2 if meet => "corner",
        2 => "cell between two sides of the rim",
        3 => "end",
        _ => "cell with rim all around",
    }
}
