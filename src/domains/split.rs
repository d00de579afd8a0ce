//! Branch, follow the consequences, repeat.
//!
//! ```text
//!            the first tile            one branch a placement of each orbit
//!           ╱    │     ╲
//!         cell  cell  cell             the open cell that promises the smallest tree below it:
//!        ╱ │ ╲                         one branch a look of its domain
//!     cell ✗  leaf                     ✗ a cell without looks; a leaf: few looks left, or none
//! ```

use std::ops::ControlFlow;

use super::labels::LabelSet;
use super::network::Network;
use super::rooms::{Task, find_room, in_room};
use super::state::{Dead, Mark, Reach, State};
use super::symmetry::Part;
use super::words::{Words, count, take_first};
use super::{Domains, Uses};
use crate::board::Problem;
use crate::tables::Tables;

/// Looks on while domains are split.
pub trait Walker {
    /// Takes a leaf. `Break` ends the walk.
    fn leaf(&mut self, leaf: &mut dyn Leaf) -> ControlFlow<()>;

    /// Asked at least every tenth of a second. `Break` ends the walk.
    fn poll(&mut self, progress: Progress) -> ControlFlow<()>;
}

/// How far a walk is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Decisions so far.
    pub decisions: u64,
    /// The share of the tree that is done, from 0 to 1, when the branches of a node count alike.
    pub explored: f64,
}

/// Domains that are not split any further. Each solution of the whole lies in exactly one leaf.
pub trait Leaf {
    /// The decisions made since the walk began.
    fn decisions(&self) -> u64;

    /// One look a cell, where nothing is left to choose.
    fn looks(&self) -> Option<Vec<usize>>;

    /// What each cell can still take.
    fn domains(&self) -> Domains;

    /// Whether nothing is left to choose once these placements (cell, look) are made.
    fn forces(&mut self, placements: &[(usize, usize)]) -> bool;
}

/// How domains are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    reach: Reach,
    /// Domains with at most so many placements in open cells are a leaf.
    leaf: usize,
}

impl Split {
    /// Until each cell has its tile. Consequences are followed only from cells with few looks.
    pub fn to_the_bottom(problem: &Problem) -> Split {
        Split {
            reach: Reach::Bounded(bound(problem)),
            leaf: 0,
        }
    }

    /// Until at most `leaf` placements are left in cells that can take more than one. Consequences
    /// are followed to the end.
    pub fn down_to(leaf: usize) -> Split {
        Split {
            reach: Reach::Fixpoint,
            leaf,
        }
    }

    /// Whether there is room for a problem's looks and labels.
    ///
    /// # Errors
    /// The limit that it exceeds, for people.
    pub fn serves(problem: &Problem) -> Result<(), String> {
        find_room(problem)
    }

    /// Goes down at random, so often, and tells what each way down estimates of the number of
    /// decisions: the mean is unbiased (Knuth, *Mathematics of Computation* 29, 1975), but for what a
    /// walk learns from failures.
    ///
    /// # Panics
    /// Where [`Split::serves`] would have refused.
    pub fn probe(
        self,
        problem: &Problem,
        tables: &Tables,
        part: &Part,
        random: &mut fastrand::Rng,
        probes: u32,
    ) -> Vec<f64> {
        let walker = &mut Ignore;
        let walk = Walk {
            split: self,
            problem,
            tables,
            part,
            walker,
        };
        in_room(
            problem,
            Probes {
                walk,
                random,
                probes,
            },
        )
    }

    /// Walks through all leaves of a part; returns the number of decisions, too.
    ///
    /// # Panics
    /// Where [`Split::serves`] would have refused.
    pub fn walk(
        self,
        problem: &Problem,
        tables: &Tables,
        part: &Part,
        walker: &mut dyn Walker,
    ) -> (ControlFlow<()>, u64) {
        in_room(
            problem,
            Walk {
                split: self,
                problem,
                tables,
                part,
                walker,
            },
        )
    }
}

