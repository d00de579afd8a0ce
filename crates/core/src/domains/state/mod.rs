//! Domains with a trail: the search decides, this module propagates, and backtracking restores.
//!
//! The cell with the fewest values is propagated first:
//! - a cell with one value left is *filled*; a kind without copies left is removed from open cells;
//! - a neighbour keeps only values whose label the cell can still match (arc consistency by label
//!   sets);
//! - linear constraints propagate by bounds: for Σ w ≤ b a cell loses every value whose weight
//!   exceeds b minus the minima of the other cells.
//!
//! Three techniques make this cheap. Only cells with few values propagate ([`Consistency`]), since
//! many values usually show every label. A cell that has not been touched yet stays *idle*: kinds
//! that run out are removed from it when it is first touched. Each cell is saved at most once per
//! decision level, so backtracking restores only changed cells.

mod propagator;
mod queue;
mod tree;

use std::ops::{ControlFlow, Range};

use fearless_simd::Level;

use self::propagator::Propagator;
use self::queue::Queue;
use super::bit_tables::{BitTables, Sides};
use super::labels::LabelSet;
use super::sums::{Constraints, enforce_all};
use super::tree::{Conflict, DomainStore, Propagation};
use super::words::{Words, bits, count, intersection, to_words};
use super::{Domains, vectors};
use crate::problem::CellSum;
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};

/// The extent of propagation after a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consistency {
    /// Every cell propagates, and kinds that must be used are counted.
    Fixpoint,
    /// Only cells with at most this many values propagate.
    Bounded(u32),
}

impl Consistency {
    /// The maximum number of values of a cell that propagates.
    fn bound(self) -> u32 {
        match self {
            Consistency::Fixpoint => u32::MAX,
            Consistency::Bounded(bound) => bound,
        }
    }
}

/// The state of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Not changed yet: the domain may still contain values of kinds without copies left.
    Idle,
    /// Changed, but not filled.
    Open,
    /// One value is left, and the copies of its kind have been updated.
    Filled,
}

/// A cell with its domain.
#[derive(Debug, Clone, Copy)]
struct CellVariable<const W: usize, M, const S: usize> {
    /// The values that are left.
    domain: Words<W>,
    /// The labels that neighbours may assume this cell to show, by side; a superset of those that
    /// the domain shows.
    labels: Sides<M, S>,
    /// The number of values in the domain.
    size: u32,
    phase: Phase,
    /// The last decision level that saved it on the trail.
    saved_in: u64,
}

/// The data that backtracking restores.
struct Trail<const W: usize, M, const S: usize> {
    /// Variables before they changed.
    saved: Vec<(usize, CellVariable<W, M, S>)>,
    /// The kinds of the placed tiles, in the order of placement.
    placed_kinds: Vec<usize>,
    /// The bits of the open cells at the start of each decision level.
    open: Vec<u64>,
    /// The current decision level.
    level: u64,
    /// The number of decision levels ever created; each level has a unique number.
    levels: u64,
    /// The starts of the decision levels that can be undone.
    marks: Vec<Mark>,
}

impl<const W: usize, M: LabelSet, const S: usize> Trail<W, M, S> {
    /// Saves a variable before it changes, unless this level has saved it already.
    #[inline(always)]
    fn save(&mut self, cell: usize, here: &mut CellVariable<W, M, S>) {
        if here.saved_in != self.level {
            self.saved.push((cell, *here));
            here.saved_in = self.level;
        }
    }
}

/// The lengths of the trail's lists at the start of a decision level, and the level before.
#[derive(Debug, Clone, Copy)]
struct Mark {
    saved: usize,
    placed_kinds: usize,
    open: usize,
    level: u64,
}

/// The domains of a problem after some decisions.
pub(super) struct State<'n, const W: usize, M, const S: usize> {
    /// The tables of the problem as bit sets.
    bit_tables: &'n BitTables<W, M, S>,
    /// Cells with more values than this do not propagate.
    bound: u32,
    /// The cells of the board, then a dummy for everything beyond the rim.
    cells: Vec<CellVariable<W, M, S>>,
    /// The open cells, with one bit per cell.
    open: Vec<u64>,
    /// A number for each cell that is larger if the cell has fewer values; 0 for cells that are not
    /// open. Recomputed for each branch.
    nearness: Vec<u8>,
    /// The number of cells that are not filled.
    unfilled: usize,
    /// The copies left of each kind.
    copies: Vec<u32>,
    /// The number of copies of each kind that need not be used.
    spare: Vec<u32>,
    /// True if propagation counts the possible cells of each kind.
    counts_kinds: bool,
    /// The values of kinds with copies left.
    usable: Words<W>,
    trail: Trail<W, M, S>,
    /// The variables whose changes have not been propagated yet.
    queue: Queue,
    /// True if a kind has run out of copies since values were last removed from the open cells.
    has_used_up: bool,
    /// The linear constraints that the first domains do not already satisfy.
    sums: Vec<&'n CellSum<Words<W>>>,
    /// True if there are linear constraints or formulas to propagate.
    has_constraints: bool,
    /// The instruction set of this processor.
    level: Level,
}

