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

use super::Domains;
use super::bit_tables::BitTables;
use super::labels::{LabelSet, LabelSetTask};
use super::reduce::reduce_under;
use super::sizes::dispatch_among_few;
use super::state::{Consistency, State};
use super::symmetry::{Rarest, SymmetryBranch, break_symmetry_at, break_symmetry_under};
use super::tree::{Conflict, DomainStore, Stride, Tree};
use super::words::{bits, count};
use crate::problem::Problem;
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};

/// The roots of a frontier, and the order in which cells are split.
#[derive(Debug, Clone)]
pub struct Roots {
    /// Domains that together contain an image of every solution.
    pub parts: Vec<SymmetryBranch>,
    /// The first open cell in this order is split; `None` for the cell with the fewest values.
    pub order: Option<Vec<usize>>,
}

impl Roots {
    /// Reduces the domains and breaks the symmetry, for searches with a dynamic choice of the cell.
    /// Breaks if the token is cancelled.
    pub fn new(problem: &Problem, token: &CancelToken<'_>) -> Flow<Roots> {
        let mut domains = Domains::first(problem);
        let parts = match reduce_under(token, problem, &mut domains)? {
            Ok(()) => break_symmetry_under(token, problem, domains, Rarest::Mates)?,
            Err(_) => Vec::new(),
        };
        ControlFlow::Continue(Roots { parts, order: None })
    }

    /// Reduces the domains for searches with a static order of cells, and breaks the symmetry if
    /// the first cell is fixed by the group. Breaks if the token is cancelled.
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
    /// The node of each leaf.
    leaves: Vec<usize>,
    /// An estimate of the size of each leaf from its domains.
    sizes: Vec<u64>,
}

#[derive(Debug, Clone)]
struct Root {
    cells: Vec<ValueSet>,
    /// The node of the root; `None` if propagation fails. Such a root keeps its index.
    node: Option<usize>,
}

#[derive(Debug, Clone)]
struct Node {
    /// The root, and the placements (cell, value) that lead from it to the node.
    root: usize,
    way: Vec<(usize, usize)>,
    content: NodeContent,
}

#[derive(Debug, Clone)]
enum NodeContent {
    /// The last placement of each child, and the child.
    Children(Vec<((usize, usize), usize)>),
    /// The index of the leaf.
    Leaf(usize),
}

impl Frontier {
    /// Splits nodes until there are at least `leaves` leaves, or no node can be split. Breaks if
    /// the token is cancelled.
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

    /// The leaves of part `part` (from 0) of `parts`. They are distributed by size in alternating
    /// direction, so that each part gets leaves of every size.
    pub fn share(&self, part: usize, parts: usize) -> Vec<usize> {
        let mut leaves: Vec<usize> = (0..self.len()).collect();
        leaves.sort_by_key(|&leaf| (Reverse(self.sizes[leaf]), leaf));
        let rounds = leaves.chunks(parts).enumerate();
        let mut share: Vec<usize> = rounds
            .filter_map(|(round, dealt)| {
                let place = match round % 2 {
                    0 => part,
                    _ => parts - 1 - part,
                };
                dealt.get(place).copied()
            })
            .collect();
        share.sort_unstable();
        share
    }

    /// The domains of a leaf after propagation; `None` if it fails. Breaks if the token is
    /// cancelled.
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
        for &(cell, value) in &node.way {
            domains.cells[cell].keep(&ValueSet::from_values(values, [value]));
        }
        let fits = reduce_under(token, problem, &mut domains)?.is_ok();
        ControlFlow::Continue(fits.then_some(domains.cells))
    }

    /// The first leaf that contains these values, one per cell.
    pub fn leaf_of(&self, values: &[usize]) -> Option<usize> {
        let mut roots = self.roots.iter().filter(|root| {
            let mut cells = root.cells.iter().zip(values);
            cells.all(|(cell, &value)| cell.contains(value))
        });
        roots.find_map(|root| self.leaf_below(root.node?, values))
    }

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

    /// The SHA-256 of the leaves and everything that determines their distribution, in hexadecimal.
    pub fn sha256(&self) -> String {
        let mut hash = Hash::new();
        let mut enter = |number: u64| hash.update(number.to_le_bytes());
        for (&node, &size) in self.leaves.iter().zip(&self.sizes) {
            let Node { root, way, .. } = &self.nodes[node];
            for number in [*root as u64, size, way.len() as u64] {
                enter(number);
            }
            for &(cell, value) in way {
                enter(cell as u64);
                enter(value as u64);
            }
        }
        hash.finalize().iter().map(|byte: &u8| format!("{byte:02x}")).collect()
    }
}

struct Growth<'a> {
    problem: &'a Problem,
    roots: &'a Roots,
    leaves: usize,
    token: &'a CancelToken<'a>,
}

