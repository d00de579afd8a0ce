//! The checker, which tests an arrangement against every rule of the puzzle.
//!
//! It reads the puzzle's edges and the constraints as written, and none of the tables, domains or
//! models of the engines. Every solution passes it before it is reported.

use std::collections::HashSet;

use itertools::Itertools;

use crate::board::CellSide;
use crate::problem::{Arrangement, Problem};
use crate::puzzle::{Copies, Label, Tile};

/// A rule that an arrangement violates. Cells and tiles are indices into the board and the puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArrangementError {
    /// The number of placements differs from the number of cells.
    Size {
        /// The number of placements.
        found: usize,
        /// The number of cells of the board.
        expected: usize,
    },
    /// A tile index is not in the puzzle.
    NoSuchTile {
        /// The cell that contains it.
        cell: usize,
    },
    /// The tile in a cell has another number of sides than the cell.
    WrongSides {
        /// The cell that contains it.
        cell: usize,
        /// The tile.
        tile: usize,
    },
    /// A tile has an orientation that the puzzle does not allow.
    Turned {
        /// The cell that contains it.
        cell: usize,
    },
    /// One tile is placed in two cells.
    Twice {
        /// The tile.
        tile: usize,
        /// The two cells.
        cells: (usize, usize),
    },
    /// A tile is placed more often than it has copies.
    TooOften {
        /// The tile.
        tile: usize,
        /// The cells that contain it.
        cells: Vec<usize>,
    },
    /// Two sides touch but do not match.
    Seam {
        /// The first side and its label.
        first: (CellSide, Label),
        /// The second side and its label.
        second: (CellSide, Label),
    },
    /// A side inside the board shows the border image.
    BorderInside {
        /// The side that shows it.
        side: CellSide,
    },
    /// A side on the rim does not show the border image.
    Rim {
        /// The side and its label.
        side: (CellSide, Label),
    },
    /// There are more broken seams than allowed.
    ManyBroken {
        /// The number of broken seams.
        broken: usize,
        /// The maximum number.
        most: usize,
    },
    /// An extra constraint is violated.
    Constraint {
        /// A description of the violation.
        how: String,
    },
}

impl ArrangementError {
    /// Describes the violation in one sentence, with the names of the cells and tiles.
    pub fn describe(&self, problem: &Problem) -> String {
        let cell = |c: usize| problem.board.cells()[c].name.to_string();
        let label = |l: Label| problem.puzzle.labels.name(l);
        match *self {
            ArrangementError::Constraint { ref how } => how.clone(),
            ArrangementError::Size { found, expected } => {
                format!("{found} placements, but the board has {expected} cells")
            }
            ArrangementError::NoSuchTile { cell: c } => {
                format!("the tile in cell {} does not exist", cell(c))
            }
            ArrangementError::WrongSides { cell: c, tile } => {
                let sides = problem.puzzle.tiles[tile].sides();
                let expected = problem.board.cells()[c].sides;
                format!("cell {} has {expected} sides, but its tile has {sides}", cell(c))
            }
            ArrangementError::Turned { cell: c } => format!(
                "the tile in cell {} has an orientation that this puzzle does not allow",
                cell(c)
            ),
            ArrangementError::Twice { tile, cells } => format!(
                "tile {} is placed twice, in cells {} and {}",
                problem.puzzle.tiles[tile].name,
                cell(cells.0),
                cell(cells.1)
            ),
            ArrangementError::TooOften { tile, ref cells } => {
                let Tile { name, copies, .. } = &problem.puzzle.tiles[tile];
                let places = cells.iter().map(|&c| cell(c)).join(", ");
                let copies = copies.number().unwrap_or_default();
                format!(
                    "tile {name} is placed in cells {places}, but there are only {copies} of it"
                )
            }
            ArrangementError::ManyBroken { broken, most } => {
                format!("{broken} seams do not match, but at most {most} may be broken")
            }
            ArrangementError::Seam { first, second } => {
                let ends = [first.0, second.0];
                let mut places = ends.map(|(c, _)| cell(c));
                if let Some(sides) = problem.board.ambiguous_side_names(ends) {
                    for (place, side) in places.iter_mut().zip(sides) {
                        *place += &format!(" ({side})");
                    }
                }
                let [one, other] = places;
                let shown = label(first.1);
                let against = label(second.1);
                format!("cells {one} and {other} do not match: `{shown}` against `{against}`")
            }
            ArrangementError::BorderInside { side } => format!(
                "cell {} shows the border image inside the board; it is only allowed on the rim",
                cell(side.0)
            ),
            ArrangementError::Rim { side } => format!(
                "cell {} shows `{}` on the rim, where only the border image is allowed",
                cell(side.0.0),
                label(side.1)
            ),
        }
    }
}

