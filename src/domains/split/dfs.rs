//! The depth-first search: decide, propagate, and on a conflict or when a subtree is done, undo.
//!
//! It knows neither threads nor limits; those who call it count decisions and stop it.

use super::Split;
use super::leaves::Leaf;
use crate::domains::Uses;
use crate::domains::symmetry::SymmetryBranch;
use crate::domains::tree::{Conflict, DomainStore, Propagation, Scores, Stride, Tree};
use crate::domains::words::{Words, bits, count, take_first};
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::scheduler::{Branch, Progress};

/// Some branches of a node, and everything below them: what threads exchange. The path suffices to
/// rebuild the domains of the node.
#[derive(Debug, Clone, Default)]
pub(super) struct Job {
    /// The placements (cell, value) that lead to the node.
    pub path: Vec<(usize, usize)>,
    /// The branches: placements too.
    pub branches: Vec<(usize, usize)>,
    /// The share of the tree that each of them has.
    pub weight: f64,
}

impl Job {
    /// The share of the tree that all of them have.
    pub fn share(&self) -> f64 {
        self.weight * self.branches.len() as f64
    }
}

/// What a decision led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Node {
    /// Something may fit.
    Open,
    /// Nothing fits.
    Conflict,
    /// Whoever was asked said stop.
    Aborted,
}

/// The next step of the search.
pub(super) enum Next {
    /// To this branch (cell, value) of the deepest level.
    Branch(usize, usize),
    /// Up: the deepest level had no branches left.
    Up,
    /// Nowhere: there is no level left.
    End,
}

/// A decision level: the variable of a node, and its values.
pub(super) struct Level<const W: usize> {
    /// The variable.
    pub cell: usize,
    /// The value that is decided at present, and the number of decisions when that was made.
    pub value: usize,
    pub began: u64,
    /// The values that are still to be tried.
    values: Words<W>,
    /// Number of values of the node.
    number: u32,
    /// Number of values that other threads took over.
    given: u32,
}

impl<const W: usize> Level<W> {
    /// The number of values whose subtrees are searched.
    fn done(&self) -> u32 {
        (self.number - self.given - count(&self.values)).saturating_sub(1)
    }
}

/// The node of the job in hand, above all levels.
#[derive(Default)]
pub(super) struct Root {
    /// The job; branches that were given away have left it.
    pub job: Job,
    /// Which of its branches is taken, and the decisions when that began.
    pub branch: usize,
    pub began: u64,
}

/// How often a search asks whether to go on.
#[derive(Clone, Copy)]
struct Pace {
    /// Decisions between two questions.
    decisions: u64,
    /// Consequences between two questions.
    stride: Stride,
}

impl Pace {
    /// On large boards one decision may take long.
    fn new(problem: &Problem) -> Pace {
        const MANY_PLACEMENTS: usize = 100_000;
        Pace {
            decisions: match problem.board.size() * problem.kinds.values.len() {
                ..=MANY_PLACEMENTS => 1 << 10,
                _ => 1,
            },
            stride: Stride::new(problem),
        }
    }
}

pub(super) struct DepthFirst<'a, const W: usize, T: Tree + DomainStore<W>> {
    /// The domains with their trail.
    pub state: T,
    /// How often each kind must and may be used; passed on to the leaves.
    uses: &'a [Uses],
    /// A node with at most this many placements in open cells is a leaf.
    leaf: usize,
    /// Conflict scores of the cells, for branching.
    pub scores: Scores,
    /// The number of decisions after which scores no longer change.
    pub learning: u64,
    /// The node of the job.
    pub root: Root,
    /// The decision levels below the root, from the top.
    pub path: Vec<Level<W>>,
    /// The number of decisions so far, in parts that were searched before as well.
    pub decisions: u64,
    /// The share of the tree that was done before.
    before: f64,
    /// How often to ask whether to go on.
    pace: Pace,
    /// Polled by what is done at a leaf.
    token: &'a CancelToken<'a>,
    /// Number of cells of the board.
    pub cells: usize,
}

impl<'a, const W: usize, T: Tree + DomainStore<W>> DepthFirst<'a, W, T> {
    pub fn new(
        split: Split,
        problem: &Problem,
        part: &'a SymmetryBranch,
        state: T,
        before: Progress,
        token: &'a CancelToken<'a>,
    ) -> Self {
        DepthFirst {
            state,
            uses: &part.domains.uses,
            leaf: split.leaf,
            scores: Scores::new(problem.board.size()),
            learning: before.steps + split.learning,
            root: Root::default(),
            path: Vec::new(),
            decisions: before.steps,
            before: before.share,
            pace: Pace::new(problem),
            token,
            cells: problem.board.size(),
        }
    }

