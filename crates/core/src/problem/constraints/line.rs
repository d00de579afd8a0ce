//! `loop` and `path`: an image forms a single line that crosses tiles from side to side.
//!
//! Linear constraints express the local conditions: the line enters and leaves each tile on it, and
//! meets the rim as often as it should. Connectedness is checked on whole arrangements and enforced
//! by lazy cuts, like sub-tour elimination in the travelling salesman problem (Dantzig, Fulkerson
//! and Johnson, *Operations Research* 2, 1954).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ConstraintKind;
use super::declare::{Mapping, Requirement};
use super::fields::Fields;
use super::pattern::placements_that;
use super::rim::IMAGE;
use super::scene::Scene;
use crate::board::{Board, CellSide};
use crate::problem::{
    Arrangement, Constraint, Dependence, Formula, LinearConstraint, Placed, Term, TilePlacements,
};
use crate::puzzle::{Label, Puzzle};

/// The constraint `loop`: the image forms one closed line.
///
/// ```yaml
/// constraints:
///   - loop: {image: red}
/// ```
pub(super) const LOOP: ConstraintKind = ConstraintKind::new(
    "loop",
    "An image forms one closed line from tile to tile.",
    DRAWN,
    |scene, fields| build(scene, fields, Ends::Closed),
)
.or_just(IMAGE);

/// The constraint `path`: the image forms one line from rim to rim.
///
/// ```yaml
/// constraints:
///   - path: {image: red}
/// ```
pub(super) const PATH: ConstraintKind = ConstraintKind::new(
    "path",
    "An image forms one line from tile to tile that starts and ends at the rim.",
    DRAWN,
    |scene, fields| build(scene, fields, Ends::OnRim),
)
.or_just(IMAGE);

const DRAWN: Mapping = Mapping {
    fields: &[IMAGE],
    needs: &[Requirement::any(&[IMAGE], "`image` is missing: name the image that forms the line")],
};

/// Creates a line constraint. Fails if the field `image` names one half of an image.
fn build(scene: &Scene<'_>, fields: &Fields, ends: Ends) -> Result<Arc<dyn Constraint>, String> {
    let labels = fields.image(IMAGE).unwrap_or_default().to_vec();
    let known = &scene.puzzle.labels;
    if let Some(&half) = labels.first()
        && !labels.contains(&known.mate(half))
    {
        let image = &known.edge(half).image;
        return Err(format!(
            "`{}` is one half of an image, but a line consists of both: write `{image}`",
            known.name(half)
        ));
    }
    let image = labels
        .first()
        .map_or_else(|| "the image".to_owned(), |&label| format!("`{}`", known.edge(label).image));
    Ok(Arc::new(LineConstraint { labels, ends, image }))
}

/// The ends of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// The line has no ends.
    Closed,
    /// The line ends at two sides of the rim.
    OnRim,
}

impl Ends {
    /// The name of the constraint: `loop` or `path`.
    fn name(self) -> &'static str {
        match self {
            Ends::Closed => LOOP.name,
            Ends::OnRim => PATH.name,
        }
    }
}

/// The constraint that an image forms a single line.
#[derive(Debug)]
struct LineConstraint {
    labels: Vec<Label>,
    ends: Ends,
    /// The image in messages, in backquotes.
    image: String,
}

/// A reason why an image does not form a single line.
enum LineFault {
    /// No cell shows it.
    Nowhere,
    /// This cell shows it on a number of sides other than two.
    Branches(usize),
    /// It appears on this number of sides on the rim, which is wrong.
    Leaves(usize),
    /// This side shows it, but the touching side does not.
    Stops(CellSide),
    /// There are several lines: the cells of a line, each with the two sides that the line crosses,
    /// and a cell of another line. The first line is closed.
    Apart(BTreeMap<usize, [usize; 2]>, usize),
}

