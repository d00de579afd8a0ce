//! The state of a board being filled: copies left, required labels, and labels from which a row can
//! be completed.

use std::ops::{ControlFlow, Range};

use super::plan::{BLOCK, Position, RowCandidate, RowPlan};
use super::steps::{AHEAD, BEHIND, FreeKinds, LabelBits};
use crate::engine::backtrack::side_label::SideLabel;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;

/// The state of a partly filled board, updated with each placement.
pub(super) struct Filling<'a, B: LabelBits> {
    pub plan: &'a RowPlan<B>,
    /// The copies left of each kind.
    pub left: Vec<u16>,
    free: FreeKinds,
    /// The state of each position, and one extra row that is never filled.
    cells: Vec<FilledCell<B>>,
}

/// The state of a cell.
#[derive(Debug, Clone, Copy)]
struct FilledCell<B: LabelBits> {
    lists: Position,
    /// The label that the upper neighbour requires.
    upper: SideLabel,
    /// The labels that the previous cell may require such that the row can be completed from here;
    /// all labels if not computed.
    open: B,
    /// The labels that the cell below this one may have to show to its predecessor in the row
    /// below.
    reached: B,
}

impl<B: LabelBits> FilledCell<B> {
    /// A cell about whose neighbours nothing is known.
    fn new(lists: Position) -> Self {
        FilledCell { lists, upper: SideLabel::ANY, open: B::ALL, reached: B::ALL }
    }
}

impl<'a, B: LabelBits> Filling<'a, B> {
    /// An empty board. The cells of a further row follow it, so that a lookahead from the last row
    /// stays in bounds.
    pub fn new(plan: &'a RowPlan<B>) -> Self {
        let behind = std::iter::repeat_n(Position::default(), plan.length);
        let positions = plan.positions.iter().copied().chain(behind);
        Filling {
            plan,
            left: plan.most.clone(),
            free: FreeKinds::new(&plan.most),
            cells: positions.map(FilledCell::new).collect(),
        }
    }

    /// The range of a position's candidates if the previous cell requires the label `behind`, which
    /// is ignored for the first cell of a row.
    #[inline(always)]
    pub fn list(&self, position: usize, behind: SideLabel) -> Range<u32> {
        let FilledCell { lists, upper, .. } = self.cells[position];
        let behind = if lists.is_first_of_row { SideLabel::ANY } else { behind };
        self.plan.list(lists, behind, upper)
    }

    /// Returns true if the position is the first of its row.
    #[inline(always)]
    pub fn is_first_of_row(&self, position: usize) -> bool {
        self.cells[position].lists.is_first_of_row
    }

    /// Returns false if the rest of the row cannot be completed after a candidate; true does not
    /// guarantee that it can.
    pub fn can_complete_row(&self, position: usize, candidate: &RowCandidate) -> bool {
        self.cells[position + 1].open.has(candidate.ahead) == 1
    }

    /// A bit mask of those of the first [`BLOCK`] candidates of a list whose kind has copies left
    /// and after which the row may be completed; 0 for an empty list. It is free of branches,
    /// because about half of the candidates fit and a misprediction takes as long as the block.
    #[inline(always)]
    pub fn fitting(&self, position: usize, list: Range<u32>) -> u32 {
        let Some(block) = self.plan.block(list.start) else {
            return 0;
        };
        let open = self.cells[position + 1].open;
        let mut fitting = 0;
        for (bit, candidate) in block.iter().enumerate() {
            fitting |= (self.free.has(candidate.kind) & open.has(candidate.ahead)) << bit;
        }
        fitting & ((1 << list.len().min(BLOCK)) - 1)
    }

    /// Uses a copy of the candidate's kind, of which one must be left, and sets the label that the
    /// cell below must show.
    #[inline(always)]
    pub fn place(&mut self, position: usize, candidate: &RowCandidate) {
        let left = &mut self.left[usize::from(candidate.kind)];
        *left -= 1;
        self.free.update(candidate.kind, *left);
        self.cells[position + self.plan.length].upper = candidate.down;
    }

