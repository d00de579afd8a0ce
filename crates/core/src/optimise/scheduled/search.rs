//! The depth-first search with scheduled breaks, which starts from a beginning.

use std::ops::ControlFlow;

use super::plan::{AttemptPlan, Depth, FilledNeighbour, KindValue};
use super::schedule::{self, DepthMeasurement};
use crate::optimise::method::MethodRun;
use crate::optimise::tables::FitTables;
use crate::runtime::limits::Flow;

/// The number of nodes per depth that are measured between two computations of the schedule.
const MEASURED: u32 = 1_000;

/// The number of candidates between two reports to the token, at eight units of work each.
const CANDIDATES: usize = 1 << 16;

/// The number of nodes after which the schedule is first recomputed from measurements. It is
/// recomputed whenever the number has doubled.
const FIRST_UPDATE: u64 = 1 << 16;

/// Special values of [`Frame::word`]: the candidates that break a seam have not been computed, or
/// are not allowed.
const UNKNOWN: u32 = u32::MAX;
const NOT_ALLOWED: u32 = u32::MAX - 1;

/// The state of a search.
pub(super) struct ScheduledSearch<'a, 'r> {
    tables: &'a FitTables<'a>,
    plan: &'a AttemptPlan,
    pub run: &'a mut MethodRun<'r>,
    frames: Vec<Frame>,
    /// The candidate placed at each depth.
    placed: Vec<KindValue>,
    /// For each depth, the remaining candidates that break one seam, as a bit set of
    /// [`AttemptPlan::width`] words over the entries of its class.
    breaking: Vec<u64>,
    /// For each class, the entries whose kind has copies left, as a bit set of the same width.
    available: Vec<u64>,
    /// The copies left of each kind.
    left: Vec<u16>,
    /// The length of the beginning.
    base: usize,
    depth: usize,
    nodes: u64,
    /// The number of candidates tested since the last report to the token.
    candidates: usize,
    /// The measurements of each depth.
    measured: Vec<DepthMeasurement>,
    /// The number of nodes still to be measured at each depth.
    unmeasured: Vec<u32>,
    next_update: u64,
}

/// The state of one depth.
#[derive(Debug, Clone, Copy, Default)]
struct Frame {
    /// The index of the next matching candidate, and the end of their range.
    next: u32,
    end: u32,
    /// The index of the word with the next candidates that break a seam, or a special value.
    word: u32,
    /// The number of broken seams before the cell is filled, and the number allowed with it.
    broken: u32,
    allowed: u32,
}

impl<'a, 'r> ScheduledSearch<'a, 'r> {
    /// Creates a search with an empty board and all pieces.
    pub fn new(plan: &'a AttemptPlan, run: &'a mut MethodRun<'r>) -> Self {
        let cells = plan.depths.len();
        let mut available = vec![0; plan.classes.len() * plan.width];
        for bits in plan.bits.iter().flatten() {
            available[bits.word] |= bits.mask;
        }
        let tables = run.tables;
        let copies = tables.problem.kinds.kinds.iter();
        ScheduledSearch {
            tables,
            plan,
            run,
            frames: vec![Frame::default(); cells],
            placed: vec![KindValue::default(); cells],
            breaking: vec![0; cells * plan.width],
            available,
            left: copies.map(|kind| kind.copies as u16).collect(),
            base: usize::MAX,
            depth: 0,
            nodes: 0,
            candidates: 0,
            measured: vec![DepthMeasurement::default(); cells],
            unmeasured: vec![MEASURED; cells],
            next_update: FIRST_UPDATE,
        }
    }

    /// Places a beginning on the empty board, from which the next search continues. If its length
    /// differs from that of the last one, recomputes the schedule.
    pub fn reset(&mut self, beginning: &[KindValue]) {
        while self.depth > 0 {
            self.take_back();
        }
        for &candidate in beginning {
            self.place(candidate, 0);
        }
        if self.base != beginning.len() {
            self.base = beginning.len();
            self.update_schedule();
        }
        self.open();
    }

