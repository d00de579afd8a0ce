//! Tiles that fit too few cells, and cells that too few tiles fit: a chain of Hall violators.
//!
//! Tiles that fit only as many cells as there are pieces of them fill those cells, so no other tile
//! does. The labels that remain along their seams exclude further values. A maximum matching of
//! pieces with cells shows where Hall's condition fails, and its alternating paths show which tiles
//! fill which cells (Régin, AAAI 1994).

use std::collections::HashMap;
use std::ops::ControlFlow;

use itertools::Itertools;

use super::{CountMismatch, Filled};
use crate::board::CellSide;
use crate::domains::Domains;
use crate::problem::Problem;
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};

/// An irredundant chain of such counts that ends in a contradiction, if there is one. Breaks if the
/// token is cancelled.
pub(super) fn unfitting(
    problem: &Problem,
    domains: &Domains,
    token: &CancelToken<'_>,
) -> Flow<Option<CountMismatch>> {
    if all_fits_everywhere(problem) {
        return ControlFlow::Continue(None);
    }
    let mut fits = Fits::new(problem, domains, token);
    let mut steps: Vec<Filled> = Vec::new();
    let mut end = loop {
        fits.agree()?;
        let matching = Matching::new(&fits)?;
        if let Some(end) = matching.failure(&fits)? {
            break end;
        }
        let Some(filled) = fits.next_filled(&matching)? else {
            return ControlFlow::Continue(None);
        };
        fits.fill(&filled);
        steps.push(filled);
    };
    // Leave out unnecessary steps, starting with the last one.
    for index in (0..steps.len()).rev() {
        let mut fewer = steps.clone();
        fewer.remove(index);
        let mut fits = Fits::new(problem, domains, token);
        if fits.fill_all(&fewer)?
            && let Some(again) = Matching::new(&fits)?.failure(&fits)?
        {
            (steps, end) = (fewer, again);
        }
    }
    ControlFlow::Continue(Some(match end {
        Failure::Tiles(Filled { tiles, cells }) => {
            CountMismatch::Unplaceable { because: steps, tiles, cells }
        }
        Failure::Cells(Filled { tiles, cells }) => {
            CountMismatch::Unfilled { because: steps, cells, tiles }
        }
    }))
}

/// Returns true if no rule restricts a single cell, so that every tile fits everywhere.
fn all_fits_everywhere(problem: &Problem) -> bool {
    problem.puzzle.border.is_none()
        && problem.sums.is_empty()
        && problem.within.is_none()
        && problem.board.own_seams().is_empty()
}

/// A violation of Hall's condition: more tiles than cells that they fit, or more cells than tiles
/// that fit them.
enum Failure {
    Tiles(Filled),
    Cells(Filled),
}

/// The labels of a cell, by side and label: whether it can show the label there, and whether it can
/// show one that fits the label.
type Shown = Vec<[bool; 2]>;

/// The domains from which tiles and cells are counted.
struct Fits<'a> {
    problem: &'a Problem,
    domains: Domains,
    token: &'a CancelToken<'a>,
}

impl<'a> Fits<'a> {
    /// Starts with the values that the rules of each single cell allow.
    fn new(problem: &'a Problem, domains: &Domains, token: &'a CancelToken<'a>) -> Self {
        Fits { problem, domains: domains.clone(), token }
    }

    /// Removes values whose labels fit nothing across a seam, to the fixpoint.
    fn agree(&mut self) -> Flow {
        let labels = self.problem.puzzle.labels.len();
        let mut shown = self.all_shown()?;
        // The cells that changed in the previous round, and in this one.
        let mut before = vec![true; shown.len()];
        while before.contains(&true) {
            let mut now = vec![false; shown.len()];
            for seam in self.problem.board.seams() {
                let [one, other] = seam.ends();
                for [own, beside] in [[one, other], [other, one]] {
                    if !before[beside.0] && !now[beside.0] {
                        continue;
                    }
                    self.token.work(labels)?;
                    if self.meet(own, &shown[own.0], (beside.1, &shown[beside.0])) {
                        shown[own.0] = self.labels_shown(own.0)?;
                        now[own.0] = true;
                    }
                }
            }
            before = now;
            self.token.work(before.len())?;
        }
        ControlFlow::Continue(())
    }