/// A bound on the looks of a cell that passes its labels on. It must exceed what a cell has when one
/// neighbour is known, looks ÷ labels; else nothing spreads, and nodes explode (12 instead of 20 on
/// a board of 10×10 with 16 images: 500 times more). From 1.2 to 3 times that, times differ by less
/// than their noise.
fn bound(problem: &Problem) -> u32 {
    const LEAST: f64 = 16.0;
    const TIMES: f64 = 1.6;
    let one_side_known = problem.kinds.looks.len() as f64 / problem.puzzle.labels.len() as f64;
    (TIMES * one_side_known).max(LEAST) as u32
}

struct Ignore;

impl Walker for Ignore {
    fn leaf(&mut self, _leaf: &mut dyn Leaf) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn poll(&mut self, _progress: Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

struct Probes<'a> {
    walk: Walk<'a>,
    random: &'a mut fastrand::Rng,
    probes: u32,
}

impl Task for Probes<'_> {
    type Result = Vec<f64>;

    fn run<const W: usize, M: LabelSet, const S: usize>(mut self) -> Self::Result {
        let network = Network::<W, M, S>::of(self.walk.problem, self.walk.tables);
        let part = self.walk.part;
        let mut search = Search::of(&mut self.walk, &network);
        if search.follow() != ControlFlow::Continue(true) {
            return vec![0.0; self.probes as usize];
        }
        let probes = 0..self.probes;
        probes.map(|_| search.probe(part, self.random)).collect()
    }
}

struct Walk<'a> {
    split: Split,
    problem: &'a Problem,
    tables: &'a Tables,
    part: &'a Part,
    walker: &'a mut dyn Walker,
}

impl Task for Walk<'_> {
    type Result = (ControlFlow<()>, u64);

    fn run<const W: usize, M: LabelSet, const S: usize>(mut self) -> Self::Result {
        let network = Network::<W, M, S>::of(self.problem, self.tables);
        let part = self.part;
        let mut search = Search::of(&mut self, &network);
        let end = search.root(part);
        (end, search.decisions)
    }
}

/// Decisions between two questions to the walker. On large boards one decision may take long.
fn decisions_per_poll(problem: &Problem) -> u64 {
    const MANY_PLACEMENTS: usize = 100_000;
    match problem.board.size() * problem.kinds.looks.len() {
        ..=MANY_PLACEMENTS => 1 << 10,
        _ => 1,
    }
}

/// A cell's consequences take as long as it has looks: some ten milliseconds for all of these.
fn cells_per_poll(problem: &Problem) -> usize {
    const LOOKS: usize = 1 << 22;
    LOOKS / problem.kinds.looks.len().max(1) + 1
}

/// The branches of a node that are still to be taken.
struct Node<const W: usize> {
    cell: usize,
    looks: Words<W>,
    /// The number of all of them.
    number: u32,
    mark: Mark,
}

struct Search<'a, const W: usize, M, const S: usize> {
    network: &'a Network<W, M, S>,
    state: State<'a, W, M, S>,
    uses: &'a [Uses],
    leaf: usize,
    scores: Scores,
    /// The place of the first tile that is being searched, and the number of places.
    place: (usize, usize),
    /// The open nodes below it, from the top.
    path: Vec<Node<W>>,
    decisions: u64,
    decisions_per_poll: u64,
    /// Cells whose consequences are followed between two questions to the walker.
    cells_per_poll: usize,
    walker: &'a mut dyn Walker,
}

impl<'a, const W: usize, M: LabelSet, const S: usize> Search<'a, W, M, S> {
    fn of(walk: &'a mut Walk<'_>, network: &'a Network<W, M, S>) -> Self {
        let cells = walk.problem.board.size();
        Search {
            state: State::new(network, &walk.part.domains, walk.split.reach),
            network,
            uses: &walk.part.domains.uses,
            leaf: walk.split.leaf,
            scores: Scores {
                failures: vec![0; cells],
                ease: vec![1.0; cells],
            },
            place: (0, 1),
            path: Vec::new(),
            decisions: 0,
            decisions_per_poll: decisions_per_poll(walk.problem),
            cells_per_poll: cells_per_poll(walk.problem),
            walker: &mut *walk.walker,
        }
    }

