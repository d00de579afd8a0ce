//! The constants of a search: for each position, the candidates by the labels that its neighbours
//! require.
//!
//! ```text
//!               upper             Rows are filled from behind to ahead, then downwards, whichever
//!                 │               corner of the board the order begins at. `behind` and `upper` are
//!      behind ─ cell ─ ahead      the labels that filled neighbours require, `ahead` and `down` those
//!                 │               that a candidate requires of the next ones.
//!               down
//! ```
//!
//! Built once for a cell order and a symmetry branch, then only read.

use std::collections::HashMap;
use std::ops::Range;

use super::cell_order::CellOrder;
use crate::domains::SymmetryBranch;
use crate::engine::backtrack::side_label::SideLabel;
use crate::problem::Problem;
use crate::puzzle::ValueSet;

/// A value that matches the neighbours filled before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub kind: u16,
    pub value: u16,
    /// The labels that it requires of the next cell of the row and of the cell below.
    pub ahead: SideLabel,
    pub down: SideLabel,
}

/// A value that matches the neighbour above, as the sweep uses it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub kind: u16,
    /// The bits of the label that it shows behind, and of the one that it requires ahead.
    pub behind: u8,
    pub ahead: u8,
}

/// Where a position finds its candidates and the steps of its sweep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position {
    /// Into `candidate_starts`, for labels 0, 0.
    candidates: u32,
    /// Into `step_starts`, for label 0.
    steps: u32,
    pub is_first_of_row: bool,
}

/// The tables and the cell order of a search.
pub(super) struct Plan {
    /// By depth of the search, where its lists begin.
    pub positions: Vec<Position>,
    /// By depth, the cell that is filled.
    pub cells: Vec<usize>,
    /// Cells per row.
    pub length: usize,
    /// The number of [`SideLabel`]s.
    stride: usize,
    /// The candidates of all positions and pairs of labels, one list after the other.
    candidates: Vec<Candidate>,
    /// The start of each of these lists.
    candidate_starts: Vec<u32>,
    /// The steps of all positions and upper labels, likewise.
    steps: Vec<Step>,
    step_starts: Vec<u32>,
    /// By kind, how often it may be used, and how often it must be.
    pub most: Vec<u16>,
    pub least: Vec<u16>,
}

/// What lists depend on: the domain, and whether there are neighbours behind and above.
type Sort<'a> = (&'a ValueSet, bool, bool);

impl Plan {
    pub fn new(problem: &Problem, branch: &SymmetryBranch, order: &CellOrder) -> Self {
        let mut plan = Plan {
            positions: Vec::with_capacity(order.cells.len()),
            cells: order.cells.clone(),
            length: order.length,
            stride: SideLabel::number(problem.puzzle.labels.len()),
            candidates: Vec::new(),
            candidate_starts: Vec::new(),
            steps: Vec::new(),
            step_starts: Vec::new(),
            most: branch.domains.uses.iter().map(|u| u.most as u16).collect(),
            least: branch.domains.uses.iter().map(|u| u.least as u16).collect(),
        };
        let mut known: HashMap<Sort<'_>, Position> = HashMap::new();
        for (index, &cell) in order.cells.iter().enumerate() {
            let is_first_of_row = index % order.length == 0;
            let has_upper = index >= order.length;
            let sort = (&branch.domains.cells[cell], !is_first_of_row, has_upper);
            let position = *known
                .entry(sort)
                .or_insert_with(|| plan.enter(problem, order, sort));
            plan.positions.push(position);
        }
        plan
    }

    /// Builds the lists of a sort of position.
    fn enter(
        &mut self,
        problem: &Problem,
        order: &CellOrder,
        (domain, has_behind, has_upper): Sort<'_>,
    ) -> Position {
        let shown =
            |value: usize, side: usize| SideLabel::from(problem.kinds.values[value].edges[side]);
        let needed = |value: usize, side: usize| {
            let edges = &problem.kinds.values[value].edges;
            SideLabel::from(problem.puzzle.labels.mate(edges[side]))
        };
        let when = |is_there: bool, label: SideLabel| {
            if is_there { label } else { SideLabel::ANY }
        };
        let values: Vec<usize> = domain
            .iter()
            .filter(|&l| self.most[problem.kinds.values[l].kind] > 0)
            .collect();
        let position = Position {
            candidates: self.candidate_starts.len() as u32,
            steps: self.step_starts.len() as u32,
            is_first_of_row: !has_behind,
        };
        let by_key = |value: &usize| {
            let behind = when(has_behind, shown(*value, order.behind()));
            let upper = when(has_upper, shown(*value, order.up()));
            behind.index() * self.stride + upper.index()
        };
        let candidates = sorted_by(
            &values,
            self.stride * self.stride,
            by_key,
            self.candidates.len(),
        );
        let by_upper = |value: &usize| when(has_upper, shown(*value, order.up())).index();
        let steps = sorted_by(&values, self.stride, by_upper, self.steps.len());
        self.candidate_starts.extend(candidates.1);
        self.candidates
            .extend(candidates.0.into_iter().map(|value| Candidate {
                kind: problem.kinds.values[value].kind as u16,
                value: value as u16,
                ahead: needed(value, order.ahead),
                down: needed(value, order.down),
            }));
        self.step_starts.extend(steps.1);
        self.steps.extend(steps.0.into_iter().map(|value| Step {
            kind: problem.kinds.values[value].kind as u16,
            behind: bit(shown(value, order.behind())),
            ahead: bit(needed(value, order.ahead)),
        }));
        position
    }

    #[inline]
    pub fn candidates(&self, position: usize, behind: SideLabel, upper: SideLabel) -> &[Candidate] {
        let first = self.positions[position].candidates as usize;
        let start = first + behind.index() * self.stride + upper.index();
        &self.candidates[range(&self.candidate_starts, start)]
    }

    #[inline]
    pub fn steps(&self, position: usize, upper: SideLabel) -> &[Step] {
        let start = self.positions[position].steps as usize + upper.index();
        &self.steps[range(&self.step_starts, start)]
    }
}

#[inline]
fn range(starts: &[u32], index: usize) -> Range<usize> {
    starts[index] as usize..starts[index + 1] as usize
}

/// Members sorted by a key below `keys`, and where each key's begin in a list that has `before`
/// others in front; one more start than keys ends the last.
fn sorted_by(
    members: &[usize],
    keys: usize,
    key: impl Fn(&usize) -> usize,
    before: usize,
) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0u32; keys + 1];
    for member in members {
        starts[key(member) + 1] += 1;
    }
    let mut sum = before as u32;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut sorted = members.to_vec();
    sorted.sort_by_key(|member| key(member));
    (sorted, starts)
}

/// The bit that stands for a label in a sweep. Where there are more labels than bits several share
/// one, so that a sweep keeps too much, never too little.
pub(super) fn bit(label: SideLabel) -> u8 {
    (label.index() % 64) as u8
}