/// For each cell of an arrangement, the sides that show the image, ascending.
struct ShownSides<'a> {
    board: &'a Board,
    sides: Vec<Vec<usize>>,
}

impl ShownSides<'_> {
    /// The cells of the line through `first`, each with the sides where the line enters and leaves
    /// it. The line is followed from side `through` of `first` until it ends or returns to a cell.
    fn trace_from(&self, (first, through): CellSide) -> BTreeMap<usize, [usize; 2]> {
        let mut line = BTreeMap::new();
        let mut at = Some((first, through));
        while let Some((cell, enters)) = at.filter(|(cell, _)| !line.contains_key(cell)) {
            let leaves = self.sides[cell].iter().copied().rev().find(|side| *side != enters);
            let leaves = leaves.unwrap_or(enters);
            line.insert(cell, [enters, leaves]);
            at = self.board.touching_sides(cell)[leaves];
        }
        line
    }

    /// All sides that show the image, cell by cell.
    fn shown_sides(&self) -> impl Iterator<Item = CellSide> {
        let cells = self.sides.iter().enumerate();
        cells.flat_map(|(cell, sides)| sides.iter().map(move |&side| (cell, side)))
    }

    /// The cells that show the image, ascending.
    fn cells(&self) -> impl Iterator<Item = usize> {
        let cells = self.sides.iter().enumerate();
        cells.filter_map(|(cell, sides)| (!sides.is_empty()).then_some(cell))
    }
}

impl LineConstraint {
    /// Returns true if the side of a tile with these edges exists and shows the image.
    fn shows(&self, edges: &[Label], side: usize) -> bool {
        let shown = edges.get(side);
        shown.is_some_and(|shown| self.labels.contains(shown))
    }

    /// The sides that show the image in an arrangement.
    fn drawn<'a>(
        &self,
        puzzle: &Puzzle,
        board: &'a Board,
        arrangement: &Arrangement,
    ) -> ShownSides<'a> {
        let sides = |&Placed { tile, orientation }: &Placed| {
            let edges = puzzle.tiles[tile].edges_in(orientation);
            (0..edges.len()).filter(|&side| self.shows(&edges, side)).collect()
        };
        ShownSides { board, sides: arrangement.0.iter().map(sides).collect() }
    }

    /// A reason why the image does not form a single line of the required kind; `None` if it does.
    fn find_fault(&self, drawn: &ShownSides<'_>) -> Option<LineFault> {
        let Some(first) = drawn.cells().next() else {
            return Some(LineFault::Nowhere);
        };
        if let Some(cell) = drawn.cells().find(|&cell| drawn.sides[cell].len() != 2) {
            return Some(LineFault::Branches(cell));
        }
        let beside = |&(cell, side): &CellSide| drawn.board.touching_sides(cell)[side];
        let leaving: Vec<CellSide> =
            drawn.shown_sides().filter(|end| beside(end).is_none()).collect();
        let start = match (self.ends, &leaving[..]) {
            (Ends::Closed, []) => (first, drawn.sides[first][0]),
            (Ends::OnRim, &[start, _]) => start,
            _ => return Some(LineFault::Leaves(leaving.len())),
        };
        let stops = |end: &CellSide| {
            beside(end).is_some_and(|(cell, side)| !drawn.sides[cell].contains(&side))
        };
        if let Some(end) = drawn.shown_sides().find(stops) {
            return Some(LineFault::Stops(end));
        }
        let line = drawn.trace_from(start);
        let beyond = drawn.cells().find(|cell| !line.contains_key(cell))?;
        let other = drawn.trace_from((beyond, drawn.sides[beyond][0]));
        // In a path, only the other line is closed and rules out further cells. Of two loops, the
        // smaller one makes the stronger cut.
        Some(match (self.ends, other.len() < line.len()) {
            (Ends::Closed, false) => LineFault::Apart(line, beyond),
            _ => LineFault::Apart(other, start.0),
        })
    }
}

