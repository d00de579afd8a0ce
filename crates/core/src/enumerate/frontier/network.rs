//! The variables, links and counters whose assignments a sweep counts.
//!
//! A variable is an orbit of cells under a symmetry. Under the identity each cell is a variable, and
//! the assignments are the arrangements; under another symmetry they are the arrangements that it
//! maps onto themselves, because the value in one cell determines the values in its whole orbit.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;

use crate::board::Symmetry;
use crate::domains::Domains;
use crate::enumerate::up_to::PuzzleSymmetry;
use crate::problem::{CellSum, Problem, coefficient_of};
use crate::puzzle::{Label, Orientation, ValueSet};

/// The maximum number of sets of cells whose use by other kinds is counted.
const MOST_ROOMS: usize = 8;

/// Variables with choices, links between them, and counters over all of them.
#[derive(Debug, Default)]
pub(super) struct Network {
    pub variables: Vec<Variable>,
    pub links: Vec<SeamLink>,
    pub counters: Vec<Counter>,
    /// For each variable, the counters that it may increase, with the maximum.
    pub uses: Vec<BTreeMap<usize, u64>>,
}

/// An orbit of cells.
#[derive(Debug)]
pub(super) struct Variable {
    /// The cells; each symmetry image follows its original.
    pub cells: Vec<usize>,
    pub choices: Vec<Choice>,
}

/// One assignment of a variable.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    /// The value in each cell of the orbit.
    pub values: Vec<usize>,
    /// The counters that it increases, with amounts.
    pub uses: Vec<(usize, u64)>,
}

/// A seam between two variables: the label that each choice shows on it.
#[derive(Debug)]
pub(super) struct SeamLink {
    pub ends: [usize; 2],
    pub labels: [Vec<Label>; 2],
}

/// A sum over all variables with bounds: the pieces of a kind, or a linear constraint.
#[derive(Debug, Clone)]
pub(super) struct Counter {
    pub least: u64,
    pub most: u64,
}

impl Network {
    /// Builds the network of the arrangements from `domains` that a symmetry maps onto themselves.
    pub fn of_values(problem: &Problem, domains: &Domains, symmetry: &PuzzleSymmetry) -> Network {
        let choices = |cells: &[usize]| {
            let choice = |first: usize| {
                let values = around(
                    domains,
                    cells,
                    first,
                    |value| Some(*value),
                    |value, cell| symmetry.moved(cell, *value),
                )?;
                let used = values.iter().counts_by(|&value| problem.kinds.values[value].kind);
                let uses = used.into_iter().map(|(kind, cells)| (kind, cells as u64)).sorted();
                Some(Choice { uses: uses.collect(), values })
            };
            domains.cells[cells[0]].iter().filter_map(choice).collect()
        };
        let (mut network, place) = Network::new(problem, &symmetry.image, choices);
        let uses = domains.uses.iter();
        network.counters =
            uses.map(|uses| Counter { least: uses.least as u64, most: uses.most as u64 }).collect();
        if problem.uses_every_tile() {
            network.add_room_counters();
        }
        network.finished(problem, &place)
    }

    /// Like [`Network::of_values`], with twins and orientations that look the same distinguished.
    pub fn of_tiles(problem: &Problem, domains: &Domains, symmetry: &Symmetry) -> Network {
        let kinds = &problem.kinds;
        let choices = |cells: &[usize]| {
            let placements = domains.cells[cells[0]].iter().flat_map(|value| {
                let tiles = kinds.kind_of(value).tiles.iter();
                tiles.flat_map(move |&tile| {
                    kinds.orientations_of(tile, value).map(move |o| (tile, o))
                })
            });
            let choice = |(tile, first): (usize, Orientation)| {
                let sides = problem.puzzle.tiles[tile].sides();
                let value_of = |o: &Orientation| kinds.value_of(tile, *o);
                let values = around(domains, cells, first, value_of, |o, cell| {
                    Some(o.then(symmetry.motion[cell], sides))
                })?;
                Some(Choice { values, uses: vec![(tile, cells.len() as u64)] })
            };
            placements.filter_map(choice).collect()
        };
        let (mut network, place) = Network::new(problem, &symmetry.image, choices);
        let tiles = problem.puzzle.tiles.iter();
        let most = tiles.map(|tile| tile.copies.limited_to(problem.board.size()) as u64);
        network.counters = most.map(|most| Counter { least: 0, most }).collect();
        network.finished(problem, &place)
    }

