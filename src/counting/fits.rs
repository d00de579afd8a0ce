//! Tiles that fit too few cells, and cells that too few tiles fit: Hall's condition, in a chain.
//!
//! Tiles that fit as many cells as there are of them fill those cells, and nothing else lies there.
//! What is then shown along their seams rules out more. A largest matching of pieces with cells
//! tells where the condition fails, and its alternating ways tell which tiles fill which cells
//! (Régin, AAAI 1994).

use std::collections::HashMap;

use itertools::Itertools;

use super::{Count, Filled};
use crate::board::CellSide;
use crate::domains::Domains;
use crate::problem::Problem;
use crate::puzzle::ValueSet;

/// A chain of such counts that ends in a contradiction, where there is one; no step of it can be left
/// out.
pub(super) fn unfitting(problem: &Problem, domains: &Domains) -> Option<Count> {
    if all_fits_everywhere(problem) {
        return None;
    }
    let mut fits = Fits::new(problem, domains);
    let mut steps: Vec<Filled> = Vec::new();
    let mut end = loop {
        fits.agree();
        let matching = Matching::new(&fits);
        if let Some(end) = matching.failure(&fits) {
            break end;
        }
        let filled = fits.next_filled(&matching)?;
        fits.fill(&filled);
        steps.push(filled);
    };
    // From the last step on, leave out what is not needed.
    for index in (0..steps.len()).rev() {
        let mut fewer = steps.clone();
        fewer.remove(index);
        let mut fits = Fits::new(problem, domains);
        let again = fewer.iter().all(|filled| {
            fits.agree();
            fits.holds(filled) && {
                fits.fill(filled);
                true
            }
        });
        fits.agree();
        if again && let Some(again) = Matching::new(&fits).failure(&fits) {
            (steps, end) = (fewer, again);
        }
    }
    Some(match end {
        Failure::Tiles(Filled { tiles, cells }) => Count::Unplaceable {
            because: steps,
            tiles,
            cells,
        },
        Failure::Cells(Filled { tiles, cells }) => Count::Unfilled {
            because: steps,
            cells,
            tiles,
        },
    })
}

/// Whether no rule concerns a cell alone, so that whatever a tile shows it may lie anywhere.
fn all_fits_everywhere(problem: &Problem) -> bool {
    problem.puzzle.border.is_none()
        && problem.sums.is_empty()
        && problem.within.is_none()
        && problem.board.own_seams().is_empty()
}

/// More tiles than cells that they fit, or more cells than tiles that fit them.
enum Failure {
    Tiles(Filled),
    Cells(Filled),
}

/// What a cell can show: by side and label, whether it can show it there, and whether it can show
/// something there that fits it.
type Shown = Vec<[bool; 2]>;

/// What fits where.
struct Fits<'a> {
    problem: &'a Problem,
    /// By side and label, the values that show it there.
    showing: Vec<ValueSet>,
    domains: Domains,
}

impl<'a> Fits<'a> {
    /// Where each cell can take what it can by the rules that concern it alone.
    fn new(problem: &'a Problem, domains: &Domains) -> Self {
        let values = &problem.kinds.values;
        let labels = problem.puzzle.labels.len();
        let none = ValueSet::empty(values.len());
        let mut showing = vec![none; problem.board.most_sides() * labels];
        for (index, value) in values.iter().enumerate() {
            for (of_side, label) in showing.chunks_exact_mut(labels).zip(&value.edges) {
                of_side[label.index()].insert(index);
            }
        }
        Fits {
            problem,
            showing,
            domains: domains.clone(),
        }
    }

    /// Takes out values that show what nothing across a seam fits, until there are none.
    fn agree(&mut self) {
        let mut shown = self.all_shown();
        // The cells that changed in the round before, and in this one.
        let mut before = vec![true; shown.len()];
        while before.contains(&true) {
            let mut now = vec![false; shown.len()];
            for seam in self.problem.board.seams() {
                let [one, other] = seam.ends();
                for [own, beside] in [[one, other], [other, one]] {
                    let has_changed = before[beside.0] || now[beside.0];
                    if has_changed && self.meet(own, &shown[own.0], (beside.1, &shown[beside.0])) {
                        shown[own.0] = self.shown(own.0);
                        now[own.0] = true;
                    }
                }
            }
            before = now;
        }
    }

    /// What each cell can show; many can take the same.
    fn all_shown(&self) -> Vec<Shown> {
        let mut known: HashMap<(&ValueSet, usize), Shown> = HashMap::new();
        let cells = self.problem.board.cells().iter().enumerate();
        let shown = cells.map(|(cell, of_board)| {
            let shown = known.entry((&self.domains.cells[cell], of_board.sides));
            shown.or_insert_with(|| self.shown(cell)).clone()
        });
        shown.collect()
    }

