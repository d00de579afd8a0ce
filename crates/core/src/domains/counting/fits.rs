//! Rules out a solution because tiles fit too few cells, or too few tiles fit some cells: a chain
//! of Hall violators.
//!
//! Tiles that fit only as many cells as there are pieces of them fill those cells, so no other tile
//! can be placed there. The labels that remain along the seams of those cells exclude further
//! values, and so on. A maximum matching of pieces with cells shows where Hall's condition fails,
//! and its alternating paths show which tiles fill which cells (Régin, AAAI 1994).

use std::collections::HashMap;
use std::ops::ControlFlow;

use itertools::Itertools;

use super::{CountMismatch, Filled};
use crate::board::CellSide;
use crate::domains::Domains;
use crate::problem::Problem;
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};

/// Finds a chain of counts that ends in a violation of Hall's condition, without the steps that the
/// violation does not need. `None` proves nothing: the method found no contradiction. Breaks if the
/// token is cancelled.
pub(super) fn find_violation(
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
        fits.propagate_labels()?;
        let matching = Matching::new(&fits)?;
        if let Some(end) = matching.mismatch(&fits, &steps)? {
            break end;
        }
        let Some(filled) = fits.next_filled(&matching)? else {
            return ControlFlow::Continue(None);
        };
        fits.apply(&filled);
        steps.push(filled);
    };
    // Leave out unnecessary steps, starting with the last one.
    for index in (0..steps.len()).rev() {
        let mut fewer = steps.clone();
        fewer.remove(index);
        let mut fits = Fits::new(problem, domains, token);
        if fits.apply_all(&fewer)?
            && let Some(again) = Matching::new(&fits)?.mismatch(&fits, &fewer)?
        {
            (steps, end) = (fewer, again);
        }
    }
    ControlFlow::Continue(Some(end))
}

/// Returns true if no rule restricts a single cell. Every tile then fits every cell with its number
/// of sides at first, so counting tiles is not attempted.
fn all_fits_everywhere(problem: &Problem) -> bool {
    problem.puzzle.border.is_none()
        && problem.sums.is_empty()
        && problem.within.is_none()
        && problem.board.own_seams().is_empty()
}

/// For each side of a cell and each label: whether the domain shows the label there, and whether it
/// shows one that fits the label. The index is side × number of labels + label.
type Shown = Vec<[bool; 2]>;

/// Domains that shrink step by step; tiles and cells are counted from them.
struct Fits<'a> {
    problem: &'a Problem,
    domains: Domains,
    token: &'a CancelToken<'a>,
}

impl<'a> Fits<'a> {
    /// Starts with these domains, before any deduction.
    fn new(problem: &'a Problem, domains: &Domains, token: &'a CancelToken<'a>) -> Self {
        Fits { problem, domains: domains.clone(), token }
    }

