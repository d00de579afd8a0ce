//! Counts as certificates: what they claim, and whether the puzzle bears it out.
//!
//! Nothing is taken from whoever counted but the claim. What each cell can take follows from the rules
//! that concern it alone; each step of a chain is checked before it is used.

use std::collections::BTreeSet;

use edgematch::board::CellName;
use edgematch::problem::{CellSum, Problem};
use edgematch::puzzle::{Label, ValueSet};
use serde::{Deserialize, Serialize};

use super::encode::fitting;

/// What rules out that there is a solution, in the puzzle's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "count", rename_all = "lowercase", deny_unknown_fields)]
pub enum Claim {
    /// Where the rim is known and all tiles are used, so many edges lie inside of the image, or of its
    /// two halves: an odd number, or not as many of each; or fewer than the rim needs.
    Edges {
        /// The image, or a half.
        edge: String,
    },
    /// The tiles make fewer pairs of edges than there are seams.
    Pairs {},
    /// In the end, these tiles fit these cells alone, which are fewer.
    Tiles {
        /// What fills cells before.
        because: Vec<Step>,
        /// The tiles.
        tiles: Vec<String>,
        /// The cells.
        cells: Vec<CellName>,
    },
    /// In the end, these cells can hold these tiles alone, which are fewer.
    Cells {
        /// What fills cells before.
        because: Vec<Step>,
        /// The tiles.
        tiles: Vec<String>,
        /// The cells.
        cells: Vec<CellName>,
    },
}

/// Tiles that fit these cells alone, of which there are as many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The tiles.
    pub tiles: Vec<String>,
    /// The cells.
    pub cells: Vec<CellName>,
}

impl Claim {
    /// Whether the puzzle bears it out.
    ///
    /// # Errors
    /// Why not, as a message.
    pub fn check(&self, problem: &Problem) -> Result<(), String> {
        match self {
            Claim::Edges { edge } => check_edges(problem, edge),
            Claim::Pairs {} => check_pairs(problem),
            Claim::Tiles { because, tiles, cells } => {
                let (tiles, cells) = (tiles_named(problem, tiles)?, cells_named(problem, cells)?);
                fit_only(problem, &after(problem, because)?, &tiles, &cells)?;
                match pieces(problem, &tiles) {
                    Some(pieces) if pieces > cells.len() => Ok(()),
                    _ => Err("there are as many of these cells as of these tiles".into()),
                }
            }
            Claim::Cells { because, tiles, cells } => {
                let (tiles, cells) = (tiles_named(problem, tiles)?, cells_named(problem, cells)?);
                let possible = after(problem, because)?;
                for &cell in &cells {
                    let mut others = possible[cell].iter();
                    if others.any(|&value| !is_of(problem, value, &tiles)) {
                        return Err("another tile fits one of these cells".into());
                    }
                }
                match pieces(problem, &tiles) {
                    Some(pieces) if pieces < cells.len() => Ok(()),
                    _ => Err("there are as many of these tiles as of these cells".into()),
                }
            }
        }
    }
}

/// By cell, values that it can take.
type Possible = Vec<Vec<usize>>;

/// Whether a value is of one of these tiles, or of one that looks like it.
fn is_of(problem: &Problem, value: usize, tiles: &[usize]) -> bool {
    let kind = problem.kinds.values[value].kind;
    tiles.iter().any(|&tile| problem.kinds.of_tile[tile] == kind)
}

/// How many pieces there are of these tiles; nothing where one has no number, or tiles that look like
/// one of them are not among them.
fn pieces(problem: &Problem, tiles: &[usize]) -> Option<usize> {
    let size = problem.board.size();
    let mut sum = 0;
    for (tile, definition) in problem.puzzle.tiles.iter().enumerate() {
        let kind = problem.kinds.of_tile[tile];
        let is_meant = tiles.iter().any(|&other| problem.kinds.of_tile[other] == kind);
        if is_meant && !tiles.contains(&tile) {
            return None;
        }
        sum += if is_meant { definition.copies.within(size) } else { 0 };
    }
    Some(sum)
}