/// The [counted](crate::board::Board::counted) seams whose sides do not match in an arrangement.
///
/// # Panics
/// If the arrangement has too few placements or a tile is not in the puzzle.
pub fn broken_seams(problem: &Problem, arrangement: &Arrangement) -> Vec<[CellSide; 2]> {
    let does_not_fit = |ends: &[CellSide; 2]| {
        let [first, second] = ends.map(|side| label_shown(problem, arrangement, side));
        !problem.puzzle.labels.fit(first, second)
    };
    problem.board.counted().filter(does_not_fit).collect()
}

/// The label that the tile in a cell shows on a side of the cell.
fn label_shown(problem: &Problem, arrangement: &Arrangement, (cell, side): CellSide) -> Label {
    let placed = arrangement.0[cell];
    problem.puzzle.tiles[placed.tile].shows(side, placed.orientation)
}

/// Returns `Ok` if the arrangement is a solution.
///
/// # Errors
/// The first violated rule. The order is: tiles; the maximum number of broken seams; seams in the
/// order of the board; the border; extra constraints.
pub fn check(problem: &Problem, arrangement: &Arrangement) -> Result<(), ArrangementError> {
    match violations(problem, arrangement).into_iter().next() {
        Some(violation) => Err(violation),
        None => Ok(()),
    }
}

/// Every rule that the arrangement violates; empty if it is a solution. If the number of placements
/// is wrong, or a tile does not exist or has another number of sides than its cell, only violations
/// of tile rules are returned.
pub fn violations(problem: &Problem, arrangement: &Arrangement) -> Vec<ArrangementError> {
    let tiles = tile_violations(problem, arrangement);
    let unreadable = |m: &ArrangementError| {
        matches!(
            m,
            ArrangementError::Size { .. }
                | ArrangementError::NoSuchTile { .. }
                | ArrangementError::WrongSides { .. }
        )
    };
    if tiles.iter().any(unreadable) {
        return tiles;
    }
    let edges = edge_violations(problem, arrangement);
    let puzzle = &problem.puzzle;
    let board = &problem.board;
    let broken = problem.constraints.iter().enumerate().filter_map(|(index, constraint)| {
        let how = constraint.describe_broken(puzzle, board, arrangement)?;
        let how = if constraint.name.is_some() {
            how
        } else {
            format!("constraint {}: {how}", index + 1)
        };
        Some(ArrangementError::Constraint { how })
    });
    tiles.into_iter().chain(edges).chain(broken).collect()
}