    /// Removes values that show a label which nothing across the seam fits, to the fixpoint. Breaks
    /// if the token is cancelled.
    fn propagate_labels(&mut self) -> Flow {
        let labels = self.problem.puzzle.labels.len();
        let mut shown = self.all_labels_shown()?;
        // The cells that changed in the previous round; `now` has those that change in this one.
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
                    if self.remove_unmatched(own, &shown[own.0], (beside.1, &shown[beside.0])) {
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

    /// Applies these steps in order and propagates labels before each one and at the end. Returns
    /// false if a step no longer [holds](Self::holds) when its turn comes. Breaks if the token is
    /// cancelled.
    fn apply_all(&mut self, steps: &[Filled]) -> Flow<bool> {
        for filled in steps {
            self.propagate_labels()?;
            if !self.holds(filled) {
                return ControlFlow::Continue(false);
            }
            self.apply(filled);
        }
        self.propagate_labels()?;
        ControlFlow::Continue(true)
    }

    /// The labels that each cell can show. Cells with equal domains and numbers of sides share the
    /// computation. Breaks if the token is cancelled.
    fn all_labels_shown(&self) -> Flow<Vec<Shown>> {
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

    /// The labels that one cell can show. Breaks if the token is cancelled.
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

    /// Removes from `cell` the values that show a label on `side` which nothing across the seam
    /// fits. `own` has the labels of the cell; the side across the seam is `beside`, of a cell with
    /// the labels `met`. Returns true if a value was removed.
    fn remove_unmatched(
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

    /// The kinds that have a value in this domain, ascending and without duplicates.
    fn kinds_in(&self, domain: &ValueSet) -> Vec<usize> {
        domain.iter().map(|value| self.problem.kinds.values[value].kind).dedup().collect()
    }

    /// The tiles of these kinds, ascending.
    fn tiles_of_kinds(&self, kinds: &[usize]) -> Vec<usize> {
        let of_kind = kinds.iter().flat_map(|&kind| &self.problem.kinds.kinds[kind].tiles);
        of_kind.copied().sorted_unstable().collect()
    }

    /// The total number of pieces of these kinds.
    fn count_pieces(&self, kinds: &[usize]) -> usize {
        kinds.iter().map(|&kind| self.problem.kinds.kinds[kind].copies).sum()
    }

    /// Finds tiles that must fill as many cells as there are pieces of them, while the domain of
    /// one of these cells still contains another tile. `None` if there are no such tiles, or if
    /// tiles may remain unused. Breaks if the token is cancelled.
    fn next_filled(&self, matching: &Matching<'_>) -> Flow<Option<Filled>> {
        if !self.problem.uses_every_tile() {
            return ControlFlow::Continue(None);
        }
        let groups = matching.kind_groups()?;
        for (kinds, &placed) in matching.kinds.iter().zip(&matching.kind_in_cell) {
            self.token.work(kinds.len())?;
            // The matching fills every cell: otherwise it would have shown a violation.
            let Some(filler) = placed else { continue };
            if kinds.iter().any(|&kind| groups[kind] != groups[filler]) {
                let (kinds, cells) = matching.reached_from_kind(filler)?;
                return ControlFlow::Continue(Some(Filled {
                    tiles: self.tiles_of_kinds(&kinds),
                    cells,
                }));
            }
        }
        ControlFlow::Continue(None)
    }

    /// Returns true if the tiles fit no cells but these, and there are as many pieces of them as
    /// cells.
    fn holds(&self, filled: &Filled) -> bool {
        let kinds = self.kinds_of(filled);
        let values = self.values_of(&kinds);
        let mut cells = self.domains.cells.iter().enumerate();
        cells.all(|(cell, domain)| !domain.meets(&values) || filled.cells.contains(&cell))
            && self.count_pieces(&kinds) == filled.cells.len()
    }

    /// The kinds of the tiles, ascending, each once.
    fn kinds_of(&self, filled: &Filled) -> Vec<usize> {
        let kinds = filled.tiles.iter().map(|&tile| self.problem.kinds.of_tile[tile]);
        kinds.sorted_unstable().dedup().collect()
    }

    /// All values of these kinds.
    fn values_of(&self, kinds: &[usize]) -> ValueSet {
        let own = kinds.iter().flat_map(|&kind| self.problem.kinds.kinds[kind].values.clone());
        ValueSet::from_values(self.problem.kinds.values.len(), own)
    }

    /// Removes all other tiles from the cells of a step.
    fn apply(&mut self, filled: &Filled) {
        let values = self.values_of(&self.kinds_of(filled));
        for &cell in &filled.cells {
            self.domains.cells[cell].keep(&values);
        }
    }
}

/// A maximum matching of pieces with cells that they fit.
struct Matching<'a> {
    token: &'a CancelToken<'a>,
    /// The cells that each kind fits, ascending.
    cells: Vec<Vec<usize>>,
    /// The kinds that fit each cell, ascending.
    kinds: Vec<Vec<usize>>,
    /// The kind placed in each cell; `None` for an empty cell.
    kind_in_cell: Vec<Option<usize>>,
    /// The number of pieces of each kind that are not placed.
    left: Vec<usize>,
}

impl<'a> Matching<'a> {
    /// Computes a maximum matching for the current domains. Breaks if the token is cancelled.
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
            matching.augment(cell, &mut is_seen)?;
        }
        ControlFlow::Continue(matching)
    }

    /// Places a piece in `cell`, moving other pieces along an augmenting path if necessary. Returns
    /// false, and leaves the matching as it was, if there is no such path. `is_seen` marks the
    /// kinds visited so far. Breaks if the token is cancelled.
    fn augment(&mut self, cell: usize, is_seen: &mut [bool]) -> Flow<bool> {
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
            for other in self.cells_with_kind(kind).collect::<Vec<usize>>() {
                self.kind_in_cell[other] = None;
                if self.augment(other, is_seen)? {
                    self.kind_in_cell[cell] = Some(kind);
                    return ControlFlow::Continue(true);
                }
                self.kind_in_cell[other] = Some(kind);
            }
        }
        ControlFlow::Continue(false)
    }

