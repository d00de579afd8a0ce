//! `corners`: a search from a cornerstone with a hash map of edges.
//!
//! It takes one tile, the cornerstone, and finds every 2×2 block with that tile in a corner, in
//! each rotation, by looking up the required edges: the tile beside it, the tile at the diagonal,
//! and the tile that closes the block. Each block is placed with the cornerstone in one cell per
//! orbit under the group, and the board is completed by further lookups. If there are more tiles
//! than cells, the cornerstone is the first tile used.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::ControlFlow;

use super::backtrack::SCAN;
use super::kind::default_variant;
use super::step::{FillStep, copies, in_cell_order, steps};
use super::{
    Decided, Engine, EngineKind, FilteringHost, Host, Result, Work, check_no_broken_seams,
};
use crate::board::Board;
use crate::problem::{Placed, Problem};
use crate::puzzle::{Label, Orientation};
use crate::runtime::limits::{CancelToken, Flow};

/// The number of nodes between two polls of the host.
const NODES_PER_POLL: u64 = 1 << 14;

const SIDES: usize = 4;

/// The engine that extends blocks from a cornerstone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Corners {
    /// Closes each block by trying every unused tile in every rotation, and counts the tries.
    pub scan: bool,
}

pub(super) const KIND: EngineKind = EngineKind {
    name: "corners",
    help: "2×2 blocks, found by a hash map of edges, grown into boards",
    options: &[&SCAN],
    build: |options| {
        let scan = options.has(&SCAN);
        Box::new(Corners { scan })
    },
    variants: || default_variant(KIND.name),
    is_compared: true,
    has_probes: false,
};

impl Engine for Corners {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn variant(&self) -> String {
        if self.scan { "scan".into() } else { "look-up".into() }
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        check_no_broken_seams(problem)?;
        if !problem.board.is_whole() {
            return Err("it requires every seam to match".into());
        }
        if !problem.tables().fits_mates_only() {
            return Err(
                "it looks up tiles by their edges, and some edges fit several others".into()
            );
        }
        match problem.board.rectangle() {
            Some((rows, columns)) if rows >= 2 && columns >= 2 => Ok(()),
            _ => Err("it requires a grid of at least 2 × 2 without joined ends".into()),
        }
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow> {
        let mut search = CornerSearch {
            problem,
            index: Index::new(problem),
            tries_everything: self.scan,
            left: copies(problem),
            token: host.token(),
            host,
            work,
        };
        Ok(search.search_all())
    }
}

/// The labels required on the four sides of a tile; `None` where any label is allowed.
type Needed = [Option<Label>; SIDES];

/// An index of the placements by the labels on every non-empty subset of their sides.
struct Index(HashMap<Needed, Vec<Placed>>);

impl Index {
    /// Enters every placement under each nonempty subset of its sides with their labels.
    fn new(problem: &Problem) -> Self {
        let mut index: HashMap<Needed, Vec<Placed>> = HashMap::new();
        for placed in placements(problem) {
            let value = problem.puzzle.tiles[placed.tile].edges_in(placed.orientation);
            for choice in 1..1usize << SIDES {
                let needed = std::array::from_fn(|side| {
                    let is_chosen = choice >> side & 1 == 1;
                    value.get(side).copied().filter(|_| is_chosen)
                });
                index.entry(needed).or_default().push(placed);
            }
        }
        Index(index)
    }

    /// The placements that show all required labels. At least one must be required: otherwise the
    /// result is empty.
    fn fitting(&self, needed: &Needed) -> &[Placed] {
        self.0.get(needed).map_or(&[], Vec::as_slice)
    }
}

/// Every tile in every orientation, but only one of several orientations that look the same.
fn placements(problem: &Problem) -> impl Iterator<Item = Placed> + '_ {
    problem.kinds.of_tile.iter().enumerate().flat_map(move |(tile, &kind)| {
        problem.kinds.kinds[kind].values.clone().filter_map(move |value| {
            let orientation = problem.kinds.orientations_of(tile, value).next()?;
            Some(Placed { tile, orientation })
        })
    })
}