    /// What one cell can show.
    fn shown(&self, cell: usize) -> Shown {
        let labels = &self.problem.puzzle.labels;
        let mut shown = vec![[false; 2]; self.problem.board.cells()[cell].sides * labels.len()];
        let of_sides = shown.chunks_exact_mut(labels.len());
        for (shown, showing) in of_sides.zip(self.showing.chunks_exact(labels.len())) {
            for (label, values) in labels.all().zip(showing) {
                if self.domains.cells[cell].meets(values) {
                    shown[label.index()][0] = true;
                    for other in labels.fitting(label) {
                        shown[other.index()][1] = true;
                    }
                }
            }
        }
        shown
    }

    /// Takes out values that show what the other side does not meet; whether there were any.
    fn meet(
        &mut self,
        (cell, side): CellSide,
        own: &Shown,
        (beside, met): (usize, &Shown),
    ) -> bool {
        let labels = self.problem.puzzle.labels.len();
        let own = &own[side * labels..][..labels];
        let met = &met[beside * labels..][..labels];
        let showing = &self.showing[side * labels..][..labels];
        let mut has_changed = false;
        for ((&[is_shown, _], &[_, is_met]), values) in own.iter().zip(met).zip(showing) {
            if is_shown && !is_met {
                self.domains.cells[cell].remove_all(values);
                has_changed = true;
            }
        }
        has_changed
    }

    /// The kinds that a cell with this domain can take, ascending.
    fn kinds_in(&self, domain: &ValueSet) -> Vec<usize> {
        let kinds = domain
            .iter()
            .map(|value| self.problem.kinds.values[value].kind);
        kinds.dedup().collect()
    }

    /// The tiles of kinds, ascending.
    fn tiles(&self, kinds: &[usize]) -> Vec<usize> {
        let of_kind = kinds
            .iter()
            .flat_map(|&kind| &self.problem.kinds.kinds[kind].tiles);
        let mut tiles: Vec<usize> = of_kind.copied().collect();
        tiles.sort_unstable();
        tiles
    }

    fn pieces(&self, kinds: &[usize]) -> usize {
        let kinds = kinds.iter();
        kinds
            .map(|&kind| self.problem.kinds.kinds[kind].count())
            .sum()
    }

    /// Tiles that fill cells where others could still lie.
    fn next_filled(&self, matching: &Matching) -> Option<Filled> {
        if !self.problem.uses_every_tile() {
            return None;
        }
        let groups = matching.groups();
        let mut cells = matching.kinds.iter().zip(&matching.lies);
        let filler = cells.find_map(|(kinds, &lies)| {
            let own = groups[lies?];
            let mut others = kinds.iter().filter(|kind| groups[**kind] != own);
            others.next().and(lies)
        })?;
        let (kinds, cells) = matching.reached_from_kind(filler);
        Some(Filled {
            tiles: self.tiles(&kinds),
            cells,
        })
    }

    /// Whether tiles fit these cells alone, and are as many.
    fn holds(&self, filled: &Filled) -> bool {
        let kinds = self.kinds_of(filled);
        let values = self.values_of(&kinds);
        let mut cells = self.domains.cells.iter().enumerate();
        cells.all(|(cell, domain)| !domain.meets(&values) || filled.cells.contains(&cell))
            && self.pieces(&kinds) == filled.cells.len()
    }

    fn kinds_of(&self, filled: &Filled) -> Vec<usize> {
        let kinds = filled
            .tiles
            .iter()
            .map(|&tile| self.problem.kinds.of_tile[tile]);
        let mut kinds: Vec<usize> = kinds.collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    fn values_of(&self, kinds: &[usize]) -> ValueSet {
        let own = kinds
            .iter()
            .flat_map(|&kind| self.problem.kinds.kinds[kind].values.clone());
        ValueSet::from_values(self.problem.kinds.values.len(), own)
    }

    /// Nothing but these tiles lies in these cells.
    fn fill(&mut self, filled: &Filled) {
        let values = self.values_of(&self.kinds_of(filled));
        for &cell in &filled.cells {
            self.domains.cells[cell].keep(&values);
        }
    }
}

/// As many pieces as can be at once in cells that they fit.
struct Matching {
    /// By kind, the cells that it fits.
    cells: Vec<Vec<usize>>,
    /// By cell, the kinds that fit it.
    kinds: Vec<Vec<usize>>,
    /// By cell, the kind that lies there.
    lies: Vec<Option<usize>>,
    /// By kind, the pieces that lie nowhere.
    left: Vec<usize>,
}

impl Matching {
    fn new(fits: &Fits<'_>) -> Self {
        let all = fits.problem.kinds.kinds.iter();
        let mut known: HashMap<&ValueSet, Vec<usize>> = HashMap::new();
        let kinds = fits.domains.cells.iter().map(|domain| {
            let kinds = known.entry(domain);
            kinds.or_insert_with(|| fits.kinds_in(domain)).clone()
        });
        let kinds: Vec<Vec<usize>> = kinds.collect();
        let mut cells = vec![Vec::with_capacity(kinds.len()); all.len()];
        for (cell, kinds) in kinds.iter().enumerate() {
            kinds.iter().for_each(|&kind| cells[kind].push(cell));
        }
        let mut matching = Matching {
            lies: vec![None; kinds.len()],
            left: all.map(|kind| kind.count()).collect(),
            cells,
            kinds,
        };
        for cell in 0..matching.lies.len() {
            let mut is_seen = vec![false; matching.left.len()];
            matching.fill(cell, &mut is_seen);
        }
        matching
    }

