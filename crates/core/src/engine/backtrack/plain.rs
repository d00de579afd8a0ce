//! The plain backtracker: it fills the cells in a fixed order, as published programs do.
//!
//! ```text
//! enter(level):
//!     if level = number of cells: report the arrangement
//!     else, for each candidate of the cell at this level:
//!         if its tile is left and it fits the tiles placed beside it:
//!             place it, enter(level + 1), take it back
//! ```
//!
//! The recursion is written as a loop, because large boards would overflow the stack. The
//! candidates are every tile in every orientation ([`Candidates::All`]), or they are looked up by
//! the labels of two neighbours ([`Candidates::Fitting`]). Both make the same calls.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use super::Order;
use crate::domains::{Decision, Observer};
use crate::engine::step::{FillStep, Neighbour, copies, in_cell_order, steps};
use crate::engine::{Decided, Host, Work};
use crate::problem::{Placed, Problem};
use crate::puzzle::{Label, Orientation, ValueSet};
use crate::runtime::limits::{CancelToken, Flow};
use crate::tables::{CandidateIndex, Tables};

/// The number of candidates between two polls of the host.
const CANDIDATES_PER_POLL: usize = 1 << 10;

/// The maximum number of lists per cell. Beyond it, candidates are looked up by one label: there
/// are few for each, and an index by pairs would be larger than the puzzle.
const LARGEST_INDEX: usize = 1 << 16;

/// The maximum number of neighbours whose labels are part of a key.
const MOST_KEYED: usize = 2;

/// The set of candidates that the search tries in each cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Candidates {
    /// The candidates that fit the cell and up to two neighbours, found in an index. All edges must
    /// be known.
    Fitting,
    /// Every tile in every orientation. The search counts the placements that it tries, and the
    /// calls of each level.
    All,
}

/// Reports every arrangement to the host. With [`Candidates::All`], `work` counts the tries and the
/// calls of each level. Breaks if the host, the token or the observer stops the run.
pub(super) fn search(
    problem: &Problem,
    order: Order,
    candidates: Candidates,
    observer: Option<&mut dyn Observer>,
    token: &CancelToken<'_>,
    host: &mut dyn Host,
    work: &mut Work,
) -> Flow {
    let steps = steps(problem, &order.cells(&problem.board, token)?, token)?;
    let plan = Plan::new(problem, &steps, candidates, &mut || host.poll(work))?;
    if candidates == Candidates::All {
        work.calls_per_level = vec![0; steps.len() + 1];
    }
    let mut search = Search {
        tables: problem.tables(),
        plan,
        left: copies(problem),
        untried: vec![0..0; steps.len() + 1],
        depth: 0,
        placed: vec![Candidate::default(); steps.len()],
        until_poll: CANDIDATES_PER_POLL,
        observer,
        host,
        work,
    };
    search.run()
}

/// A tile in an orientation, and the value that it shows.
#[derive(Debug, Clone, Copy, Default)]
struct Candidate {
    // 32 bits each, because the search mostly copies candidates.
    tile: u32,
    value: u32,
    orientation: Orientation,
}

impl Candidate {
    /// The tile and its orientation.
    fn placed(self) -> Placed {
        Placed { tile: self.tile as usize, orientation: self.orientation }
    }
}

/// The data that does not change during a search.
struct Plan<'a> {
    steps: &'a [FillStep],
    levels: Vec<Level<'a>>,
    index: CandidateIndex<Candidate>,
    candidates: Candidates,
    /// The labels of all values: `sides` entries per value.
    labels: Vec<Label>,
    /// The number of entries per value in `labels`.
    sides: usize,
    /// The number of different labels.
    width: usize,
}

/// The lists and tests of a level.
struct Level<'a> {
    /// The index of the list for key 0.
    first_list: usize,
    /// The digits of the key that selects a list. The array has a fixed length, because a loop over
    /// neighbours is slower.
    key: [Digit; MOST_KEYED],
    /// The neighbours that are not part of the key.
    tested: &'a [Neighbour],
    /// Sets that must contain the value of the cell, unless the lists already ensure it.
    required: Vec<&'a ValueSet>,
}

/// A digit of a key: the label that the tile placed at level `step` shows on `side`, times `worth`.
/// Unused digits have worth 0.
#[derive(Debug, Clone, Copy, Default)]
struct Digit {
    step: usize,
    side: usize,
    worth: usize,
}