    /// One random way down.
    fn probe(&mut self, part: &Part, random: &mut fastrand::Rng) -> f64 {
        let mark = self.state.mark();
        let (mut decisions, mut weight) = (0.0, 1.0);
        let mut choices = match &part.first {
            Some(places) if !self.is_open_leaf() => places.clone(),
            _ => self.choices(),
        };
        while !choices.is_empty() {
            weight *= choices.len() as f64;
            decisions += weight;
            let (cell, look) = choices[random.usize(..choices.len())];
            choices = match self.decide(cell, look) {
                ControlFlow::Continue(true) => self.choices(),
                _ => Vec::new(),
            };
        }
        self.state.undo(mark);
        decisions
    }

    /// The branches of the present node; none at a leaf.
    fn choices(&self) -> Vec<(usize, usize)> {
        if self.is_leaf() {
            return Vec::new();
        }
        let cell = self.scores.best(self.network, &self.state);
        let looks = super::words::bits(&self.state.domain(cell));
        looks.map(|look| (cell, look)).collect()
    }

    /// A leaf that is filled says nothing of a tile that must be used; its places do.
    fn is_open_leaf(&self) -> bool {
        self.state.unfilled() > 0 && self.is_leaf()
    }

    /// Branches on the tile that breaks the symmetry, if there is one, and goes down from there.
    fn root(&mut self, part: &Part) -> ControlFlow<()> {
        self.poll()?;
        if !self.follow()? {
            return ControlFlow::Continue(());
        }
        let Some(places) = part.first.as_ref().filter(|_| !self.is_open_leaf()) else {
            return self.descend();
        };
        for (index, &(cell, look)) in places.iter().enumerate() {
            self.place = (index, places.len());
            let mark = self.state.mark();
            if self.decide(cell, look)? {
                self.descend()?;
            }
            self.state.undo(mark);
        }
        ControlFlow::Continue(())
    }

