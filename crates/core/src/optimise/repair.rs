//! The method `repair`: improves the incumbent by repeatedly emptying cells that do not touch each
//! other and refilling all of them optimally (Schaus and Deville, 2008, for Eternity II).
//!
//! The seams that a tile breaks in one of these cells are independent of the other cells, so
//! optimal refilling is an assignment problem, solved by the Hungarian method (Kuhn, *Naval
//! Research Logistics Quarterly* 2, 1955). Ties are broken randomly, so the arrangement changes
//! even without an improvement.

use std::ops::ControlFlow;

use super::method::{BestArrangement, Method, MethodRun};
use super::tables::FitTables;
use crate::runtime::limits::Flow;
use crate::runtime::random::Random;

/// The maximum number of cells that a step empties, and of spare tiles that it may place.
const CELLS: usize = 32;
const SPARE: usize = 8;

/// The maximum number of random draws per emptied cell; many drawn cells touch others.
const DRAWS: usize = 4;

/// The number of assignment problems between two polls, and the number of annealing steps that take
/// as long as one assignment problem.
const STRIDE: u64 = 8;
const STEPS: u64 = 128;

/// The cost of a broken seam; the limit of the random cost of a tile, which breaks ties and sums up
/// to less than a broken seam; and the cost of an impossible placement, which exceeds everything
/// else.
const BROKEN: i64 = 1 << 12;
const CHANCE: i64 = BROKEN / CELLS as i64;
const IMPOSSIBLE: i64 = 1 << 40;

/// The repair method.
pub(super) const METHOD: Method = Method {
    name: "repair",
    serves: |tables| tables.concerns_single_cells(),
    restart: |_| None,
    leads: false,
    run,
};

/// Repairs the incumbent until the effort is spent or the sink stops the run, and breaks then.
/// Without an incumbent, does nothing and continues.
fn run(run: &mut MethodRun<'_>) -> Flow {
    let BestArrangement { broken, values, .. } = run.reached.lock().clone();
    if broken == usize::MAX {
        return ControlFlow::Continue(());
    }
    let tables = run.tables;
    let mut repaired = Repaired { tables, spare: tables.spare_kinds(&values), values, broken };
    let mut steps = 0;
    loop {
        run.report(steps)?;
        for _ in 0..STRIDE {
            repaired.step(&mut run.random);
            run.improve(repaired.broken, &repaired.values, steps)?;
        }
        steps += STRIDE * STEPS;
    }
}

struct Repaired<'g, 'p> {
    tables: &'g FitTables<'p>,
    /// The value of each cell.
    values: Vec<usize>,
    /// The kind of each tile that is not placed.
    spare: Vec<usize>,
    broken: usize,
}

/// The minimum cost of a tile of a kind in a cell, and the value with this cost.
#[derive(Clone, Copy)]
struct CheapestValue {
    cost: i64,
    value: usize,
}

impl Repaired<'_, '_> {
    /// Empties cells of one class that do not touch each other and refills them from their own
    /// tiles and up to eight spare ones, at minimum cost.
    fn step(&mut self, random: &mut Random) {
        let cells = self.choose_cells(random);
        let mut kinds: Vec<usize> =
            cells.iter().map(|&cell| self.tables.kind_of[self.values[cell]]).collect();
        random.shuffle(&mut self.spare);
        let incoming = self.spare.len().min(SPARE);
        kinds.extend(self.spare.drain(..incoming));
        let offers: Vec<Vec<CheapestValue>> = cells
            .iter()
            .map(|&cell| {
                kinds.iter().map(|&kind| self.cheapest_value(cell, kind, random)).collect()
            })
            .collect();
        let chosen = assign(&offers);
        let before: usize = cells.iter().map(|&cell| self.broken_at(cell)).sum();
        let mut is_used = vec![false; kinds.len()];
        for (index, &cell) in cells.iter().enumerate() {
            let column = chosen[index];
            is_used[column] = true;
            self.values[cell] = offers[index][column].value;
        }
        let after: usize = cells.iter().map(|&cell| self.broken_at(cell)).sum();
        self.broken = self.broken + after - before;
        let left = kinds.iter().zip(&is_used).filter(|(_, is_used)| !**is_used);
        self.spare.extend(left.map(|(&kind, _)| kind));
    }

