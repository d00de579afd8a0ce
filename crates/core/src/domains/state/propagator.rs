//! Propagation from cells to their neighbours, compiled for the available instruction set.
//!
//! The propagator borrows each part of the state separately, so that they stay in registers.

use fearless_simd::Simd;

use super::queue::Queue;
use super::{CellVariable, Phase, Trail};
use crate::domains::bit_tables::{BitTables, OppositeSide};
use crate::domains::labels::{LabelBit, LabelSet};
use crate::domains::tree::Conflict;
use crate::domains::vectors::{self, VectorTask};
use crate::domains::words::{Words, bits, first};

/// The parts of a state that propagation uses or changes.
pub(super) struct Propagator<'s, const W: usize, M, const S: usize> {
    pub bit_tables: &'s BitTables<W, M, S>,
    pub bound: u32,
    pub cells: &'s mut [CellVariable<W, M, S>],
    pub open: &'s mut [u64],
    pub copies: &'s mut [u32],
    pub unfilled: &'s mut usize,
    pub usable: &'s mut Words<W>,
    pub trail: &'s mut Trail<W, M, S>,
    pub queue: &'s mut Queue,
    pub has_used_up: &'s mut bool,
    /// The number of further cells that may be propagated.
    pub left: usize,
}

impl<const W: usize, M: LabelSet, const S: usize> VectorTask for Propagator<'_, W, M, S> {
    type Result = Result<usize, Conflict>;

    #[inline(always)]
    fn run<V: Simd>(mut self, simd: V) -> Self::Result {
        while self.left > 0 {
            if let Some(cell) = self.queue.pop() {
                self.left -= 1;
                match self.cells[cell].size {
                    0 => return Err(Conflict::Cell(cell)),
                    1 => self.fill(simd, cell)?,
                    _ => self.propagate_cell(simd, cell)?,
                }
            } else if *self.has_used_up {
                *self.has_used_up = false;
                self.remove_used_up_kinds(simd)?;
            } else {
                break;
            }
        }
        Ok(self.left)
    }
}

