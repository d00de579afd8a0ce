//! The search behind a beginning.

use std::ops::ControlFlow;

use super::chain::{self, Measured};
use super::plan::{Before, Candidate, Plan};
use crate::limits::{CancelToken, Flow};
use crate::optimise::method::Reached;
use crate::optimise::tables::FitTables;
use crate::puzzle::Label;
use crate::scheduler::Sink;

/// Nodes of a depth that are measured between two schedules.
const MEASURED: u32 = 1_000;

/// Candidates that are counted at once.
const CANDIDATES: usize = 1 << 16;

/// Nodes after which the schedule follows the measurements for the first time. From then on it does
/// so whenever there are twice as many.
const FIRST_LOOK: u64 = 1 << 16;

/// Candidates with a broken seam that were not looked for yet, or that are used up.
const UNKNOWN: u32 = u32::MAX;
const USED_UP: u32 = u32::MAX - 1;

/// A search at some node.
pub(super) struct Search<'a> {
    tables: &'a FitTables<'a>,
    plan: &'a Plan,
    /// The best that any method has found.
    reached: &'a Reached,
    frames: Vec<Frame>,
    /// By depth, which entries break one seam: `width` words each.
    breaking: Vec<u64>,
    /// By class, which entries are left: `width` words each.
    available: Vec<u64>,
    width: usize,
    /// By cell, its value.
    values: Vec<u16>,
    /// By kind, the copies left.
    left: Vec<u16>,
    /// The length of the beginning.
    base: usize,
    depth: usize,
    is_at_end: bool,
    pub nodes: u64,
    token: &'a CancelToken<'a>,
    /// Candidates since the token was told.
    candidates: usize,
    measured: Measured,
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
    cell: u32,
    sort: u32,
    class: u32,
    kind: u16,
    /// The seams broken before the cell is filled, and those allowed with it.
    broken: u32,
    allowed: u32,
}

impl<'a> Search<'a> {
    pub fn new(
        tables: &'a FitTables<'a>,
        plan: &'a Plan,
        reached: &'a Reached,
        token: &'a CancelToken<'a>,
    ) -> Self {
        let cells = plan.depths.len();
        let width = plan.classes.iter().map(|entries| entries.words).max().unwrap_or_default();
        let mut available = vec![0; plan.classes.len() * width];
        for bits in plan.bits.iter().flatten() {
            available[bits.class as usize * width + bits.word as usize] |= bits.mask;
        }
        let frames = plan.depths.iter().map(|depth| Frame {
            cell: depth.cell,
            sort: depth.sort,
            class: plan.sorts[depth.sort as usize].class as u32,
            ..Frame::default()
        });
        let copies = tables.problem.kinds.kinds.iter();
        Search {
            tables,
            plan,
            reached,
            frames: frames.collect(),
            breaking: vec![0; cells * width],
            available,
            width,
            values: vec![0; cells],
            left: copies.map(|kind| kind.count() as u16).collect(),
            base: usize::MAX,
            depth: 0,
            is_at_end: false,
            nodes: 0,
            token,
            candidates: 0,
            measured: Measured::new(cells),
            unmeasured: vec![MEASURED; cells],
            next_look: FIRST_LOOK,
        }
    }

    /// The cells of the board.
    pub fn cells(&self) -> usize {
        self.frames.len()
    }

    /// Whether all behind the beginning was searched.
    pub fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Goes to a beginning.
    pub fn begin(&mut self, beginning: &[Candidate]) {
        while self.depth > 0 {
            self.take_back();
        }
        for &candidate in beginning {
            self.lay(candidate, 0);
        }
        self.is_at_end = false;
        if self.base != beginning.len() {
            self.base = beginning.len();
            self.tighten();
        }
        self.open();
    }

    /// Sets the schedule for one broken seam less than the best arrangement has.
    fn tighten(&mut self) {
        let most = self.reached.broken().min(self.tables.seams()).saturating_sub(1);
        let fits = self.measured.fits(self.plan);
        let allowed = chain::schedule(&fits, self.base, most, self.token);
        for (frame, allowed) in self.frames.iter_mut().zip(allowed) {
            frame.allowed = allowed;
        }
    }