    /// Random cells of one class that do not touch each other. The first one has a broken seam if
    /// any cell has.
    fn choose_cells(&self, random: &mut Random) -> Vec<usize> {
        let all = 0..self.values.len();
        let broken: Vec<usize> = all.filter(|&cell| self.broken_at(cell) > 0).collect();
        let first = random.choice(&broken).copied();
        let first = first.unwrap_or_else(|| random.usize(..self.values.len()));
        let class = &self.tables.classes[self.tables.class_of[first]];
        let same = |cell: &&usize| self.tables.class_of[**cell] == self.tables.class_of[first];
        let broken: Vec<usize> = broken.iter().filter(same).copied().collect();
        let mut is_blocked = vec![false; self.values.len()];
        let mut cells = Vec::with_capacity(CELLS);
        let mut next = first;
        for draw in 0..CELLS * DRAWS {
            if !is_blocked[next] {
                is_blocked[next] = true;
                for (_, _, other) in self.tables.neighbours(next) {
                    is_blocked[other] = true;
                }
                cells.push(next);
                if cells.len() == CELLS {
                    break;
                }
            }
            // Every other draw is from the cells with broken seams, if there are any.
            let from = if draw % 2 == 0 && !broken.is_empty() { &broken } else { class };
            next = from[random.usize(..from.len())];
        }
        cells
    }

    /// The value of a kind with the minimum cost in a cell: it breaks the fewest seams; ties are
    /// broken randomly. If the cell does not allow the kind, the cost is [`IMPOSSIBLE`].
    fn cheapest_value(&self, cell: usize, kind: usize, random: &mut Random) -> CheapestValue {
        let offers = self.tables.values(cell, kind).iter().map(|&value| {
            let broken = self.tables.broken_at(&self.values, cell, value) as i64;
            CheapestValue { cost: BROKEN * broken + random.i64(0..CHANCE), value }
        });
        let nothing = CheapestValue { cost: IMPOSSIBLE, value: self.values[cell] };
        offers.min_by_key(|offer| offer.cost).unwrap_or(nothing)
    }

    /// The number of broken seams of a cell with its current value.
    fn broken_at(&self, cell: usize) -> usize {
        self.tables.broken_at(&self.values, cell, self.values[cell])
    }
}

/// Assigns a different column to each row at minimum total cost, by the Hungarian algorithm in
/// O(rows² · columns). Returns the column of each row. There must be at least as many columns as
/// rows.
fn assign(offers: &[Vec<CheapestValue>]) -> Vec<usize> {
    let rows = offers.len();
    let columns = offers.first().map_or(0, Vec::len);
    // The potentials of the rows and columns (dual variables). Both count from 1; 0 means none.
    let mut of_row = vec![0; rows + 1];
    let mut of_column = vec![0; columns + 1];
    let mut row_at = vec![0; columns + 1];
    for row in 1..=rows {
        row_at[0] = row;
        let mut column = 0;
        let mut least = vec![i64::MAX; columns + 1];
        let mut is_seen = vec![false; columns + 1];
        let mut from = vec![0; columns + 1];
        while row_at[column] != 0 {
            is_seen[column] = true;
            let here = row_at[column];
            let mut delta = i64::MAX;
            let mut next = 0;
            for other in (1..=columns).filter(|&other| !is_seen[other]) {
                let cost = offers[here - 1][other - 1].cost - of_row[here] - of_column[other];
                if cost < least[other] {
                    least[other] = cost;
                    from[other] = column;
                }
                if least[other] < delta {
                    delta = least[other];
                    next = other;
                }
            }
            for other in 0..=columns {
                if is_seen[other] {
                    of_row[row_at[other]] += delta;
                    of_column[other] -= delta;
                } else if least[other] < i64::MAX {
                    least[other] -= delta;
                }
            }
            column = next;
        }
        while column != 0 {
            row_at[column] = row_at[from[column]];
            column = from[column];
        }
    }
    let mut chosen = vec![0; rows];
    for (column, &row) in row_at.iter().enumerate().skip(1) {
        if row > 0 {
            chosen[row - 1] = column - 1;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use itertools::Itertools;

    use super::*;

    fn offers(costs: &[&[i64]]) -> Vec<Vec<CheapestValue>> {
        let offer = |&cost: &i64| CheapestValue { cost, value: 0 };
        costs.iter().map(|row| row.iter().map(offer).collect()).collect()
    }

    #[test]
    fn an_assignment_costs_no_more_than_any_other() {
        let mut random = Random::with_seed(1);
        for (rows, columns) in [(1, 1), (2, 2), (3, 5), (4, 4), (5, 6)] {
            for _ in 0..50 {
                let costs: Vec<Vec<i64>> =
                    (0..rows).map(|_| (0..columns).map(|_| random.i64(0..20)).collect()).collect();
                let slices: Vec<&[i64]> = costs.iter().map(Vec::as_slice).collect();
                let chosen = assign(&offers(&slices));
                assert!(chosen.iter().all_unique());
                let cost = |columns: &[usize]| -> i64 {
                    columns.iter().zip(&costs).map(|(&c, row)| row[c]).sum()
                };
                let least = (0..columns).permutations(rows).map(|p| cost(&p)).min();
                assert_eq!(Some(cost(&chosen)), least);
            }
        }
    }
}