    /// Applies some steps in order; returns false if one of them no longer holds.
    fn fill_all(&mut self, steps: &[Filled]) -> Flow<bool> {
        for filled in steps {
            self.agree()?;
            if !self.holds(filled) {
                return ControlFlow::Continue(false);
            }
            self.fill(filled);
        }
        self.agree()?;
        ControlFlow::Continue(true)
    }

    /// The labels of all cells; cells with equal domains share the computation.
    fn all_shown(&self) -> Flow<Vec<Shown>> {
        let mut known: HashMap<(&ValueSet, usize), Shown> = HashMap::new();
        let mut all = Vec::new();
        for (cell, of_board) in self.problem.board.cells().iter().enumerate() {
            let domain = &self.domains.cells[cell];
            let key = (domain, of_board.sides);
            let shown = match known.get(&key) {
                Some(shown) => shown.clone(),
                None => known.entry(key).or_insert(self.labels_shown(cell)?).clone(),
            };
            self.token.work(domain.words().len() + shown.len())?;
            all.push(shown);
        }
        ControlFlow::Continue(all)
    }

    /// The labels of one cell.
    fn labels_shown(&self, cell: usize) -> Flow<Shown> {
        let tables = self.problem.tables();
        let (labels, sides) = (tables.labels(), self.problem.board.cells()[cell].sides);
        self.token.work(sides * (labels + self.problem.kinds.values.len()))?;
        let mut shown = vec![[false; 2]; sides * labels];
        for (side, shown) in shown.chunks_exact_mut(labels).enumerate() {
            for label in tables.all_labels() {
                let mut values = tables.showing(side, label).iter();
                if values.any(|&value| self.domains.cells[cell].contains(value)) {
                    shown[label.index()][0] = true;
                    for other in tables.fitting(label) {
                        shown[other.index()][1] = true;
                    }
                }
            }
        }
        ControlFlow::Continue(shown)
    }

    /// Removes values whose label fits nothing on the other side; returns true if there were any.
    fn meet(
        &mut self,
        (cell, side): CellSide,
        own: &Shown,
        (beside, met): (usize, &Shown),
    ) -> bool {
        let tables = self.problem.tables();
        let own = &own[side * tables.labels()..];
        let met = &met[beside * tables.labels()..];
        let mut has_changed = false;
        for (label, (&[is_shown, _], &[_, is_met])) in tables.all_labels().zip(own.iter().zip(met))
        {
            if is_shown && !is_met {
                for &value in tables.showing(side, label) {
                    self.domains.cells[cell].remove(value);
                }
                has_changed = true;
            }
        }
        has_changed
    }

    /// The kinds with values in this domain, ascending.
    fn kinds_in(&self, domain: &ValueSet) -> Vec<usize> {
        domain.iter().map(|value| self.problem.kinds.values[value].kind).dedup().collect()
    }

    /// The tiles of kinds, ascending.
    fn tiles(&self, kinds: &[usize]) -> Vec<usize> {
        let of_kind = kinds.iter().flat_map(|&kind| &self.problem.kinds.kinds[kind].tiles);
        let mut tiles: Vec<usize> = of_kind.copied().collect();
        tiles.sort_unstable();
        tiles
    }

    fn pieces(&self, kinds: &[usize]) -> usize {
        kinds.iter().map(|&kind| self.problem.kinds.kinds[kind].copies).sum()
    }

    /// Tiles that must fill cells whose domains still contain other tiles.
    fn next_filled(&self, matching: &Matching<'_>) -> Flow<Option<Filled>> {
        if !self.problem.uses_every_tile() {
            return ControlFlow::Continue(None);
        }
        let groups = matching.groups()?;
        for (kinds, &lies) in matching.kinds.iter().zip(&matching.kind_in_cell) {
            self.token.work(kinds.len())?;
            // Every cell is filled; otherwise the matching would have failed.
            let Some(filler) = lies else { continue };
            if kinds.iter().any(|&kind| groups[kind] != groups[filler]) {
                let (kinds, cells) = matching.reached_from_kind(filler)?;
                return ControlFlow::Continue(Some(Filled { tiles: self.tiles(&kinds), cells }));
            }
        }
        ControlFlow::Continue(None)
    }

