//! Counting arguments that rule out a solution without search: too few pairs, unbalanced halves, an
//! odd number of edges, more tiles than cells that they fit.
//!
//! Each one is a statement about edges or tiles that a reader can verify by hand.

mod fits;

use std::fmt::Display;
use std::ops::ControlFlow;

use itertools::Itertools;

use crate::domains::Domains;
use crate::problem::Problem;
use crate::puzzle::{Label, ValueSet, list_rotations};
use crate::runtime::limits::{CancelToken, Flow};

/// Two numbers that would have to agree in a solution but do not, so there is none. Each variant
/// states the rule that the problem violates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CountMismatch {
    /// If all tiles are used and the labels on the rim are known, both halves of an image occur
    /// equally often inside the board.
    Halves {
        /// One half.
        first: Label,
        /// The number of edges that show `first`, without those on the rim.
        of_first: usize,
        /// The other half.
        second: Label,
        /// The number of edges that show `second`, without those on the rim.
        of_second: usize,
    },
    /// If all tiles are used and the labels on the rim are known, an image without halves occurs on
    /// an even number of sides inside the board.
    Odd {
        /// The image.
        label: Label,
        /// The number of edges that show it, without those on the rim.
        edges: usize,
    },
    /// Each rim side that can show only one label needs an edge with it.
    Short {
        /// The label.
        label: Label,
        /// The number of rim sides that show it in every solution.
        sides: usize,
        /// The number of edges on all tiles that show it.
        edges: usize,
    },
    /// Each required seam needs a pair of matching edges.
    Pairs {
        /// The number of seams that must match.
        seams: usize,
        /// The maximum number of matching pairs that the tiles can form.
        pairs: usize,
    },
    /// Each rim side needs a border edge; if all tiles are used, all their border edges are on the
    /// rim.
    Rim {
        /// The number of rim sides.
        sides: usize,
        /// The number of edges that show the border image, on as many pieces as fit on the board.
        edges: usize,
    },
    /// A cell needs a tile whose border edges have the same cyclic pattern as the cell's rim sides.
    Frame {
        /// The number of cells with one such pattern.
        cells: usize,
        /// The number of pieces with that pattern.
        tiles: usize,
        /// The noun for such a cell, in the singular.
        form: &'static str,
    },
    /// Tiles that must all be used need at least as many cells that they fit.
    Unplaceable {
        /// The earlier steps of the argument: cells that are filled by certain tiles.
        because: Vec<Filled>,
        /// The tiles, by index in the puzzle.
        tiles: Vec<usize>,
        /// The cells that at least one of them fits after these steps.
        cells: Vec<usize>,
    },
    /// Cells need at least as many pieces that fit them.
    Unfilled {
        /// The earlier steps of the argument: cells that are filled by certain tiles.
        because: Vec<Filled>,
        /// The cells.
        cells: Vec<usize>,
        /// The tiles that fit at least one of them after these steps.
        tiles: Vec<usize>,
    },
}

/// Tiles that fit only as many cells as there are pieces of them, so that no other tile can be
/// placed in these cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// The tiles, by index in the puzzle.
    pub tiles: Vec<usize>,
    /// The cells, by index, ascending.
    pub cells: Vec<usize>,
}

/// The name of this method in results, in the place of the name of an engine.
pub const NAME: &str = "counting";

/// All mismatches of edges, pairs and rim sides. Each one proves that there is no solution; an
/// empty list proves nothing. Tiles that fit too few cells are not considered.
pub fn counts(problem: &Problem) -> Vec<CountMismatch> {
    let mut found = Vec::new();
    found.extend(frame_mismatches(problem));
    found.extend(edge_mismatches(problem, &Domains::first(problem)));
    found.extend(pair_mismatch(problem));
    found
}

/// The first mismatch of edges or pairs, or of tiles and the cells that they fit. It proves that
/// there is no solution, and a certificate can express it; `None` proves nothing. The frame is not
/// considered.
pub fn proof(problem: &Problem) -> Option<CountMismatch> {
    proof_under(&CancelToken::never(), problem).continue_value().flatten()
}

/// Like [`proof`], but breaks if the token is cancelled. `None` if counting does not exclude a
/// solution.
pub fn proof_under(token: &CancelToken<'_>, problem: &Problem) -> Flow<Option<CountMismatch>> {
    token.poll()?;
    let domains = Domains::first(problem);
    if !problem.constraints.is_empty() && domains.cells.iter().any(ValueSet::is_empty) {
        // The contradiction follows from constraints alone, which a count of tiles does not
        // explain.
        return ControlFlow::Continue(None);
    }
    match edge_mismatches(problem, &domains).into_iter().next().or_else(|| pair_mismatch(problem)) {
        Some(count) => ControlFlow::Continue(Some(count)),
        None => fits::find_violation(problem, &domains, token),
    }
}

