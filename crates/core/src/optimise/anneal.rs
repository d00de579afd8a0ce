//! Simulated annealing (Kirkpatrick, Gelatt and Vecchi, *Science* 220, 1983), which finds good
//! arrangements quickly.
//!
//! Every tile is always in a cell that allows it, so the border and single-cell constraints hold. A
//! step swaps two tiles, or a placed tile and a spare one, each in the orientation that breaks the
//! fewest seams. A violated sum over several cells costs as much as a few broken seams.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::method::{Method, MethodRun};
use super::tables::FitTables;
use crate::enumerate::solution::broken_seams;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;

/// The initial and final temperature, in broken seams. Of twelve pairs tested between (0.35, 0.18)
/// and (0.9, 0.12), this one breaks the fewest seams on 16×16 and 10×10 in 10 s.
const HOT: f64 = 0.45;
const COLD: f64 = 0.1;

/// The maximum number of times that the first cell of a step is redrawn because all its seams
/// match. With two redraws, 429 of 480 seams match instead of 419; 4 and 8 are no better.
const REDRAWS: usize = 2;

/// If all redraws fail, one step in [`ANY_CELL`] starts at any cell, and the others at a cell with a
/// broken seam.
const ANY_CELL: u8 = 2;

/// One step in [`SPARE`] places a spare tile, if there is one.
const SPARE: u8 = 4;

/// One step in [`ANY_CLASS`] draws the second cell from the whole board, the others from the class
/// of the first cell.
const ANY_CLASS: u8 = 16;

/// The number of steps between two polls, at constant temperature.
const STRIDE: u64 = 1 << 10;

/// The annealing method.
pub(super) const METHOD: Method =
    Method { name: "annealing", serves: |_| Ok(()), restart: |_| None, leads: true, run };

