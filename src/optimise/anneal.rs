//! A good arrangement soon: simulated annealing (Kirkpatrick, Gelatt and Vecchi, *Science* 220,
//! 1983).
//!
//! Tiles always lie in cells that can take them, so that the border and what concerns one cell
//! hold. A step swaps two tiles, or one with a tile that is left over, each in the orientation that
//! breaks the fewest seams there. Sums over several cells weigh as much as some seams until they
//! hold.

use std::collections::VecDeque;

use super::Effort;
use super::method::{Method, Reached};
use super::tables::FitTables;
use crate::board::CellId;
use crate::puzzle::{KindId, ValueId};
use crate::runtime::limits::CancelToken;
use crate::runtime::random::Random;
use crate::runtime::scheduler::{Progress, Sink};

/// Temperatures at the beginning and at the end, in broken seams. Of twelve pairs from 0.9 and 0.12
/// to 0.35 and 0.18 these break the fewest on 16×16 and 10×10 in 10 s.
const HOT: f64 = 0.45;
const COLD: f64 = 0.1;

/// How often another cell is drawn for one whose seams all fit: 429 seams of 480 fit instead of
/// 419; 4 and 8 times are no better.
const REDRAWS: usize = 2;

/// Steps between two questions whether to go on, at one temperature.
const STRIDE: u64 = 1 << 10;

/// Simulated annealing.
pub(super) struct Annealing;

impl Method for Annealing {
    fn name(&self) -> &'static str {
        "annealing"
    }

    fn serves(&self, _tables: &FitTables<'_>) -> Result<(), &'static str> {
        Ok(())
    }

    fn run(
        &self,
        tables: &FitTables<'_>,
        effort: &Effort<'_>,
        reached: &Reached,
        sink: &mut dyn Sink<Vec<usize>>,
    ) {
        let mut random = Random::with_seed(effort.seed);
        if let Some(mut state) = State::random(tables, &mut random, effort.token) {
            state.run(effort, reached, &mut random, sink);
        }
    }
}

struct State<'g, 'p> {
    tables: &'g FitTables<'p>,
    /// By cell.
    values: Vec<usize>,
    /// Kinds of the tiles that are left over.
    spare: Vec<usize>,
    /// By sum, what it is above its bound, or below.
    excess: Vec<i64>,
    broken: i64,
}

/// What lies in some cells after a step.
type Step = [(usize, usize)];

impl<'g, 'p> State<'g, 'p> {
    /// Tiles at random where they can lie; `None` where they cannot, or the token breaks.
    fn random(
        tables: &'g FitTables<'p>,
        random: &mut Random,
        token: &CancelToken<'_>,
    ) -> Option<Self> {
        let kinds = deal(tables, random, token)?;
        let cells = kinds.iter().enumerate();
        let values: Vec<usize> = cells
            .map(|(cell, &kind)| {
                let values = tables.values(CellId(cell), KindId(kind));
                values[random.usize(..values.len())]
            })
            .collect();
        let spare = tables.spare_kinds(&values);
        let mut state = State {
            tables,
            values,
            spare,
            excess: tables.penalties.excess_of_nothing(),
            broken: 0,
        };
        let mut from_both_sides = 0;
        for cell in 0..state.values.len() {
            state.count(cell, 1);
            let value = state.values[cell];
            let around = tables.broken_around(&state.values, CellId(cell), ValueId(value));
            from_both_sides += around as i64;
            state.broken += tables.broken_within(CellId(cell), ValueId(value)) as i64;
        }
        state.broken += from_both_sides / 2;
        Some(state)
    }

    fn run(
        &mut self,
        effort: &Effort<'_>,
        reached: &Reached,
        random: &mut Random,
        sink: &mut dyn Sink<Vec<usize>>,
    ) {
        // Each step weighs the constraints a few times.
        let units = 4 * self.tables.penalties.units();
        let mut steps = 0;
        loop {
            let share = effort.share(steps);
            if sink.progress(Progress::new(steps, share)).is_break() || share >= 1.0 {
                return;
            }
            let temperature = HOT * (COLD / HOT).powf(share);
            for _ in 0..STRIDE {
                self.step(temperature, random);
                let broken = self.broken as usize;
                if broken < reached.broken()
                    && self.weight() == 0
                    && reached.improve(broken, || self.values.clone())
                    && sink.found(self.values.clone(), steps).is_break()
                {
                    return;
                }
                if units > 0 && effort.token.work(units).is_break() {
                    return;
                }
            }
            steps += STRIDE;
        }
    }

    fn step(&mut self, temperature: f64, random: &mut Random) {
        let tables = self.tables;
        let mut first = random.usize(..self.values.len());
        for _ in 0..REDRAWS {
            if self.broken_at(CellId(first), ValueId(self.values[first])) > 0 {
                break;
            }
            first = random.usize(..self.values.len());
        }
        let kind = tables.kind_of[self.values[first]];
        if !self.spare.is_empty() && random.u8(..4) == 0 {
            let index = random.usize(..self.spare.len());
            if let Some(value) = self.lightest(CellId(first), KindId(self.spare[index]), random)
                && self.try_step(&[(first, value)], temperature, random)
            {
                self.spare[index] = kind;
            }
            return;
        }
        // Tiles of one class can lie in each other's cells; others may.
        let class = &tables.classes[tables.class_of[first]];
        let second = if class.len() > 1 && random.u8(..16) > 0 {
            class[random.usize(..class.len())]
        } else {
            random.usize(..self.values.len())
        };
        let other = tables.kind_of[self.values[second]];
        if kind == other {
            let values = tables.values(CellId(first), KindId(kind));
            let value = values[random.usize(..values.len())];
            self.try_step(&[(first, value)], temperature, random);
            return;
        }
        let Some(value) = self.lightest(CellId(first), KindId(other), random) else {
            return;
        };
        // What now lies in the first cell counts for the second one, its neighbour perhaps.
        let before = std::mem::replace(&mut self.values[first], value);
        let behind = self.lightest(CellId(second), KindId(kind), random);
        self.values[first] = before;
        if let Some(behind) = behind {
            self.try_step(&[(first, value), (second, behind)], temperature, random);
        }
    }