    /// Lays a value in a cell and follows the consequences. Asks `go_on` now and then.
    #[inline(always)]
    pub fn decide(
        &mut self,
        (cell, value): (usize, usize),
        mut go_on: impl FnMut(&Self) -> Flow,
    ) -> Node {
        self.decisions += 1;
        if self.decisions.is_multiple_of(self.pace.decisions) && go_on(self).is_break() {
            return Node::Aborted;
        }
        match self.state.decide(cell, value) {
            Ok(()) => self.propagate(go_on),
            Err(conflict) => self.learn(conflict),
        }
    }

    /// Follows the consequences of all that has happened. Asks `go_on` now and then.
    #[inline(always)]
    pub fn propagate(&mut self, mut go_on: impl FnMut(&Self) -> Flow) -> Node {
        loop {
            match self.state.propagate(self.pace.stride.cells) {
                Ok(Propagation::Fixpoint) => return Node::Open,
                Ok(Propagation::Unfinished) if go_on(self).is_break() => return Node::Aborted,
                Ok(Propagation::Unfinished) => {}
                Err(conflict) => return self.learn(conflict),
            }
        }
    }

    fn learn(&mut self, conflict: Conflict) -> Node {
        if let Conflict::Cell(cell) = conflict
            && self.decisions <= self.learning
        {
            self.scores.fail(cell);
        }
        Node::Conflict
    }

    #[inline(always)]
    pub fn is_leaf(&self) -> bool {
        self.state.unfilled() == 0 || self.leaf > 0 && self.state.placements() <= self.leaf
    }

    /// The present node as a leaf.
    pub fn as_leaf(&mut self) -> Leaf<'_> {
        Leaf {
            state: &mut self.state,
            uses: self.uses,
            stride: self.pace.stride,
            token: self.token,
        }
    }

    /// The branches of the top: the places of the tile that breaks the symmetry, if there is one.
    pub fn first_choices(&mut self, part: &SymmetryBranch) -> Option<Vec<(usize, usize)>> {
        // A leaf that is filled says nothing of a tile that must be used; its places do.
        let is_open_leaf = self.state.unfilled() > 0 && self.is_leaf();
        match &part.first {
            Some(places) if !is_open_leaf => Some(places.clone()),
            _ => self.choices(),
        }
    }

    /// The branches of the present node; `None` at a leaf.
    pub fn choices(&mut self) -> Option<Vec<(usize, usize)>> {
        if self.is_leaf() {
            return None;
        }
        let cell = self.state.best(&self.scores);
        Some(bits(&self.state.domain(cell)).map(|value| (cell, value)).collect())
    }

    /// Adds a level with the branches of the present node.
    pub fn branch(&mut self) {
        let cell = self.state.best(&self.scores);
        let values = self.state.domain(cell);
        self.path.push(Level {
            cell,
            value: 0,
            began: 0,
            values,
            number: count(&values),
            given: 0,
        });
        self.state.mark();
    }

    /// Takes back the branch of the deepest level, and goes on to the next one.
    #[inline(always)]
    pub fn next(&mut self) -> Next {
        let Some(level) = self.path.last_mut() else {
            return Next::End;
        };
        self.state.undo();
        let Some(value) = take_first(&mut level.values) else {
            self.path.pop();
            return Next::Up;
        };
        self.state.mark();
        (level.value, level.began) = (value, self.decisions);
        Next::Branch(level.cell, value)
    }

    /// The branches that are taken, from the root's on.
    pub fn taken(&self) -> impl Iterator<Item = (usize, usize)> {
        let below = self.path.iter().map(|level| (level.cell, level.value));
        std::iter::once(self.root.job.branches[self.root.branch]).chain(below)
    }

    /// The same, with the number of branches of each node.
    #[cold]
    pub fn branches(&self) -> Vec<Branch> {
        let root = self.root.job.branches.len();
        let below = self.path.iter().map(|level| level.number as usize);
        let numbers = std::iter::once(root).chain(below);
        self.taken().zip(numbers).map(|((cell, value), of)| Branch { cell, value, of }).collect()
    }

    /// The decisions when the present branch of a level began; the root is at depth 0.
    pub fn began(&self, depth: usize) -> u64 {
        match depth {
            0 => self.root.began,
            _ => self.path[depth - 1].began,
        }
    }

    /// How far the search is: what was given away counts as not done.
    #[cold]
    pub fn progress(&self) -> Progress {
        let mut weight = self.root.job.weight;
        let mut share = self.before + weight * self.root.branch as f64;
        for level in &self.path {
            weight /= f64::from(level.number);
            share += weight * f64::from(level.done());
        }
        let share = share.min(Progress::MOST_SHARE);
        Progress { steps: self.decisions, share, filled: self.cells - self.state.unfilled() }
    }

    /// The branches that a level still has, if any: it has none afterwards. The root is at depth 0.
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
