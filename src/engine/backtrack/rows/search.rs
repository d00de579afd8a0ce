//! The depth-first search: position by position, what fits the neighbours and leads to the end of
//! the row.

use std::ops::ControlFlow;

use super::duty::Duty;
use super::filling::Filling;
use super::plan::Plan;
use crate::engine::backtrack::side_label::SideLabel;

/// A search, and the [`Duty`] that it does with it.
pub(super) struct Search<'a> {
    pub plan: &'a Plan,
    pub filling: Filling<'a>,
    /// By position, the value that lies there, and its place in the list of candidates.
    pub placed: Vec<u16>,
    pub index: Vec<u32>,
    /// By position, the nodes when it got its candidate.
    pub began: Vec<u64>,
    pub nodes: u64,
    /// The nodes after which the search [pauses](Search::pause).
    pub next_pause: u64,
    /// Positions before this one have no branches left: they were given away.
    pub given: usize,
    pub duty: Duty<'a>,
}

impl<'a> Search<'a> {
    /// A search that has not begun.
    pub fn new(plan: &'a Plan, duty: Duty<'a>) -> Self {
        Search {
            plan,
            filling: Filling::new(plan),
            placed: vec![0; plan.cells.len()],
            index: vec![0; plan.cells.len()],
            began: vec![0; plan.cells.len()],
            nodes: 0,
            next_pause: 0,
            given: 0,
            duty,
        }
    }

    /// Fills the position and all behind it; the cell before asks for the label `behind`.
    fn fill(&mut self, position: usize, behind: SideLabel) -> ControlFlow<()> {
        if position == self.plan.positions.len() {
            return self.found();
        }
        self.fill_from(0, position, behind)
    }

    /// The same, from one of its candidates on.
    #[inline(always)]
    pub fn fill_from(
        &mut self,
        from: usize,
        position: usize,
        behind: SideLabel,
    ) -> ControlFlow<()> {
        let plan = self.plan;
        let behind = match plan.positions[position].is_first_of_row {
            true if !self.filling.sweep(position) => return ControlFlow::Continue(()),
            true => SideLabel::ANY,
            false => behind,
        };
        let candidates = plan.candidates(position, behind, self.filling.upper[position]);
        for (index, candidate) in candidates.iter().enumerate().skip(from) {
            if !self.filling.fits(position, candidate) {
                continue;
            }
            self.nodes += 1;
            self.index[position] = index as u32;
            self.began[position] = self.nodes;
            if self.nodes >= self.next_pause {
                self.pause(position)?;
            }
            self.filling.lay(position, candidate);
            self.placed[position] = candidate.value;
            if self.filling.leaves_room_below(position) {
                self.fill(position + 1, candidate.ahead)?;
            }
            self.filling.take_up(candidate);
            if position < self.given {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    #[cold]
    fn found(&mut self) -> ControlFlow<()> {
        let plan = self.plan;
        let copies = plan.most.iter().zip(&self.filling.left);
        let used = copies.map(|(most, left)| most - left);
        if used.zip(&plan.least).any(|(used, &least)| used < least) {
            return ControlFlow::Continue(());
        }
        let mut values = vec![0; plan.cells.len()];
        for (&cell, &value) in plan.cells.iter().zip(&self.placed) {
            values[cell] = usize::from(value);
        }
        self.duty.worker.found(values, self.nodes)
    }
}