    /// Recomputes the schedule such that complete boards have fewer broken seams than the
    /// incumbent.
    fn update_schedule(&mut self) {
        let seams = self.tables.problem.board.counted().count();
        let most = self.run.reached.broken().min(seams).saturating_sub(1);
        let fits = schedule::fits(self.plan, &self.measured);
        let allowed = schedule::allowed_breaks(&fits, self.base, most, self.run.effort.token);
        for (frame, allowed) in self.frames.iter_mut().zip(allowed) {
            frame.allowed = allowed;
        }
    }

    /// Continues the search for up to `most` nodes and returns their number, which is smaller if
    /// the subtree of the beginning is exhausted. Reports complete boards that improve on the
    /// incumbent; `steps` is the number of steps of the run so far. Breaks if the run must end or
    /// no seam is broken.
    pub fn search(&mut self, most: u64, steps: u64) -> Flow<u64> {
        if self.nodes >= self.next_update {
            self.next_update = 2 * self.nodes;
            self.update_schedule();
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

    /// Opens the current depth: prepares its candidates, and measures them if the depth needs more
    /// measurements.
    #[inline(always)]
    fn open(&mut self) {
        let position_type = self.plan.depths[self.depth].position_type;
        let exact = self.plan.exact_range(position_type, self.required_here());
        let frame = &mut self.frames[self.depth];
        (frame.next, frame.end) = (exact.start, exact.end);
        frame.word = if frame.broken < frame.allowed { UNKNOWN } else { NOT_ALLOWED };
        if self.unmeasured[self.depth] > 0 {
            self.unmeasured[self.depth] -= 1;
            self.measure();
        }
    }

    /// The labels that the selecting neighbours of the current cell require; 0 for a missing
    /// neighbour.
    #[inline(always)]
    fn required_here(&self) -> [usize; 2] {
        let required =
            |before: FilledNeighbour| before.required(self.tables, |at| self.placed[at].value);
        match self.plan.depths[self.depth].selecting[..] {
            [] => [0, 0],
            [first] => [required(first), 0],
            [first, second, ..] => [required(first), required(second)],
        }
    }

    /// The number of seams with neighbours other than the selecting ones that a candidate breaks.
    #[inline(always)]
    fn breaks_with(&self, candidate: KindValue) -> u32 {
        let value_at = |depth: usize| self.placed[depth].value;
        self.plan.breaks(self.tables, self.depth, candidate, value_at)
    }

    /// Counts the candidates of the current depth, adds them to its measurements and restores its
    /// state.
    #[inline(never)]
    fn measure(&mut self) {
        let opened = self.frames[self.depth];
        self.frames[self.depth].word = UNKNOWN;
        let mut numbers = [0, 0];
        while let Some((candidate, breaks)) = self.next_candidate() {
            if breaks == 1 && self.plan.depths[self.depth].others.is_empty() {
                // The words contain the remaining candidates, all of which break one seam.
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
        // The words are counted by bits, eight units each.
        self.candidates += (opened.end - opened.next) as usize + 8 * self.plan.width;
    }

    /// Computes the available candidates of the current depth that break exactly one seam with a
    /// selecting neighbour.
    #[inline(always)]
    fn find_breaking(&mut self) {
        let &Depth { class, position_type, .. } = &self.plan.depths[self.depth];
        let [first, second] = self.plan.position_types[position_type].showing(self.required_here());
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

    /// The next available candidate of the current depth, and the number of seams, 0 or 1, that it
    /// breaks with selecting neighbours; `None` if there is none.
    #[inline(always)]
    fn next_candidate(&mut self) -> Option<(KindValue, u32)> {
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

    /// Places a candidate and advances to the next depth with the given number of broken seams.
    #[inline(always)]
    fn place(&mut self, candidate: KindValue, broken: u32) {
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

    /// Removes the candidate placed last.
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

    /// Reports a complete board with `broken` broken seams, recomputes the schedule, and backtracks
    /// to the deepest node that it allows. Breaks if no seam is broken or the run must end.
    fn complete(&mut self, broken: u32, steps: u64) -> Flow {
        let mut values = vec![0; self.placed.len()];
        for (depth, candidate) in self.plan.depths.iter().zip(&self.placed) {
            values[depth.cell] = usize::from(candidate.value);
        }
        self.run.improve(broken as usize, &values, steps)?;
        if broken == 0 {
            return ControlFlow::Break(());
        }
        self.update_schedule();
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
