//! The depth-first search: decide, propagate, and undo after a conflict or a finished subtree.
//!
//! It is independent of threads and limits; callers count decisions and stop it.

use std::ops::ControlFlow;

use super::observer::NodeDomains;
use super::{MANY_PLACEMENTS, Split};
use crate::domains::Uses;
use crate::domains::symmetry::SymmetryBranch;
use crate::domains::tree::{Conflict, DomainStore, Propagation, Scores, Stride, Tree};
use crate::domains::words::{Words, bits, count, take_first};
use crate::problem::Problem;
use crate::runtime::limits::Flow;
use crate::runtime::scheduler::{Branch, SearchProgress};

/// Some branches of a node with their subtrees: the unit of work that threads exchange. The path
/// suffices to rebuild the domains of the node.
#[derive(Debug, Clone, Default)]
pub(super) struct Job {
    /// The placements (cell, value) that lead to the node.
    pub path: Vec<(usize, usize)>,
    /// The branches, which are placements, too.
    pub branches: Vec<(usize, usize)>,
    /// The share of the whole search in each branch.
    pub weight: f64,
}

impl Job {
    /// The share of the whole search in all branches, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.weight * self.branches.len() as f64
    }
}

/// The next step of the search, see [`DepthFirst::advance`].
pub(super) enum NextStep {
    /// Take this branch (cell, value) of the deepest level.
    Branch(usize, usize),
    /// Go up: the deepest level had no branches left and was removed.
    Up,
    /// Stop: there is no level left.
    End,
}

/// A decision level: the cell on which a node branches, and its values.
pub(super) struct DecisionLevel<const W: usize> {
    /// The cell.
    pub cell: usize,
    /// The value of the current branch.
    pub value: usize,
    /// The number of decisions made before the current branch.
    pub first_decision: u64,
    /// The values that are neither tried nor given away.
    values: Words<W>,
    /// The number of values that the cell had at this node.
    number: u32,
    /// The number of values given away to other threads.
    given: u32,
}

impl<const W: usize> DecisionLevel<W> {
    /// The number of values whose subtrees are finished, without the current one.
    fn finished(&self) -> u32 {
        (self.number - self.given - count(&self.values)).saturating_sub(1)
    }
}

/// The node of the current job, above all levels.
#[derive(Default)]
pub(super) struct Root {
    /// The job, without the branches that were given away.
    pub job: Job,
    /// The index of its current branch.
    pub branch: usize,
    /// The number of decisions made before the current branch.
    pub first_decision: u64,
}

/// The number of decisions between two polls: on large boards a single decision can take long.
fn decisions_per_poll(problem: &Problem) -> u64 {
    match problem.board.size() * problem.kinds.values.len() {
        ..=MANY_PLACEMENTS => 1 << 10,
        _ => 1,
    }
}

/// A depth-first search: the domains, the path of decisions and the counts needed for progress.
pub(super) struct DepthFirst<'a, const W: usize, T: Tree + DomainStore<W>> {
    /// The domains with their trail.
    pub state: T,
    /// The bounds on the uses of each kind, passed on to the observer.
    uses: &'a [Uses],
    /// Conflict scores of the cells, for branching.
    pub scores: Scores,
    /// The number of decisions after which conflicts no longer change the scores.
    pub learning: u64,
    /// The node of the current job.
    pub root: Root,
    /// The decision levels below the root, from the top.
    pub path: Vec<DecisionLevel<W>>,
    /// The number of decisions so far, including those in earlier parts.
    pub decisions: u64,
    /// The share of the whole search that was finished when this one began.
    before: f64,
    /// The number of decisions between two polls.
    decisions_per_poll: u64,
    /// The amount of propagation between two polls.
    stride: Stride,
    /// The number of cells of the board.
    pub cells: usize,
}

impl<'a, const W: usize, T: Tree + DomainStore<W>> DepthFirst<'a, W, T> {
    /// Creates a search of `part`, whose domains `state` must contain. `before` is the progress of
    /// earlier parts, to which decisions and share are added.
    pub fn new(
        split: Split,
        problem: &Problem,
        part: &'a SymmetryBranch,
        state: T,
        before: SearchProgress,
    ) -> Self {
        DepthFirst {
            state,
            uses: &part.domains.uses,
            scores: Scores::new(problem.board.size()),
            learning: before.steps + split.learning,
            root: Root::default(),
            path: Vec::new(),
            decisions: before.steps,
            before: before.share,
            decisions_per_poll: decisions_per_poll(problem),
            stride: Stride::new(problem),
            cells: problem.board.size(),
        }
    }

    /// Decides a value of a cell and propagates; the caller starts the level. Returns false if
    /// there is a conflict. Calls `poll` from time to time, and breaks if it does.
    #[inline(always)]
    pub fn decide(
        &mut self,
        (cell, value): (usize, usize),
        mut poll: impl FnMut(&Self) -> Flow,
    ) -> Flow<bool> {
        self.decisions += 1;
        if self.decisions.is_multiple_of(self.decisions_per_poll) {
            poll(self)?;
        }
        match self.state.decide(cell, value) {
            Ok(()) => self.propagate(poll),
            Err(conflict) => self.record_conflict(conflict),
        }
    }

