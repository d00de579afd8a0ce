//! Cube and conquer: splits the search tree into leaves (cubes) that are the same on every machine.
//!
//! ```text
//!             root            one for each symmetry branch
//!           ╱   │   ╲
//!         ·     ·    ✗        one branch per value of a cell; ✗ conflict
//!        ╱ ╲   ╱│╲
//!       1   2 3 4 5           leaves: the largest is split until there are enough
//! ```
//!
//! Leaves are disjoint as sets of values per cell, and together they contain an image of every
//! solution. The result does not depend on time, threads or addresses, so independent programs
//! compute the same leaves.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use hmac_sha256::Hash;
use itertools::Itertools;

use super::Domains;
use super::bit_tables::BitTables;
use super::labels::{LabelSet, LabelSetTask};
use super::reduce::reduce_under;
use super::sizes::dispatch_among_few;
use super::state::{Consistency, State};
use super::symmetry::{Rarest, SymmetryBranch, break_symmetry_at, reduced_branches};
use super::tree::{Conflict, DomainStore, Stride, Tree};
use super::words::{bits, count};
use crate::problem::Problem;
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};

/// The roots of a frontier, and the rule by which cells are split.
#[derive(Debug, Clone)]
pub struct Roots {
    /// Domains that together contain an image of every solution.
    pub parts: Vec<SymmetryBranch>,
    /// The order of the cells: the first one that is not filled is split. `None` to split the cell
    /// with the fewest values.
    pub order: Option<Vec<usize>>,
}

impl Roots {
    /// Reduces the domains and breaks the symmetry, for searches that choose the next cell
    /// dynamically. There are no roots if the reduction proves that there is no solution. Breaks if
    /// the token is cancelled.
    pub fn new(problem: &Problem, token: &CancelToken<'_>) -> Flow<Roots> {
        let parts = reduced_branches(problem, Rarest::Mates, token)?;
        ControlFlow::Continue(Roots { parts, order: None })
    }

    /// Reduces the domains for searches with a static order of cells, and breaks the symmetry if
    /// the group fixes the first cell. There are no roots if the reduction proves that there is no
    /// solution. Breaks if the token is cancelled.
    pub fn in_order(problem: &Problem, order: Vec<usize>, token: &CancelToken<'_>) -> Flow<Roots> {
        let mut domains = Domains::first(problem);
        let parts = match reduce_under(token, problem, &mut domains)? {
            Ok(()) => vec![break_symmetry_at(problem, domains, order[0], token)?],
            Err(_) => Vec::new(),
        };
        ControlFlow::Continue(Roots { parts, order: Some(order) })
    }
}

/// The leaves of a search tree, in a fixed order.
#[derive(Debug, Clone)]
pub struct Frontier {
    roots: Vec<Root>,
    nodes: Vec<Node>,
    /// The node of each leaf, in depth-first order.
    leaves: Vec<usize>,
    /// The size of each leaf, as estimated by [`log_size`].
    sizes: Vec<u64>,
}

/// A root: the domains of a symmetry branch.
#[derive(Debug, Clone)]
struct Root {
    cells: Vec<ValueSet>,
    /// The node of the root; `None` if propagation finds a conflict. Such a root keeps its index.
    node: Option<usize>,
}

/// A node of the tree, identified by its root and the placements below it.
#[derive(Debug, Clone)]
struct Node {
    /// The index of the root.
    root: usize,
    /// The placements (cell, value) that lead from the root to the node.
    path: Vec<(usize, usize)>,
    content: NodeContent,
}

#[derive(Debug, Clone)]
enum NodeContent {
    /// For each child, its last placement (cell, value) and its node. Empty if every branch has a
    /// conflict.
    Children(Vec<((usize, usize), usize)>),
    /// The index of the leaf.
    Leaf(usize),
}

impl Frontier {
    /// Splits the largest nodes until there are at least `leaves` leaves, or no node can be split.
    /// Breaks if the token is cancelled.
    ///
    /// # Panics
    /// If [`Split::serves`](super::Split::serves) returns an error.
    pub fn grow(
        problem: &Problem,
        roots: &Roots,
        leaves: usize,
        token: &CancelToken<'_>,
    ) -> Flow<Frontier> {
        dispatch_among_few(problem, Growth { problem, roots, leaves, token })
    }