impl<const W: usize, M: LabelSet, const S: usize> Propagator<'_, W, M, S> {
    /// Fills a cell with its only value and restricts its neighbours to fitting values. Fails if
    /// the kind has no copy left or a neighbour no value.
    #[inline(always)]
    fn fill(&mut self, simd: impl Simd, cell: usize) -> Result<(), Conflict> {
        let Some(value) = first(&self.cells[cell].domain) else {
            return Err(Conflict::Cell(cell));
        };
        let bit_tables = self.bit_tables;
        let kind = bit_tables.kind_of[value] as usize;
        if self.copies[kind] == 0 {
            return Err(Conflict::Cell(cell));
        }
        let here = &mut self.cells[cell];
        self.trail.save(cell, here);
        here.phase = Phase::Filled;
        // With no labels left, the cell is not restricted again by its neighbours.
        here.labels = [M::NONE; S];
        self.open[cell / 64] &= !(1 << (cell % 64));
        *self.unfilled -= 1;
        self.copies[kind] -= 1;
        self.trail.placed_kinds.push(kind);
        let beside = bit_tables.beside[cell].iter();
        if bit_tables.fits_mates_only() {
            for (beside, &needed) in beside.zip(&bit_tables.needed[value]) {
                self.restrict_to_label(simd, beside, needed)?;
            }
        } else {
            for (beside, fitting) in beside.zip(bit_tables.labels_fitting_value(value)) {
                self.restrict_to_labels(simd, beside, fitting)?;
            }
        }
        if self.copies[kind] == 0 {
            bit_tables.kinds[kind].remove_from(self.usable);
            *self.has_used_up = true;
        }
        Ok(())
    }

    /// Restricts the cell of `side` to the values that show `label` there. Fails if none is left.
    #[inline(always)]
    fn restrict_to_label(
        &mut self,
        simd: impl Simd,
        side: &OppositeSide,
        label: LabelBit,
    ) -> Result<(), Conflict> {
        let cell = side.cell as usize;
        let side = side.side_number::<S>();
        let here = &mut self.cells[cell];
        let labels = here.labels[side];
        let only = M::singleton(label);
        if labels.difference(only) == M::NONE {
            return Ok(());
        }
        self.trail.save(cell, here);
        here.labels[side] = labels.intersection(only);
        let domain =
            vectors::intersection(simd, &here.domain, self.bit_tables.values_showing(side, label));
        self.restrict(simd, cell, domain)
    }

    /// Restricts a cell, which must be saved on the trail, to `domain`, a subset of its domain. An
    /// idle cell becomes open and also loses kinds without copies left. Fails if no value is left.
    #[inline(always)]
    fn restrict(
        &mut self,
        simd: impl Simd,
        cell: usize,
        mut domain: Words<W>,
    ) -> Result<(), Conflict> {
        let here = &mut self.cells[cell];
        if here.phase == Phase::Idle {
            here.phase = Phase::Open;
            self.open[cell / 64] |= 1 << (cell % 64);
            domain = vectors::intersection(simd, &domain, self.usable);
        }
        let size = vectors::count(simd, &domain);
        if size == here.size {
            return Ok(());
        }
        here.domain = domain;
        self.shrink_to(cell, size)
    }

    /// Removes kinds without copies left from the open cells. Fails if a cell has no value left.
    #[inline(always)]
    fn remove_used_up_kinds(&mut self, simd: impl Simd) -> Result<(), Conflict> {
        for index in 0..self.open.len() {
            for bit in bits(&[self.open[index]]) {
                let cell = index * 64 + bit;
                let here = &mut self.cells[cell];
                let domain = vectors::intersection(simd, &here.domain, self.usable);
                if vectors::differ(simd, &here.domain, &domain) {
                    self.trail.save(cell, here);
                    here.domain = domain;
                    self.shrink_to(cell, vectors::count(simd, &domain))?;
                }
            }
        }
        Ok(())
    }

    /// Records the new number of values of a cell and queues it, or fails if it is 0.
    #[inline(always)]
    fn shrink_to(&mut self, cell: usize, size: u32) -> Result<(), Conflict> {
        self.cells[cell].size = size;
        if size == 0 {
            return Err(Conflict::Cell(cell));
        }
        self.queue.push(cell, size, size <= self.bound);
        Ok(())
    }

    /// Restricts each neighbour to values that fit a label that the cell can still show. Fails if a
    /// neighbour has no value left.
    #[inline(always)]
    fn propagate_cell(&mut self, simd: impl Simd, cell: usize) -> Result<(), Conflict> {
        let bit_tables = self.bit_tables;
        let here = &mut self.cells[cell];
        let shown = bit_tables.shown_by(&here.domain);
        // Most are saved already, because they were changed on this level.
        self.trail.save(cell, here);
        here.labels = shown;
        for (&labels, beside) in
            bit_tables.labels_fitting(&shown).iter().zip(&bit_tables.beside[cell])
        {
            self.restrict_to_labels(simd, beside, labels)?;
        }
        Ok(())
    }

    /// Restricts the cell of `side` to the values that show one of these labels there. Fails if
    /// none is left.
    #[inline(always)]
    fn restrict_to_labels(
        &mut self,
        simd: impl Simd,
        side: &OppositeSide,
        to: M,
    ) -> Result<(), Conflict> {
        let cell = side.cell as usize;
        let side = side.side_number::<S>();
        let here = &mut self.cells[cell];
        let labels = here.labels[side];
        let removed = labels.difference(to);
        if removed == M::NONE {
            return Ok(());
        }
        let kept = labels.intersection(to);
        self.trail.save(cell, here);
        here.labels[side] = kept;
        let is_removing = removed.count() < kept.count();
        let fewer = if is_removing { removed } else { kept };
        let mut values = [0; W];
        let add = |set: &Words<W>| vectors::add_all(simd, &mut values, set);
        self.bit_tables.for_each_showing(side, fewer, add);
        let domain = if is_removing {
            vectors::difference(simd, &here.domain, &values)
        } else {
            vectors::intersection(simd, &here.domain, &values)
        };
        self.restrict(simd, cell, domain)
    }
}