fn tiles_named(problem: &Problem, names: &[String]) -> Result<Vec<usize>, String> {
    places(names, |name| {
        let tile = problem.puzzle.tile_named(name);
        tile.ok_or_else(|| format!("there is no tile `{name}`"))
    })
}

fn cells_named(problem: &Problem, names: &[CellName]) -> Result<Vec<usize>, String> {
    places(names, |name| {
        let mut cells = problem.board.cells().iter();
        let cell = cells.position(|cell| cell.name == *name);
        cell.ok_or_else(|| format!("there is no cell {name}"))
    })
}

/// The place of each name, ascending, each once.
fn places<N>(
    names: &[N],
    place: impl Fn(&N) -> Result<usize, String>,
) -> Result<Vec<usize>, String> {
    let places: BTreeSet<usize> = names.iter().map(place).collect::<Result<_, _>>()?;
    Ok(places.into_iter().collect())
}

/// What each cell can take once these steps are made, each of which is checked.
fn after(problem: &Problem, steps: &[Step]) -> Result<Possible, String> {
    let mut possible = at_first(problem);
    agree(problem, &mut possible);
    for step in steps {
        let tiles = tiles_named(problem, &step.tiles)?;
        let cells = cells_named(problem, &step.cells)?;
        fit_only(problem, &possible, &tiles, &cells)?;
        if pieces(problem, &tiles) != Some(cells.len()) {
            return Err("tiles are said to fill cells of which there are not as many".into());
        }
        for &cell in &cells {
            possible[cell].retain(|&value| is_of(problem, value, &tiles));
        }
        agree(problem, &mut possible);
    }
    Ok(possible)
}

/// Whether all these tiles must lie, and can lie in these cells alone.
fn fit_only(
    problem: &Problem,
    possible: &Possible,
    tiles: &[usize],
    cells: &[usize],
) -> Result<(), String> {
    if !problem.uses_every_tile() {
        return Err("not every tile is used".into());
    }
    for (cell, values) in possible.iter().enumerate() {
        let fits = values.iter().any(|&value| is_of(problem, value, tiles));
        if fits && !cells.contains(&cell) {
            let name = &problem.board.cells()[cell].name;
            return Err(format!("one of these tiles fits cell {name}, too"));
        }
    }
    Ok(())
}

/// What each cell can take by the rules that concern it alone.
fn at_first(problem: &Problem) -> Possible {
    let mut possible = fitting(problem);
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for sum in &problem.sums {
            has_changed |= obey(sum, &mut possible);
        }
    }
    possible
}

/// Takes out what breaks a sum whatever the other cells take; whether something was.
fn obey(sum: &CellSum<ValueSet>, possible: &mut Possible) -> bool {
    let counts = |cell: usize, value: usize| {
        let own = sum.cells.iter().find(|(counting, _)| *counting == cell);
        let levels = own.into_iter().flat_map(|(_, levels)| levels.iter());
        let mut levels = levels.filter(|level| level.values.contains(value));
        levels.next().map_or(0, |level| level.coefficient)
    };
    let least =
        |cell: usize| possible[cell].iter().map(|&value| counts(cell, value)).min().unwrap_or(0);
    let least: Vec<(usize, i64)> = sum.cells.iter().map(|&(cell, _)| (cell, least(cell))).collect();
    let all: i64 = least.iter().map(|(_, least)| least).sum();
    let mut has_changed = false;
    for &(cell, own) in &least {
        let before = possible[cell].len();
        possible[cell].retain(|&value| all - own + counts(cell, value) <= sum.bound);
        has_changed |= possible[cell].len() < before;
    }
    has_changed
}