    /// The cells in which pieces of a kind are placed, ascending.
    fn cells_with_kind(&self, kind: usize) -> impl Iterator<Item = usize> {
        let cells = self.kind_in_cell.iter().enumerate();
        cells.filter_map(move |(cell, placed)| (*placed == Some(kind)).then_some(cell))
    }

    /// The kinds and the cells reachable from a kind, both ascending. A kind leads to all cells
    /// that it fits, a cell to the kind placed in it. Breaks if the token is cancelled.
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

    /// The kinds and the cells reachable from these cells in the opposite direction, both
    /// ascending. A cell leads to all kinds that fit it, a kind to the cells in which it is placed.
    /// Breaks if the token is cancelled.
    fn reached_from_cells(&self, mut open: Vec<usize>) -> Flow<(Vec<usize>, Vec<usize>)> {
        let mut is_kind = vec![false; self.cells.len()];
        let mut is_cell = vec![false; self.kind_in_cell.len()];
        open.iter().for_each(|&cell| is_cell[cell] = true);
        while let Some(cell) = open.pop() {
            self.token.work(self.kinds[cell].len())?;
            for &kind in &self.kinds[cell] {
                if !std::mem::replace(&mut is_kind[kind], true) {
                    self.token.work(self.kind_in_cell.len())?;
                    let own = self.cells_with_kind(kind);
                    open.extend(own.filter(|&cell| !std::mem::replace(&mut is_cell[cell], true)));
                }
            }
        }
        ControlFlow::Continue((true_indices(&is_kind), true_indices(&is_cell)))
    }

    /// The strongly connected component of each kind in the graph of
    /// [`reached_from_kind`](Self::reached_from_kind), represented by its first kind. Breaks if the
    /// token is cancelled.
    fn kind_groups(&self) -> Flow<Vec<usize>> {
        let mut groups = vec![usize::MAX; self.cells.len()];
        for kind in 0..groups.len() {
            if groups[kind] != usize::MAX {
                continue;
            }
            let (to, _) = self.reached_from_kind(kind)?;
            let (from, _) = self.reached_from_cells(self.cells_with_kind(kind).collect())?;
            groups[kind] = kind;
            for other in to.into_iter().filter(|other| from.binary_search(other).is_ok()) {
                groups[other] = kind;
            }
        }
        ControlFlow::Continue(groups)
    }

    /// The violation of Hall's condition that the matching shows after the steps `because`: pieces
    /// that must be used but are not placed, or an empty cell. `None` if there is neither. Breaks
    /// if the token is cancelled.
    fn mismatch(&self, fits: &Fits<'_>, because: &[Filled]) -> Flow<Option<CountMismatch>> {
        let because = because.to_vec();
        let unplaced = self.left.iter().position(|&left| left > 0);
        if let Some(kind) = unplaced.filter(|_| fits.problem.uses_every_tile()) {
            let (kinds, cells) = self.reached_from_kind(kind)?;
            let tiles = fits.tiles_of_kinds(&kinds);
            return ControlFlow::Continue(Some(CountMismatch::Unplaceable {
                because,
                tiles,
                cells,
            }));
        }
        let Some(empty) = self.kind_in_cell.iter().position(Option::is_none) else {
            return ControlFlow::Continue(None);
        };
        let (kinds, cells) = self.reached_from_cells(vec![empty])?;
        let tiles = fits.tiles_of_kinds(&kinds);
        ControlFlow::Continue(Some(CountMismatch::Unfilled { because, cells, tiles }))
    }
}

/// The indices of the elements that are true, ascending.
fn true_indices(is_so: &[bool]) -> Vec<usize> {
    is_so.iter().enumerate().filter_map(|(place, is_so)| is_so.then_some(place)).collect()
}