/// Creates the cells, each with its part of `domains` intersected with `free`, the values of kinds
/// that still have a copy, then the dummy cell beyond the rim. With [`Consistency::Fixpoint`] all
/// cells start out open, so that each is propagated once. Breaks if the token is cancelled.
fn create_cells<const W: usize, M: LabelSet, const S: usize>(
    bit_tables: &BitTables<W, M, S>,
    domains: &Domains,
    free: &Words<W>,
    consistency: Consistency,
    token: &CancelToken<'_>,
) -> Flow<Vec<CellVariable<W, M, S>>> {
    let phase = match consistency {
        Consistency::Fixpoint => Phase::Open,
        Consistency::Bounded(_) => Phase::Idle,
    };
    let cell = |set: &ValueSet| {
        let domain = intersection(&to_words(set), free);
        CellVariable {
            domain,
            labels: bit_tables.shown_by(&domain),
            size: count(&domain),
            phase,
            saved_in: 0,
        }
    };
    let mut known: Vec<(&ValueSet, CellVariable<W, M, S>)> = Vec::new();
    let mut cells: Vec<CellVariable<W, M, S>> = Vec::with_capacity(domains.cells.len() + 1);
    for set in &domains.cells {
        // On a board that is not reduced, few cells differ from the previous ones.
        let seen = known.iter().rev().take(4).find(|(other, _)| *other == set);
        let made = match seen {
            Some((_, made)) => *made,
            None => {
                let made = cell(set);
                token.work(S * made.size as usize)?;
                known.push((set, made));
                made
            }
        };
        token.work(W)?;
        cells.push(made);
    }
    // The dummy beyond the rim never propagates.
    cells.push(CellVariable {
        domain: [0; W],
        labels: [M::NONE; S],
        size: 0,
        phase: Phase::Filled,
        saved_in: 0,
    });
    ControlFlow::Continue(cells)
}

impl<'n, const W: usize, M: LabelSet, const S: usize> State<'n, W, M, S> {
    /// Creates a state with these domains, without the values of unusable kinds, before
    /// propagation. Breaks if the token is cancelled.
    pub fn new(
        bit_tables: &'n BitTables<W, M, S>,
        domains: &Domains,
        consistency: Consistency,
        token: &CancelToken<'_>,
    ) -> Flow<Self> {
        let free = bit_tables.usable_values(&domains.uses);
        let cells = create_cells(bit_tables, domains, &free, consistency, token)?;
        let mut state = State {
            bit_tables,
            bound: consistency.bound(),
            open: vec![0; cells.len().div_ceil(64)],
            nearness: vec![0; cells.len()],
            unfilled: domains.cells.len(),
            copies: domains.uses.iter().map(|u| u.most as u32).collect(),
            spare: domains.uses.iter().map(|u| (u.most - u.least) as u32).collect(),
            counts_kinds: consistency == Consistency::Fixpoint,
            usable: free,
            trail: Trail {
                saved: Vec::new(),
                placed_kinds: Vec::new(),
                open: Vec::new(),
                level: 0,
                levels: 0,
                marks: Vec::new(),
            },
            queue: Queue::new(cells.len()),
            has_used_up: false,
            sums: Vec::new(),
            has_constraints: false,
            level: Level::new(),
            cells,
        };
        for cell in 0..domains.cells.len() {
            if state.cells[cell].phase == Phase::Open {
                state.open[cell / 64] |= 1 << (cell % 64);
            }
            let size = state.cells[cell].size;
            state.queue.push(cell, size, size <= state.bound);
        }
        let Constraints { sums, formulas } = &bit_tables.constraints;
        let sums = sums.iter().filter(|sum| sum.may_break(&state));
        state.sums = sums.collect();
        state.has_constraints = !state.sums.is_empty() || !formulas.is_empty();
        ControlFlow::Continue(state)
    }

    /// Removes values that would break a sum or a formula; returns true if there were any. Fails if
    /// one of them cannot hold or a cell has no value left.
    #[cold]
    fn propagate_constraints(&mut self) -> Result<bool, Conflict> {
        let constraints = &self.bit_tables.constraints;
        let sums = std::mem::take(&mut self.sums);
        let end = enforce_all(self, sums.iter().copied(), &constraints.formulas);
        self.sums = sums;
        end
    }

