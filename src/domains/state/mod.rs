//! Domains with a trail: a search decides, this propagates, and backtracking restores.
//!
//! The cell with the fewest values is propagated first:
//! - a cell with one value left is *filled*; a kind without copies left is removed from open cells;
//! - a neighbour keeps only values whose label the cell can still match (arc consistency by label
//!   sets);
//! - linear constraints propagate by bounds: for Σ w ≤ b a cell loses every value whose weight
//!   exceeds b minus the minima of the other cells.
//!
//! Three things make this cheap. Only cells with few values propagate ([`Consistency`]), since many
//! values usually show every label. A cell that nothing has touched yet stays *idle*: kinds that
//! run out are removed from it when it is first touched. Each cell is saved at most once per
//! decision level, so backtracking restores only what changed.

mod queue;
mod tree;

use std::ops::Range;

use self::queue::Queue;
use super::Domains;
use super::bit_tables::{Beside, BitTables, Sides};
use super::labels::{LabelBit, LabelSet};
use super::store::{Conflict, DomainStore};
use super::sums::enforce_all;
use super::tree::Propagation;
use super::words::{Words, bits, both, count, take_first, to_words};
use crate::board::CellId;
use crate::problem::CellSum;
use crate::puzzle::ValueSet;

/// How far a decision is propagated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consistency {
    /// To the fixpoint; kinds are counted, too.
    Fixpoint,
    /// Only cells with at most this many values propagate.
    Bounded(u32),
}

impl Consistency {
    fn bound(self) -> u32 {
        match self {
            Consistency::Fixpoint => u32::MAX,
            Consistency::Bounded(bound) => bound,
        }
    }
}

/// The state of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Not touched yet: its domain may still hold values of kinds without copies.
    Idle,
    /// Touched and not assigned.
    Open,
    /// Assigned: one value is left, and its kind is counted.
    Filled,
}

/// A variable with its domain.
#[derive(Debug, Clone, Copy)]
struct Cell<const W: usize, M, const S: usize> {
    /// The values that are left.
    domain: Words<W>,
    /// By side, the labels that the neighbours may assume; a superset of those that the domain
    /// shows.
    labels: Sides<M, S>,
    /// Number of values in the domain.
    size: u32,
    phase: Phase,
    /// The decision level that saved it last on the trail.
    saved_in: u64,
}

/// The length of the trail when a decision level began.
#[derive(Debug, Clone, Copy)]
pub(super) struct TrailPosition {
    saved: usize,
    level: u64,
}

/// The domains of a problem after some decisions.
pub(super) struct State<'n, const W: usize, M, const S: usize> {
    /// The tables of the problem as bit sets.
    bit_tables: &'n BitTables<W, M, S>,
    /// Cells with more values than this do not propagate.
    bound: u32,
    /// The variables: the cells of the board, and one that stands for everything beyond the rim.
    cells: Vec<Cell<W, M, S>>,
    /// The open cells, one bit each.
    open: Vec<u64>,
    /// Number of cells that are not assigned.
    unfilled: usize,
    /// By kind, the copies left.
    copies: Vec<u32>,
    /// By kind, the copies that need not be used.
    spare: Vec<u32>,
    /// Whether the cells left for each kind are counted.
    counts_kinds: bool,
    /// The values of kinds with copies left.
    free: Words<W>,
    /// Saved variables, to restore on backtracking.
    trail: Vec<(usize, Cell<W, M, S>)>,
    /// The current decision level.
    level: u64,
    /// The number of decision levels so far; each gets a number of its own.
    levels: u64,
    /// The variables whose change is not propagated yet.
    queue: Queue,
    /// Whether a kind ran out of copies since its values were last removed from the open cells.
    has_used_up: bool,
    /// The linear constraints that the first domains do not already satisfy.
    sums: Vec<&'n CellSum<Words<W>>>,
    /// Whether there are linear constraints or clauses to propagate.
    has_constraints: bool,
}

