//! The search behind a beginning.

use std::ops::ControlFlow;

use super::chain::{self, Measured};
use super::plan::{Before, Candidate, Depth, Plan};
use crate::optimise::method::Run;
use crate::optimise::tables::FitTables;
use crate::runtime::limits::Flow;

/// Nodes of a depth that are measured between two schedules.
const MEASURED: u32 = 1_000;

/// Candidates that are counted between two reports to the token, eight units of work each.
const CANDIDATES: usize = 1 << 16;

/// Nodes after which the schedule follows the measurements for the first time. From then on it does
/// so whenever there are twice as many.
const FIRST_LOOK: u64 = 1 << 16;

/// In place of a word: candidates with a broken seam were not looked for yet, or are not allowed.
const UNKNOWN: u32 = u32::MAX;
const UNWANTED: u32 = u32::MAX - 1;

/// A search at some node.
pub(super) struct Search<'a, 'r> {
    tables: &'a FitTables<'a>,
    plan: &'a Plan,
    pub run: &'a mut Run<'r>,
    frames: Vec<Frame>,
    /// By depth, the candidate that is placed.
    placed: Vec<Candidate>,
    /// By depth, which entries break one seam: [`Plan::width`] words each.
    breaking: Vec<u64>,
    /// By class, which entries are left: as many words each.
    available: Vec<u64>,
    /// By kind, the copies left.
    left: Vec<u16>,
    /// The length of the beginning.
    base: usize,
    depth: usize,
    nodes: u64,
    /// Candidates since the last report to the token.
    candidates: usize,
    /// By depth.
    measured: Vec<Measured>,
    /// By depth, the nodes that are still to be measured.
    unmeasured: Vec<u32>,
    next_look: u64,
}

/// A depth, and how far its candidates have been tried.
#[derive(Debug, Clone, Copy, Default)]
struct Frame {
    /// The next candidate that matches, and the end of these.
    next: u32,
    end: u32,
    /// The word with the next candidates that break a seam.
    word: u32,
    /// The seams broken before the cell is filled, and those allowed with it.
    broken: u32,
    allowed: u32,
}

impl<'a, 'r> Search<'a, 'r> {
    pub fn new(plan: &'a Plan, run: &'a mut Run<'r>) -> Self {
        let cells = plan.depths.len();
        let mut available = vec![0; plan.classes.len() * plan.width];
        for bits in plan.bits.iter().flatten() {
            available[bits.word] |= bits.mask;
        }
        let tables = run.tables;
        let copies = tables.problem.kinds.kinds.iter();
        Search {
            tables,
            plan,
            run,
            frames: vec![Frame::default(); cells],
            placed: vec![Candidate::default(); cells],
            breaking: vec![0; cells * plan.width],
            available,
            left: copies.map(|kind| kind.count() as u16).collect(),
            base: usize::MAX,
            depth: 0,
            nodes: 0,
            candidates: 0,
            measured: vec![Measured::default(); cells],
            unmeasured: vec![MEASURED; cells],
            next_look: FIRST_LOOK,
        }
    }

    /// Goes to a beginning.
    pub fn begin(&mut self, beginning: &[Candidate]) {
        while self.depth > 0 {
            self.take_back();
        }
        for &candidate in beginning {
            self.place(candidate, 0);
        }
        if self.base != beginning.len() {
            self.base = beginning.len();
            self.tighten();
        }
        self.open();
    }

    /// Sets the schedule for one broken seam less than the best arrangement has.
    fn tighten(&mut self) {
        let seams = self.tables.problem.board.counted().count();
        let most = self.run.reached.broken().min(seams).saturating_sub(1);
        let fits = chain::fits(self.plan, &self.measured);
        let allowed = chain::schedule(&fits, self.base, most, self.run.effort.token);
        for (frame, allowed) in self.frames.iter_mut().zip(allowed) {
            frame.allowed = allowed;
        }
    }

    /// Searches up to `most` nodes, after some steps of the run, and returns how many; fewer if all
    /// behind the beginning was searched. `Break` where nobody wants more.
    pub fn search(&mut self, most: u64, steps: u64) -> Flow<u64> {
        if self.nodes >= self.next_look {
            self.next_look = 2 * self.nodes;
            self.tighten();
            self.unmeasured.fill(MEASURED);
        }
        let before = self.nodes;
        while self.nodes < before + most {
            self.candidates += 1;
            if self.candidates >= CANDIDATES {
                self.run.effort.token.work(8 * self.candidates)?;
                self.candidates = 0;
            }
            let Some((candidate, breaks)) = self.next_candidate() else {
                if self.depth == self.base {
                    break;
                }
                self.take_back();
                continue;
            };
            let frame = &self.frames[self.depth];
            let broken = frame.broken + breaks + self.breaks_with(candidate);
            if broken > frame.allowed {
                continue;
            }
            self.nodes += 1;
            self.place(candidate, broken);
            if self.depth == self.frames.len() {
                self.complete(broken, steps)?;
            } else {
                self.open();
            }
        }
        ControlFlow::Continue(self.nodes - before)
    }

