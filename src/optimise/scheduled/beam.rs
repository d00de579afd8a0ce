//! Good beginnings: a beam search over arrangements of the first cells without a broken seam.
//!
//! There are far more of them than a search can visit, and what counts is which tiles they leave:
//! the fewer images these show, the more often they match. So a beam keeps, cell by cell, the
//! beginnings whose tiles left over match best; of equal ones any. Two measures take turns, as
//! neither is best on all boards: the sides of early images that are used, and the sum over all
//! images of the square of the number of sides left.

use std::ops::ControlFlow;

use super::plan::{Before, Candidate, Plan};
use crate::limits::{CancelToken, Flow};
use crate::optimise::tables::{FitTables, NOTHING};
use crate::puzzle::Label;
use crate::random::Random;

/// What the measure adds for a side of an early image, as a share of the mean number of sides.
const BONUS: f64 = 0.2;

/// What beginnings are measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// Sides of early images that are used.
    Early,
    /// How often two sides match that are drawn from those left.
    Matching,
}

/// Some beginnings of the same length.
pub(super) struct Beginnings {
    /// The candidates by depth.
    pub all: Vec<Vec<Candidate>>,
    /// Candidates that were looked at.
    pub work: u64,
}

/// A beginning with one more cell.
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
    measure: Measure,
    /// By cell, where a beginning keeps its value as long as a neighbour is empty.
    slots: Vec<usize>,
    /// By kind, its tiles: bits from and to.
    tiles: Vec<(usize, usize)>,
    /// By label, its image.
    images: Vec<usize>,
    /// By image, what a side of it adds when it is used.
    bonus: Vec<i64>,
    states: States,
    /// By depth and beginning, the one that it goes on from and its last candidate.
    history: Vec<Vec<(u32, Candidate)>>,
}

/// Beginnings, one after the other.
#[derive(Default)]
struct States {
    scores: Vec<i64>,
    /// The tiles that are used: `words` words each.
    used: Vec<u64>,
    words: usize,
    /// The values of cells with an empty neighbour: `room` each.
    frontier: Vec<u16>,
    room: usize,
    /// By image, the sides that are left: `kinds` each.
    sides: Vec<u16>,
    images: usize,
}

impl States {
    /// Room for some beginnings like these.
    fn like(&self, number: usize) -> States {
        States {
            scores: Vec::with_capacity(number),
            used: Vec::with_capacity(number * self.words),
            frontier: Vec::with_capacity(number * self.room),
            sides: Vec::with_capacity(number * self.images),
            ..*self
        }
    }

    /// Takes over a beginning of others.
    fn copy(&mut self, from: &States, index: usize) {
        self.used.extend_from_slice(from.used(index));
        self.frontier.extend_from_slice(from.frontier(index));
        self.sides.extend_from_slice(from.sides(index));
    }

    fn used(&self, index: usize) -> &[u64] {
        &self.used[index * self.words..][..self.words]
    }

    fn frontier(&self, index: usize) -> &[u16] {
        &self.frontier[index * self.room..][..self.room]
    }

    fn sides(&self, index: usize) -> &[u16] {
        &self.sides[index * self.images..][..self.images]
    }
}

impl<'a> Beam<'a> {
    pub fn new(tables: &'a FitTables<'a>, plan: &'a Plan, measure: Measure) -> Self {
        let kinds = &tables.problem.kinds.kinds;
        let fit = tables.problem.tables();
        let images: Vec<usize> =
            fit.all_labels().map(|label| label.min(fit.mate(label)).index()).collect();
        let mut sides = vec![0u16; fit.labels()];
        let mut tiles = Vec::new();
        let mut end = 0;
        for kind in kinds {
            for &label in tables.shown_by(kind.values.start) {
                let number = &mut sides[images[label.index()]];
                *number = number.saturating_add(kind.count() as u16);
            }
            tiles.push((end, end + kind.count()));
            end += kind.count();
        }
        // A side of the border lies at the rim and matches nothing.
        if let Some(border) = tables.problem.puzzle.border {
            sides[images[border.index()]] = 0;
        }
        let shown = sides.iter().filter(|&&number| number > 0).count().max(1);
        let mean = sides.iter().map(|&n| f64::from(n)).sum::<f64>() / shown as f64;
        let mut bonus = vec![0; fit.labels()];
        for label in fit.all_labels().filter(|label| plan.early[label.index()]) {
            bonus[images[label.index()]] = match measure {
                Measure::Early => 1,
                Measure::Matching => (2.0 * BONUS * mean).round() as i64,
            };
        }
        let (slots, room) = slots(tables, plan);
        let words = end.div_ceil(64);
        Beam {
            tables,
            plan,
            measure,
            slots,
            tiles,
            images,
            bonus,
            states: States {
                scores: vec![0],
                used: vec![0; words],
                words,
                frontier: vec![0; room],
                room,
                images: sides.len(),
                sides,
            },
            history: Vec::new(),
        }
    }

    /// Finds beginnings of so many cells, or fewer where there are none. `Break` where the token says
    /// so.
    pub fn beginnings(
        mut self,
        (width, depths): (usize, usize),
        random: &mut Random,
        token: &CancelToken<'_>,
    ) -> Flow<Beginnings> {
        let mut work = 0;
        for depth in 0..depths {
            let mut children = self.children(depth, random, token)?;
            work += children.len() as u64;
            if children.is_empty() {
                // What has no next cell is of no use: some cells before, there is still a choice.
                let shorter = depth.saturating_sub(random.usize(1..=self.plan.line));
                self.history.truncate(shorter);
                break;
            }
            if children.len() > width {
                let key = |child: &Child| (std::cmp::Reverse(child.score), child.tie);
                children.select_nth_unstable_by_key(width, key);
                children.truncate(width);
            }
            let States { words, room, images, .. } = self.states;
            self.go_on(depth, &children);
            token.work(children.len() * (words + room + images))?;
        }
        let last = self.history.last().map_or(0, Vec::len);
        let mut all: Vec<Vec<Candidate>> = (0..last).map(|index| self.beginning(index)).collect();
        random.shuffle(&mut all);
        ControlFlow::Continue(Beginnings { all, work })
    }