/// The violations of rules about single tiles and copies. If the number of placements is wrong, the
/// only one returned is [`ArrangementError::Size`].
fn tile_violations(problem: &Problem, arrangement: &Arrangement) -> Vec<ArrangementError> {
    let cells = problem.board.cells();
    let found = arrangement.0.len();
    let expected = cells.len();
    if found != expected {
        return vec![ArrangementError::Size { found, expected }];
    }
    let mut violations = Vec::new();
    let tiles = &problem.puzzle.tiles;
    let mut first_cell: Vec<Option<usize>> = vec![None; tiles.len()];
    let mut number = vec![0usize; tiles.len()];
    for (cell, placed) in arrangement.0.iter().enumerate() {
        let Some(tile) = tiles.get(placed.tile) else {
            violations.push(ArrangementError::NoSuchTile { cell });
            continue;
        };
        if tile.sides() != cells[cell].sides {
            violations.push(ArrangementError::WrongSides { cell, tile: placed.tile });
        } else if !problem.puzzle.allows_orientation(placed.tile, placed.orientation) {
            violations.push(ArrangementError::Turned { cell });
        }
        number[placed.tile] += 1;
        if let Some(before) = first_cell[placed.tile].replace(cell)
            && tile.copies == Copies::ONE
        {
            violations.push(ArrangementError::Twice { tile: placed.tile, cells: (before, cell) });
        }
    }
    for (tile, definition) in tiles.iter().enumerate() {
        let copies = definition.copies.number();
        if copies.is_some_and(|copies| 1 < copies && copies < number[tile]) {
            let cells = arrangement.0.iter().positions(|placed| placed.tile == tile).collect();
            violations.push(ArrangementError::TooOften { tile, cells });
        }
    }
    violations
}

/// The violations of seams, of the border, and of the maximum number of broken seams.
fn edge_violations(problem: &Problem, arrangement: &Arrangement) -> Vec<ArrangementError> {
    let puzzle = &problem.puzzle;
    let shown = |side: CellSide| label_shown(problem, arrangement, side);
    let mut violations = Vec::new();
    if let Some(most) = problem.most_broken {
        let broken = broken_seams(problem, arrangement).len();
        violations.extend((broken > most).then_some(ArrangementError::ManyBroken { broken, most }));
    }
    for [one, other] in problem.board.required() {
        let first = shown(one);
        let second = shown(other);
        if puzzle.labels.fit(first, second) {
            let mut ends = [(one, first), (other, second)].into_iter();
            let inside = ends.find(|&(_, label)| puzzle.border == Some(label));
            let inside = inside.map(|(side, _)| ArrangementError::BorderInside { side });
            violations.extend(inside);
        } else {
            violations
                .push(ArrangementError::Seam { first: (one, first), second: (other, second) });
        }
    }
    if let Some(border) = puzzle.border {
        if !problem.board.is_whole() {
            let required: HashSet<CellSide> = problem.board.required().flatten().collect();
            let loose = problem.board.touching().flatten().filter(|side| !required.contains(side));
            let wrong = loose.filter(|&side| shown(side) == border);
            violations.extend(wrong.map(|side| ArrangementError::BorderInside { side }));
        }
        let rim = problem.board.rim().iter().map(|&side| (side, shown(side)));
        let wrong = rim.filter(|&(_, label)| !puzzle.labels.fit(label, border));
        violations.extend(wrong.map(|side| ArrangementError::Rim { side }));
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::problem::Placed;
    use crate::puzzle::Orientation;
    use crate::samples;

    #[test]
    fn a_tile_with_another_number_of_sides_than_its_cell_is_described() {
        let cells = vec![("A".to_owned(), 4), ("B".to_owned(), 3)];
        let board = Board::from_cells(cells, vec![[(0, 0), (1, 2)]]).unwrap();
        let problem = samples::problem(board, "tiles: 1: [a, b, c, d], 2: [e, f, a]");
        let arrangement = |tiles: [usize; 2]| {
            let orientation = Orientation::default();
            Arrangement(tiles.map(|tile| Placed { tile, orientation }).to_vec())
        };
        assert_eq!(check(&problem, &arrangement([0, 1])), Ok(()));
        let described = |tiles| -> Vec<String> {
            let found = violations(&problem, &arrangement(tiles));
            found.iter().map(|violation| violation.describe(&problem)).collect()
        };
        assert_eq!(
            described([1, 0]),
            ["cell A has 4 sides, but its tile has 3", "cell B has 3 sides, but its tile has 4"]
        );
        assert_eq!(described([0, 2]), ["the tile in cell B does not exist"]);
    }
}