/// Anneals until the effort is spent or the sink stops the run, and always breaks then. Reports
/// each arrangement that improves the incumbent and violates no constraint.
fn run(run: &mut MethodRun<'_>) -> Flow {
    let Some(mut state) = AnnealState::random(run) else { return ControlFlow::Break(()) };
    // Each step evaluates the constraints a few times.
    let units = 4 * run.tables.penalties.units();
    let mut steps = 0;
    loop {
        let temperature = HOT * (COLD / HOT).powf(run.report(steps)?);
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

struct AnnealState<'p> {
    tables: &'p FitTables<'p>,
    /// The value of each cell.
    values: Vec<usize>,
    /// The kind of each tile that is not placed.
    spare: Vec<usize>,
    /// The value of each sum minus its bound.
    excess: Vec<i64>,
    broken: i64,
    /// All cells with a broken seam, and some whose seams have been mended since.
    faulty: Vec<usize>,
    /// For each cell, true if it is in `faulty`.
    is_listed: Vec<bool>,
}

impl<'p> AnnealState<'p> {
    /// Creates a random state in which each cell contains a tile that it allows; `None` if there is
    /// none or the token stops the run.
    fn random(run: &mut MethodRun<'p>) -> Option<Self> {
        let kinds = assign_kinds(run)?;
        let tables = run.tables;
        let cells = kinds.iter().enumerate();
        let values: Vec<usize> = cells
            .map(|(cell, &kind)| {
                let values = tables.values(cell, kind);
                values[run.random.usize(..values.len())]
            })
            .collect();
        let problem = tables.problem;
        let mut excess = tables.penalties.initial_excess();
        for (cell, &value) in values.iter().enumerate() {
            tables.penalties.count(cell, value, 1, &mut excess);
        }
        Some(AnnealState {
            tables,
            spare: tables.spare_kinds(&values),
            broken: broken_seams(problem, &problem.deal(values.iter().copied())).len() as i64,
            faulty: (0..values.len()).collect(),
            is_listed: vec![true; values.len()],
            values,
            excess,
        })
    }

    /// A random cell, preferably one with a broken seam.
    fn first_cell(&mut self, random: &mut Random) -> usize {
        let mut cell = random.usize(..self.values.len());
        for _ in 0..REDRAWS {
            if self.broken_at(cell, self.values[cell]) > 0 {
                return cell;
            }
            cell = random.usize(..self.values.len());
        }
        if random.u8(..ANY_CELL) == 0 {
            return cell;
        }
        while !self.faulty.is_empty() {
            let at = random.usize(..self.faulty.len());
            let listed = self.faulty[at];
            if self.broken_at(listed, self.values[listed]) > 0 {
                return listed;
            }
            self.faulty.swap_remove(at);
            self.is_listed[listed] = false;
        }
        cell
    }

    /// Adds a cell and its neighbours to the list of cells with a broken seam.
    fn list_faulty(&mut self, cell: usize) {
        let beside = self.tables.neighbours(cell).map(|(_, _, other)| other);
        for listed in beside.chain([cell]) {
            if !self.is_listed[listed] {
                self.is_listed[listed] = true;
                self.faulty.push(listed);
            }
        }
    }

    /// Tries one random step and keeps or rejects it.
    fn step(&mut self, temperature: f64, random: &mut Random) {
        let tables = self.tables;
        let first = self.first_cell(random);
        let kind = tables.kind_of[self.values[first]];
        if !self.spare.is_empty() && random.u8(..SPARE) == 0 {
            let index = random.usize(..self.spare.len());
            if let Some(value) = self.cheapest_value(first, self.spare[index], random)
                && self.try_step(&[(first, value)], temperature, random)
            {
                self.spare[index] = kind;
            }
            return;
        }
        // Tiles in cells of one class can always be exchanged, other tiles only sometimes.
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
        let Some(value) = self.cheapest_value(first, other, random) else {
            return;
        };
        // The second cell may be a neighbour, so its choice depends on the new value of the first.
        let before = std::mem::replace(&mut self.values[first], value);
        let behind = self.cheapest_value(second, kind, random);
        self.values[first] = before;
        if let Some(behind) = behind {
            self.try_step(&[(first, value), (second, behind)], temperature, random);
        }
    }

    /// The value of a kind that breaks the fewest seams of a cell; ties are broken randomly. `None`
    /// if the cell does not allow the kind.
    fn cheapest_value(&self, cell: usize, kind: usize, random: &mut Random) -> Option<usize> {
        let values = self.tables.values(cell, kind);
        if values.is_empty() {
            return None;
        }
        let (behind, before) = values.split_at(random.usize(..values.len()));
        let all = before.iter().chain(behind).copied();
        all.min_by_key(|&value| self.broken_at(cell, value))
    }

    /// The number of broken seams of the cell if it contains the value.
    fn broken_at(&self, cell: usize, value: usize) -> usize {
        self.tables.broken_at(&self.values, cell, value)
    }

    /// Places one or two values (cell, value). If broken seams and penalties do not increase, the
    /// step is accepted, otherwise with probability exp(−increase / temperature); if rejected, it
    /// is undone. Returns true if accepted.
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

    /// Replaces the value of a cell and updates the broken seams and sums.
    fn place(&mut self, cell: usize, value: usize) {
        let penalties = &self.tables.penalties;
        let before = self.values[cell];
        let broken = self.broken_at(cell, value);
        self.broken += broken as i64 - self.broken_at(cell, before) as i64;
        penalties.count(cell, before, -1, &mut self.excess);
        penalties.count(cell, value, 1, &mut self.excess);
        self.values[cell] = value;
        if broken > 0 {
            self.list_faulty(cell);
        }
    }

    /// The total penalty of violated constraints.
    fn weight(&self) -> i64 {
        self.tables.penalties.weight(&self.excess)
    }
}

/// Assigns a random kind to each cell that allows it, within the copies; `None` if there is no
/// assignment or the token stops the run.
fn assign_kinds(run: &mut MethodRun<'_>) -> Option<Vec<usize>> {
    let (tables, token) = (run.tables, run.effort.token);
    let kinds = &tables.problem.kinds.kinds;
    let mut copies: Vec<usize> = kinds.iter().map(|kind| kind.copies).collect();
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    run.random.shuffle(&mut order);
    let mut assigned: Vec<Option<usize>> = vec![None; tables.class_of.len()];
    for (cell, slot) in assigned.iter_mut().enumerate() {
        token.work(order.len()).continue_value()?;
        let is_free = |&kind: &usize| copies[kind] > 0 && !tables.values(cell, kind).is_empty();
        *slot = order.iter().copied().find(is_free);
        if let Some(kind) = *slot {
            copies[kind] -= 1;
        }
    }
    for cell in 0..assigned.len() {
        if assigned[cell].is_none() {
            augment_assignment(tables, cell, &mut assigned, &mut copies, token)?;
        }
    }
    assigned.into_iter().collect()
}

/// Assigns a kind to an empty cell along a shortest augmenting path, reassigning other cells where
/// necessary. `None` if there is no such path, so that no complete assignment exists, or the token
/// stops the run.
fn augment_assignment(
    tables: &FitTables<'_>,
    empty: usize,
    assigned: &mut [Option<usize>],
    copies: &mut [usize],
    token: &CancelToken<'_>,
) -> Option<()> {
    // The cell from which each kind was first reached.
    let mut reached_from: Vec<Option<usize>> = vec![None; copies.len()];
    let mut cells = VecDeque::from([empty]);
    while let Some(cell) = cells.pop_front() {
        token.work(copies.len()).continue_value()?;
        for kind in 0..copies.len() {
            if reached_from[kind].is_some() || tables.values(cell, kind).is_empty() {
                continue;
            }
            reached_from[kind] = Some(cell);
            if copies[kind] == 0 {
                token.work(assigned.len()).continue_value()?;
                let holders = (0..assigned.len()).filter(|&c| assigned[c] == Some(kind));
                cells.extend(holders);
                continue;
            }
            copies[kind] -= 1;
            let mut next = Some(kind);
            while let Some(kind) = next {
                next = assigned[reached_from[kind]?].replace(kind);
            }
            return Some(());
        }
    }
    None
}