    /// The value of a kind that breaks the fewest seams of a cell; of several any one.
    fn lightest(&self, cell: CellId, kind: KindId, random: &mut Random) -> Option<usize> {
        let values = self.tables.values(cell, kind);
        let start = match values.len() {
            0 => return None,
            number => random.usize(..number),
        };
        let (behind, before) = values.split_at(start);
        let all = before.iter().chain(behind).copied();
        all.min_by_key(|&value| self.broken_at(cell, ValueId(value)))
    }

    /// How many of the cell's seams break where it shows a value.
    fn broken_at(&self, cell: CellId, value: ValueId) -> i64 {
        let around = self.tables.broken_around(&self.values, cell, value);
        (around + self.tables.broken_within(cell, value)) as i64
    }

    /// Takes a step where the temperature lets it; says whether.
    fn try_step(&mut self, step: &Step, temperature: f64, random: &mut Random) -> bool {
        let before = (self.broken, self.weight());
        let mut undo = [(0, 0); 2];
        for (slot, &(cell, value)) in undo.iter_mut().zip(step) {
            *slot = (cell, self.values[cell]);
            self.lay(CellId(cell), ValueId(value));
        }
        let risen = self.broken - before.0 + self.weight() - before.1;
        if risen <= 0 || random.f64() < (-risen as f64 / temperature).exp() {
            return true;
        }
        for &(cell, value) in undo[..step.len()].iter().rev() {
            self.lay(CellId(cell), ValueId(value));
        }
        self.broken = before.0;
        false
    }

    fn lay(&mut self, cell: CellId, value: ValueId) {
        let before = ValueId(self.values[cell.0]);
        self.broken += self.broken_at(cell, value) - self.broken_at(cell, before);
        self.count(cell.0, -1);
        self.values[cell.0] = value.0;
        self.count(cell.0, 1);
    }

    /// What the cell's value counts enters the sums, or leaves them.
    fn count(&mut self, cell: usize, sign: i64) {
        let penalties = &self.tables.penalties;
        penalties.count(cell, self.values[cell], sign, &mut self.excess);
    }

    /// What broken constraints weigh.
    fn weight(&self) -> i64 {
        self.tables.penalties.weight(&self.excess)
    }
}

/// A kind for each cell, at random; `None` where there is no way to deal them, or the token breaks.
fn deal(
    tables: &FitTables<'_>,
    random: &mut Random,
    token: &CancelToken<'_>,
) -> Option<Vec<usize>> {
    let kinds = &tables.problem.kinds.kinds;
    let mut copies: Vec<usize> = kinds.iter().map(|kind| kind.count()).collect();
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    random.shuffle(&mut order);
    let mut dealt: Vec<Option<usize>> = vec![None; tables.class_of.len()];
    for (cell, slot) in dealt.iter_mut().enumerate() {
        token.work(order.len()).continue_value()?;
        let mut kinds = order.iter().copied();
        *slot = kinds.find(|&kind| {
            copies[kind] > 0 && !tables.values(CellId(cell), KindId(kind)).is_empty()
        });
        if let Some(kind) = *slot {
            copies[kind] -= 1;
            if copies[kind] == 0 {
                order.retain(|&k| k != kind);
            }
        }
    }
    for cell in 0..dealt.len() {
        if dealt[cell].is_none() {
            make_room(tables, cell, &mut dealt, &mut copies, token)?;
        }
    }
    dealt.into_iter().collect()
}

/// Gives an empty cell a kind, moving others on where it must (an augmenting path).
fn make_room(
    tables: &FitTables<'_>,
    empty: usize,
    dealt: &mut [Option<usize>],
    copies: &mut [usize],
    token: &CancelToken<'_>,
) -> Option<()> {
    // By kind, the cell that asked for it first.
    let mut asked: Vec<Option<usize>> = vec![None; copies.len()];
    let mut cells = VecDeque::from([empty]);
    while let Some(cell) = cells.pop_front() {
        token.work(copies.len()).continue_value()?;
        for kind in 0..copies.len() {
            if asked[kind].is_some() || tables.values(CellId(cell), KindId(kind)).is_empty() {
                continue;
            }
            asked[kind] = Some(cell);
            if copies[kind] == 0 {
                token.work(dealt.len()).continue_value()?;
                let holders = (0..dealt.len()).filter(|&c| dealt[c] == Some(kind));
                cells.extend(holders);
                continue;
            }
            copies[kind] -= 1;
            let mut next = Some(kind);
            while let Some(kind) = next {
                next = dealt[asked[kind]?].replace(kind);
            }
            return Some(());
        }
    }
    None
}
