//! A good arrangement soon: simulated annealing (Kirkpatrick, Gelatt and Vecchi, *Science* 220,
//! 1983).
//!
//! Tiles always lie in cells that can take them, so that the border and what concerns one cell
//! hold. A step swaps two tiles, or one with a tile that is left over, each in the orientation that
//! breaks the fewest seams there. Sums over several cells weigh as much as some seams until they
//! hold.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::method::{Method, Run};
use super::tables::FitTables;
use crate::enumerate::solution::broken_seams;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;

/// Temperatures at the beginning and at the end, in broken seams. Of twelve pairs from 0.9 and 0.12
/// to 0.35 and 0.18 these break the fewest on 16×16 and 10×10 in 10 s.
const HOT: f64 = 0.45;
const COLD: f64 = 0.1;

/// How often another cell is drawn for one whose seams all fit: 429 seams of 480 fit instead of
/// 419; 4 and 8 times are no better.
const REDRAWS: usize = 2;

/// One step in so many takes a tile that is left over, where there are some.
const SPARE: u8 = 4;

/// One step in so many swaps tiles of any two cells, which may be of different classes.
const ANY_CLASS: u8 = 16;

/// Steps between two polls, at one temperature.
const STRIDE: u64 = 1 << 10;

/// Simulated annealing.
pub(super) const METHOD: Method =
    Method { name: "annealing", serves: |_| Ok(()), restart: |_| None, leads: true, run };

fn run(run: &mut Run<'_>) -> Flow {
    let Some(mut state) = State::random(run) else { return ControlFlow::Break(()) };
    // Each step weighs the constraints a few times.
    let units = 4 * run.tables.penalties.units();
    let mut steps = 0;
    loop {
        let temperature = HOT * (COLD / HOT).powf(run.go_on(steps)?);
        for _ in 0..STRIDE {
            state.step(temperature, &mut run.random);
            let broken = state.broken as usize;
            if broken < run.reached.broken() && state.weight() == 0 {
                run.improve(broken, &state.values, steps)?;
            }
            if units > 0 {
                run.effort.token.work(units)?;
            }
        }
        steps += STRIDE;
    }
}

struct State<'p> {
    tables: &'p FitTables<'p>,
    /// By cell.
    values: Vec<usize>,
    /// Kinds of the tiles that are left over.
    spare: Vec<usize>,
    /// By sum, what it is above its bound, or below.
    excess: Vec<i64>,
    broken: i64,
}

impl<'p> State<'p> {
    /// Tiles at random where they can lie; `None` where they cannot, or the token breaks.
    fn random(run: &mut Run<'p>) -> Option<Self> {
        let kinds = deal(run)?;
        let tables = run.tables;
        let cells = kinds.iter().enumerate();
        let values: Vec<usize> = cells
            .map(|(cell, &kind)| {
                let values = tables.values(cell, kind);
                values[run.random.usize(..values.len())]
            })
            .collect();
        let problem = tables.problem;
        let mut excess = tables.penalties.excess_of_nothing();
        for (cell, &value) in values.iter().enumerate() {
            tables.penalties.count(cell, value, 1, &mut excess);
        }
        Some(State {
            tables,
            spare: tables.spare_kinds(&values),
            broken: broken_seams(problem, &problem.deal(values.iter().copied())).len() as i64,
            values,
            excess,
        })
    }