    /// The number of leaves.
    pub fn len(&self) -> usize {
        self.leaves.len()
    }

    /// Returns true if there are no leaves, which proves that there is no solution.
    pub fn is_empty(&self) -> bool {
        self.leaves.is_empty()
    }

    /// The leaves of part `part` (from 0) of `parts`, ascending. Leaves are dealt out by size, in
    /// alternating direction, so that each part gets leaves of every size.
    pub fn share(&self, part: usize, parts: usize) -> Vec<usize> {
        let leaves = (0..self.len()).sorted_by_key(|&leaf| Reverse(self.sizes[leaf])).collect_vec();
        let rounds = leaves.chunks(parts).enumerate();
        let share = rounds.filter_map(|(round, dealt)| {
            let place = match round % 2 {
                0 => part,
                _ => parts - 1 - part,
            };
            dealt.get(place).copied()
        });
        share.sorted_unstable().collect()
    }

    /// The domains of a leaf after propagation; `None` if they contain no solution. Breaks if the
    /// token is cancelled.
    pub fn cells(
        &self,
        problem: &Problem,
        leaf: usize,
        token: &CancelToken<'_>,
    ) -> Flow<Option<Vec<ValueSet>>> {
        let node = &self.nodes[self.leaves[leaf]];
        let mut domains = Domains::first(problem);
        let values = problem.kinds.values.len();
        for (cell, root) in domains.cells.iter_mut().zip(&self.roots[node.root].cells) {
            cell.keep(root);
        }
        for &(cell, value) in &node.path {
            domains.cells[cell].keep(&ValueSet::from_values(values, [value]));
        }
        let fits = reduce_under(token, problem, &mut domains)?.is_ok();
        ControlFlow::Continue(fits.then_some(domains.cells))
    }

    /// The first leaf that contains an assignment, given as the value of each cell; `None` if no
    /// leaf contains it.
    pub fn leaf_of(&self, values: &[usize]) -> Option<usize> {
        let mut roots = self.roots.iter().filter(|root| {
            let mut cells = root.cells.iter().zip(values);
            cells.all(|(cell, &value)| cell.contains(value))
        });
        roots.find_map(|root| self.leaf_below(root.node?, values))
    }

    /// The first leaf below `node` whose path agrees with these values; `None` if there is none.
    fn leaf_below(&self, node: usize, values: &[usize]) -> Option<usize> {
        match &self.nodes[node].content {
            NodeContent::Leaf(leaf) => Some(*leaf),
            NodeContent::Children(children) => {
                let holds = |&((cell, value), _): &((usize, usize), usize)| values[cell] == value;
                let child = children.iter().copied().find(holds);
                child.and_then(|(_, child)| self.leaf_below(child, values))
            }
        }
    }

    /// The SHA-256 of the leaves and their sizes, in hexadecimal. If it is equal, so are the leaves
    /// and their distribution over parts.
    pub fn sha256(&self) -> String {
        let mut hash = Hash::new();
        let mut enter = |number: u64| hash.update(number.to_le_bytes());
        for (&node, &size) in self.leaves.iter().zip(&self.sizes) {
            let Node { root, path, .. } = &self.nodes[node];
            for number in [*root as u64, size, path.len() as u64] {
                enter(number);
            }
            for &(cell, value) in path {
                enter(cell as u64);
                enter(value as u64);
            }
        }
        hash.finalize().iter().map(|byte: &u8| format!("{byte:02x}")).collect()
    }
}

/// The task of growing a frontier.
struct Growth<'a> {
    problem: &'a Problem,
    roots: &'a Roots,
    leaves: usize,
    token: &'a CancelToken<'a>,
}

/// The size and index of a node that can be split. The largest node is split first; on ties the
/// oldest.
type OpenNode = (u64, Reverse<usize>);