/// Takes out what meets nothing across a seam, until there is no such thing.
fn agree(problem: &Problem, possible: &mut Possible) {
    let labels = &problem.puzzle.labels;
    let shows = |value: usize, side: usize| problem.kinds.values[value].edges[side];
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for seam in problem.board.seams() {
            let [one, other] = seam.ends();
            for [(cell, side), (beside, there)] in [[one, other], [other, one]] {
                let mut met: Vec<Label> =
                    possible[beside].iter().map(|&v| shows(v, there)).collect();
                met.sort_unstable();
                met.dedup();
                let before = possible[cell].len();
                let fits =
                    |value: usize| met.iter().any(|&label| labels.fit(shows(value, side), label));
                possible[cell].retain(|&value| fits(value));
                has_changed |= possible[cell].len() < before;
            }
        }
    }
}

/// Whether all tiles lie, and every side but those of the rim in a seam that must fit.
fn uses_all(problem: &Problem) -> Result<(), String> {
    let is_so = problem.uses_every_tile()
        && problem.board.is_whole()
        && problem.puzzle.labels.are_known()
        && problem.puzzle.shows_the_same_on_both_faces();
    if is_so { Ok(()) } else { Err("it is not known which edges lie inside".into()) }
}

/// How many pieces' edges show a label.
fn edges(problem: &Problem, label: Label) -> usize {
    let size = problem.board.size();
    let tiles = problem.puzzle.tiles.iter().map(|tile| {
        tile.edges.iter().filter(|own| **own == label).count() * tile.copies.within(size)
    });
    tiles.sum()
}

fn check_edges(problem: &Problem, edge: &str) -> Result<(), String> {
    uses_all(problem)?;
    let labels = &problem.puzzle.labels;
    let label = labels.all().find(|&label| labels.name(label) == edge);
    let label = label.ok_or_else(|| format!("there is no edge `{edge}`"))?;
    let possible = at_first(problem);
    if possible.iter().any(Vec::is_empty) {
        return Err("nothing fits a cell, so that nobody knows what the rim shows".into());
    }
    let on_rim = |label: Label| -> Result<usize, String> {
        let mut number = 0;
        for &(cell, side) in problem.board.rim() {
            let shows = |value: &&usize| problem.kinds.values[**value].edges[side] == label;
            let showing = possible[cell].iter().filter(shows).count();
            if showing == possible[cell].len() {
                number += 1;
            } else if showing > 0 {
                return Err("it is not known what the rim shows".into());
            }
        }
        Ok(number)
    };
    let mate = labels.mate(label);
    let (own, own_rim) = (edges(problem, label), on_rim(label)?);
    let (others, others_rim) = (edges(problem, mate), on_rim(mate)?);
    let is_odd = label == mate && (own + own_rim) % 2 == 1;
    // Compared without differences, which could be negative.
    let differ = own + others_rim != others + own_rim;
    if own < own_rim || others < others_rim || is_odd || differ {
        Ok(())
    } else {
        Err(format!("the edges `{edge}` go in pairs"))
    }
}

fn check_pairs(problem: &Problem) -> Result<(), String> {
    let labels = &problem.puzzle.labels;
    let size = problem.board.size();
    // Of each label as many edges as the pieces can show at once, whichever face is up.
    let mut shown = vec![0; labels.len()];
    for tile in &problem.puzzle.tiles {
        for label in labels.all() {
            let on = |edges: &[Label]| edges.iter().filter(|own| **own == label).count();
            let back = tile.back.as_ref().map_or(0, |back| on(back));
            shown[label.index()] += on(&tile.edges).max(back) * tile.copies.within(size);
        }
    }
    let mut pairs = 0;
    for label in labels.all().filter(|&label| problem.puzzle.border != Some(label)) {
        let mate = labels.mate(label);
        let (own, others) = (shown[label.index()], shown[mate.index()]);
        pairs += match (labels.is_known(label), label.cmp(&mate)) {
            (false, _) => own,
            (true, std::cmp::Ordering::Equal) => own / 2,
            (true, std::cmp::Ordering::Less) => own.min(others),
            (true, std::cmp::Ordering::Greater) => 0,
        };
    }
    if pairs < problem.board.required().count() {
        Ok(())
    } else {
        Err("the tiles make as many pairs as there are seams".into())
    }
}