    /// Variables with their choices and links. Also returns the variable of each cell, and the index
    /// of the cell in it.
    fn new(
        problem: &Problem,
        image: &[usize],
        choices: impl Fn(&[usize]) -> Vec<Choice>,
    ) -> (Network, Vec<(usize, usize)>) {
        let mut network = Network::default();
        let mut place = vec![(0, 0); problem.board.size()];
        for cells in orbits(image) {
            for (index, &cell) in cells.iter().enumerate() {
                place[cell] = (network.variables.len(), index);
            }
            network.variables.push(Variable { choices: choices(&cells), cells });
        }
        network.add_links(problem, &place);
        (network, place)
    }

    /// Adds the counters of the linear constraints, and drops those that are not needed.
    fn finished(mut self, problem: &Problem, place: &[(usize, usize)]) -> Network {
        self.drop_slack_counters();
        self.add_sums(&problem.sums, place);
        self.uses = self.variables.iter().map(Variable::most_uses).collect();
        self
    }

    /// Adds a link for each seam that must match. A seam between two cells of one orbit restricts
    /// the choices of that variable instead. Seams within a cell are rules of its domain.
    fn add_links(&mut self, problem: &Problem, place: &[(usize, usize)]) {
        for ends in problem.board.required() {
            let [one, other] = ends.map(|(cell, _)| place[cell].0);
            let shown = |choice: &Choice, (cell, side): (usize, usize)| {
                problem.kinds.values[choice.values[place[cell].1]].edges[side]
            };
            if one == other {
                self.variables[one].choices.retain(|choice| {
                    problem.tables().fit(shown(choice, ends[0]), shown(choice, ends[1]))
                });
            }
        }
        for ends in problem.board.required() {
            let variables = ends.map(|(cell, _)| place[cell].0);
            if variables[0] != variables[1] {
                let labels = ends.map(|(cell, side)| {
                    let (variable, index) = place[cell];
                    let choices = self.variables[variable].choices.iter();
                    let shown = |c: &Choice| problem.kinds.values[c.values[index]].edges[side];
                    choices.map(shown).collect()
                });
                self.links.push(SeamLink { ends: variables, labels });
            }
        }
    }

    /// Adds a counter for each set of variables that some kinds cannot leave: it counts the cells of
    /// the set that other kinds take. As every piece must be used, that number is known. The states
    /// determine it already, but those that exceed it would be found to be dead only later.
    fn add_room_counters(&mut self) {
        let kinds = self.counters.len();
        let mut places = vec![BTreeSet::new(); self.counters.len()];
        for (index, variable) in self.variables.iter().enumerate() {
            for &(kind, _) in variable.choices.iter().flat_map(|choice| &choice.uses) {
                places[kind].insert(index);
            }
        }
        let rooms: BTreeSet<&BTreeSet<usize>> = places.iter().collect();
        for room in rooms.into_iter().take(MOST_ROOMS) {
            let is_own: Vec<bool> = places.iter().map(|places| places.is_subset(room)).collect();
            let own = self.counters.iter().zip(&is_own).filter(|(_, is_own)| **is_own);
            let pieces: u64 = own.map(|(kind, _)| kind.most).sum();
            let size: usize =
                room.iter().map(|&variable| self.variables[variable].cells.len()).sum();
            // More pieces than cells: no assignment reaches the totals of these kinds.
            let Some(left) = (size as u64).checked_sub(pieces) else { continue };
            let index = self.counters.len();
            self.counters.push(Counter { least: left, most: left });
            for &variable in room {
                for choice in &mut self.variables[variable].choices {
                    let others =
                        choice.uses.iter().filter(|(kind, _)| *kind < kinds && !is_own[*kind]);
                    let others: u64 = others.map(|(_, number)| number).sum();
                    if others > 0 {
                        choice.uses.push((index, others));
                    }
                }
            }
        }
    }

    /// Removes the counters that every assignment keeps within their bounds.
    fn drop_slack_counters(&mut self) {
        let mut totals = vec![0; self.counters.len()];
        for (counter, most) in self.variables.iter().flat_map(Variable::most_uses) {
            totals[counter] += most;
        }
        let counters = self.counters.iter().zip(totals);
        let is_slack =
            |(counter, total): (&Counter, u64)| counter.least == 0 && total <= counter.most;
        let is_slack: Vec<bool> = counters.map(is_slack).collect();
        let choices = self.variables.iter_mut().flat_map(|variable| &mut variable.choices);
        choices.for_each(|choice| choice.uses.retain(|&(counter, _)| !is_slack[counter]));
    }

    /// The maximum total of each counter over some variables.
    pub fn totals(&self, variables: &[usize]) -> Vec<u64> {
        let mut totals = vec![0; self.counters.len()];
        for (&counter, most) in variables.iter().flat_map(|&variable| &self.uses[variable]) {
            totals[counter] += most;
        }
        totals
    }

    /// Returns true if a counter cannot reach its minimum.
    pub fn is_infeasible(&self) -> bool {
        let all: Vec<usize> = (0..self.variables.len()).collect();
        self.counters.iter().zip(self.totals(&all)).any(|(counter, total)| total < counter.least)
    }