impl LabelSetTask for Growth<'_> {
    type Result = Flow<Frontier>;

    fn run<const W: usize, M: LabelSet, const S: usize>(self) -> Self::Result {
        let bit_tables = BitTables::<W, M, S>::new(self.problem);
        let parts = &self.roots.parts;
        let mut states: Vec<State<'_, W, M, S>> = Vec::new();
        for part in parts {
            let fixpoint = Consistency::Fixpoint;
            states.push(State::new(&bit_tables, &part.domains, fixpoint, self.token)?);
        }
        let mut grown = FrontierBuilder {
            states,
            stride: Stride::new(self.problem),
            token: self.token,
            order: self.roots.order.as_deref(),
            first_placements: parts.iter().map(|part| part.first.as_deref()).collect(),
            nodes: Vec::new(),
            sizes: Vec::new(),
            open: BinaryHeap::new(),
            filled_leaves: 0,
        };
        let mut roots = Vec::new();
        for (root, part) in parts.iter().enumerate() {
            let fits = grown.decide_and_propagate(root, &[])?.is_ok();
            let node = fits.then(|| grown.add_node(root, Vec::new()));
            roots.push(Root { cells: part.domains.cells.clone(), node });
        }
        while grown.open.len() + grown.filled_leaves < self.leaves {
            let Some((_, Reverse(node))) = grown.open.pop() else {
                break;
            };
            grown.split_leaf(node)?;
        }
        ControlFlow::Continue(grown.finish(roots))
    }
}

/// A frontier under construction.
struct FrontierBuilder<'a, const W: usize, M, const S: usize> {
    /// The domains of each root.
    states: Vec<State<'a, W, M, S>>,
    stride: Stride,
    token: &'a CancelToken<'a>,
    order: Option<&'a [usize]>,
    /// For each root, placements of which each solution below it has exactly one; `None` if a cell
    /// breaks the symmetry.
    first_placements: Vec<Option<&'a [(usize, usize)]>>,
    nodes: Vec<Node>,
    sizes: Vec<u64>,
    /// The leaves that can be split.
    open: BinaryHeap<OpenNode>,
    /// The number of leaves that cannot be split, because every cell is filled.
    filled_leaves: usize,
}

impl<const W: usize, M: LabelSet, const S: usize> FrontierBuilder<'_, W, M, S> {
    /// Adds the node of the current state as a leaf and returns its index. `path` has the
    /// placements that lead from the root to it.
    fn add_node(&mut self, root: usize, path: Vec<(usize, usize)>) -> usize {
        let state = &self.states[root];
        let node = self.nodes.len();
        let size = log_size(state);
        match state.unfilled() {
            0 => self.filled_leaves += 1,
            _ => self.open.push((size, Reverse(node))),
        }
        self.sizes.push(size);
        self.nodes.push(Node { root, path, content: NodeContent::Leaf(0) });
        node
    }

    /// Replaces a leaf by its children: one leaf for each branch without a conflict. Breaks if the
    /// token is cancelled.
    fn split_leaf(&mut self, node: usize) -> Flow {
        let Node { root, path, .. } = self.nodes[node].clone();
        self.states[root].mark();
        let mut children = Vec::new();
        if self.decide_and_propagate(root, &path)?.is_ok() {
            for branch in self.branches(root, &path) {
                self.states[root].mark();
                if self.decide_and_propagate(root, &[branch])?.is_ok() {
                    let mut path = path.clone();
                    path.push(branch);
                    children.push((branch, self.add_node(root, path)));
                }
                self.states[root].undo();
            }
        }
        self.states[root].undo();
        self.nodes[node].content = NodeContent::Children(children);
        ControlFlow::Continue(())
    }

    /// Makes these placements (cell, value) and propagates to the fixpoint. Continues with the
    /// conflict as an error if there is one; breaks if the token is cancelled. Does not undo
    /// anything.
    fn decide_and_propagate(
        &mut self,
        root: usize,
        path: &[(usize, usize)],
    ) -> Flow<Result<(), Conflict>> {
        let state = &mut self.states[root];
        // Computing the size of a node visits all cells.
        self.token.work(W * state.unfilled() + path.len())?;
        for &(cell, value) in path {
            if let Err(conflict) = state.decide(cell, value) {
                return ControlFlow::Continue(Err(conflict));
            }
        }
        state.propagate_all(self.stride, self.token)
    }

    /// The placements by which a node is split; each solution below it has exactly one of them. At
    /// a root these are the placements of the tile that breaks the symmetry, if there is one,
    /// otherwise the values of a cell.
    fn branches(&self, root: usize, path: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let state = &self.states[root];
        // A leaf stores only the domains of its cells, not which tiles must be used. So the tile
        // that breaks the symmetry is placed first: each leaf then contains it.
        if let (Some(first), true, None) =
            (self.first_placements[root], path.is_empty(), self.order)
        {
            return first.to_vec();
        }
        let open = state.open_cells();
        let cell = match self.order {
            Some(order) => order.iter().copied().find(|&cell| state.is_open(cell)),
            None => open.min_by_key(|cell: &usize| (count(&state.domain(*cell)), *cell)),
        };
        let values = cell.map(|cell| bits(&state.domain(cell)).map(move |value| (cell, value)));
        values.into_iter().flatten().collect()
    }

    /// Numbers the leaves in depth-first order.
    fn finish(mut self, roots: Vec<Root>) -> Frontier {
        let mut leaves = Vec::new();
        let mut stack: Vec<usize> = roots.iter().rev().filter_map(|root| root.node).collect();
        while let Some(node) = stack.pop() {
            match &mut self.nodes[node].content {
                NodeContent::Children(children) => {
                    stack.extend(children.iter().rev().map(|(_, child)| *child));
                }
                NodeContent::Leaf(number) => {
                    *number = leaves.len();
                    leaves.push(node);
                }
            }
        }
        Frontier {
            sizes: leaves.iter().map(|&node| self.sizes[node]).collect(),
            roots,
            nodes: self.nodes,
            leaves,
        }
    }
}

