//! Counting certificates: what they claim, and how the claims are checked against the puzzle.
//!
//! The checker trusts only the puzzle, not the program that counted. It derives the values of each
//! cell from the rules for single cells, and verifies each step of a chain before using it.

use std::collections::BTreeSet;

use edgematch::board::CellName;
use edgematch::problem::{CellSum, CoefficientLevel, Problem};
use edgematch::puzzle::{Label, ValueSet};
use serde::{Deserialize, Serialize};

use super::encode::{cell_named, coefficient, fitting};

/// A counting argument that rules out every solution, in terms of the puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "count", rename_all = "lowercase", deny_unknown_fields)]
pub enum Claim {
    /// The labels on the rim are known and all tiles are used. Inside, the edges of an image cannot
    /// be paired: their number is odd, or its two halves occur unequally often, or there are fewer
    /// edges than the rim needs.
    Edges {
        /// The name of the edge: a whole image or a half.
        edge: String,
    },
    /// The tiles make fewer pairs of matching edges than there are seams.
    Pairs {},
    /// After the preceding steps, these tiles fit only these cells, and there are fewer cells than
    /// copies of the tiles.
    Tiles {
        /// The preceding steps, in order.
        because: Vec<CountingStep>,
        /// The names of the tiles.
        tiles: Vec<String>,
        /// The names of the cells.
        cells: Vec<CellName>,
    },
    /// After the preceding steps, these cells can contain only these tiles, and there are fewer
    /// copies of the tiles than cells.
    Cells {
        /// The preceding steps, in order.
        because: Vec<CountingStep>,
        /// The names of the tiles.
        tiles: Vec<String>,
        /// The names of the cells.
        cells: Vec<CellName>,
    },
}

/// A step of an argument: these tiles fit only these cells, and there are equally many of both, so
/// no other tile can be in these cells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountingStep {
    /// The names of the tiles.
    pub tiles: Vec<String>,
    /// The names of the cells.
    pub cells: Vec<CellName>,
}

impl Claim {
    /// Checks the claim against the puzzle.
    ///
    /// # Errors
    /// If it does not hold; the reason as a message.
    pub fn check(&self, problem: &Problem) -> Result<(), String> {
        match self {
            Claim::Edges { edge } => check_edges(problem, edge),
            Claim::Pairs {} => check_pairs(problem),
            Claim::Tiles { because, tiles, cells } => {
                let part = resolve(problem, tiles, cells)?;
                fit_only(problem, &replay(problem, because)?, &part)?;
                match pieces(problem, &part.tiles) {
                    Some(pieces) if pieces > part.cells.len() => Ok(()),
                    _ => Err("the claimed tiles do not outnumber the cells".into()),
                }
            }
            Claim::Cells { because, tiles, cells } => {
                let Part { tiles, cells } = resolve(problem, tiles, cells)?;
                let possible = replay(problem, because)?;
                let mut values = cells.iter().flat_map(|&cell| &possible[cell]);
                if values.any(|&value| !is_of_tiles(problem, value, &tiles)) {
                    return Err("another tile also fits one of the claimed cells".into());
                }
                match pieces(problem, &tiles) {
                    Some(pieces) if pieces < cells.len() => Ok(()),
                    _ => Err("the claimed cells do not outnumber the tiles".into()),
                }
            }
        }
    }
}

/// The values that each cell can take.
type Possible = Vec<Vec<usize>>;

/// Tiles and cells, as indices.
struct Part {
    tiles: BTreeSet<usize>,
    cells: BTreeSet<usize>,
}

/// Returns true if the value is an orientation of one of these tiles, or of an identical one.
fn is_of_tiles(problem: &Problem, value: usize, tiles: &BTreeSet<usize>) -> bool {
    let kind = problem.kinds.values[value].kind;
    tiles.iter().any(|&tile| problem.kinds.of_tile[tile] == kind)
}

/// The number of copies of these tiles; `None` if a tile identical to one of them is not in the
/// set.
fn pieces(problem: &Problem, tiles: &BTreeSet<usize>) -> Option<usize> {
    let size = problem.board.size();
    let kinds: BTreeSet<usize> = tiles.iter().map(|&tile| problem.kinds.of_tile[tile]).collect();
    let twins = kinds.iter().flat_map(|&kind| &problem.kinds.kinds[kind].tiles);
    let copies = twins.map(|&tile| {
        tiles.contains(&tile).then(|| problem.puzzle.tiles[tile].copies.limited_to(size))
    });
    copies.sum()
}