impl CountMismatch {
    /// Formats the mismatch as a clause without capital or full stop, with the names of the puzzle.
    pub fn describe(&self, problem: &Problem) -> String {
        let name = |label: Label| problem.puzzle.labels.name(label);
        match self {
            &CountMismatch::Halves { first, of_first, second, of_second } => format!(
                "inside the board there must be {of_first} `{}` but {of_second} `{}`: some have no match",
                name(first),
                name(second)
            ),
            &CountMismatch::Odd { label, edges } => format!(
                "inside the board there must be {} `{}`, an odd number: one of them has no match",
                counted(edges, "edge", "edges"),
                name(label)
            ),
            &CountMismatch::Short { label, sides, edges } => format!(
                "{} on the rim must show `{}`, but the tiles have only {}",
                counted(sides, "side", "sides"),
                name(label),
                counted(edges, "edge", "edges")
            ),
            &CountMismatch::Pairs { seams, pairs } => format!(
                "the board needs {}, but the tiles make at most {pairs}",
                counted(seams, "matching pair", "matching pairs")
            ),
            &CountMismatch::Rim { sides, edges } => format!(
                "the rim has {}, but the tiles have {}",
                counted(sides, "side", "sides"),
                counted(edges, "border edge", "border edges")
            ),
            &CountMismatch::Frame { cells, tiles, form } => format!(
                "the board has {}, but only {tiles} of the tiles could be placed there",
                format_cells(cells, form)
            ),
            CountMismatch::Unplaceable { because, tiles, cells } => {
                describe_steps(problem, because) + &unplaceable(problem, tiles, cells)
            }
            CountMismatch::Unfilled { because, cells, tiles } => {
                describe_steps(problem, because) + &unfilled(problem, cells, tiles)
            }
        }
    }
}

/// Describes tiles that fit only these cells, which are too few.
fn unplaceable(problem: &Problem, tiles: &[usize], cells: &[usize]) -> String {
    let fit = if tiles.len() == 1 { "fits" } else { "fit" };
    let tiles = tiles_named(problem, tiles);
    if cells.is_empty() {
        format!("{tiles} {fit} no cell")
    } else {
        format!("{tiles} {fit} only {}", cells_named(problem, cells))
    }
}

/// Describes cells that can contain only these tiles, which are too few.
fn unfilled(problem: &Problem, cells: &[usize], tiles: &[usize]) -> String {
    let cells = cells_named(problem, cells);
    if tiles.is_empty() {
        format!("no tile fits {cells}")
    } else {
        format!("{cells} can contain only {}", tiles_named(problem, tiles))
    }
}

/// Formats the earlier steps as the beginning of a sentence; each ends with a semicolon.
fn describe_steps(problem: &Problem, because: &[Filled]) -> String {
    let steps = because.iter().map(|Filled { tiles, cells }| {
        let fit = if tiles.len() == 1 { "fits" } else { "fit" };
        let (tiles, cells) = (tiles_named(problem, tiles), cells_named(problem, cells));
        format!("{tiles} {fit} only {cells}, so no other tile can be placed there; ")
    });
    steps.collect()
}

/// Formats a number of cells, given the noun of [`noun_for_pattern`] for one of them. The plural of
/// `cell with …` is `cells with …`.
fn format_cells(number: usize, form: &str) -> String {
    match form.strip_prefix("cell ") {
        Some(rest) if number != 1 => format!("{number} cells {rest}"),
        _ => counted(number, form, &format!("{form}s")),
    }
}

/// The maximum number of names in a list; further names are replaced by `…`.
const MAX_NAMES: usize = 8;

/// Formats `tile X` if `number` is 1, otherwise `the 3 tiles (X, Y, Z)` with at most [`MAX_NAMES`]
/// names.
fn list_names(number: usize, noun: &str, names: impl Iterator<Item = String>) -> String {
    let list = names.take(MAX_NAMES).join(", ");
    let more = if number > MAX_NAMES { ", …" } else { "" };
    match number {
        1 => format!("{noun} {list}"),
        _ => format!("the {number} {noun}s ({list}{more})"),
    }
}

/// Names tiles in the form of [`list_names`].
fn tiles_named(problem: &Problem, tiles: &[usize]) -> String {
    let names = tiles.iter().map(|&tile| format!("`{}`", problem.puzzle.tiles[tile].name));
    list_names(tiles.len(), "tile", names)
}

/// Names cells in the form of [`list_names`].
fn cells_named(problem: &Problem, cells: &[usize]) -> String {
    let names = cells.iter().map(|&cell| problem.board.cells()[cell].name.to_string());
    list_names(cells.len(), "cell", names)
}

/// Formats a number with its noun: `one` if the number prints as `1`, otherwise `many`.
pub fn counted(number: impl Display, one: &str, many: &str) -> String {
    let number = number.to_string();
    let noun = if number == "1" { one } else { many };
    format!("{number} {noun}")
}