    /// Propagates to the fixpoint. Returns false if there is a conflict. Calls `poll` from time to
    /// time, and breaks if it does.
    #[inline(always)]
    pub fn propagate(&mut self, mut poll: impl FnMut(&Self) -> Flow) -> Flow<bool> {
        loop {
            match self.state.propagate(self.stride.cells) {
                Ok(Propagation::Fixpoint) => return ControlFlow::Continue(true),
                Ok(Propagation::Unfinished) => poll(self)?,
                Err(conflict) => return self.record_conflict(conflict),
            }
        }
    }

    /// Counts the conflict for branching if it is early enough; always returns false.
    fn record_conflict(&mut self, conflict: Conflict) -> Flow<bool> {
        if let Conflict::Cell(cell) = conflict
            && self.decisions <= self.learning
        {
            self.scores.record_failure(cell);
        }
        ControlFlow::Continue(false)
    }

    /// Returns true if every cell is filled.
    #[inline(always)]
    pub fn is_leaf(&self) -> bool {
        self.state.unfilled() == 0
    }

    /// The domains of the current node.
    pub fn node_domains(&self) -> NodeDomains<'_> {
        NodeDomains { state: &self.state, uses: self.uses }
    }

    /// The branches of the top node of a part: the placements of the tile that breaks the symmetry,
    /// if there is one, otherwise the values of a cell. `None` if the node is a leaf.
    pub fn root_branches(&mut self, part: &SymmetryBranch) -> Option<Vec<(usize, usize)>> {
        // If every cell is filled, the tile that must be used may be missing. So its placements are
        // tried even then.
        part.first.clone().or_else(|| self.node_branches())
    }

    /// The branches of the current node: the values of the cell to branch on. `None` at a leaf.
    pub fn node_branches(&mut self) -> Option<Vec<(usize, usize)>> {
        if self.is_leaf() {
            return None;
        }
        let cell = self.state.choose_cell(&self.scores);
        Some(bits(&self.state.domain(cell)).map(|value| (cell, value)).collect())
    }

    /// Adds a decision level with the branches of the current node, which must not be a leaf. None
    /// of them is taken yet.
    pub fn push_level(&mut self) {
        let cell = self.state.choose_cell(&self.scores);
        let values = self.state.domain(cell);
        self.path.push(DecisionLevel {
            cell,
            value: 0,
            first_decision: 0,
            values,
            number: count(&values),
            given: 0,
        });
        self.state.mark();
    }

    /// Undoes the current branch of the deepest level and chooses the next one. A level without
    /// further branches is removed.
    #[inline(always)]
    pub fn advance(&mut self) -> NextStep {
        let Some(level) = self.path.last_mut() else {
            return NextStep::End;
        };
        self.state.undo();
        let Some(value) = take_first(&mut level.values) else {
            self.path.pop();
            return NextStep::Up;
        };
        self.state.mark();
        (level.value, level.first_decision) = (value, self.decisions);
        NextStep::Branch(level.cell, value)
    }

    /// The current branch (cell, value) of each level, from the root down.
    pub fn current_branches(&self) -> impl Iterator<Item = (usize, usize)> {
        let below = self.path.iter().map(|level| (level.cell, level.value));
        std::iter::once(self.root.job.branches[self.root.branch]).chain(below)
    }

    /// The current branch of each level, from the root down, with the number of branches of its
    /// node.
    #[cold]
    pub fn branches(&self) -> Vec<Branch> {
        let root = self.root.job.branches.len();
        let below = self.path.iter().map(|level| level.number as usize);
        let numbers = std::iter::once(root).chain(below);
        self.current_branches()
            .zip(numbers)
            .map(|((cell, value), of)| Branch { cell, value, of })
            .collect()
    }

    /// The number of decisions made before the current branch of the level at `depth`; the root has
    /// depth 0.
    pub fn first_decision(&self, depth: usize) -> u64 {
        match depth {
            0 => self.root.first_decision,
            _ => self.path[depth - 1].first_decision,
        }
    }

    /// The progress of the search. Work that was given away does not count as done, and the share
    /// is less than 1.
    #[cold]
    pub fn progress(&self) -> SearchProgress {
        let mut weight = self.root.job.weight;
        let mut share = self.before + weight * self.root.branch as f64;
        for level in &self.path {
            weight /= f64::from(level.number);
            share += weight * f64::from(level.finished());
        }
        let share = share.min(SearchProgress::MOST_SHARE);
        let filled = self.cells - self.state.unfilled();
        SearchProgress { filled, ..SearchProgress::new(self.decisions, share) }
    }

    /// Removes the branches at `depth` that are not yet tried and returns them as a job; `None` if
    /// there are none. The root has depth 0.
    pub fn split_off(&mut self, depth: usize) -> Option<Job> {
        let Root { job, branch, .. } = &mut self.root;
        if depth == 0 {
            let behind = job.branches.len().min(*branch + 1);
            let branches = job.branches.split_off(behind);
            return (!branches.is_empty()).then(|| Job {
                path: job.path.clone(),
                branches,
                weight: job.weight,
            });
        }
        let (above, rest) = self.path.split_at_mut(depth - 1);
        let level = &mut rest[0];
        let number = count(&level.values);
        if number == 0 {
            return None;
        }
        level.given += number;
        let values = std::mem::replace(&mut level.values, [0; W]);
        let placed = above.iter().map(|level| (level.cell, level.value));
        let path = job.path.iter().copied().chain([job.branches[*branch]]);
        let above = above.iter().map(|level| f64::from(level.number));
        Some(Job {
            path: path.chain(placed).collect(),
            branches: bits(&values).map(|value| (level.cell, value)).collect(),
            weight: job.weight / above.product::<f64>() / f64::from(level.number),
        })
    }
}