/// The indices of the named tiles and cells.
///
/// # Errors
/// If there is no tile or cell with a name, as a message.
fn resolve(problem: &Problem, tiles: &[String], cells: &[CellName]) -> Result<Part, String> {
    let tile = |name: &String| {
        problem.puzzle.tile_named(name).ok_or_else(|| format!("there is no tile `{name}`"))
    };
    let cell = |name: &CellName| {
        cell_named(problem, name).ok_or_else(|| format!("there is no cell {name}"))
    };
    let tiles = tiles.iter().map(tile).collect::<Result<_, _>>()?;
    Ok(Part { tiles, cells: cells.iter().map(cell).collect::<Result<_, _>>()? })
}

/// The possible values of each cell after these steps.
///
/// # Errors
/// If a step does not hold, as a message.
fn replay(problem: &Problem, steps: &[CountingStep]) -> Result<Possible, String> {
    let mut possible = initial_domains(problem);
    propagate_seams(problem, &mut possible);
    for step in steps {
        let part = resolve(problem, &step.tiles, &step.cells)?;
        fit_only(problem, &possible, &part)?;
        if pieces(problem, &part.tiles) != Some(part.cells.len()) {
            return Err("a step claims that tiles fill cells, but their numbers differ".into());
        }
        for &cell in &part.cells {
            possible[cell].retain(|&value| is_of_tiles(problem, value, &part.tiles));
        }
        propagate_seams(problem, &mut possible);
    }
    Ok(possible)
}

/// Checks that every tile must be used and that these tiles fit only these cells.
fn fit_only(problem: &Problem, possible: &Possible, part: &Part) -> Result<(), String> {
    if !problem.uses_every_tile() {
        return Err(
            "the claim requires every tile to be used, but the puzzle has spare tiles".into()
        );
    }
    for (cell, values) in possible.iter().enumerate() {
        let fits = values.iter().any(|&value| is_of_tiles(problem, value, &part.tiles));
        if fits && !part.cells.contains(&cell) {
            let name = &problem.board.cells()[cell].name;
            return Err(format!("one of the claimed tiles also fits cell {name}"));
        }
    }
    Ok(())
}

/// The values of each cell that the rules for single cells and the linear constraints allow, to the
/// fixpoint.
fn initial_domains(problem: &Problem) -> Possible {
    let mut possible = fitting(problem);
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for sum in &problem.sums {
            has_changed |= propagate_sum(sum, &mut possible);
        }
    }
    possible
}

/// Removes values that violate a sum even if all other cells contribute their minimum; returns true
/// if any was removed.
fn propagate_sum(sum: &CellSum<ValueSet>, possible: &mut Possible) -> bool {
    let least = |possible: &Possible, cell: usize, levels: &[CoefficientLevel<ValueSet>]| {
        let own = possible[cell].iter().map(|&value| coefficient(levels, value));
        own.min().unwrap_or(0)
    };
    let all: i64 = sum.cells.iter().map(|(cell, levels)| least(possible, *cell, levels)).sum();
    let mut has_changed = false;
    for (cell, levels) in &sum.cells {
        let others = all - least(possible, *cell, levels);
        let before = possible[*cell].len();
        possible[*cell].retain(|&value| others + coefficient(levels, value) <= sum.bound);
        has_changed |= possible[*cell].len() < before;
    }
    has_changed
}

/// Removes values without a match across a seam, to the fixpoint.
fn propagate_seams(problem: &Problem, possible: &mut Possible) {
    let labels = &problem.puzzle.labels;
    let shows = |value: usize, side: usize| problem.kinds.values[value].edges[side];
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for seam in problem.board.seams() {
            let [one, other] = seam.ends();
            for [(cell, side), (beside, there)] in [[one, other], [other, one]] {
                let met: BTreeSet<Label> =
                    possible[beside].iter().map(|&v| shows(v, there)).collect();
                let before = possible[cell].len();
                let fits =
                    |value: usize| met.iter().any(|&label| labels.fit(shows(value, side), label));
                possible[cell].retain(|&value| fits(value));
                has_changed |= possible[cell].len() < before;
            }
        }
    }
}