/// The logarithm of the number of assignments left: the sum over open cells of 8·log₂ of the domain
/// size, each rounded down to an integer, so that it is the same on every machine.
fn log_size<const W: usize, M: LabelSet, const S: usize>(state: &State<'_, W, M, S>) -> u64 {
    let cells = state.open_cells();
    // A domain has at most 2^14 values, so the eighth power fits into 128 bits.
    let of_cell = |cell| u128::from(count(&state.domain(cell)).max(1)).pow(8).ilog2();
    cells.map(|cell| u64::from(of_cell(cell))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::samples;

    fn frontier(problem: &Problem, leaves: usize) -> Frontier {
        let token = &CancelToken::never();
        let roots = Roots::new(problem, token).continue_value().unwrap();
        Frontier::grow(problem, &roots, leaves, token).continue_value().unwrap()
    }

    fn problem() -> Problem {
        samples::problem(Board::grid(3, 3), samples::KNIFFLIG)
    }

    #[test]
    fn leaves_are_reproducible_and_each_is_in_one_part() {
        let problem = problem();
        let one = frontier(&problem, 50);
        let other = frontier(&problem, 50);
        assert_eq!(one.sha256(), other.sha256());
        assert_ne!(one.sha256(), frontier(&problem, 60).sha256());
        assert!(one.len() >= 50);
        for parts in [1, 3, 7, 200] {
            let mut dealt: Vec<usize> = (0..parts).flat_map(|p| one.share(p, parts)).collect();
            dealt.sort_unstable();
            assert!(dealt.into_iter().eq(0..one.len()), "{parts}");
        }
    }

    #[test]
    fn an_assignment_is_in_only_one_leaf() {
        let problem = problem();
        let frontier = frontier(&problem, 50);
        for leaf in 0..frontier.len() {
            let token = &CancelToken::never();
            let cells = frontier.cells(&problem, leaf, token);
            let cells = cells.continue_value().flatten().unwrap();
            let least: Option<Vec<usize>> = cells.iter().map(|cell| cell.iter().next()).collect();
            let most: Option<Vec<usize>> = cells.iter().map(|cell| cell.iter().last()).collect();
            for values in [least.unwrap(), most.unwrap()] {
                assert_eq!(frontier.leaf_of(&values), Some(leaf));
            }
        }
    }
}