    /// Finds the candidates of the present depth that match.
    #[inline(always)]
    fn open(&mut self) {
        let sort = self.plan.depths[self.depth].sort;
        let exact = self.plan.exact_range(sort, self.required_here());
        let frame = &mut self.frames[self.depth];
        (frame.next, frame.end) = (exact.start, exact.end);
        frame.word = if frame.broken < frame.allowed { UNKNOWN } else { UNWANTED };
        if self.unmeasured[self.depth] > 0 {
            self.unmeasured[self.depth] -= 1;
            self.measure();
        }
    }

    /// The labels that the selecting neighbours require; 0 without one.
    #[inline(always)]
    fn required_here(&self) -> [usize; 2] {
        let required = |before: Before| before.required(self.tables, |at| self.placed[at].value);
        match self.plan.depths[self.depth].selecting[..] {
            [] => [0, 0],
            [first] => [required(first), 0],
            [first, second, ..] => [required(first), required(second)],
        }
    }

    /// The number of seams with further neighbours that a candidate breaks.
    #[inline(always)]
    fn breaks_with(&self, candidate: Candidate) -> u32 {
        let value_at = |depth: usize| self.placed[depth].value;
        self.plan.breaks(self.tables, self.depth, candidate, value_at)
    }

    /// Counts the candidates of the present depth, and goes back before the first one.
    #[inline(never)]
    fn measure(&mut self) {
        let opened = self.frames[self.depth];
        self.frames[self.depth].word = UNKNOWN;
        let mut numbers = [0, 0];
        while let Some((candidate, breaks)) = self.next_candidate() {
            if breaks == 1 && self.plan.depths[self.depth].others.is_empty() {
                // The words have the bits of the others, which break one seam as well.
                let words = &self.breaking[self.depth * self.plan.width..][..self.plan.width];
                numbers[1] = 1 + words.iter().map(|word| word.count_ones()).sum::<u32>();
                break;
            }
            let breaks = breaks + self.breaks_with(candidate);
            if let Some(number) = numbers.get_mut(breaks as usize) {
                *number += 1;
            }
        }
        self.frames[self.depth] = opened;
        self.measured[self.depth].add(numbers);
        // About as many as there are bits.
        self.candidates += (opened.end - opened.next) as usize + 8 * self.plan.width;
    }

    /// Finds the candidates of the present depth that break one seam with a selecting neighbour.
    #[inline(always)]
    fn find_breaking(&mut self) {
        let &Depth { class, sort, .. } = &self.plan.depths[self.depth];
        let [first, second] = self.plan.sorts[sort].showing(self.required_here());
        let width = self.plan.width;
        let available = &self.available[class * width..][..width];
        let words = &mut self.breaking[self.depth * width..][..width];
        words[first.len()..].fill(0);
        for (((word, available), first), second) in
            words.iter_mut().zip(available).zip(first).zip(second)
        {
            *word = (first ^ second) & available;
        }
    }

    /// The next candidate that is left, and the seams that it breaks with selecting neighbours.
    #[inline(always)]
    fn next_candidate(&mut self) -> Option<(Candidate, u32)> {
        let frame = &mut self.frames[self.depth];
        while frame.next != frame.end {
            let candidate = self.plan.exact.items[frame.next as usize];
            frame.next += 1;
            if self.left[usize::from(candidate.kind)] > 0 {
                return Some((candidate, 0));
            }
        }
        if frame.word == UNKNOWN {
            frame.word = 0;
            self.find_breaking();
        }
        let frame = &mut self.frames[self.depth];
        let words = &mut self.breaking[self.depth * self.plan.width..][..self.plan.width];
        while let Some(word) = words.get_mut(frame.word as usize) {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                let entries = &self.plan.classes[self.plan.depths[self.depth].class];
                return Some((entries[(frame.word * 64 + bit) as usize], 1));
            }
            frame.word += 1;
        }
        None
    }

    /// Places a candidate, and goes to the next depth with so many seams broken.
    #[inline(always)]
    fn place(&mut self, candidate: Candidate, broken: u32) {
        let kind = usize::from(candidate.kind);
        self.placed[self.depth] = candidate;
        self.left[kind] -= 1;
        if self.left[kind] == 0 {
            for bits in &self.plan.bits[kind] {
                self.available[bits.word] &= !bits.mask;
            }
        }
        self.depth += 1;
        if let Some(next) = self.frames.get_mut(self.depth) {
            next.broken = broken;
        }
    }

    /// Takes the last candidate back.
    #[inline(always)]
    fn take_back(&mut self) {
        self.depth -= 1;
        let kind = usize::from(self.placed[self.depth].kind);
        if self.left[kind] == 0 {
            for bits in &self.plan.bits[kind] {
                self.available[bits.word] |= bits.mask;
            }
        }
        self.left[kind] += 1;
    }

    /// Reports a full board, and goes back to where a tighter schedule holds.
    fn complete(&mut self, broken: u32, steps: u64) -> Flow {
        let mut values = vec![0; self.placed.len()];
        for (depth, candidate) in self.plan.depths.iter().zip(&self.placed) {
            values[depth.cell] = usize::from(candidate.value);
        }
        self.run.improve(broken as usize, &values, steps)?;
        if broken == 0 {
            return ControlFlow::Break(());
        }
        self.tighten();
        while self.depth > self.base {
            self.take_back();
            let before = self.depth.checked_sub(1);
            let allowed = before.map_or(0, |depth| self.frames[depth].allowed);
            if self.frames[self.depth].broken <= allowed {
                break;
            }
        }
        ControlFlow::Continue(())
    }
}
