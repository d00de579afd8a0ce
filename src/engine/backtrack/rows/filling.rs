//! The board while it is filled: kinds left, labels required, labels from which a row can be
//! completed.

use super::plan::{Candidate, Plan, bit};
use crate::engine::backtrack::side_label::SideLabel;
use crate::random::Random;

/// What lies on the board, as far as the search must know it.
pub(super) struct Filling<'a> {
    pub plan: &'a Plan,
    /// Copies left, by kind.
    pub left: Vec<u16>,
    /// By kind, 1 where copies are left and 0 where none are: a sweep must not branch on it.
    free: Vec<u64>,
    /// By position, what its upper neighbour asks of it.
    pub upper: Vec<SideLabel>,
    /// By position, the bits of what the cell before may ask of it; all where nothing is known.
    open: Vec<u64>,
    /// By position, the bits of what the row below may ask of the cell below.
    reached: Vec<u64>,
}

impl<'a> Filling<'a> {
    pub fn new(plan: &'a Plan) -> Self {
        let size = plan.cells.len();
        Filling {
            plan,
            left: plan.most.clone(),
            free: plan.most.iter().map(|&most| u64::from(most > 0)).collect(),
            upper: vec![SideLabel::ANY; size + plan.length],
            open: vec![u64::MAX; size + 1],
            reached: vec![u64::MAX; size + 1],
        }
    }

    pub fn fits(&self, position: usize, candidate: &Candidate) -> bool {
        let is_free = self.free[usize::from(candidate.kind)];
        // One test: a branch for each is mispredicted twice as often.
        is_free & (self.open[position + 1] >> bit(candidate.ahead)) == 1
    }

    /// Whether the row can be completed behind a candidate.
    pub fn leads_on(&self, position: usize, candidate: &Candidate) -> bool {
        self.open[position + 1] >> bit(candidate.ahead) & 1 == 1
    }

    pub fn lay(&mut self, position: usize, candidate: &Candidate) {
        let kind = usize::from(candidate.kind);
        self.left[kind] -= 1;
        self.free[kind] = u64::from(self.left[kind] > 0);
        self.upper[position + self.plan.length] = candidate.down;
    }

    /// Whether the row below can be filled as far as the cell below the one laid last, whatever is
    /// laid ahead of that.
    #[inline(always)]
    pub fn leaves_room_below(&mut self, position: usize) -> bool {
        let plan = self.plan;
        let below = position + plan.length;
        if below >= plan.positions.len() {
            return true;
        }
        let reached = if plan.positions[position].is_first_of_row {
            u64::MAX
        } else {
            self.reached[position]
        };
        let mut ahead = 0;
        for step in plan.steps(below, self.upper[below]) {
            let is_free = self.free[usize::from(step.kind)];
            ahead |= (is_free & (reached >> step.behind)) << step.ahead;
        }
        self.reached[position + 1] = ahead;
        ahead != 0
    }

    pub fn take_up(&mut self, candidate: &Candidate) {
        let kind = usize::from(candidate.kind);
        self.left[kind] += 1;
        self.free[kind] = 1;
    }

    /// Says from which labels the row that begins here can be completed; whether from any.
    pub fn sweep(&mut self, first: usize) -> bool {
        let plan = self.plan;
        let mut next = u64::MAX;
        for position in (first + 1..first + plan.length).rev() {
            let mut open = 0;
            for step in plan.steps(position, self.upper[position]) {
                let is_free = self.free[usize::from(step.kind)];
                open |= (is_free & (next >> step.ahead)) << step.behind;
            }
            if open == 0 {
                return false;
            }
            self.open[position] = open;
            next = open;
        }
        true
    }

    /// Random ways down: each an unbiased estimate of the number of nodes (Knuth, *Mathematics of
    /// Computation* 29, 1975).
    pub fn probes(&mut self, random: &mut Random, probes: u32) -> Vec<f64> {
        let mut laid = Vec::new();
        let mut probe = || {
            let nodes = self.go_down(random, &mut laid);
            for candidate in laid.drain(..) {
                self.take_up(&candidate);
            }
            nodes
        };
        (0..probes).map(|_| probe()).collect()
    }

    fn go_down(&mut self, random: &mut Random, laid: &mut Vec<Candidate>) -> f64 {
        let plan = self.plan;
        let mut nodes = 0.0;
        let mut weight = 1.0;
        let mut behind = SideLabel::ANY;
        for position in 0..plan.positions.len() {
            if plan.positions[position].is_first_of_row {
                behind = SideLabel::ANY;
                if !self.sweep(position) {
                    break;
                }
            }
            let candidates = plan.candidates(position, behind, self.upper[position]);
            let number = candidates.iter().filter(|c| self.fits(position, c)).count();
            if number == 0 {
                break;
            }
            weight *= number as f64;
            nodes += weight;
            let mut fitting = candidates.iter().filter(|c| self.fits(position, c));
            let Some(&chosen) = fitting.nth(random.usize(..number)) else {
                break;
            };
            self.lay(position, &chosen);
            laid.push(chosen);
            if !self.leaves_room_below(position) {
                break;
            }
            behind = chosen.ahead;
        }
        nodes
    }
}