    /// The indices of the cells of the board, without the dummy.
    fn board_cells(&self) -> Range<usize> {
        0..self.cells.len() - 1
    }

    /// The cells that were changed but are not filled, ascending.
    #[inline(always)]
    pub fn open_cells(&self) -> impl Iterator<Item = usize> + '_ {
        self.open
            .iter()
            .enumerate()
            .flat_map(|(index, &word)| bits(&[word]).map(move |bit| index * 64 + bit))
    }

    /// Returns true if a cell was changed but is not filled.
    #[inline(always)]
    pub fn is_open(&self, cell: usize) -> bool {
        self.cells[cell].phase == Phase::Open
    }

    /// The number of values of a cell; an upper bound if it is idle.
    #[inline(always)]
    pub fn size(&self, cell: usize) -> u32 {
        self.cells[cell].size
    }

    /// Propagates until the fixpoint, a conflict, which is the error, or about `cells` propagated
    /// cells.
    fn propagate_cells(&mut self, cells: usize) -> Result<Propagation, Conflict> {
        let mut left = cells;
        loop {
            left = self.propagate_queue(left)?;
            if left == 0 {
                return Ok(Propagation::Unfinished);
            }
            if self.counts_kinds {
                self.assign_needed_kinds()?;
            }
            let has_changed = self.has_constraints && self.propagate_constraints()?;
            if !has_changed && self.queue.is_empty() {
                return Ok(Propagation::Fixpoint);
            }
            // Constraints over several cells visit all of them, if briefly.
            left = left.saturating_sub(self.cells.len().div_ceil(64));
        }
    }

    /// Propagates cells until the queue is empty or `cells` of them have been propagated. Returns
    /// how many of `cells` are left; 0 means that the queue may not be empty. Fails if a cell has
    /// no value left.
    fn propagate_queue(&mut self, cells: usize) -> Result<usize, Conflict> {
        let propagator = Propagator {
            bit_tables: self.bit_tables,
            bound: self.bound,
            cells: &mut self.cells,
            open: &mut self.open,
            copies: &mut self.copies,
            unfilled: &mut self.unfilled,
            usable: &mut self.usable,
            trail: &mut self.trail,
            queue: &mut self.queue,
            has_used_up: &mut self.has_used_up,
            left: cells,
        };
        vectors::dispatch(self.level, propagator)
    }

    /// Assigns all possible cells of a kind to it if there are only as many as copies that must
    /// still be used. Fails if there are fewer.
    fn assign_needed_kinds(&mut self) -> Result<(), Conflict> {
        for kind in 0..self.copies.len() {
            let needed = self.copies[kind].saturating_sub(self.spare[kind]);
            if needed == 0 {
                continue;
            }
            let bits = self.bit_tables.kinds[kind];
            let cells = self.cells.iter();
            let possible = cells.filter(|c| c.phase != Phase::Filled && bits.meets(&c.domain));
            // Larger numbers make no difference.
            let possible = possible.take(needed as usize + 1).count() as u32;
            if possible < needed {
                return Err(Conflict::Elsewhere);
            }
            if possible > needed {
                continue;
            }
            for cell in 0..self.cells.len() {
                let here = &self.cells[cell];
                if here.phase != Phase::Filled && bits.meets(&here.domain) {
                    self.keep(cell, &bits.intersect(&here.domain))?;
                }
            }
        }
        Ok(())
    }
}

impl<const W: usize, M: LabelSet, const S: usize> DomainStore<W> for State<'_, W, M, S> {
    #[inline(always)]
    fn domain(&self, cell: usize) -> Words<W> {
        let CellVariable { domain, phase, .. } = &self.cells[cell];
        match phase {
            Phase::Idle => intersection(domain, &self.usable),
            Phase::Open | Phase::Filled => *domain,
        }
    }

    fn keep(&mut self, cell: usize, values: &Words<W>) -> Result<(), Conflict> {
        let domain = intersection(&self.domain(cell), values);
        let here = &mut self.cells[cell];
        self.trail.save(cell, here);
        if here.phase == Phase::Idle {
            here.phase = Phase::Open;
            self.open[cell / 64] |= 1 << (cell % 64);
        }
        if domain == here.domain {
            return Ok(());
        }
        here.domain = domain;
        here.size = count(&domain);
        if here.size == 0 {
            return Err(Conflict::Cell(cell));
        }
        self.queue.push(cell, here.size, here.size <= self.bound);
        Ok(())
    }
}
