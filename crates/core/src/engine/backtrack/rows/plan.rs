//! The read-only tables of a search: the candidates of each position by the labels that its
//! neighbours require.
//!
//! ```text
//!               upper             Rows are filled from behind to ahead, then downwards, for any
//!                 │               corner at which the order begins. `behind` and `upper` are the
//!      behind ─ cell ─ ahead      labels that filled neighbours require; `ahead` and `down` are
//!                 │               the labels that a candidate requires of later cells.
//!               down
//! ```
//!
//! They are built once for a cell order and a symmetry branch.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use super::cell_order::CellOrder;
use super::steps::{LabelBits, SweepValue};
use crate::domains::SymmetryBranch;
use crate::engine::backtrack::side_label::SideLabel;
use crate::problem::Problem;
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};
use crate::tables::CandidateIndex;

/// A candidate of a position: a value that matches the filled neighbours.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowCandidate {
    pub kind: u16,
    pub value: u16,
    /// The labels that it requires of the next cell in the row and of the cell below.
    pub ahead: SideLabel,
    pub down: SideLabel,
}

/// The offsets of a position's lists.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Position {
    /// The index of the candidate list for labels 0, 0.
    candidates: u32,
    /// The index of the step list for label 0.
    steps: u32,
    pub is_first_of_row: bool,
}

/// The number of candidates that are tested together; most lists fit into one block.
pub(super) const BLOCK: usize = 4;

/// The tables and the cell order of a search. `B` is the type of label sets in sweeps.
pub(super) struct RowPlan<B: LabelBits> {
    /// The list offsets of each depth.
    pub positions: Vec<Position>,
    /// The cell filled at each depth.
    pub cells: Vec<usize>,
    /// The number of cells per row.
    pub length: usize,
    /// The number of [`SideLabel`]s.
    stride: usize,
    /// The candidates by position and labels that the neighbours behind and above require.
    candidates: CandidateIndex<RowCandidate>,
    /// The sweep steps by position and label that the cell above requires.
    steps: CandidateIndex<B::Steps>,
    /// The maximum and minimum number of uses of each kind.
    pub most: Vec<u16>,
    pub least: Vec<u16>,
}

/// The key of lists: the domain, and whether there are neighbours behind and above.
type ListKey<'a> = (&'a ValueSet, bool, bool);

impl<B: LabelBits> RowPlan<B> {
    /// Builds the tables for a symmetry branch and a cell order. Breaks if the token stops the run.
    pub fn new(
        problem: &Problem,
        branch: &SymmetryBranch,
        order: &CellOrder,
        token: &CancelToken<'_>,
    ) -> Flow<Self> {
        let mut plan = RowPlan {
            positions: Vec::with_capacity(order.cells.len()),
            cells: order.cells.clone(),
            length: order.length,
            stride: SideLabel::number(problem.puzzle.labels.len()),
            candidates: CandidateIndex::default(),
            steps: CandidateIndex::default(),
            most: branch.domains.uses.iter().map(|u| u.most as u16).collect(),
            least: branch.domains.uses.iter().map(|u| u.least as u16).collect(),
        };
        let mut known: HashMap<ListKey<'_>, Position> = HashMap::new();
        for (index, &cell) in order.cells.iter().enumerate() {
            let is_first_of_row = index % order.length == 0;
            let has_upper = index >= order.length;
            let key = (&branch.domains.cells[cell], !is_first_of_row, has_upper);
            let position = match known.get(&key) {
                Some(&position) => position,
                None => {
                    // There is a list for each pair of labels, and each value is in two of them.
                    token.work(2 * plan.stride * plan.stride + 8 * key.0.len())?;
                    let position = plan.push_lists(problem, order, key);
                    known.insert(key, position);
                    position
                }
            };
            plan.positions.push(position);
            token.work(key.0.words().len())?;
        }
        // Pads the items so that a full block can be read after each candidate.
        let rest = plan.candidates.items.last().map(|&last| [last; BLOCK - 1]);
        plan.candidates.items.extend(rest.into_iter().flatten());
        ControlFlow::Continue(plan)
    }

    /// Builds the lists for a key and returns their offsets.
    fn push_lists(
        &mut self,
        problem: &Problem,
        order: &CellOrder,
        (domain, has_behind, has_upper): ListKey<'_>,
    ) -> Position {
        let shown =
            |value: usize, side: usize| SideLabel::from(problem.kinds.values[value].edges[side]);
        let needed = |value: usize, side: usize| {
            let edges = &problem.kinds.values[value].edges;
            SideLabel::from(problem.tables().mate(edges[side]))
        };
        let when = |is_there: bool, label: SideLabel| {
            if is_there { label } else { SideLabel::ANY }
        };
        let values = domain.iter().filter(|&l| self.most[problem.kinds.values[l].kind] > 0);
        let candidates: Vec<RowCandidate> = values
            .map(|value| RowCandidate {
                kind: problem.kinds.values[value].kind as u16,
                value: value as u16,
                ahead: needed(value, order.ahead),
                down: needed(value, order.down),
            })
            .collect();
        let behind =
            |c: &RowCandidate| when(has_behind, shown(c.value.into(), order.side_behind()));
        let upper = |c: &RowCandidate| when(has_upper, shown(c.value.into(), order.side_above()));
        let stride = self.stride;
        let first = self.candidates.push_by_key(&candidates, stride * stride, |candidate| {
            behind(candidate).index() * stride + upper(candidate).index()
        });
        let position = Position {
            candidates: first as u32,
            steps: self.steps.len() as u32,
            is_first_of_row: !has_behind,
        };
        let mut by_upper = CandidateIndex::default();
        by_upper.push_by_key(&candidates, stride, |candidate| upper(candidate).index());
        for list in 0..stride {
            let steps = by_upper.list(list).iter().map(|candidate| SweepValue {
                kind: candidate.kind,
                sides: [shown(candidate.value.into(), order.side_behind()), candidate.ahead],
            });
            self.steps.push(B::steps(&steps.collect::<Vec<_>>()));
        }
        position
    }

    /// The index range of the candidates of a position that match the labels required by its
    /// neighbours behind and above.
    #[inline(always)]
    pub fn list(&self, position: Position, behind: SideLabel, upper: SideLabel) -> Range<u32> {
        let first = position.candidates as usize;
        self.candidates.range(first + behind.index() * self.stride + upper.index())
    }

    /// The candidates of a list, given as a range of indices.
    pub fn candidates(&self, list: Range<u32>) -> &[RowCandidate] {
        self.candidates.slice(list)
    }

    /// The candidate with this index.
    #[inline(always)]
    pub fn candidate(&self, index: u32) -> &RowCandidate {
        &self.candidates.items[index as usize]
    }

    /// The block that begins with the candidate at an index, the rest of which may belong to other
    /// lists; `None` at the end of all candidates.
    #[inline(always)]
    pub fn block(&self, first: u32) -> Option<&[RowCandidate; BLOCK]> {
        let first = first as usize;
        self.candidates.items.get(first..first + BLOCK)?.try_into().ok()
    }

    /// The sweep steps of a position for the label that the cell above requires.
    #[inline(always)]
    pub fn steps(&self, position: Position, upper: SideLabel) -> &[B::Steps] {
        self.steps.list(position.steps as usize + upper.index())
    }
}
