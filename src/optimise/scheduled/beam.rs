//! Good beginnings: a beam search over arrangements of the first cells without a broken seam.
//!
//! There are far more of them than a search can visit, and what counts is which tiles they leave:
//! the fewer images these show, the more often they match. So a beam keeps, cell by cell, the
//! beginnings whose tiles left over match best; of equal ones any. Two measures take turns, as
//! neither is best on all boards: the sides of early images that are used, and the sum over all
//! images of the square of the number of sides left.

use std::cmp::Reverse;
use std::ops::{ControlFlow, Range};

use super::plan::{Candidate, Plan};
use crate::optimise::method::Run;
use crate::optimise::tables::FitTables;
use crate::puzzle::Label;
use crate::runtime::limits::Flow;

/// What the measure by all sides adds for one of an early image, as a share of the mean number of
/// sides of an image: 463 to 464 seams fit on Owen's boards of 16×16 instead of 459.
const BONUS: f64 = 0.2;

/// A beginning with one more cell than another one, its parent.
#[derive(Default)]
struct Child {
    score: i64,
    /// Which of those with one score come first.
    tie: u32,
    parent: u32,
    candidate: Candidate,
}

/// All beginnings of one length.
pub(super) struct Beam<'a> {
    tables: &'a FitTables<'a>,
    plan: &'a Plan,
    /// By kind, its tiles.
    tiles: Vec<Range<usize>>,
    /// By label, its image.
    images: Vec<usize>,
    /// By image, what a side of it adds when it is used.
    bonus: Vec<i64>,
    /// By length, the beginnings that were kept.
    kept: Vec<Vec<Child>>,
    /// The last of these, `size` numbers each: bits of the tiles that are used; the values of the
    /// last cells, by depth modulo their number; by image, the sides that are left.
    states: Vec<u16>,
    size: usize,
    /// Where the second and the third part begin.
    values: usize,
    sides: usize,
}

impl<'a> Beam<'a> {
    /// Measures by the sides of early images alone, or by all sides.
    pub fn new(tables: &'a FitTables<'a>, plan: &'a Plan, early_alone: bool) -> Self {
        let fit = tables.problem.tables();
        let images: Vec<usize> =
            fit.all_labels().map(|label| label.min(fit.mate(label)).index()).collect();
        let mut left = vec![0u16; fit.labels()];
        let mut tiles = Vec::new();
        let mut end = 0;
        for kind in &tables.problem.kinds.kinds {
            for &label in tables.shown_by(kind.values.start) {
                let number = &mut left[images[label.index()]];
                *number = number.saturating_add(kind.count() as u16);
            }
            tiles.push(end..end + kind.count());
            end += kind.count();
        }
        // A side of the border lies at the rim and matches nothing.
        if let Some(border) = tables.problem.puzzle.border {
            left[images[border.index()]] = 0;
        }
        let shown = left.iter().filter(|&&number| number > 0).count().max(1);
        let mean = left.iter().map(|&n| f64::from(n)).sum::<f64>() / shown as f64;
        let mut bonus = vec![0; fit.labels()];
        for label in fit.all_labels().filter(|label| plan.early[label.index()]) {
            let of_side = if early_alone { 1 } else { (2.0 * BONUS * mean).round() as i64 };
            bonus[images[label.index()]] = of_side;
        }
        if early_alone {
            // Sides of which none are left add nothing more.
            left.fill(0);
        }
        // The farthest depth whose value is still required.
        let depths = plan.depths[..plan.comb].iter().enumerate();
        let distances = depths.flat_map(|(depth, at)| {
            at.selecting.iter().chain(&at.others).map(move |before| depth - before.depth)
        });
        let values = end.div_ceil(16);
        let sides = values + distances.max().unwrap_or(1);
        let mut states = vec![0; sides];
        states.extend(left);
        Beam {
            tables,
            plan,
            tiles,
            images,
            bonus,
            kept: vec![vec![Child::default()]],
            size: states.len(),
            states,
            values,
            sides,
        }
    }

