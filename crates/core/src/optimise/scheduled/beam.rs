//! A beam search for good beginnings: arrangements of the first cells without a broken seam.
//!
//! There are far more beginnings than a search can visit. Their quality depends on the tiles that
//! remain: the fewer different images these show, the more often they match. Depth by depth, the
//! beam keeps the beginnings with the best score and breaks ties randomly. Two scores alternate
//! between attempts, because neither is best on all boards: the used sides of early images, and the
//! sum over all images of the squared number of remaining sides.

use std::cmp::Reverse;
use std::ops::{ControlFlow, Range};

use super::plan::{AttemptPlan, KindValue};
use crate::optimise::method::MethodRun;
use crate::optimise::tables::FitTables;
use crate::puzzle::Label;
use crate::runtime::limits::Flow;

/// The bonus for a side of an early image in the score by all sides, as a share of the mean number
/// of sides per image. With it, 463 to 464 seams match on Owen's boards of 16×16 instead of 459.
const BONUS: f64 = 0.2;

/// A beginning, as an extension of a shorter one, its parent, by one cell.
#[derive(Default)]
struct Child {
    score: i64,
    /// A random number that decides between children of equal score; the smaller one is preferred.
    tie: u32,
    parent: u32,
    candidate: KindValue,
}

/// A beam search: the kept beginnings of each length, with the states of the longest.
pub(super) struct Beam<'a> {
    tables: &'a FitTables<'a>,
    plan: &'a AttemptPlan,
    /// The range of tile indices of each kind.
    tiles: Vec<Range<usize>>,
    /// The image of each label: equal for a label and its mate.
    images: Vec<usize>,
    /// The score for each used side of each image.
    bonus: Vec<i64>,
    /// The kept beginnings of each length.
    kept: Vec<Vec<Child>>,
    /// The states of the longest kept beginnings, `size` numbers each. A state has three parts: a
    /// bit set of the used tiles; the values of the last cells, in a ring buffer by depth; the
    /// remaining sides of each image.
    states: Vec<u16>,
    size: usize,
    /// The offsets of the second and third part.
    values: usize,
    sides: usize,
}

impl<'a> Beam<'a> {
    /// Prepares a search that scores only sides of early images if `early_alone`, otherwise all
    /// sides.
    pub fn new(tables: &'a FitTables<'a>, plan: &'a AttemptPlan, early_alone: bool) -> Self {
        let fit = tables.problem.tables();
        let images: Vec<usize> =
            fit.all_labels().map(|label| label.min(fit.mate(label)).index()).collect();
        let mut left = vec![0u16; fit.labels()];
        let mut tiles = Vec::new();
        let mut end = 0;
        for kind in &tables.problem.kinds.kinds {
            for &label in tables.shown_by(kind.values.start) {
                let number = &mut left[images[label.index()]];
                *number = number.saturating_add(kind.copies as u16);
            }
            tiles.push(end..end + kind.copies);
            end += kind.copies;
        }
        // Sides with the border are on the rim and match nothing.
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
            // This disables the score for remaining sides.
            left.fill(0);
        }
        // The largest distance to a depth whose value is still needed.
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

    /// Finds up to `width` beginnings of `depths` cells, in random order. Returns them with the
    /// number of candidates generated. They are shorter, or none, if no beginning can be extended
    /// to this length. Breaks if the token stops the run.
    pub fn beginnings(
        mut self,
        (width, depths): (usize, usize),
        run: &mut MethodRun<'_>,
    ) -> Flow<(Vec<Vec<KindValue>>, u64)> {
        let mut work = 0;
        for depth in 0..depths {
            let mut children = self.children(depth, run)?;
            work += children.len() as u64;
            if children.is_empty() {
                // Beginnings that cannot be extended are useless; shorter ones still have
                // alternatives.
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
            self.extend(depth, children);
        }
        let mut all: Vec<Vec<KindValue>> = match &self.kept[..] {
            [_, .., last] => (0..last.len()).map(|index| self.beginning(index)).collect(),
            _ => Vec::new(),
        };
        run.random.shuffle(&mut all);
        ControlFlow::Continue((all, work))
    }

    /// The extensions of all kept beginnings of length `depth` by a tile that breaks no seam.
    /// Breaks if the token stops the run.
    fn children(&self, depth: usize, run: &mut MethodRun<'_>) -> Flow<Vec<Child>> {
        let at = &self.plan.depths[depth];
        let mut children = Vec::new();
        let states = self.states.chunks_exact(self.size).zip(&self.kept[depth]);
        for (parent, (state, &Child { score, .. })) in (0..).zip(states) {
            let value_at = |depth| state[self.place_of(depth)];
            let mut required = [0; 2];
            for (required, before) in required.iter_mut().zip(&at.selecting) {
                *required = before.required(self.tables, value_at);
            }
            let exact = self.plan.exact.slice(self.plan.exact_range(at.position_type, required));
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

    /// The offset in a state of the value at a depth. It is overwritten once no later cell needs
    /// it.
    fn place_of(&self, depth: usize) -> usize {
        self.values + depth % (self.sides - self.values)
    }

    /// Returns true if a tile of the kind is left. Tiles of a kind are used in ascending order.
    fn is_left(&self, state: &[u16], candidate: KindValue) -> bool {
        let last = self.tiles[usize::from(candidate.kind)].end - 1;
        state[last / 16] >> (last % 16) & 1 == 0
    }

    /// The increase of a beginning's score, higher being better, if a tile with the labels `shown`
    /// is used. `state` is that of the beginning.
    fn gain(&self, state: &[u16], shown: &[Label]) -> i64 {
        let images = shown.iter().map(|label| self.images[label.index()]);
        let sides = &state[self.sides..];
        let gains = images.clone().enumerate().map(|(at, image)| {
            // Several sides of one tile with the same image are counted one by one.
            let before = images.clone().take(at).filter(|&other| other == image);
            let left = i64::from(sides[image]) - before.count() as i64;
            self.bonus[image] - if left > 0 { 2 * left - 1 } else { 0 }
        });
        gains.sum()
    }

    /// Replaces the states by those of the children, and keeps the children as the beginnings of
    /// length `depth` + 1.
    fn extend(&mut self, depth: usize, children: Vec<Child>) {
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

    /// The candidates of one of the longest kept beginnings, from its first cell on.
    fn beginning(&self, mut index: usize) -> Vec<KindValue> {
        let candidate = |level: &Vec<Child>| {
            let child = &level[index];
            index = child.parent as usize;
            child.candidate
        };
        let mut candidates: Vec<KindValue> = self.kept[1..].iter().rev().map(candidate).collect();
        candidates.reverse();
        candidates
    }
}