/// Checks that the puzzle determines which edges are inside the board: all tiles are used, every
/// side is on the rim or in a seam that must match, all labels are known, and both faces of each
/// tile show the same labels.
fn check_all_edges_are_used(problem: &Problem) -> Result<(), String> {
    let is_so = problem.uses_every_tile()
        && problem.board.is_whole()
        && problem.puzzle.labels.fit_mates_only()
        && problem.puzzle.shows_the_same_on_both_faces();
    if is_so {
        Ok(())
    } else {
        Err("the puzzle does not determine which edges are inside the board".into())
    }
}

/// The number of edges with a label on the fronts of all copies of all tiles.
fn count_edges(problem: &Problem, label: Label) -> usize {
    let size = problem.board.size();
    let tiles = problem.puzzle.tiles.iter().map(|tile| {
        tile.edges.iter().filter(|own| **own == label).count() * tile.copies.limited_to(size)
    });
    tiles.sum()
}

/// Checks [`Claim::Edges`]: that the edges named `edge` inside the board cannot all be paired with
/// their mates. Returns a message if they can, or if the puzzle does not determine them.
fn check_edges(problem: &Problem, edge: &str) -> Result<(), String> {
    check_all_edges_are_used(problem)?;
    let labels = &problem.puzzle.labels;
    let label = labels.all().find(|&label| labels.name(label) == edge);
    let label = label.ok_or_else(|| format!("there is no edge `{edge}`"))?;
    let possible = initial_domains(problem);
    if possible.iter().any(Vec::is_empty) {
        return Err("no tile fits some cell, so the edges on the rim are not determined".into());
    }
    let on_rim = |label: Label| -> Result<usize, String> {
        let mut number = 0;
        for &(cell, side) in problem.board.rim() {
            let shows = |value: &&usize| problem.kinds.values[**value].edges[side] == label;
            let showing = possible[cell].iter().filter(shows).count();
            if showing == possible[cell].len() {
                number += 1;
            } else if showing > 0 {
                return Err("the edges on the rim are not determined".into());
            }
        }
        Ok(number)
    };
    let mate = labels.mate(label);
    let (own, own_rim) = (count_edges(problem, label), on_rim(label)?);
    let (others, others_rim) = (count_edges(problem, mate), on_rim(mate)?);
    let is_odd = label == mate && (own + own_rim) % 2 == 1;
    // Compared without differences, which could be negative.
    let differ = own + others_rim != others + own_rim;
    if own < own_rim || others < others_rim || is_odd || differ {
        Ok(())
    } else {
        Err(format!("the edges `{edge}` can all be paired"))
    }
}

/// Checks [`Claim::Pairs`].
fn check_pairs(problem: &Problem) -> Result<(), String> {
    let labels = &problem.puzzle.labels;
    let size = problem.board.size();
    // The number of edges with each label that the pieces can show at the same time, with either
    // face up.
    let mut shown = vec![0; labels.len()];
    for tile in &problem.puzzle.tiles {
        for label in labels.all() {
            let on = |edges: &[Label]| edges.iter().filter(|own| **own == label).count();
            let back = tile.back.as_ref().map_or(0, |back| on(back));
            shown[label.index()] += on(&tile.edges).max(back) * tile.copies.limited_to(size);
        }
    }
    let mut pairs = 0;
    for label in labels.all().filter(|&label| problem.puzzle.border != Some(label)) {
        let mate = labels.mate(label);
        let (own, others) = (shown[label.index()], shown[mate.index()]);
        pairs += match (labels.fits_mate_only(label), label.cmp(&mate)) {
            (false, _) => own,
            (true, std::cmp::Ordering::Equal) => own / 2,
            (true, std::cmp::Ordering::Less) => own.min(others),
            (true, std::cmp::Ordering::Greater) => 0,
        };
    }
    if pairs < problem.board.required().count() {
        Ok(())
    } else {
        Err("the tiles make enough matching pairs for all seams".into())
    }
}