    /// Finds beginnings of so many cells, or fewer where there are none, and the number of
    /// candidates that it looked at. `Break` where the token says so.
    pub fn beginnings(
        mut self,
        (width, depths): (usize, usize),
        run: &mut Run<'_>,
    ) -> Flow<(Vec<Vec<Candidate>>, u64)> {
        let mut work = 0;
        for depth in 0..depths {
            let mut children = self.children(depth, run)?;
            work += children.len() as u64;
            if children.is_empty() {
                // What has no next cell is of no use: some cells before, there is still a choice.
                let shorter = depth.saturating_sub(run.random.usize(1..=self.plan.line));
                self.kept.truncate(shorter + 1);
                break;
            }
            if children.len() > width {
                children
                    .select_nth_unstable_by_key(width, |child| (Reverse(child.score), child.tie));
                children.truncate(width);
            }
            run.effort.token.work(children.len() * self.size)?;
            self.go_on(depth, children);
        }
        let mut all: Vec<Vec<Candidate>> = match &self.kept[..] {
            [_, .., last] => (0..last.len()).map(|index| self.beginning(index)).collect(),
            _ => Vec::new(),
        };
        run.random.shuffle(&mut all);
        ControlFlow::Continue((all, work))
    }

    /// All that match at a depth.
    fn children(&self, depth: usize, run: &mut Run<'_>) -> Flow<Vec<Child>> {
        let at = &self.plan.depths[depth];
        let mut children = Vec::new();
        let states = self.states.chunks_exact(self.size).zip(&self.kept[depth]);
        for (parent, (state, &Child { score, .. })) in (0..).zip(states) {
            let value_at = |depth| state[self.place_of(depth)];
            let mut required = [0; 2];
            for (required, before) in required.iter_mut().zip(&at.selecting) {
                *required = before.required(self.tables, value_at);
            }
            let exact = self.plan.exact.within(self.plan.exact_range(at.sort, required));
            run.effort.token.work(8 * exact.len())?;
            for &candidate in exact {
                if self.is_left(state, candidate)
                    && self.plan.breaks(self.tables, depth, candidate, value_at) == 0
                {
                    let shown = self.tables.shown_by(usize::from(candidate.value));
                    let score = score + self.gain(state, shown);
                    children.push(Child { score, tie: run.random.u32(..), parent, candidate });
                }
            }
        }
        ControlFlow::Continue(children)
    }

    /// Where a beginning keeps the value of a depth, until it is not required any more.
    fn place_of(&self, depth: usize) -> usize {
        self.values + depth % (self.sides - self.values)
    }

    /// True if a tile of the kind is left: they are used from the first one on.
    fn is_left(&self, state: &[u16], candidate: Candidate) -> bool {
        let last = self.tiles[usize::from(candidate.kind)].end - 1;
        state[last / 16] >> (last % 16) & 1 == 0
    }

    /// What using a tile with these sides adds to the score.
    fn gain(&self, state: &[u16], shown: &[Label]) -> i64 {
        let images = shown.iter().map(|label| self.images[label.index()]);
        let sides = &state[self.sides..];
        let gains = images.clone().enumerate().map(|(at, image)| {
            // Sides of one tile that show the same image are taken one after the other.
            let before = images.clone().take(at).filter(|&other| other == image);
            let left = i64::from(sides[image]) - before.count() as i64;
            self.bonus[image] - if left > 0 { 2 * left - 1 } else { 0 }
        });
        gains.sum()
    }

    /// Places the last tile of each child.
    fn go_on(&mut self, depth: usize, children: Vec<Child>) {
        let mut states = Vec::with_capacity(children.len() * self.size);
        for child in &children {
            let start = states.len();
            states
                .extend_from_slice(&self.states[child.parent as usize * self.size..][..self.size]);
            let state = &mut states[start..];
            let mut tiles = self.tiles[usize::from(child.candidate.kind)].clone();
            if let Some(tile) = tiles.find(|tile| state[tile / 16] >> (tile % 16) & 1 == 0) {
                state[tile / 16] |= 1 << (tile % 16);
            }
            state[self.place_of(depth)] = child.candidate.value;
            for &label in self.tables.shown_by(usize::from(child.candidate.value)) {
                let number = &mut state[self.sides + self.images[label.index()]];
                *number = number.saturating_sub(1);
            }
        }
        self.states = states;
        self.kept.push(children);
    }

    /// A beginning from its first cell on.
    fn beginning(&self, mut index: usize) -> Vec<Candidate> {
        let candidate = |level: &Vec<Child>| {
            let child = &level[index];
            index = child.parent as usize;
            child.candidate
        };
        let mut candidates: Vec<Candidate> = self.kept[1..].iter().rev().map(candidate).collect();
        candidates.reverse();
        candidates
    }
}