impl Constraint for LineConstraint {
    fn name(&self) -> &'static str {
        self.ends.name()
    }

    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        let (name, image) = (self.name(), &self.image);
        let drawn = self.drawn(puzzle, board, arrangement);
        let cell = |cell: usize| &board.cells()[cell].name;
        let how = match self.find_fault(&drawn)? {
            LineFault::Nowhere => format!("no cell shows {image}"),
            LineFault::Branches(at) => {
                let sides = drawn.sides[at].len();
                let noun = if sides == 1 { "side" } else { "sides" };
                format!("cell {} shows {image} on {sides} {noun}, not on 2", cell(at))
            }
            LineFault::Leaves(times) => {
                let noun = if times == 1 { "side" } else { "sides" };
                format!("{image} meets the rim on {times} {noun}")
            }
            LineFault::Stops((at, _)) => format!("{image} ends at a side of cell {}", cell(at)),
            LineFault::Apart(line, beyond) => format!(
                "one line of {image} covers {} cells, but cell {} shows it as well",
                line.len(),
                cell(beyond)
            ),
        };
        Some(format!("`{name}`: {how}"))
    }

    /// Each cell shows the image on two sides or none, some cell shows it, and the number of rim
    /// sides that show it is 0 for a loop and 2 for a path.
    fn formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        let all: Vec<usize> = (0..board.size()).collect();
        let number =
            |edges: &[Label]| edges.iter().filter(|label| self.labels.contains(label)).count();
        let branching = placements_that(puzzle, |edges| !matches!(number(edges), 0 | 2));
        let showing = placements_that(puzzle, |edges| number(edges) > 0);
        let on_rim = (0..board.most_sides()).map(|side| Term {
            cells: board
                .rim()
                .iter()
                .filter(|(_, own)| *own == side)
                .map(|(cell, _)| *cell)
                .collect(),
            placements: placements_that(puzzle, |edges| self.shows(edges, side)),
            coefficient: 1,
        });
        let bound = match self.ends {
            Ends::Closed => 0,
            Ends::OnRim => 2,
        };
        let leaving = LinearConstraint { terms: on_rim.collect(), bound };
        Formula::from(vec![
            LinearConstraint::at_most(&all, &branching, 0),
            LinearConstraint::at_least(&all, &showing, 1),
            leaving.clone().at_least_bound(),
            leaving,
        ])
    }

    fn depends_on(&self) -> Dependence {
        Dependence::EDGES
    }

    /// The cut excludes a closed line together with a cell of another line, or a side that shows
    /// the image while the side that it touches does not. `None` if the arrangement has no such
    /// fault.
    fn lazy_cut(
        &self,
        puzzle: &Puzzle,
        board: &Board,
        arrangement: &Arrangement,
    ) -> Option<Vec<(usize, Arc<TilePlacements>)>> {
        match self.find_fault(&self.drawn(puzzle, board, arrangement))? {
            LineFault::Apart(line, beyond) => {
                let mut cut: Vec<(usize, Arc<TilePlacements>)> = line
                    .into_iter()
                    .map(|(cell, sides)| {
                        let passes = |edges: &[Label]| sides.iter().all(|&s| self.shows(edges, s));
                        (cell, placements_that(puzzle, passes))
                    })
                    .collect();
                let shows = |edges: &[Label]| edges.iter().any(|l| self.labels.contains(l));
                cut.push((beyond, placements_that(puzzle, shows)));
                Some(cut)
            }
            LineFault::Stops((cell, side)) => {
                let (other, there) =
                    board.touching_sides(cell)[side].filter(|(other, _)| *other != cell)?;
                let shows = placements_that(puzzle, |edges| self.shows(edges, side));
                let hides = placements_that(puzzle, |edges| !self.shows(edges, there));
                Some(vec![(cell, shows), (other, hides)])
            }
            LineFault::Nowhere | LineFault::Branches(_) | LineFault::Leaves(_) => None,
        }
    }
}