impl<'a> Plan<'a> {
    /// Builds the lists of candidates. Cells with equal rules share lists. Breaks if `poll` does.
    fn new(
        problem: &'a Problem,
        steps: &'a [FillStep],
        candidates: Candidates,
        poll: &mut dyn FnMut() -> Flow,
    ) -> Flow<Self> {
        let width = problem.puzzle.labels.len();
        let most_keyed = match candidates {
            Candidates::All => 0,
            Candidates::Fitting if width * width > LARGEST_INDEX => 1,
            Candidates::Fitting => MOST_KEYED,
        };
        let sides = problem.board.most_sides();
        let mut plan = Plan {
            steps,
            levels: Vec::with_capacity(steps.len()),
            index: CandidateIndex::default(),
            candidates,
            labels: Vec::with_capacity(problem.kinds.values.len() * sides),
            sides,
            width,
        };
        for value in &problem.kinds.values {
            plan.labels.extend(value.edges.iter().cycle().take(sides));
        }
        let mut index = CandidateIndex::default();
        let mut known = HashMap::new();
        for step in steps {
            poll()?;
            let (keyed, tested) = step.neighbours.split_at(step.neighbours.len().min(most_keyed));
            let key_sides: Vec<usize> = keyed.iter().map(|n| n.side).collect();
            let alone = (candidates == Candidates::Fitting)
                .then_some((problem.tables().cell_class(step.cell), key_sides));
            let first_list = *known
                .entry((step.sides, &step.orientations, alone))
                .or_insert_with(|| plan.push_lists(&mut index, problem, step, keyed));
            let rules = problem.tables().cell_domain(step.cell);
            let are_tested = candidates == Candidates::All;
            let mut required = Vec::from_iter(are_tested.then_some(rules));
            required.extend(problem.within.as_ref().map(|within| &within[step.cell]));
            let mut key = [Digit::default(); MOST_KEYED];
            let mut worth = 1;
            for (digit, n) in key.iter_mut().zip(keyed) {
                *digit = Digit { step: n.step, side: n.its_side, worth };
                worth *= width;
            }
            plan.levels.push(Level { first_list, key, tested, required });
        }
        plan.index = index;
        ControlFlow::Continue(plan)
    }

    /// Builds the lists of a step, one per key, and returns the index of the first.
    fn push_lists(
        &self,
        index: &mut CandidateIndex<Candidate>,
        problem: &Problem,
        step: &FillStep,
        keyed: &[Neighbour],
    ) -> usize {
        let tables = problem.tables();
        let mut candidates = Vec::new();
        for (tile, _) in (0..).zip(&problem.puzzle.tiles).filter(|(_, t)| t.sides() == step.sides) {
            let all = step.orientations.iter().filter_map(|&orientation| {
                let value = problem.kinds.value_of(tile, orientation)?;
                Some(Candidate { tile: tile as u32, value: value as u32, orientation })
            });
            candidates.extend(all);
        }
        if self.candidates == Candidates::Fitting {
            candidates.retain(|c| tables.cell_domain(step.cell).contains(c.value as usize));
            // Orientations that look the same are one candidate.
            candidates.sort_by_key(|c| (c.tile, c.value));
            candidates.dedup_by_key(|c| (c.tile, c.value));
        }
        index.push_by_key(&candidates, self.width.pow(keyed.len() as u32), |candidate| {
            let wanted = keyed.iter().map(|n| tables.mate(self.label(candidate, n.side)));
            wanted.rev().fold(0, |key, label| key * self.width + label.index())
        })
    }

    /// The label that a candidate shows on a side.
    fn label(&self, candidate: &Candidate, side: usize) -> Label {
        self.labels[candidate.value as usize * self.sides + side]
    }
}

struct Search<'a, 'o> {
    tables: &'a Tables,
    plan: Plan<'a>,
    /// The number of unplaced copies of each tile.
    left: Vec<usize>,
    /// The untried candidates of each level; none at the level of a full board.
    untried: Vec<Range<u32>>,
    /// The number of candidates placed.
    depth: usize,
    /// The placed candidate of each level below `depth`; later entries are stale.
    placed: Vec<Candidate>,
    until_poll: usize,
    observer: Option<&'a mut (dyn Observer + 'o)>,
    host: &'a mut dyn Host,
    work: &'a mut Work,
}

