//! `acyclic` and `tree`: the lines of an image, which meet in the middle of each tile, form no
//! loop.
//!
//! The cells that show the image are the vertices of a graph, and the seams that show it on both
//! sides are its edges. The constraints have no formula: they are checked on whole arrangements and
//! enforced by lazy cuts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::ConstraintKind;
use super::connected::connected_parts;
use super::declare::{Mapping, Requirement};
use super::fields::Fields;
use super::pattern::placements_that;
use super::rim::IMAGE;
use crate::board::{Board, CellSide};
use crate::problem::{Arrangement, Constraint, Dependence, TilePlacements};
use crate::puzzle::{Label, Puzzle};

/// The constraint `acyclic`: the image forms no loop.
///
/// ```yaml
/// constraints:
///   - acyclic: red
/// ```
pub(super) const ACYCLIC: ConstraintKind = ConstraintKind::new(
    "acyclic",
    "The lines of an image, which meet in each tile, form no loop.",
    NET,
    |_, fields| Ok(Arc::new(Net::new(fields, false))),
)
.or_just(IMAGE);

/// The constraint `tree`: the image forms no loop, and all cells that show it are connected by it.
///
/// ```yaml
/// constraints:
///   - tree: red
/// ```
pub(super) const TREE: ConstraintKind = ConstraintKind::new(
    "tree",
    "The lines of an image, which meet in each tile, form a single tree.",
    NET,
    |_, fields| Ok(Arc::new(Net::new(fields, true))),
)
.or_just(IMAGE);

const NET: Mapping = Mapping {
    fields: &[IMAGE],
    needs: &[Requirement::any(&[IMAGE], "`image` is missing: name the image that forms the lines")],
};

#[derive(Debug)]
struct Net {
    labels: Vec<Label>,
    is_connected: bool,
}

/// A reason why the lines are not as required.
enum NetFault {
    /// A loop: each cell on it with the two sides that it crosses.
    Loop(BTreeMap<usize, BTreeSet<usize>>),
    /// A part of several, and a cell of another part.
    Apart(BTreeSet<usize>, usize),
}

/// The graph of an arrangement.
struct Graph {
    /// For each cell the sides that show the image.
    sides: Vec<BTreeSet<usize>>,
    /// The pairs of touching sides that both show it.
    edges: Vec<[CellSide; 2]>,
}

impl Graph {
    /// The edges at a cell: its side, the other cell and its side.
    fn edges_at(&self, cell: usize) -> impl Iterator<Item = (usize, CellSide)> + '_ {
        let both = self.edges.iter().flat_map(|&[one, other]| [(one, other), (other, one)]);
        both.filter(move |(here, _)| here.0 == cell).map(|(here, there)| (here.1, there))
    }

    /// Each cell on a loop with the two sides that the loop crosses; `None` if there is no loop.
    fn find_loop(&self) -> Option<BTreeMap<usize, BTreeSet<usize>>> {
        // Cells that have at most one edge to the others are on no loop.
        let mut edges = self.edges.clone();
        loop {
            let mut degrees: BTreeMap<usize, usize> = BTreeMap::new();
            for (cell, _) in edges.iter().flatten() {
                *degrees.entry(*cell).or_default() += 1;
            }
            let before = edges.len();
            edges.retain(|edge| edge.iter().all(|(cell, _)| degrees[cell] > 1));
            if edges.len() == before {
                break;
            }
        }
        let rest = Graph { sides: Vec::new(), edges };
        let mut way: Vec<(CellSide, CellSide)> = Vec::new();
        let mut entered = rest.edges.first()?[0];
        loop {
            if let Some(start) = way.iter().position(|(from, _)| from.0 == entered.0) {
                let mut crossed: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
                for ends in &way[start..] {
                    for (cell, side) in [ends.0, ends.1] {
                        crossed.entry(cell).or_default().insert(side);
                    }
                }
                return Some(crossed);
            }
            let is_start = way.is_empty();
            let mut onwards = rest.edges_at(entered.0);
            let (side, next) = onwards.find(|(side, _)| is_start || *side != entered.1)?;
            way.push(((entered.0, side), next));
            entered = next;
        }
    }
}