    /// Searches for some nodes. `Break` where nobody wants more.
    pub fn run(&mut self, nodes: u64, steps: u64, sink: &mut dyn Sink<Vec<usize>>) -> Flow {
        if self.nodes >= self.next_look {
            self.next_look = 2 * self.nodes;
            self.tighten();
            self.unmeasured.fill(MEASURED);
        }
        let until = self.nodes + nodes;
        while self.nodes < until {
            self.candidates += 1;
            if self.candidates >= CANDIDATES {
                self.token.work(8 * self.candidates)?;
                self.candidates = 0;
            }
            let Some((candidate, breaks)) = self.next_candidate() else {
                if !self.go_back() {
                    self.is_at_end = true;
                    return ControlFlow::Continue(());
                }
                continue;
            };
            let frame = &self.frames[self.depth];
            let others = &self.plan.depths[self.depth].others;
            let mut broken = frame.broken + breaks;
            if !others.is_empty() {
                broken += self.breaks_with(others, candidate);
            }
            if broken > frame.allowed {
                continue;
            }
            self.nodes += 1;
            self.lay(candidate, broken);
            if self.depth == self.frames.len() {
                self.complete(broken, steps, sink)?;
            } else {
                self.open();
            }
        }
        ControlFlow::Continue(())
    }

    /// Finds the candidates of the present depth that match.
    #[inline(always)]
    fn open(&mut self) {
        let required = self.required_here();
        let frame = &mut self.frames[self.depth];
        let exact = self.plan.exact_range(frame.sort, required);
        (frame.next, frame.end) = (exact.start, exact.end);
        frame.word = if frame.broken < frame.allowed { UNKNOWN } else { USED_UP };
        if self.unmeasured[self.depth] > 0 {
            self.unmeasured[self.depth] -= 1;
            self.measure(required);
        }
    }

    /// The labels that the selecting neighbours require; 0 without one.
    #[inline(always)]
    fn required_here(&self) -> [u32; 2] {
        match self.plan.depths[self.depth].selecting[..] {
            [] => [0, 0],
            [first] => [self.required_by(first).index() as u32, 0],
            [first, second, ..] => {
                [first, second].map(|before| self.required_by(before).index() as u32)
            }
        }
    }

    #[inline(always)]
    fn required_by(&self, before: Before) -> Label {
        let value = usize::from(self.values[before.cell as usize]);
        self.tables.fits[value * self.tables.sides + before.there as usize]
    }

    /// How many seams with further neighbours a candidate breaks.
    fn breaks_with(&self, others: &[Before], candidate: Candidate) -> u32 {
        let shown = self.tables.shown_by(usize::from(candidate.value));
        let broken = others
            .iter()
            .filter(|before| shown[before.here as usize] != self.required_by(**before));
        broken.count() as u32
    }