/// Counts edges inside the board: if all tiles are used and the labels on the rim are known, every
/// other edge is part of a seam and needs a match. Empty if the counts agree or the argument does
/// not apply: some edges fit several others, some seams need not match, tiles may remain unused, the two
/// faces of a tile show different labels, or a domain is empty.
fn edge_mismatches(problem: &Problem, domains: &Domains) -> Vec<CountMismatch> {
    let tables = problem.tables();
    let is_whole = problem.board.is_whole() && problem.uses_every_tile();
    if !tables.fits_mates_only() || !is_whole || !problem.puzzle.shows_the_same_on_both_faces() {
        return Vec::new();
    }
    let edges = problem.puzzle.edges_within(problem.board.size());
    if domains.cells.iter().any(ValueSet::is_empty) {
        return Vec::new();
    }
    let rim = Rim::new(problem, domains);
    let images = problem.puzzle.labels.firsts();
    let images = images.filter(|&label| problem.puzzle.border != Some(label));
    let uneven = images.filter_map(|first| {
        let second = tables.mate(first);
        let known = [first, second].map(|label| Some((label, rim.sides(label)?)));
        let [(first, on_rim), (second, of_second_on_rim)] = [known[0]?, known[1]?];
        let short = |label: Label, sides: usize| {
            let edges = edges[label.index()];
            (edges < sides).then_some(CountMismatch::Short { label, sides, edges })
        };
        short(first, on_rim).or_else(|| short(second, of_second_on_rim)).or_else(|| {
            let of_first = edges[first.index()] - on_rim;
            let of_second = edges[second.index()] - of_second_on_rim;
            if first == second {
                (of_first % 2 == 1).then_some(CountMismatch::Odd { label: first, edges: of_first })
            } else {
                (of_first != of_second).then_some(CountMismatch::Halves {
                    first,
                    of_first,
                    second,
                    of_second,
                })
            }
        })
    });
    uneven.collect()
}

/// The labels of the rim sides.
struct Rim {
    /// The number of rim sides that show each label in every solution; `None` if a side may show
    /// either the label or another one.
    sides: Vec<Option<usize>>,
}

impl Rim {
    /// Counts, for each label, the sides on the rim that must show it; the number is unknown for
    /// labels that some side may or may not show.
    fn new(problem: &Problem, domains: &Domains) -> Rim {
        let mut sides = vec![Some(0); problem.puzzle.labels.len()];
        for &(cell, side) in problem.board.rim() {
            let edge = |value: usize| problem.kinds.values[value].edges[side].index();
            let shown = || domains.cells[cell].iter().map(edge);
            match shown().all_equal_value() {
                Ok(only) => sides[only] = sides[only].map(|number| number + 1),
                Err(_) => shown().for_each(|label| sides[label] = None),
            }
        }
        Rim { sides }
    }

    /// The number of sides on the rim that show a label; `None` if it is not determined.
    fn sides(&self, label: Label) -> Option<usize> {
        self.sides[label.index()]
    }
}

/// Compares the seams that must match with the matching pairs that the tiles can form; `None` if
/// there are enough pairs.
fn pair_mismatch(problem: &Problem) -> Option<CountMismatch> {
    let seams = problem.board.required().count();
    let pairs = problem.puzzle.pairs_within(problem.board.size());
    (pairs < seams).then_some(CountMismatch::Pairs { seams, pairs })
}

/// The largest rotation of a list of sides. It identifies their cyclic pattern.
fn cyclic_pattern(sides: &[bool]) -> Vec<bool> {
    list_rotations(sides).max().unwrap_or_default()
}

/// Compares the border edges of the tiles with the rim, by cyclic pattern and in total. Empty if
/// the counts agree, there is no border, or some edges fit several others.
fn frame_mismatches(problem: &Problem) -> Vec<CountMismatch> {
    let Some(border) = problem.puzzle.border else {
        return Vec::new();
    };
    if !problem.tables().fits_mates_only() {
        return Vec::new();
    }
    let board = &problem.board;
    let cells = (0..board.size()).map(|cell| {
        let sides: Vec<bool> = board.touching_sides(cell).iter().map(Option::is_none).collect();
        cyclic_pattern(&sides)
    });
    let tiles = problem.puzzle.tiles.iter().flat_map(|tile| {
        let sides: Vec<bool> = tile.edges.iter().map(|&e| e == border).collect();
        std::iter::repeat_n(cyclic_pattern(&sides), tile.copies.limited_to(board.size()))
    });
    let (cells, tiles) = (cells.counts(), tiles.counts());
    let mut found = Vec::new();
    for (wanted, cells) in cells.into_iter().sorted().rev() {
        let tiles = tiles.get(&wanted).copied().unwrap_or(0);
        if tiles < cells {
            found.push(CountMismatch::Frame { cells, tiles, form: noun_for_pattern(&wanted) });
        }
    }
    let sides = board.rim().len();
    let edges = problem.puzzle.edges_within(problem.board.size())[border.index()];
    let is_short = edges < sides || problem.uses_every_tile() && edges > sides;
    if is_short {
        found.push(CountMismatch::Rim { sides, edges });
    }
    found
}

/// The noun for a cell with this cyclic pattern of rim sides, in the singular.
fn noun_for_pattern(form: &[bool]) -> &'static str {
    let meet = (0..form.len()).any(|side| form[side] && form[(side + 1) % form.len()]);
    match form.iter().filter(|&&on_rim| on_rim).count() {
        0 => "inner cell",
        1 => "cell with one side on the rim",
        2 if meet => "corner",
        2 => "cell with two separate sides on the rim",
        3 => "end",
        _ => "cell with four or more sides on the rim",
    }
}