    /// Returns true if the tiles fit only these cells, and there are as many pieces as cells.
    fn holds(&self, filled: &Filled) -> bool {
        let kinds = self.kinds_of(filled);
        let values = self.values_of(&kinds);
        let mut cells = self.domains.cells.iter().enumerate();
        cells.all(|(cell, domain)| !domain.meets(&values) || filled.cells.contains(&cell))
            && self.pieces(&kinds) == filled.cells.len()
    }

    fn kinds_of(&self, filled: &Filled) -> Vec<usize> {
        let kinds = filled.tiles.iter().map(|&tile| self.problem.kinds.of_tile[tile]);
        let mut kinds: Vec<usize> = kinds.collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    fn values_of(&self, kinds: &[usize]) -> ValueSet {
        let own = kinds.iter().flat_map(|&kind| self.problem.kinds.kinds[kind].values.clone());
        ValueSet::from_values(self.problem.kinds.values.len(), own)
    }

    /// Restricts these cells to these tiles.
    fn fill(&mut self, filled: &Filled) {
        let values = self.values_of(&self.kinds_of(filled));
        for &cell in &filled.cells {
            self.domains.cells[cell].keep(&values);
        }
    }
}

/// A maximum matching of pieces with cells that they fit.
struct Matching<'a> {
    token: &'a CancelToken<'a>,
    /// The cells that each kind fits.
    cells: Vec<Vec<usize>>,
    /// The kinds that fit each cell.
    kinds: Vec<Vec<usize>>,
    /// The kind placed in each cell.
    kind_in_cell: Vec<Option<usize>>,
    /// The number of unplaced pieces of each kind.
    left: Vec<usize>,
}

impl<'a> Matching<'a> {
    fn new(fits: &Fits<'a>) -> Flow<Self> {
        let token = fits.token;
        let all = fits.problem.kinds.kinds.iter();
        let mut known: HashMap<&ValueSet, Vec<usize>> = HashMap::new();
        let mut kinds: Vec<Vec<usize>> = Vec::new();
        let mut cells = vec![Vec::new(); all.len()];
        for (cell, domain) in fits.domains.cells.iter().enumerate() {
            let in_cell = known.entry(domain).or_insert_with(|| fits.kinds_in(domain)).clone();
            in_cell.iter().for_each(|&kind| cells[kind].push(cell));
            token.work(domain.words().len() + 4 * in_cell.len())?;
            kinds.push(in_cell);
        }
        let mut matching = Matching {
            token,
            kind_in_cell: vec![None; kinds.len()],
            left: all.map(|kind| kind.copies).collect(),
            cells,
            kinds,
        };
        for cell in 0..matching.kind_in_cell.len() {
            let mut is_seen = vec![false; matching.left.len()];
            matching.fill(cell, &mut is_seen)?;
        }
        ControlFlow::Continue(matching)
    }

    /// Places a piece in a cell, moving others along an augmenting path; returns true if there is
    /// one.
    fn fill(&mut self, cell: usize, is_seen: &mut [bool]) -> Flow<bool> {
        self.token.work(self.kinds[cell].len())?;
        let mut kinds = self.kinds[cell].iter();
        if let Some(&kind) = kinds.find(|kind| self.left[**kind] > 0) {
            self.left[kind] -= 1;
            self.kind_in_cell[cell] = Some(kind);
            return ControlFlow::Continue(true);
        }
        for kind in self.kinds[cell].clone() {
            if std::mem::replace(&mut is_seen[kind], true) {
                continue;
            }
            self.token.work(self.kind_in_cell.len())?;
            for other in self.own_cells(kind).collect::<Vec<usize>>() {
                self.kind_in_cell[other] = None;
                if self.fill(other, is_seen)? {
                    self.kind_in_cell[cell] = Some(kind);
                    return ControlFlow::Continue(true);
                }
                self.kind_in_cell[other] = Some(kind);
            }
        }
        ControlFlow::Continue(false)
    }