    /// Counts the candidates of the present depth that are left.
    #[inline(never)]
    fn measure(&mut self, required: [u32; 2]) {
        let frame = self.frames[self.depth];
        let others = &self.plan.depths[self.depth].others;
        let exact = self.plan.exact.within(frame.next..frame.end);
        let mut numbers = [0, 0];
        let mut count = |breaks: u32| {
            if let Some(number) = numbers.get_mut(breaks as usize) {
                *number += 1;
            }
        };
        for &candidate in exact {
            if self.left[usize::from(candidate.kind)] > 0 {
                count(self.breaks_with(others, candidate));
            }
        }
        self.find_breaking(required);
        let entries = &self.plan.classes[frame.class as usize].all;
        let words = &self.breaking[self.depth * self.width..][..self.width];
        for (index, &word) in words.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let entry = entries[index * 64 + word.trailing_zeros() as usize];
                count(1 + self.breaks_with(others, entry));
                word &= word - 1;
            }
        }
        // About as many as there are bits.
        self.candidates += (frame.end - frame.next) as usize + 8 * self.width;
        let [exact, broken] = numbers;
        self.measured.add(self.depth, exact, broken);
    }

    /// Finds the candidates of the present depth that break one seam with a selecting neighbour.
    #[inline(always)]
    fn find_breaking(&mut self, required: [u32; 2]) {
        let Frame { sort, class, .. } = self.frames[self.depth];
        let available = &self.available[class as usize * self.width..][..self.width];
        let words = &mut self.breaking[self.depth * self.width..][..self.width];
        match self.plan.depths[self.depth].selecting.len() {
            0 => words.fill(0),
            1 => {
                words.fill(0);
                let first = self.plan.showing(sort, 0, required[0]);
                for ((word, available), first) in words.iter_mut().zip(available).zip(first) {
                    *word = !first & available;
                }
            }
            _ => {
                let first = self.plan.showing(sort, 0, required[0]);
                let second = self.plan.showing(sort, 1, required[1]);
                let both = first.iter().zip(second);
                for ((word, available), (first, second)) in
                    words.iter_mut().zip(available).zip(both)
                {
                    *word = (first ^ second) & available;
                }
                words[first.len()..].fill(0);
            }
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
        if frame.word == USED_UP {
            return None;
        }
        if frame.word == UNKNOWN {
            frame.word = 0;
            self.find_breaking(self.required_here());
        }
        let frame = &mut self.frames[self.depth];
        let words = &mut self.breaking[self.depth * self.width..][..self.width];
        while let Some(word) = words.get_mut(frame.word as usize) {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                let entries = &self.plan.classes[frame.class as usize].all;
                return Some((entries[(frame.word * 64 + bit) as usize], 1));
            }
            frame.word += 1;
        }
        frame.word = USED_UP;
        None
    }

    /// Lays a tile, and goes to the next depth with so many seams broken.
    #[inline(always)]
    fn lay(&mut self, candidate: Candidate, broken: u32) {
        let kind = usize::from(candidate.kind);
        let frame = &mut self.frames[self.depth];
        frame.kind = candidate.kind;
        self.values[frame.cell as usize] = candidate.value;
        self.left[kind] -= 1;
        if self.left[kind] == 0 {
            for bits in &self.plan.bits[kind] {
                let at = bits.class as usize * self.width + bits.word as usize;
                self.available[at] &= !bits.mask;
            }
        }
        self.depth += 1;
        if let Some(next) = self.frames.get_mut(self.depth) {
            next.broken = broken;
        }
    }

    /// Takes the last tile back.
    #[inline(always)]
    fn take_back(&mut self) {
        self.depth -= 1;
        let kind = usize::from(self.frames[self.depth].kind);
        if self.left[kind] == 0 {
            for bits in &self.plan.bits[kind] {
                let at = bits.class as usize * self.width + bits.word as usize;
                self.available[at] |= bits.mask;
            }
        }
        self.left[kind] += 1;
    }

    /// Goes back one depth; says whether that is behind the beginning.
    #[inline(always)]
    fn go_back(&mut self) -> bool {
        if self.depth == self.base {
            return false;
        }
        self.take_back();
        true
    }

    /// Hands over a full board, and goes back to where a tighter schedule holds.
    fn complete(&mut self, broken: u32, steps: u64, sink: &mut dyn Sink<Vec<usize>>) -> Flow {
        let values = self.values.iter().map(|&value| usize::from(value));
        if self.reached.improve(broken as usize, || values.clone().collect()) {
            sink.found(values.collect(), steps)?;
        }
        if broken == 0 {
            return ControlFlow::Break(());
        }
        self.tighten();
        while self.go_back() {
            let allowed = match self.depth.checked_sub(1) {
                Some(depth) => self.frames[depth].allowed,
                None => 0,
            };
            if self.frames[self.depth].broken <= allowed {
                break;
            }
        }
        ControlFlow::Continue(())
    }
}