/// The variables with their first domains; the last one stands for everything beyond the rim.
fn cells<const W: usize, M: LabelSet, const S: usize>(
    bit_tables: &BitTables<W, M, S>,
    domains: &Domains,
    free: &Words<W>,
    consistency: Consistency,
) -> Vec<Cell<W, M, S>> {
    let phase = match consistency {
        Consistency::Fixpoint => Phase::Open,
        Consistency::Bounded(_) => Phase::Idle,
    };
    let cell = |set: &ValueSet| {
        let domain = both(&to_words(set), free);
        Cell {
            domain,
            labels: bit_tables.shown_by(&domain),
            size: count(&domain),
            phase,
            saved_in: 0,
        }
    };
    let mut known: Vec<(&ValueSet, Cell<W, M, S>)> = Vec::new();
    let mut cells: Vec<Cell<W, M, S>> = Vec::with_capacity(domains.cells.len() + 1);
    for set in &domains.cells {
        // Few cells differ from the one before, but on a reduced board.
        let seen = known.iter().rev().take(4).find(|(other, _)| *other == set);
        let made = match seen {
            Some((_, made)) => *made,
            None => {
                let made = cell(set);
                known.push((set, made));
                made
            }
        };
        cells.push(made);
    }
    // Beyond the rim nothing propagates.
    cells.push(Cell {
        domain: [0; W],
        labels: [M::NONE; S],
        size: 0,
        phase: Phase::Filled,
        saved_in: 0,
    });
    cells
}

impl<'n, const W: usize, M: LabelSet, const S: usize> State<'n, W, M, S> {
    /// The given domains, before any propagation.
    pub fn new(
        bit_tables: &'n BitTables<W, M, S>,
        domains: &Domains,
        consistency: Consistency,
    ) -> Self {
        let free = bit_tables.free(&domains.uses);
        let cells = cells(bit_tables, domains, &free, consistency);
        let mut state = State {
            bit_tables,
            bound: consistency.bound(),
            open: vec![0; cells.len().div_ceil(64)],
            unfilled: domains.cells.len(),
            copies: domains.uses.iter().map(|u| u.most as u32).collect(),
            spare: domains
                .uses
                .iter()
                .map(|u| (u.most - u.least) as u32)
                .collect(),
            counts_kinds: consistency == Consistency::Fixpoint,
            free,
            trail: Vec::new(),
            level: 0,
            levels: 0,
            queue: Queue::new(cells.len()),
            has_used_up: false,
            sums: Vec::new(),
            has_constraints: false,
            cells,
        };
        for cell in 0..domains.cells.len() {
            if state.cells[cell].phase == Phase::Open {
                state.open[cell / 64] |= 1 << (cell % 64);
            }
            let size = state.cells[cell].size;
            state.queue.push(cell, size, size <= state.bound);
        }
        let sums = bit_tables.sums.iter().filter(|sum| sum.may_break(&state));
        state.sums = sums.collect();
        state.has_constraints = !state.sums.is_empty() || !bit_tables.clauses.is_empty();
        state
    }

    /// Takes out what would break a sum or a clause; says whether there was anything.
    #[cold]
    fn obey_constraints(&mut self) -> Result<bool, Conflict> {
        let bit_tables = self.bit_tables;
        let sums = std::mem::take(&mut self.sums);
        let end = enforce_all(self, sums.iter().copied(), &bit_tables.clauses);
        self.sums = sums;
        end
    }

    /// What the sides of a cell touch.
    #[inline(always)]
    pub fn beside(&self, cell: usize) -> &[Beside; S] {
        &self.bit_tables.beside[cell]
    }

    /// The cells of the board.
    fn board(&self) -> Range<usize> {
        0..self.cells.len() - 1
    }