    /// Lays something in a cell, for which others may move; whether that goes.
    fn fill(&mut self, cell: usize, is_seen: &mut [bool]) -> bool {
        let mut kinds = self.kinds[cell].iter();
        if let Some(&kind) = kinds.find(|kind| self.left[**kind] > 0) {
            self.left[kind] -= 1;
            self.lies[cell] = Some(kind);
            return true;
        }
        for kind in self.kinds[cell].clone() {
            if std::mem::replace(&mut is_seen[kind], true) {
                continue;
            }
            for other in self.own_cells(kind).collect::<Vec<usize>>() {
                self.lies[other] = None;
                if self.fill(other, is_seen) {
                    self.lies[cell] = Some(kind);
                    return true;
                }
                self.lies[other] = Some(kind);
            }
        }
        false
    }

    /// The cells in which a kind lies.
    fn own_cells(&self, kind: usize) -> impl Iterator<Item = usize> {
        let cells = self.lies.iter().enumerate();
        cells.filter_map(move |(cell, lies)| (*lies == Some(kind)).then_some(cell))
    }

    /// The kinds and cells that are reached from a kind through cells that it fits, and from a cell
    /// through the kind that lies there.
    fn reached_from_kind(&self, kind: usize) -> (Vec<usize>, Vec<usize>) {
        let mut is_kind = vec![false; self.cells.len()];
        let mut is_cell = vec![false; self.lies.len()];
        let mut open = vec![kind];
        is_kind[kind] = true;
        while let Some(kind) = open.pop() {
            for &cell in &self.cells[kind] {
                is_cell[cell] = true;
                open.extend(
                    self.lies[cell].filter(|&kind| !std::mem::replace(&mut is_kind[kind], true)),
                );
            }
        }
        (places(&is_kind), places(&is_cell))
    }

    /// The same from cells, the other way: through the kinds that fit them, and the cells in which
    /// these lie.
    fn reached_from_cells(&self, mut open: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
        let mut is_kind = vec![false; self.cells.len()];
        let mut is_cell = vec![false; self.lies.len()];
        open.iter().for_each(|&cell| is_cell[cell] = true);
        while let Some(cell) = open.pop() {
            for &kind in &self.kinds[cell] {
                if !std::mem::replace(&mut is_kind[kind], true) {
                    let own = self.own_cells(kind);
                    open.extend(own.filter(|&cell| !std::mem::replace(&mut is_cell[cell], true)));
                }
            }
        }
        (places(&is_kind), places(&is_cell))
    }

    /// By kind the number of its group: kinds that reach one another.
    fn groups(&self) -> Vec<usize> {
        let mut groups = vec![usize::MAX; self.cells.len()];
        for kind in 0..groups.len() {
            if groups[kind] != usize::MAX {
                continue;
            }
            let (to, _) = self.reached_from_kind(kind);
            let (from, _) = self.reached_from_cells(self.own_cells(kind).collect());
            groups[kind] = kind;
            for other in to
                .into_iter()
                .filter(|other| from.binary_search(other).is_ok())
            {
                groups[other] = kind;
            }
        }
        groups
    }

    /// Where not all pieces that must lie do, or not every cell is filled.
    fn failure(&self, fits: &Fits<'_>) -> Option<Failure> {
        let unplaced = self.left.iter().position(|&left| left > 0);
        if let Some(kind) = unplaced.filter(|_| fits.problem.uses_every_tile()) {
            let (kinds, cells) = self.reached_from_kind(kind);
            return Some(Failure::Tiles(Filled {
                tiles: fits.tiles(&kinds),
                cells,
            }));
        }
        let empty = self.lies.iter().position(Option::is_none)?;
        let (kinds, cells) = self.reached_from_cells(vec![empty]);
        Some(Failure::Cells(Filled {
            tiles: fits.tiles(&kinds),
            cells,
        }))
    }
}

fn places(is_so: &[bool]) -> Vec<usize> {
    let all = is_so.iter().enumerate();
    all.filter_map(|(place, is_so)| is_so.then_some(place))
        .collect()
}
