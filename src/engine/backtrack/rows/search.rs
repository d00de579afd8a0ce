//! The depth-first search: position by position, what fits the neighbours and leads to the end of
//! the row.

use std::ops::{ControlFlow, Range};

use super::duty::Duty;
use super::filling::Filling;
use super::plan::{BLOCK, Plan};
use super::steps::LabelBits;
use crate::engine::backtrack::side_label::SideLabel;
use crate::runtime::limits::Flow;

/// A search, and the [`Duty`] that it does with it.
pub(super) struct Search<'a, B: LabelBits> {
    pub plan: &'a Plan<B>,
    pub filling: Filling<'a, B>,
    /// By position.
    pub levels: Vec<Level>,
    pub nodes: u64,
    /// The nodes after which the search [pauses](Search::pause).
    pub next_pause: u64,
    /// Positions before this one have no branches left: they were given away.
    pub given: usize,
    pub duty: Duty<'a>,
}

/// A position on the way down. All candidates have numbers of the plan.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Level {
    /// Where its list of candidates begins, and where it ends.
    pub start: u32,
    pub end: u32,
    /// The candidate that lies there.
    pub chosen: u32,
    /// The first candidate of the block that is tried, and those of it that fit, a bit each.
    block: u32,
    fitting: u32,
    /// The nodes when it got its candidate.
    pub began: u64,
}

impl Level {
    /// Of a list none of which lies there.
    pub fn new(list: Range<u32>) -> Self {
        Level { start: list.start, end: list.end, ..Level::default() }
    }

    /// Takes what fits out of the block at hand, or of those behind it.
    #[inline(always)]
    fn next<B: LabelBits>(&mut self, position: usize, filling: &Filling<'_, B>) -> bool {
        while self.fitting == 0 {
            if self.block + BLOCK as u32 >= self.end {
                return false;
            }
            self.block += BLOCK as u32;
            self.fitting = filling.fitting(position, self.block..self.end);
        }
        self.chosen = self.block + self.fitting.trailing_zeros();
        self.fitting &= self.fitting - 1;
        true
    }
}

impl<'a, B: LabelBits> Search<'a, B> {
    /// A search that has not begun.
    pub fn new(plan: &'a Plan<B>, duty: Duty<'a>) -> Self {
        Search {
            plan,
            filling: Filling::new(plan),
            levels: vec![Level::default(); plan.cells.len()],
            nodes: 0,
            next_pause: 0,
            given: 0,
            duty,
        }
    }

    /// Fills a position and all behind it, from one of its candidates on; the cell before asks for
    /// the label `behind`.
    pub fn fill(&mut self, first: usize, from: u32, behind: SideLabel) -> Flow {
        let plan = self.plan;
        let mut position = first;
        self.enter(first, from, behind);
        loop {
            let level = &mut self.levels[position];
            if !level.next(position, &self.filling) {
                if position == first {
                    return ControlFlow::Continue(());
                }
                position -= 1;
                self.filling.take_up(plan.candidate(self.levels[position].chosen));
                continue;
            }
            let candidate = plan.candidate(level.chosen);
            self.nodes += 1;
            level.began = self.nodes;
            if self.nodes >= self.next_pause {
                self.pause(position)?;
            }
            self.filling.lay(position, candidate);
            if self.filling.leaves_room_below(position, candidate) {
                if position + 1 < plan.cells.len() {
                    position += 1;
                    self.enter(position, 0, candidate.ahead);
                    continue;
                }
                self.found()?;
            }
            self.filling.take_up(candidate);
        }
    }

    /// Finds the candidates of a position, from one of them on.
    #[inline(always)]
    fn enter(&mut self, position: usize, from: u32, behind: SideLabel) {
        let mut list = self.filling.list(position, behind);
        if self.filling.is_first_of_row(position) && !self.filling.sweep(position) {
            list.end = list.start;
        }
        let block = list.start + from;
        self.levels[position] = Level {
            fitting: self.filling.fitting(position, block..list.end),
            block,
            ..Level::new(list)
        };
    }

    /// Leaves these positions no branches but those they are in.
    pub fn close(&mut self, positions: Range<usize>) {
        for level in &mut self.levels[positions] {
            level.fitting = 0;
            level.block = level.end;
        }
    }

    #[cold]
    fn found(&mut self) -> Flow {
        let plan = self.plan;
        let used = plan.most.iter().zip(&self.filling.left).map(|(most, left)| most - left);
        if used.zip(&plan.least).any(|(used, &least)| used < least) {
            return ControlFlow::Continue(());
        }
        let mut values = vec![0; plan.cells.len()];
        for (&cell, level) in plan.cells.iter().zip(&self.levels) {
            values[cell] = usize::from(plan.candidate(level.chosen).value);
        }
        self.duty.worker.found(values, self.nodes)
    }
}