    /// Adds a counter for each linear constraint. Two opposite constraints share one.
    fn add_sums(&mut self, sums: &[CellSum<ValueSet>], place: &[(usize, usize)]) {
        let mut rows: Vec<SumRow> = Vec::new();
        for sum in sums {
            let Some(row) = SumRow::new(sum, &self.variables, place) else {
                self.variables[0].choices.clear();
                return;
            };
            let opposite = row.opposite();
            match rows.iter_mut().find(|kept| kept.amounts == opposite.amounts) {
                Some(kept) => kept.least = kept.least.max(opposite.least),
                None => rows.push(row),
            }
        }
        for SumRow { amounts, least, most } in rows {
            let highest: u64 = amounts.iter().filter_map(|of| of.iter().max()).sum();
            if least == 0 && highest <= most {
                continue;
            }
            let index = self.counters.len();
            self.counters.push(Counter { least, most });
            for (variable, amounts) in self.variables.iter_mut().zip(amounts) {
                let used =
                    variable.choices.iter_mut().zip(amounts).filter(|(_, amount)| *amount > 0);
                used.for_each(|(choice, amount)| choice.uses.push((index, amount)));
            }
        }
    }
}

impl Variable {
    fn most_uses(&self) -> BTreeMap<usize, u64> {
        let mut uses = BTreeMap::new();
        for &(counter, amount) in self.choices.iter().flat_map(|choice| &choice.uses) {
            let most = uses.entry(counter).or_insert(0);
            *most = amount.max(*most);
        }
        uses
    }
}

/// The orbits of the cells, each starting with its first cell.
fn orbits(image: &[usize]) -> Vec<Vec<usize>> {
    let mut is_seen = vec![false; image.len()];
    let mut orbits = Vec::new();
    for first in 0..is_seen.len() {
        let mut orbit = Vec::new();
        let mut cell = first;
        while !is_seen[cell] {
            is_seen[cell] = true;
            orbit.push(cell);
            cell = image[cell];
        }
        if !orbit.is_empty() {
            orbits.push(orbit);
        }
    }
    orbits
}

/// The values around an orbit whose first cell has the content `first`; `None` if a domain lacks
/// one or the orbit does not end as it starts. `moved` is what the content of a cell becomes.
fn around<T: PartialEq + Clone>(
    domains: &Domains,
    cells: &[usize],
    first: T,
    value_of: impl Fn(&T) -> Option<usize>,
    moved: impl Fn(&T, usize) -> Option<T>,
) -> Option<Vec<usize>> {
    let mut current = first.clone();
    let mut values = Vec::with_capacity(cells.len());
    for &cell in cells {
        let value = value_of(&current)?;
        if !domains.cells[cell].contains(value) {
            return None;
        }
        values.push(value);
        current = moved(&current, cell)?;
    }
    (current == first).then_some(values)
}

/// A linear constraint over choices, shifted so that no amount is negative.
struct SumRow {
    /// The amount by variable and choice.
    amounts: Vec<Vec<u64>>,
    least: u64,
    most: u64,
}

impl SumRow {
    /// The row of a sum; `None` if the sum always exceeds its bound.
    fn new(
        sum: &CellSum<ValueSet>,
        variables: &[Variable],
        place: &[(usize, usize)],
    ) -> Option<SumRow> {
        let zeros = |variable: &Variable| vec![0i64; variable.choices.len()];
        let mut signed: Vec<Vec<i64>> = variables.iter().map(zeros).collect();
        for (cell, levels) in &sum.cells {
            let (variable, index) = place[*cell];
            for (amount, choice) in signed[variable].iter_mut().zip(&variables[variable].choices) {
                *amount += coefficient_of(levels, choice.values[index]);
            }
        }
        let least = |of: &Vec<i64>| of.iter().copied().min().unwrap_or(0);
        let most = sum.bound - signed.iter().map(least).sum::<i64>();
        let shifted = |of: &Vec<i64>| of.iter().map(|a| (a - least(of)) as u64).collect();
        let amounts = signed.iter().map(shifted).collect();
        Some(SumRow { amounts, least: 0, most: u64::try_from(most).ok()? })
    }

    /// The same constraint over the opposite amounts, as a lower bound.
    fn opposite(&self) -> SumRow {
        let highest = |of: &Vec<u64>| of.iter().copied().max().unwrap_or(0);
        let total: u64 = self.amounts.iter().map(highest).sum();
        let opposite = |of: &Vec<u64>| of.iter().map(|a| highest(of) - a).collect();
        let amounts = self.amounts.iter().map(opposite).collect();
        SumRow { amounts, least: total.saturating_sub(self.most), most: total }
    }
}