/// A node that can be split, ordered by size, then by age.
type Open = (u64, Reverse<usize>);

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
            stride: Stride::new(self.problem),
            token: self.token,
            order: self.roots.order.as_deref(),
            firsts: parts.iter().map(|part| part.first.as_deref()).collect(),
            nodes: Vec::new(),
            sizes: Vec::new(),
            open: BinaryHeap::new(),
            done: 0,
        };
        let mut roots = Vec::new();
        for (index, (part, state)) in parts.iter().zip(&mut states).enumerate() {
            let fits = grown.follow(state, &[])?.is_ok();
            roots.push(Root {
                cells: part.domains.cells.clone(),
                node: fits.then(|| grown.enter(state, index, Vec::new())),
            });
        }
        while grown.leaves() < self.leaves {
            let Some((_, Reverse(node))) = grown.open.pop() else {
                break;
            };
            grown.split(&mut states, node)?;
        }
        ControlFlow::Continue(grown.finish(roots))
    }
}

/// A frontier under construction.
struct FrontierBuilder<'a> {
    stride: Stride,
    token: &'a CancelToken<'a>,
    order: Option<&'a [usize]>,
    /// For each root, placements of which each solution has exactly one.
    firsts: Vec<Option<&'a [(usize, usize)]>>,
    nodes: Vec<Node>,
    sizes: Vec<u64>,
    open: BinaryHeap<Open>,
    /// The number of leaves that cannot be split.
    done: usize,
}

impl FrontierBuilder<'_> {
    fn leaves(&self) -> usize {
        self.open.len() + self.done
    }

    /// Adds the node at the current state.
    fn enter<const W: usize, M: LabelSet, const S: usize>(
        &mut self,
        state: &State<'_, W, M, S>,
        root: usize,
        way: Vec<(usize, usize)>,
    ) -> usize {
        let node = self.nodes.len();
        let size = size(state);
        match state.unfilled() {
            0 => self.done += 1,
            _ => self.open.push((size, Reverse(node))),
        }
        self.sizes.push(size);
        self.nodes.push(Node { root, way, content: NodeContent::Leaf(0) });
        node
    }

    fn split<const W: usize, M: LabelSet, const S: usize>(
        &mut self,
        states: &mut [State<'_, W, M, S>],
        node: usize,
    ) -> Flow {
        let Node { root, way, .. } = self.nodes[node].clone();
        let state = &mut states[root];
        state.mark();
        let mut children = Vec::new();
        if self.follow(state, &way)?.is_ok() {
            for branch in self.branches(state, root, &way) {
                state.mark();
                if self.follow(state, &[branch])?.is_ok() {
                    let mut way = way.clone();
                    way.push(branch);
                    children.push((branch, self.enter(state, root, way)));
                }
                state.undo();
            }
        }
        state.undo();
        self.nodes[node].content = NodeContent::Children(children);
        ControlFlow::Continue(())
    }

    /// Makes these placements and propagates.
    fn follow<const W: usize, M: LabelSet, const S: usize>(
        &self,
        state: &mut State<'_, W, M, S>,
        way: &[(usize, usize)],
    ) -> Flow<Result<(), Conflict>> {
        // The size of each node depends on all cells.
        self.token.work(W * state.unfilled() + way.len())?;
        for &(cell, value) in way {
            if let Err(conflict) = state.decide(cell, value) {
                return ControlFlow::Continue(Err(conflict));
            }
        }
        state.propagate_all(self.stride, self.token)
    }

    /// Placements of which each solution below a node has exactly one.
    fn branches<const W: usize, M: LabelSet, const S: usize>(
        &self,
        state: &State<'_, W, M, S>,
        root: usize,
        way: &[(usize, usize)],
    ) -> Vec<(usize, usize)> {
        // A leaf is identified by its cells alone. Therefore, if a tile must be used, its placement
        // is the first decision.
        if let (Some(first), true, None) = (self.firsts[root], way.is_empty(), self.order) {
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

    /// Numbers the leaves in the order of the tree.
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

/// Eight times the binary logarithm of the product of the domain sizes of open cells, rounded down
/// cell by cell. Integers are the same on every machine.
fn size<const W: usize, M: LabelSet, const S: usize>(state: &State<'_, W, M, S>) -> u64 {
    let cells = state.open_cells();
    // There are at most 2^14 values, so the eighth power fits.
    let of_cell = |cell| u128::from(count(&state.domain(cell)).max(1)).pow(8).ilog2();
    cells.map(|cell| u64::from(of_cell(cell))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    fn frontier(problem: &Problem, leaves: usize) -> Frontier {
        let token = &CancelToken::never();
        let roots = Roots::new(problem, token).continue_value().unwrap();
        Frontier::grow(problem, &roots, leaves, token).continue_value().unwrap()
    }

    fn problem() -> Problem {
        load::from_str(include_str!("../../puzzles/absolut-knifflig.yaml")).unwrap()
    }

    #[test]
    fn leaves_are_the_same_each_time_and_are_dealt_once() {
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
    fn what_lies_in_a_leaf_lies_in_no_other() {
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