    /// All that match at a depth.
    fn children(
        &self,
        depth: usize,
        random: &mut Random,
        token: &CancelToken<'_>,
    ) -> Flow<Vec<Child>> {
        let at = &self.plan.depths[depth];
        let mut children = Vec::new();
        for (index, &score) in self.states.scores.iter().enumerate() {
            let frontier = self.states.frontier(index);
            let mut required = [0; 2];
            for (required, before) in required.iter_mut().zip(&at.selecting) {
                *required = self.required(frontier, *before).index() as u32;
            }
            let exact = self.plan.exact.within(self.plan.exact_range(at.sort, required));
            token.work(8 * exact.len())?;
            for &candidate in exact {
                let shown = self.tables.shown_by(usize::from(candidate.value));
                let mut others = at.others.iter();
                if self.is_left(index, candidate)
                    && others.all(|before| {
                        shown[before.here as usize] == self.required(frontier, *before)
                    })
                {
                    children.push(Child {
                        score: score + self.gain(index, shown),
                        tie: random.u32(..),
                        parent: index as u32,
                        candidate,
                    });
                }
            }
        }
        ControlFlow::Continue(children)
    }

    /// The label that a filled neighbour requires.
    fn required(&self, frontier: &[u16], before: Before) -> Label {
        let value = usize::from(frontier[self.slots[before.cell as usize]]);
        self.tables.fits[value * self.tables.sides + before.there as usize]
    }

    /// Whether a tile of the kind is left: its tiles are used from the first one on.
    fn is_left(&self, index: usize, candidate: Candidate) -> bool {
        let last = self.tiles[usize::from(candidate.kind)].1 - 1;
        self.states.used(index)[last / 64] >> (last % 64) & 1 == 0
    }

    /// What using a tile with these sides adds to the score.
    fn gain(&self, index: usize, shown: &[Label]) -> i64 {
        let images = shown.iter().map(|label| self.images[label.index()]);
        if self.measure == Measure::Early {
            return images.map(|image| self.bonus[image]).sum();
        }
        let sides = self.states.sides(index);
        let gains = images.clone().enumerate().map(|(at, image)| {
            // Sides of one tile that show the same image are taken one after the other.
            let before = images.clone().take(at).filter(|&other| other == image);
            let left = i64::from(sides[image]) - before.count() as i64;
            self.bonus[image] - if left > 0 { 2 * left - 1 } else { 0 }
        });
        gains.sum()
    }

    /// Lays the last tile of each child.
    fn go_on(&mut self, depth: usize, children: &[Child]) {
        let cell = self.plan.depths[depth].cell as usize;
        let mut states = self.states.like(children.len());
        let mut history = Vec::with_capacity(children.len());
        for (index, child) in children.iter().enumerate() {
            let &Child { score, parent, candidate, .. } = child;
            states.copy(&self.states, parent as usize);
            states.scores.push(score);
            let used = &mut states.used[index * states.words..];
            let (start, end) = self.tiles[usize::from(candidate.kind)];
            if let Some(tile) = (start..end).find(|tile| used[tile / 64] >> (tile % 64) & 1 == 0) {
                used[tile / 64] |= 1 << (tile % 64);
            }
            states.frontier[index * states.room + self.slots[cell]] = candidate.value;
            let sides = &mut states.sides[index * states.images..];
            for &label in self.tables.shown_by(usize::from(candidate.value)) {
                let number = &mut sides[self.images[label.index()]];
                *number = number.saturating_sub(1);
            }
            history.push((parent, candidate));
        }
        self.states = states;
        self.history.push(history);
    }

    /// A beginning from its first cell on.
    fn beginning(&self, mut index: usize) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::with_capacity(self.history.len());
        for level in self.history.iter().rev() {
            let (parent, candidate) = level[index];
            candidates.push(candidate);
            index = parent as usize;
        }
        candidates.reverse();
        candidates
    }
}

/// By cell its slot, and the number of slots: a slot is free again when all neighbours are filled.
fn slots(tables: &FitTables<'_>, plan: &Plan) -> (Vec<usize>, usize) {
    let mut is_filled = vec![false; plan.depths.len()];
    let mut slots = vec![0; plan.depths.len()];
    let mut free: Vec<usize> = Vec::new();
    let mut room = 0;
    for depth in &plan.depths {
        let cell = depth.cell as usize;
        is_filled[cell] = true;
        slots[cell] = free.pop().unwrap_or_else(|| {
            room += 1;
            room - 1
        });
        let around = tables.beside_of(cell).iter();
        let mut around: Vec<usize> = around
            .filter(|(_, other)| *other != NOTHING)
            .map(|&(_, other)| other as usize)
            .chain([cell])
            .collect();
        // Cells may touch on several sides.
        around.sort_unstable();
        around.dedup();
        free.extend(
            around
                .into_iter()
                .filter(|&near| {
                    let mut beside = tables.beside_of(near).iter();
                    is_filled[near]
                        && beside.all(|&(_, other)| other == NOTHING || is_filled[other as usize])
                })
                .map(|near| slots[near]),
        );
    }
    (slots, room)
}