/// The cornerstone, the tile beside it, the tile at the diagonal, and the tile that closes the
/// block.
type Block = [Placed; 4];

/// The sides of the cornerstone towards the second tile of its block (`across`) and from there to
/// the third (`along`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Direction {
    across: usize,
    along: usize,
}

struct CornerSearch<'a> {
    problem: &'a Problem,
    index: Index,
    tries_everything: bool,
    /// The copies of each tile that are not placed.
    left: Vec<usize>,
    token: &'a CancelToken<'a>,
    host: &'a mut dyn Host,
    work: &'a mut Work,
}

impl CornerSearch<'_> {
    /// Searches with each tile as cornerstone, after which the tile is no longer used. Breaks if
    /// the host or the token stops the run.
    fn search_all(&mut self) -> Flow {
        self.host.poll(self.work)?;
        let mut by_direction: BTreeMap<Direction, Vec<Vec<FillStep>>> = BTreeMap::new();
        for (cells, direction) in cornerstone_cells(self.problem, self.token)? {
            self.host.poll(self.work)?;
            let steps = steps(self.problem, &cells, self.token)?;
            by_direction.entry(direction).or_default().push(steps);
        }
        for cornerstone in 0..self.left.len() {
            if self.left.iter().sum::<usize>() < self.problem.board.size() {
                break;
            }
            for (&direction, places) in &by_direction {
                self.search_blocks(cornerstone, direction, places)?;
            }
            // The next cornerstone is the first tile used, which excludes this one.
            self.left[cornerstone] = 0;
        }
        ControlFlow::Continue(())
    }

    /// The mate of the label that a placed tile shows on a side.
    fn mate(&self, placed: Placed, side: usize) -> Label {
        let tile = &self.problem.puzzle.tiles[placed.tile];
        self.problem.tables().mate(tile.shows(side, placed.orientation))
    }

    /// Finds every block with a cornerstone in a direction, and completes the board for each block
    /// in each position. `places` has the filling steps of each position. Breaks if the host or the
    /// token stops the run.
    fn search_blocks(
        &mut self,
        cornerstone: usize,
        direction: Direction,
        places: &[Vec<FillStep>],
    ) -> Flow {
        let Direction { across, along } = direction;
        let opposite = |side: usize| (side + 2) % SIDES;
        let problem = self.problem;
        let mut counts = self.work.blocks.unwrap_or_default();
        for stone in placements(problem).filter(|p| p.tile == cornerstone) {
            let beside = require_sides([(opposite(across), self.mate(stone, across))]);
            for second in self.unused(&beside, &[stone])? {
                let beyond = require_sides([(opposite(along), self.mate(second, along))]);
                for third in self.unused(&beyond, &[stone, second])? {
                    let closing = require_sides([
                        (opposite(along), self.mate(stone, along)),
                        (across, self.mate(third, opposite(across))),
                    ]);
                    let (fitting, tries) =
                        self.closing_placements(&closing, &[stone, second, third])?;
                    counts.chains += 1;
                    counts.tries += tries;
                    counts.found += fitting.len() as u64;
                    self.work.blocks = Some(counts);
                    self.count_nodes(1, &[], &[])?;
                    for last in fitting {
                        let block = [stone, second, third, last];
                        self.token.work(16 * places.len())?;
                        for steps in places {
                            self.place_block(steps, &block)?;
                        }
                    }
                }
            }
        }
        self.work.blocks = Some(counts);
        ControlFlow::Continue(())
    }

    /// Counts `more` nodes and polls the host every [`NODES_PER_POLL`] nodes. `placed` are the
    /// placements of the first steps, which are reported to the host. Breaks if the host does.
    fn count_nodes(&mut self, more: u64, steps: &[FillStep], placed: &[Placed]) -> Flow {
        let before = self.work.nodes / NODES_PER_POLL;
        self.work.nodes += more;
        if self.work.nodes / NODES_PER_POLL > before {
            self.host.report_path(&|| Decided::in_steps(steps, placed.iter().copied()));
            self.host.poll(self.work)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// The placements with the required labels whose tile has a copy left besides those in
    /// `placed`. Breaks if the token stops the run.
    fn unused(&self, needed: &Needed, placed: &[Placed]) -> Flow<Vec<Placed>> {
        let is_free = |p: &&Placed| self.has_copy_left(p.tile, placed);
        let fitting = self.index.fitting(needed);
        self.token.work(fitting.len())?;
        ControlFlow::Continue(fitting.iter().filter(is_free).copied().collect())
    }

    /// Returns true if a copy of a tile is left after placing `placed` as well.
    fn has_copy_left(&self, tile: usize, placed: &[Placed]) -> bool {
        placed.iter().filter(|other| other.tile == tile).count() < self.left[tile]
    }

    /// The placements that show all required labels and so close a block, and the number of
    /// placements tried to find them. `placed` are the other tiles of the block. Breaks if the
    /// token stops the run.
    fn closing_placements(&self, needed: &Needed, placed: &[Placed]) -> Flow<(Vec<Placed>, u64)> {
        let fitting = self.unused(needed, placed)?;
        if !self.tries_everything {
            let tries = fitting.len() as u64;
            return ControlFlow::Continue((fitting, tries));
        }
        let puzzle = &self.problem.puzzle;
        let mut closing = Vec::new();
        let mut tries = 0;
        for (tile, definition) in puzzle.tiles.iter().enumerate() {
            if !self.has_copy_left(tile, placed) {
                continue;
            }
            for orientation in puzzle.orientations(tile) {
                tries += 1;
                let shows = |side: usize| definition.shows(side, orientation);
                let fits =
                    |(side, need): (usize, &Option<Label>)| need.is_none_or(|l| shows(side) == l);
                if needed.iter().enumerate().all(fits) {
                    closing.push(Placed { tile, orientation });
                }
            }
        }
        self.token.work(tries as usize)?;
        ControlFlow::Continue((closing, tries))
    }

    /// Places a block on the first four cells and reports all completions of the board; does
    /// nothing if a cell does not allow its tile or the cornerstone's orientation is not tried
    /// there. Breaks if the host or the token stops the run.
    fn place_block(&mut self, steps: &[FillStep], block: &Block) -> Flow {
        let is_tried = |orientation: Orientation| steps[0].orientations.contains(&orientation);
        let is_allowed = |(step, &placed): (&FillStep, &Placed)| self.is_allowed(step, placed);
        if !is_tried(block[0].orientation) || !steps.iter().zip(block).all(is_allowed) {
            return ControlFlow::Continue(());
        }
        self.count_nodes(block.len() as u64, steps, block)?;
        for placed in block {
            self.left[placed.tile] -= 1;
        }
        let end = self.complete(steps, &mut block.to_vec());
        for placed in block {
            self.left[placed.tile] += 1;
        }
        end
    }

    /// Reports all arrangements that extend `placed`, the placements of the first steps, and
    /// restores `placed` and the copies left. If the host or the token stops the run, breaks
    /// without restoring them.
    fn complete(&mut self, steps: &[FillStep], placed: &mut Vec<Placed>) -> Flow {
        let Some(step) = steps.get(placed.len()) else {
            return self.host.found(&in_cell_order(steps, placed.iter().copied()), self.work);
        };
        let neighbours = step.neighbours.iter();
        let needed =
            require_sides(neighbours.map(|n| (n.side, self.mate(placed[n.step], n.its_side))));
        for next in self.unused(&needed, &[])? {
            if !self.is_allowed(step, next) {
                continue;
            }
            self.count_nodes(1, steps, placed)?;
            self.left[next.tile] -= 1;
            placed.push(next);
            self.complete(steps, placed)?;
            placed.pop();
            self.left[next.tile] += 1;
        }
        ControlFlow::Continue(())
    }

    /// Returns true if the placement is allowed in the cell of a step, regardless of its
    /// neighbours.
    fn is_allowed(&self, step: &FillStep, placed: Placed) -> bool {
        let value = self.problem.kinds.value_of(placed.tile, placed.orientation);
        value.is_some_and(|value| self.problem.is_allowed_in_cell(step.cell, value))
    }
}

/// The labels required on the given sides; `None` on all others.
fn require_sides(sides: impl IntoIterator<Item = (usize, Label)>) -> Needed {
    let mut needed = [None; SIDES];
    for (side, label) in sides {
        needed[side] = Some(label);
    }
    needed
}

/// The neighbour at a side of a cell; `None` at the rim of the board.
fn neighbour(board: &Board, cell: usize, side: usize) -> Option<usize> {
    board.touching_sides(cell)[side].map(|(other, _)| other)
}

/// The direction of a block with its cornerstone in `cell`: right and down where there are such
/// cells, otherwise left or up. `None` if the board has a single row or column.
fn block_direction(board: &Board, cell: usize) -> Option<Direction> {
    let toward =
        |sides: [usize; 2]| sides.into_iter().find(|&s| neighbour(board, cell, s).is_some());
    Some(Direction { across: toward([0, 2])?, along: toward([3, 1])? })
}

/// The cell order that starts with the four cells of the block at `cell` and always continues with
/// the open cell that has the most filled neighbours; ties go to the lowest index. Breaks if the
/// token stops the run.
fn cell_order(
    board: &Board,
    cell: usize,
    Direction { across, along }: Direction,
    token: &CancelToken<'_>,
) -> Flow<Vec<usize>> {
    let beside = neighbour(board, cell, across);
    let beyond = beside.and_then(|beside| neighbour(board, beside, along));
    let block = [Some(cell), beside, beyond, neighbour(board, cell, along)];
    let mut order = Vec::new();
    let mut is_filled = vec![false; board.size()];
    let mut filled_beside = vec![0; board.size()];
    let mut next = block.into_iter().flatten().collect::<VecDeque<usize>>();
    while let Some(cell) = next.pop_front() {
        order.push(cell);
        is_filled[cell] = true;
        for &(other, _) in board.touching_sides(cell).iter().flatten() {
            filled_beside[other] += 1;
        }
        if next.is_empty() {
            let open = (0..board.size()).rev().filter(|&cell| !is_filled[cell]);
            next.extend(open.max_by_key(|&cell| filled_beside[cell]));
            token.work(board.size())?;
        }
    }
    ControlFlow::Continue(order)
}

/// The possible cells of the cornerstone, one per orbit under the group, each as a cell order of
/// the board that starts there, with the direction of the block. Breaks if the token stops the run.
fn cornerstone_cells(
    problem: &Problem,
    token: &CancelToken<'_>,
) -> Flow<Vec<(Vec<usize>, Direction)>> {
    let board = &problem.board;
    let mut seen = BTreeSet::new();
    let mut places = Vec::new();
    // Cells with a block to the right and below come first, so they represent their orbits.
    let mut cells: Vec<usize> = (0..board.size()).collect();
    cells.sort_by_key(|&cell| block_direction(board, cell) != Some(RIGHT_AND_DOWN));
    for cell in cells {
        if seen.contains(&cell) {
            continue;
        }
        seen.extend(problem.group.iter().map(|s| s.image[cell]));
        if let Some(direction) = block_direction(board, cell) {
            places.push((cell_order(board, cell, direction, token)?, direction));
        }
    }
    ControlFlow::Continue(places)
}

const RIGHT_AND_DOWN: Direction = Direction { across: 0, along: 3 };