    /// The cells that were touched and are not filled, ascending.
    #[inline(always)]
    pub fn open_cells(&self) -> impl Iterator<Item = usize> + '_ {
        self.open
            .iter()
            .enumerate()
            .flat_map(|(index, &word)| bits(&[word]).map(move |bit| index * 64 + bit))
    }

    /// Whether a cell was touched and is not filled.
    #[inline(always)]
    pub fn is_open(&self, cell: usize) -> bool {
        self.cells[cell].phase == Phase::Open
    }

    /// Whether a cell has its tile.
    pub fn is_filled(&self, cell: usize) -> bool {
        self.cells[cell].phase == Phase::Filled
    }

    /// Number of values that an open cell can still take; of an idle one at least so many.
    #[inline(always)]
    pub fn size(&self, cell: usize) -> u32 {
        self.cells[cell].size
    }

    /// The value in a filled cell.
    fn value(&self, cell: usize) -> Option<usize> {
        take_first(&mut self.cells[cell].domain.clone())
    }

    #[inline(always)]
    fn propagate_queue(&mut self, cells: usize) -> Result<Propagation, Conflict> {
        for _ in 0..cells {
            if let Some(cell) = self.queue.pop() {
                match self.cells[cell].size {
                    0 => return Err(Conflict::Cell(cell)),
                    1 => self.fill(cell)?,
                    _ => self.propagate_cell(cell)?,
                }
            } else if self.has_used_up {
                self.has_used_up = false;
                self.remove_used()?;
            } else {
                if self.counts_kinds {
                    self.count_kinds()?;
                }
                if self.has_constraints && self.obey_constraints()? {
                    continue;
                }
                if self.queue.is_empty() {
                    return Ok(Propagation::Fixpoint);
                }
            }
        }
        Ok(Propagation::Unfinished)
    }

    #[inline(always)]
    fn save(&mut self, cell: usize) {
        if self.cells[cell].saved_in != self.level {
            self.trail.push((cell, self.cells[cell]));
            self.cells[cell].saved_in = self.level;
        }
    }

    /// Opens a cell that was idle; its domain must be cut down to the kinds that are left next.
    #[inline(always)]
    fn touch(&mut self, cell: usize) {
        if self.cells[cell].phase == Phase::Idle {
            self.cells[cell].phase = Phase::Open;
            self.open[cell / 64] |= 1 << (cell % 64);
        }
    }

    /// Lays the only value that is left in a cell.
    #[inline(always)]
    fn fill(&mut self, cell: usize) -> Result<(), Conflict> {
        let Some(value) = self.value(cell) else {
            return Err(Conflict::Cell(cell));
        };
        let bit_tables = self.bit_tables;
        let kind = bit_tables.kind_of[value] as usize;
        if self.copies[kind] == 0 {
            return Err(Conflict::Cell(cell));
        }
        self.save(cell);
        self.cells[cell].phase = Phase::Filled;
        self.open[cell / 64] &= !(1 << (cell % 64));
        self.unfilled -= 1;
        self.copies[kind] -= 1;
        for (side, beside) in bit_tables.beside[cell].iter().enumerate() {
            let other = beside.cell as usize;
            let its_side = beside.side as usize;
            if self.cells[other].phase != Phase::Filled {
                self.restrict_to_label(CellId(other), its_side, bit_tables.needed[value][side])?;
            }
        }
        if self.copies[kind] == 0 {
            bit_tables.kinds[kind].remove_from(&mut self.free);
            self.has_used_up = true;
        }
        Ok(())
    }

    /// A cell keeps what shows one label on a side.
    #[inline(always)]
    fn restrict_to_label(
        &mut self,
        CellId(cell): CellId,
        side: usize,
        label: LabelBit,
    ) -> Result<(), Conflict> {
        let bit_tables = self.bit_tables;
        let only = M::only(label);
        if self.cells[cell].labels[side] == only {
            return Ok(());
        }
        self.save(cell);
        self.cells[cell].labels[side] = only;
        self.restrict(cell, bit_tables.set_showing(side, label))
    }

    /// A saved cell keeps only these values, and kinds with copies left.
    #[inline(always)]
    fn restrict(&mut self, cell: usize, values: &Words<W>) -> Result<(), Conflict> {
        let before = self.domain(cell);
        let domain = both(&before, values);
        self.touch(cell);
        let here = &mut self.cells[cell];
        if domain == here.domain {
            return Ok(());
        }
        here.domain = domain;
        self.shrink_to(cell, count(&domain))
    }

    /// The last copy of a kind lies: the kind leaves the open cells.
    #[inline(always)]
    fn remove_used(&mut self) -> Result<(), Conflict> {
        for index in 0..self.open.len() {
            for bit in bits(&[self.open[index]]) {
                let cell = index * 64 + bit;
                let domain = &self.cells[cell].domain;
                let domain = both(domain, &self.free);
                if domain != self.cells[cell].domain {
                    self.save(cell);
                    self.cells[cell].domain = domain;
                    self.shrink_to(cell, count(&domain))?;
                }
            }
        }
        Ok(())
    }

    /// A kind with no more cells left than copies that must be used takes those cells.
    fn count_kinds(&mut self) -> Result<(), Conflict> {
        for kind in 0..self.copies.len() {
            let needed = self.copies[kind].saturating_sub(self.spare[kind]);
            if needed == 0 {
                continue;
            }
            let bits = self.bit_tables.kinds[kind];
            let cells = self.cells.iter();
            let possible = cells
                .filter(|c| c.phase != Phase::Filled && bits.meets(&c.domain))
                .count() as u32;
            if possible < needed {
                return Err(Conflict::Elsewhere);
            }
            if possible > needed {
                continue;
            }
            for cell in 0..self.cells.len() {
                let here = &self.cells[cell];
                if here.phase != Phase::Filled && bits.meets(&here.domain) {
                    let of_kind = bits.within(&here.domain);
                    self.save(cell);
                    self.restrict(cell, &of_kind)?;
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn shrink_to(&mut self, cell: usize, size: u32) -> Result<(), Conflict> {
        self.cells[cell].size = size;
        if size == 0 {
            return Err(Conflict::Cell(cell));
        }
        self.queue.push(cell, size, size <= self.bound);
        Ok(())
    }

    /// Each neighbour keeps what fits something that the cell can still show.
    #[inline(always)]
    fn propagate_cell(&mut self, cell: usize) -> Result<(), Conflict> {
        let bit_tables = self.bit_tables;
        let shown = bit_tables.shown_by(&self.cells[cell].domain);
        if self.cells[cell].labels != shown {
            self.save(cell);
            self.cells[cell].labels = shown;
        }
        for (&labels, beside) in shown.iter().zip(&bit_tables.beside[cell]) {
            let other = beside.cell as usize;
            let side = beside.side as usize;
            if self.cells[other].phase != Phase::Filled {
                self.restrict_to_labels(CellId(other), side, bit_tables.mates(labels))?;
            }
        }
        Ok(())
    }

    /// A cell keeps what shows one of these labels on a side.
    #[inline(always)]
    fn restrict_to_labels(
        &mut self,
        CellId(cell): CellId,
        side: usize,
        to: M,
    ) -> Result<(), Conflict> {
        let labels = self.cells[cell].labels[side];
        let kept = labels.and(to);
        if kept == labels {
            return Ok(());
        }
        self.save(cell);
        self.cells[cell].labels[side] = kept;
        let values = self.bit_tables.showing(side, kept);
        self.restrict(cell, &values)
    }
}

impl<const W: usize, M: LabelSet, const S: usize> DomainStore<W> for State<'_, W, M, S> {
    #[inline(always)]
    fn domain(&self, cell: usize) -> Words<W> {
        let Cell { domain, phase, .. } = &self.cells[cell];
        match phase {
            Phase::Idle => both(domain, &self.free),
            Phase::Open | Phase::Filled => *domain,
        }
    }

    fn keep(&mut self, cell: usize, values: &Words<W>) -> Result<(), Conflict> {
        self.save(cell);
        self.restrict(cell, values)
    }
}