impl Search<'_, '_> {
    /// Searches the whole tree. Breaks if the host or the observer stops the run.
    fn run(&mut self) -> Flow {
        self.enter()?;
        loop {
            if self.place_next()? {
                self.enter()?;
            } else if self.depth == 0 {
                return ControlFlow::Continue(());
            } else {
                self.take_back()?;
            }
        }
    }

    /// Enters the level of the next cell to fill, or reports an arrangement if there is none.
    /// Breaks if the host does.
    #[inline(always)]
    fn enter(&mut self) -> Flow {
        if let Some(calls) = self.work.calls_per_level.get_mut(self.depth) {
            *calls += 1;
        }
        let Some(level) = self.plan.levels.get(self.depth) else {
            let placed = self.placed.iter().map(|candidate| candidate.placed());
            return self.host.found(&in_cell_order(self.plan.steps, placed), self.work);
        };
        let digit =
            |Digit { step, side, worth }| self.plan.label(&self.placed[step], side).index() * worth;
        let key: usize = level.key.map(digit).iter().sum();
        self.untried[self.depth] = self.plan.index.range(level.first_list + key);
        ControlFlow::Continue(())
    }

    /// Places the next candidate of the current level that fits; returns false if there is none.
    /// Breaks if the host or the observer stops the run.
    fn place_next(&mut self) -> Flow<bool> {
        let depth = self.depth;
        let mut untried = self.untried[depth].clone();
        while let Some(next) = untried.next() {
            self.until_poll -= 1;
            if self.until_poll == 0 {
                self.poll()?;
            }
            let candidate = self.plan.index.items[next as usize];
            if self.left[candidate.tile as usize] == 0 {
                continue;
            }
            if self.plan.candidates == Candidates::All {
                self.work.tries += 1;
            }
            if self.fits(&self.plan.levels[depth], &candidate) {
                self.untried[depth] = untried;
                self.place(candidate)?;
                return ControlFlow::Continue(true);
            }
        }
        ControlFlow::Continue(false)
    }

    /// Returns true if a candidate passes the tests of a level that its lists do not ensure.
    fn fits(&self, level: &Level<'_>, candidate: &Candidate) -> bool {
        let matches =
            |n: &Neighbour| self.tables.fit(self.shown_by(n), self.plan.label(candidate, n.side));
        level.tested.iter().all(matches)
            && level.required.iter().all(|values| values.contains(candidate.value as usize))
    }

    /// The label that a placed neighbour shows towards the cell to be filled.
    fn shown_by(&self, neighbour: &Neighbour) -> Label {
        self.plan.label(&self.placed[neighbour.step], neighbour.its_side)
    }

    /// Places a candidate in the next cell and counts a node. Breaks if the observer does.
    fn place(&mut self, candidate: Candidate) -> Flow {
        if let Some(observer) = &mut self.observer {
            observer.decided(&Decision {
                cell: self.plan.steps[self.depth].cell,
                placed: candidate.placed(),
                tries: Some(self.work.tries),
                left: None,
            })?;
        }
        self.work.nodes += 1;
        self.left[candidate.tile as usize] -= 1;
        self.placed[self.depth] = candidate;
        self.depth += 1;
        ControlFlow::Continue(())
    }

    /// Removes the candidate placed last, after reporting its subtree to the observer as done.
    /// Breaks if the observer does.
    fn take_back(&mut self) -> Flow {
        if let Some(observer) = &mut self.observer {
            let path = self.plan.steps.iter().zip(&self.placed[..self.depth]);
            let mut path = path.map(|(step, c)| (step.cell, c.value as usize));
            observer.done(&mut path)?;
        }
        self.depth -= 1;
        self.left[self.placed[self.depth].tile as usize] += 1;
        ControlFlow::Continue(())
    }

    /// Reports the current path to the host and polls it. Breaks if the host stops the run.
    #[cold]
    fn poll(&mut self) -> Flow {
        self.until_poll = CANDIDATES_PER_POLL;
        let (steps, placed) = (self.plan.steps, &self.placed[..self.depth]);
        self.host.report_path(&|| Decided::in_steps(steps, placed.iter().map(|c| c.placed())));
        self.host.poll(self.work)
    }
}