impl Net {
    fn new(fields: &Fields, is_connected: bool) -> Net {
        let labels = fields.image(IMAGE).unwrap_or_default().to_vec();
        Net { labels, is_connected }
    }

    /// The sides of a tile with these edges that show the image.
    fn shown(&self, edges: &[Label]) -> BTreeSet<usize> {
        let sides = edges.iter().enumerate();
        sides.filter(|(_, label)| self.labels.contains(label)).map(|(side, _)| side).collect()
    }

    fn graph(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Graph {
        let placed = arrangement.0.iter();
        let sides: Vec<BTreeSet<usize>> = placed
            .map(|placed| self.shown(&puzzle.tiles[placed.tile].edges_in(placed.orientation)))
            .collect();
        let shows = |&(cell, side): &CellSide| sides[cell].contains(&side);
        let edges = board.touching().filter(|ends| ends.iter().all(shows)).collect();
        Graph { sides, edges }
    }

    fn find_fault(&self, graph: &Graph) -> Option<NetFault> {
        if let Some(crossed) = graph.find_loop() {
            return Some(NetFault::Loop(crossed));
        }
        let cells = graph.sides.iter().enumerate().filter(|(_, sides)| !sides.is_empty());
        let cells: BTreeSet<usize> = cells.map(|(cell, _)| cell).collect();
        let touching = |cell| graph.edges_at(cell).map(|(_, there)| there.0).collect();
        let mut parts = connected_parts(&cells, touching);
        parts.sort_by_key(BTreeSet::len);
        match &mut parts[..] {
            [part, other, ..] if self.is_connected => {
                Some(NetFault::Apart(std::mem::take(part), *other.first()?))
            }
            _ => None,
        }
    }
}

impl Constraint for Net {
    fn name(&self) -> &'static str {
        if self.is_connected { TREE.name } else { ACYCLIC.name }
    }

    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        let cell = |cell: usize| &board.cells()[cell].name;
        let how = match self.find_fault(&self.graph(puzzle, board, arrangement))? {
            NetFault::Loop(crossed) => {
                let number = crossed.len();
                format!("a loop of {number} cells through {}", cell(*crossed.first_key_value()?.0))
            }
            NetFault::Apart(part, other) => {
                format!("cells {} and {} are not connected", cell(*part.first()?), cell(other))
            }
        };
        Some(format!("`{}`: {how}", self.name()))
    }

    fn depends_on(&self) -> Dependence {
        Dependence::EDGES
    }

    /// The cut excludes a loop; or a part with its present sides, which nothing continues,
    /// together with a cell elsewhere.
    fn lazy_cut(
        &self,
        puzzle: &Puzzle,
        board: &Board,
        arrangement: &Arrangement,
    ) -> Option<Vec<(usize, Arc<TilePlacements>)>> {
        let graph = self.graph(puzzle, board, arrangement);
        let (part, other) = match self.find_fault(&graph)? {
            NetFault::Loop(crossed) => {
                let crosses = |(cell, sides): (usize, BTreeSet<usize>)| {
                    (cell, placements_that(puzzle, |edges| sides.is_subset(&self.shown(edges))))
                };
                return Some(crossed.into_iter().map(crosses).collect());
            }
            NetFault::Apart(part, other) => (part, other),
        };
        // Beyond a seam that need not match, the image may continue in another arrangement.
        let ends_beyond = |&cell: &usize| {
            let ends = graph.sides[cell].iter().map(|&side| board.touching_sides(cell)[side]);
            ends.flatten().all(|(beyond, _)| part.contains(&beyond))
        };
        if !part.iter().all(ends_beyond) {
            return None;
        }
        let same = |&cell: &usize| {
            let shown = &graph.sides[cell];
            (cell, placements_that(puzzle, |edges| self.shown(edges) == *shown))
        };
        let shows = placements_that(puzzle, |edges| !self.shown(edges).is_empty());
        Some(part.iter().map(same).chain([(other, shows)]).collect())
    }
}