    /// Returns false if the row below cannot be filled up to the cell below `position`, regardless
    /// of later placements. Extends the forward sweep of that row by the placed candidate.
    #[inline(always)]
    pub fn row_below_is_feasible(&mut self, position: usize, placed: &RowCandidate) -> bool {
        let below = position + self.plan.length;
        if below >= self.plan.positions.len() {
            return true;
        }
        let steps = self.plan.steps(self.cells[below].lists, placed.down);
        let ahead = self.cells[position].reached.follow::<BEHIND, AHEAD>(steps, &self.free);
        let next = &mut self.cells[position + 1];
        next.reached = if next.lists.is_first_of_row { B::ALL } else { ahead };
        ahead != B::NONE
    }

    /// Makes the copy of a candidate available again that is removed from the board. The label that
    /// the cell below must show is not reset: the next placement replaces it.
    #[inline(always)]
    pub fn take_up(&mut self, candidate: &RowCandidate) {
        self.left[usize::from(candidate.kind)] += 1;
        self.free.add(candidate.kind);
    }

    /// Computes, for each cell after `first`, which begins a row, a superset of the labels from
    /// which the row can be completed: a kind may recur. Returns false if a cell has none; that
    /// cell and those before it are then not updated.
    pub fn sweep(&mut self, first: usize) -> bool {
        let mut open = B::ALL;
        for position in (first + 1..first + self.plan.length).rev() {
            let cell = &mut self.cells[position];
            let steps = self.plan.steps(cell.lists, cell.upper);
            open = open.follow::<AHEAD, BEHIND>(steps, &self.free);
            if open == B::NONE {
                return false;
            }
            cell.open = open;
        }
        true
    }

    /// Makes `probes` random dives from the empty board. Returns the estimate of the number of
    /// nodes by each dive, which is unbiased (Knuth, *Mathematics of Computation* 29, 1975), and
    /// leaves the board empty. If the token stops the run, breaks with tiles on the board.
    pub fn probes(
        &mut self,
        random: &mut Random,
        probes: u32,
        token: &CancelToken<'_>,
    ) -> Flow<Vec<f64>> {
        let mut placed = Vec::new();
        let mut fitting = Vec::new();
        let mut estimates = Vec::new();
        for _ in 0..probes {
            estimates.push(self.dive(random, (&mut placed, &mut fitting), token)?);
            for candidate in placed.drain(..) {
                self.take_up(&candidate);
            }
        }
        ControlFlow::Continue(estimates)
    }

    /// Estimates the number of nodes by one random dive. The placed candidates are added to
    /// `placed` and stay on the board; `fitting` is scratch space. Breaks if the token stops the
    /// run.
    fn dive(
        &mut self,
        random: &mut Random,
        (placed, fitting): (&mut Vec<RowCandidate>, &mut Vec<u32>),
        token: &CancelToken<'_>,
    ) -> Flow<f64> {
        let plan = self.plan;
        let mut nodes = 0.0;
        let mut weight = 1.0;
        let mut behind = SideLabel::ANY;
        for position in 0..plan.positions.len() {
            if self.is_first_of_row(position) && !self.sweep(position) {
                break;
            }
            let list = self.list(position, behind);
            // A sweep reads a list of steps for each cell of the row.
            token.work(list.len() + 1)?;
            self.fitting_of_list(position, list, fitting);
            if fitting.is_empty() {
                break;
            }
            weight *= fitting.len() as f64;
            nodes += weight;
            let chosen = *plan.candidate(fitting[random.usize(..fitting.len())]);
            self.place(position, &chosen);
            placed.push(chosen);
            if !self.row_below_is_feasible(position, &chosen) {
                break;
            }
            behind = chosen.ahead;
        }
        ControlFlow::Continue(nodes)
    }

    /// Replaces the content of `all` by the plan indices of the fitting candidates of a list.
    fn fitting_of_list(&self, position: usize, list: Range<u32>, all: &mut Vec<u32>) {
        all.clear();
        for block in list.clone().step_by(BLOCK) {
            let mut fitting = self.fitting(position, block..list.end);
            while fitting != 0 {
                all.push(block + fitting.trailing_zeros());
                fitting &= fitting - 1;
            }
        }
    }
}