    fn step(&mut self, temperature: f64, random: &mut Random) {
        let tables = self.tables;
        let mut first = random.usize(..self.values.len());
        for _ in 0..REDRAWS {
            if self.broken_at(first, self.values[first]) > 0 {
                break;
            }
            first = random.usize(..self.values.len());
        }
        let kind = tables.kind_of[self.values[first]];
        if !self.spare.is_empty() && random.u8(..SPARE) == 0 {
            let index = random.usize(..self.spare.len());
            if let Some(value) = self.lightest(first, self.spare[index], random)
                && self.try_step(&[(first, value)], temperature, random)
            {
                self.spare[index] = kind;
            }
            return;
        }
        // Tiles of one class can lie in each other's cells; others may.
        let class = &tables.classes[tables.class_of[first]];
        let second = if class.len() > 1 && random.u8(..ANY_CLASS) > 0 {
            class[random.usize(..class.len())]
        } else {
            random.usize(..self.values.len())
        };
        let other = tables.kind_of[self.values[second]];
        if kind == other {
            let values = tables.values(first, kind);
            let value = values[random.usize(..values.len())];
            self.try_step(&[(first, value)], temperature, random);
            return;
        }
        let Some(value) = self.lightest(first, other, random) else {
            return;
        };
        // What now lies in the first cell counts for the second one, its neighbour perhaps.
        let before = std::mem::replace(&mut self.values[first], value);
        let behind = self.lightest(second, kind, random);
        self.values[first] = before;
        if let Some(behind) = behind {
            self.try_step(&[(first, value), (second, behind)], temperature, random);
        }
    }

    /// The value of a kind that breaks the fewest seams of a cell; of several any one.
    fn lightest(&self, cell: usize, kind: usize, random: &mut Random) -> Option<usize> {
        let values = self.tables.values(cell, kind);
        if values.is_empty() {
            return None;
        }
        let (behind, before) = values.split_at(random.usize(..values.len()));
        let all = before.iter().chain(behind).copied();
        all.min_by_key(|&value| self.broken_at(cell, value))
    }

    /// The number of the cell's seams that break where it shows a value.
    fn broken_at(&self, cell: usize, value: usize) -> usize {
        self.tables.broken_at(&self.values, cell, value)
    }

    /// Places some values if the temperature lets it; returns true if it does.
    fn try_step(&mut self, step: &[(usize, usize)], temperature: f64, random: &mut Random) -> bool {
        let before = (self.broken, self.weight());
        let mut undo = [(0, 0); 2];
        for (slot, &(cell, value)) in undo.iter_mut().zip(step) {
            *slot = (cell, self.values[cell]);
            self.place(cell, value);
        }
        let risen = self.broken - before.0 + self.weight() - before.1;
        if risen <= 0 || random.f64() < (-risen as f64 / temperature).exp() {
            return true;
        }
        for &(cell, value) in undo[..step.len()].iter().rev() {
            self.place(cell, value);
        }
        self.broken = before.0;
        false
    }

    fn place(&mut self, cell: usize, value: usize) {
        let penalties = &self.tables.penalties;
        let before = self.values[cell];
        self.broken += self.broken_at(cell, value) as i64 - self.broken_at(cell, before) as i64;
        penalties.count(cell, before, -1, &mut self.excess);
        penalties.count(cell, value, 1, &mut self.excess);
        self.values[cell] = value;
    }

    /// What broken constraints weigh.
    fn weight(&self) -> i64 {
        self.tables.penalties.weight(&self.excess)
    }
}

/// A kind for each cell, at random; `None` where there is no way to deal them, or the token breaks.
fn deal(run: &mut Run<'_>) -> Option<Vec<usize>> {
    let (tables, token) = (run.tables, run.effort.token);
    let kinds = &tables.problem.kinds.kinds;
    let mut copies: Vec<usize> = kinds.iter().map(|kind| kind.count()).collect();
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    run.random.shuffle(&mut order);
    let mut dealt: Vec<Option<usize>> = vec![None; tables.class_of.len()];
    for (cell, slot) in dealt.iter_mut().enumerate() {
        token.work(order.len()).continue_value()?;
        let is_free = |&kind: &usize| copies[kind] > 0 && !tables.values(cell, kind).is_empty();
        *slot = order.iter().copied().find(is_free);
        if let Some(kind) = *slot {
            copies[kind] -= 1;
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
            if asked[kind].is_some() || tables.values(cell, kind).is_empty() {
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