    /// Walks through all that is below the present node.
    fn descend(&mut self) -> ControlFlow<()> {
        self.enter()?;
        while let Some(node) = self.path.last_mut() {
            self.state.undo(node.mark);
            let Some(look) = take_first(&mut node.looks) else {
                self.path.pop();
                continue;
            };
            node.mark = self.state.mark();
            let cell = node.cell;
            if self.decide(cell, look)? {
                self.enter()?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Hands a leaf over, or adds the branches of an inner node.
    fn enter(&mut self) -> ControlFlow<()> {
        if self.is_leaf() {
            let walker = &mut *self.walker;
            return walker.leaf(&mut LeafOf {
                state: &mut self.state,
                uses: self.uses,
                decisions: self.decisions,
            });
        }
        let cell = self.scores.best(self.network, &self.state);
        let looks = self.state.domain(cell);
        self.path.push(Node {
            cell,
            looks,
            number: count(&looks),
            mark: self.state.mark(),
        });
        ControlFlow::Continue(())
    }

    #[cold]
    fn poll(&mut self) -> ControlFlow<()> {
        let (mut explored, mut weight) = (0.0, 1.0);
        let below = self.path.iter().map(|node| {
            let left = count(&node.looks);
            (
                (node.number - left).saturating_sub(1) as usize,
                node.number as usize,
            )
        });
        for (done, number) in std::iter::once(self.place).chain(below) {
            explored += weight * done as f64 / number as f64;
            weight /= number as f64;
        }
        self.walker.poll(Progress {
            decisions: self.decisions,
            explored,
        })
    }

    #[inline(always)]
    fn is_leaf(&self) -> bool {
        self.state.unfilled() == 0 || self.leaf > 0 && self.state.placements() <= self.leaf
    }

    /// Lays a look in a cell; says whether something may still fit.
    #[inline(always)]
    fn decide(&mut self, cell: usize, look: usize) -> ControlFlow<(), bool> {
        self.decisions += 1;
        if self.decisions.is_multiple_of(self.decisions_per_poll) {
            self.poll()?;
        }
        match self.state.choose(cell, look) {
            Ok(()) => self.follow(),
            Err(dead) => ControlFlow::Continue(self.fail(dead)),
        }
    }

    /// Follows the consequences; says whether something may still fit. On large boards the walker is
    /// asked meanwhile.
    #[inline(always)]
    fn follow(&mut self) -> ControlFlow<(), bool> {
        loop {
            match self.state.propagate_some(self.cells_per_poll) {
                Ok(true) => return ControlFlow::Continue(true),
                Ok(false) => self.poll()?,
                Err(dead) => return ControlFlow::Continue(self.fail(dead)),
            }
        }
    }

    /// Learns from a failure; nothing fits here.
    fn fail(&mut self, dead: Dead) -> bool {
        if let Dead::Cell(cell) = dead {
            self.scores.fail(cell);
        }
        false
    }
}

/// Which cell to branch on: few looks, neighbours with few looks, and failures in the past promise a
/// small tree. That takes 22 to 41 % fewer nodes than the fewest looks alone.
struct Scores {
    /// By cell, how often it ran out of looks.
    failures: Vec<u32>,
    /// By cell, 1/√(1 + failures).
    ease: Vec<f32>,
}

impl Scores {
    fn fail(&mut self, cell: usize) {
        self.failures[cell] += 1;
        self.ease[cell] = 1.0 / (1.0 + self.failures[cell] as f32).sqrt();
    }

    /// The open cell with the lowest score; where there is none, the smallest idle one.
    #[inline(always)]
    fn best<const W: usize, M: LabelSet, const S: usize>(
        &self,
        network: &Network<W, M, S>,
        state: &State<'_, W, M, S>,
    ) -> usize {
        let (mut best, mut lowest) = (None, f32::INFINITY);
        for cell in state.open_cells() {
            let score = self.of(network, state, cell);
            if score < lowest {
                (best, lowest) = (Some(cell), score);
            }
        }
        best.unwrap_or_else(|| {
            let unfilled = (0..self.failures.len()).filter(|&cell| !state.is_filled(cell));
            unfilled.min_by_key(|&cell| state.size(cell)).unwrap_or(0)
        })
    }

    #[inline(always)]
    fn of<const W: usize, M: LabelSet, const S: usize>(
        &self,
        network: &Network<W, M, S>,
        state: &State<'_, W, M, S>,
        cell: usize,
    ) -> f32 {
        // A neighbour counts by how far it is below this size; four of them never reach the base.
        const FEW: u32 = 17;
        const BASE: f32 = 60.0;
        let mut near = 0;
        for beside in &network.beside[cell] {
            let other = beside.cell as usize;
            near += u32::from(state.is_open(other)) * (FEW - state.size(other).min(FEW - 1));
        }
        state.size(cell) as f32 * (BASE - near as f32) * self.ease[cell]
    }
}

struct LeafOf<'a, 'n, const W: usize, M, const S: usize> {
    state: &'a mut State<'n, W, M, S>,
    uses: &'a [Uses],
    decisions: u64,
}

impl<const W: usize, M: LabelSet, const S: usize> Leaf for LeafOf<'_, '_, W, M, S> {
    fn decisions(&self) -> u64 {
        self.decisions
    }

    fn looks(&self) -> Option<Vec<usize>> {
        self.state.looks()
    }

    fn domains(&self) -> Domains {
        Domains {
            cells: self.state.domains(),
            uses: self.uses.to_vec(),
        }
    }

    fn forces(&mut self, placements: &[(usize, usize)]) -> bool {
        let mark = self.state.mark();
        let mut placed = placements.iter();
        let fits = placed.all(|&(cell, look)| {
            self.state.choose(cell, look).is_ok() && self.state.propagate().is_ok()
        });
        let is_forced = fits && self.state.unfilled() == 0;
        self.state.undo(mark);
        is_forced
    }
}