    /// The cells in which a kind is placed.
    fn own_cells(&self, kind: usize) -> impl Iterator<Item = usize> {
        let cells = self.kind_in_cell.iter().enumerate();
        cells.filter_map(move |(cell, lies)| (*lies == Some(kind)).then_some(cell))
    }

    /// The kinds and cells reachable from a kind: a kind leads to the cells that it fits, a cell to
    /// the kind placed there.
    fn reached_from_kind(&self, kind: usize) -> Flow<(Vec<usize>, Vec<usize>)> {
        let mut is_kind = vec![false; self.cells.len()];
        let mut is_cell = vec![false; self.kind_in_cell.len()];
        let mut open = vec![kind];
        is_kind[kind] = true;
        while let Some(kind) = open.pop() {
            self.token.work(self.cells[kind].len())?;
            for &cell in &self.cells[kind] {
                is_cell[cell] = true;
                open.extend(
                    self.kind_in_cell[cell]
                        .filter(|&kind| !std::mem::replace(&mut is_kind[kind], true)),
                );
            }
        }
        ControlFlow::Continue((true_indices(&is_kind), true_indices(&is_cell)))
    }

    /// The same from cells in the opposite direction: a cell leads to the kinds that fit it, a kind
    /// to the cells in which it is placed.
    fn reached_from_cells(&self, mut open: Vec<usize>) -> Flow<(Vec<usize>, Vec<usize>)> {
        let mut is_kind = vec![false; self.cells.len()];
        let mut is_cell = vec![false; self.kind_in_cell.len()];
        open.iter().for_each(|&cell| is_cell[cell] = true);
        while let Some(cell) = open.pop() {
            self.token.work(self.kinds[cell].len())?;
            for &kind in &self.kinds[cell] {
                if !std::mem::replace(&mut is_kind[kind], true) {
                    self.token.work(self.kind_in_cell.len())?;
                    let own = self.own_cells(kind);
                    open.extend(own.filter(|&cell| !std::mem::replace(&mut is_cell[cell], true)));
                }
            }
        }
        ControlFlow::Continue((true_indices(&is_kind), true_indices(&is_cell)))
    }

    /// The strongly connected component of each kind, represented by its first kind.
    fn groups(&self) -> Flow<Vec<usize>> {
        let mut groups = vec![usize::MAX; self.cells.len()];
        for kind in 0..groups.len() {
            if groups[kind] != usize::MAX {
                continue;
            }
            let (to, _) = self.reached_from_kind(kind)?;
            let (from, _) = self.reached_from_cells(self.own_cells(kind).collect())?;
            groups[kind] = kind;
            for other in to.into_iter().filter(|other| from.binary_search(other).is_ok()) {
                groups[other] = kind;
            }
        }
        ControlFlow::Continue(groups)
    }

    /// The violation if required pieces are unplaced or cells are empty.
    fn failure(&self, fits: &Fits<'_>) -> Flow<Option<Failure>> {
        let unplaced = self.left.iter().position(|&left| left > 0);
        if let Some(kind) = unplaced.filter(|_| fits.problem.uses_every_tile()) {
            let (kinds, cells) = self.reached_from_kind(kind)?;
            return ControlFlow::Continue(Some(Failure::Tiles(Filled {
                tiles: fits.tiles(&kinds),
                cells,
            })));
        }
        let Some(empty) = self.kind_in_cell.iter().position(Option::is_none) else {
            return ControlFlow::Continue(None);
        };
        let (kinds, cells) = self.reached_from_cells(vec![empty])?;
        ControlFlow::Continue(Some(Failure::Cells(Filled { tiles: fits.tiles(&kinds), cells })))
    }
}

fn true_indices(is_so: &[bool]) -> Vec<usize> {
    is_so.iter().enumerate().filter_map(|(place, is_so)| is_so.then_some(place)).collect()
}
