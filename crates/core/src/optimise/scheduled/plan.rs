//! The read-only tables of one attempt: cell order, candidates of each depth, and early images.
//!
//! Everything is relative to the board or derived from its tiles; nothing is tuned for one board.
//! The shares are those of Blackwood's program for Eternity II (16×16).

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use crate::optimise::method::MethodRun;
use crate::optimise::tables::FitTables;
use crate::puzzle::Label;
use crate::runtime::limits::Flow;
use crate::runtime::random::Random;
use crate::tables::CandidateIndex;

/// The share of a rectangle's lines, at the end of the order, that are filled across the lines.
/// With lines to the end, hardly any board is completed; four or six of sixteen lines are equal
/// within noise.
const COMB: f64 = 5.0 / 16.0;

/// The share of early images: three of seventeen. Other numbers are equal within noise.
const EARLY: f64 = 3.0 / 17.0;

/// A candidate for a cell: a value and its kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KindValue {
    pub value: u16,
    pub kind: u16,
}

/// A neighbour that is filled before a cell: its depth, its side that touches the cell, and the
/// cell's side.
#[derive(Debug, Clone, Copy)]
pub(super) struct FilledNeighbour {
    pub depth: usize,
    there: usize,
    here: usize,
}

impl FilledNeighbour {
    /// The index of the label that the neighbour requires of the cell. `value_at` returns the value
    /// placed at a depth.
    #[inline(always)]
    pub fn required(self, tables: &FitTables<'_>, value_at: impl Fn(usize) -> u16) -> usize {
        let value = usize::from(value_at(self.depth));
        tables.fits[value * tables.sides + self.there].index()
    }
}

/// The constants of a depth of the search.
#[derive(Debug)]
pub(super) struct Depth {
    /// The cell to fill, and its class.
    pub cell: usize,
    pub class: usize,
    /// Up to two filled neighbours whose labels select the candidates.
    pub selecting: Vec<FilledNeighbour>,
    /// Further filled neighbours, which only occur on boards that are not filled row by row.
    pub others: Vec<FilledNeighbour>,
    /// The index of its type in [`AttemptPlan::position_types`].
    pub position_type: usize,
}

/// The tables of all depths whose cells have the same class and the same selecting sides. The
/// entries of a class are the candidates that its cells allow.
#[derive(Debug)]
pub(super) struct PositionType {
    /// For each selecting side, the bit sets of the entries that show each label on it. Without a
    /// selecting side, the set of label 0 has all entries.
    showing: [Vec<u64>; 2],
    /// The number of words in a bit set over the entries of the class.
    words: usize,
    /// For each selecting side, the probability that two random entries show the same label on it.
    pub chances: Vec<f64>,
}

impl PositionType {
    /// For each selecting side, the bit set of the entries that show the required label on it.
    /// `required` are indices of labels, 0 for a selecting side that does not exist.
    #[inline(always)]
    pub fn showing(&self, required: [usize; 2]) -> [&[u64]; 2] {
        [0, 1].map(|end| &self.showing[end][required[end] * self.words..][..self.words])
    }
}

/// The entries of a kind in one word of a bit set over all classes; classes have
/// [`AttemptPlan::width`] words each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bits {
    pub word: usize,
    pub mask: u64,
}

/// The read-only tables of an attempt.
#[derive(Debug)]
pub(super) struct AttemptPlan {
    pub depths: Vec<Depth>,
    pub position_types: Vec<PositionType>,
    /// The candidates by type and the labels required on both selecting sides.
    pub exact: CandidateIndex<KindValue>,
    /// The entries of each class: the candidates that its cells allow, those with the most early
    /// sides first.
    pub classes: Vec<Vec<KindValue>>,
    /// The number of words in a bit set over the entries of the largest class.
    pub width: usize,
    /// The entries of each kind in the bit sets of all classes.
    pub bits: Vec<Vec<Bits>>,
    /// True for each label of an image that the attempt uses up first.
    pub early: Vec<bool>,
    /// The depth from which cells are filled across the lines, and the number of cells in a line.
    pub comb: usize,
    pub line: usize,
    labels: usize,
}

impl AttemptPlan {
    /// Builds the tables with a random cell order and random early images. Breaks if the token
    /// stops the run.
    pub fn new(run: &mut MethodRun<'_>) -> Flow<AttemptPlan> {
        let tables = run.tables;
        let early = early_labels(tables, &mut run.random);
        let (cells, comb, line) = cell_order(run)?;
        let mut kinds: Vec<usize> = (0..tables.problem.kinds.kinds.len()).collect();
        run.random.shuffle(&mut kinds);
        let (class_of, firsts) = classes(tables);
        let spare = spare_kinds(tables);
        let class = |&cell: &usize| entries(tables, cell, (&kinds, &spare), &early);
        let classes: Vec<Vec<KindValue>> = firsts.iter().map(class).collect();
        let most = classes.iter().map(Vec::len).max().unwrap_or_default();
        let width = most.div_ceil(64);
        let mut plan = AttemptPlan {
            bits: bits_of_kinds(&classes, width, kinds.len()),
            classes,
            width,
            early,
            comb,
            line,
            labels: tables.problem.puzzle.labels.len(),
            depths: Vec::new(),
            position_types: Vec::new(),
            exact: CandidateIndex::default(),
        };
        let mut depth_of = vec![None; cells.len()];
        let mut known: HashMap<(usize, Vec<usize>), usize> = HashMap::new();
        for (depth, &cell) in cells.iter().enumerate() {
            depth_of[cell] = Some(depth);
            let before = tables.neighbours(cell).filter_map(|(here, there, other)| {
                Some(FilledNeighbour { depth: depth_of[other]?, there, here })
            });
            let mut selecting: Vec<FilledNeighbour> = before.collect();
            let others = selecting.split_off(selecting.len().min(2));
            let sides = selecting.iter().map(|before| before.here).collect();
            let class = class_of[cell];
            let position_type = *known
                .entry((class, sides))
                .or_insert_with_key(|(_, sides)| plan.push_tables(tables, class, sides));
            plan.depths.push(Depth { cell, class, selecting, others, position_type });
        }
        ControlFlow::Continue(plan)
    }

    /// The range in [`AttemptPlan::exact`] of the candidates of a type that show both required
    /// labels.
    #[inline(always)]
    pub fn exact_range(&self, position_type: usize, [first, second]: [usize; 2]) -> Range<u32> {
        self.exact.range((position_type * self.labels + first) * self.labels + second)
    }

    /// The number of seams with [`Depth::others`] that a candidate breaks. `value_at` returns the
    /// value placed at a depth.
    #[inline(always)]
    pub fn breaks(
        &self,
        tables: &FitTables<'_>,
        depth: usize,
        candidate: KindValue,
        value_at: impl Fn(usize) -> u16,
    ) -> u32 {
        let others = &self.depths[depth].others;
        if others.is_empty() {
            return 0;
        }
        let shown = tables.shown_by(usize::from(candidate.value));
        let is_broken =
            |at: &&FilledNeighbour| shown[at.here].index() != at.required(tables, &value_at);
        others.iter().filter(is_broken).count() as u32
    }

    /// Builds the tables of a type and returns its index. Without a neighbour, the required label
    /// is 0.
    fn push_tables(&mut self, tables: &FitTables<'_>, class: usize, sides: &[usize]) -> usize {
        let entries = &self.classes[class];
        let words = entries.len().div_ceil(64);
        let labels = self.labels;
        let label_of = |candidate: &KindValue, side: usize| {
            tables.shown_by(usize::from(candidate.value))[side].index()
        };
        let mut showing = [0; 2].map(|_| vec![u64::MAX; words]);
        let mut chances = Vec::new();
        for (showing, &side) in showing.iter_mut().zip(sides) {
            *showing = vec![0; labels * words];
            let mut numbers = vec![0u32; labels];
            for (index, candidate) in entries.iter().enumerate() {
                let label = label_of(candidate, side);
                showing[label * words + index / 64] |= 1 << (index % 64);
                numbers[label] += 1;
            }
            let all = entries.len() as f64;
            chances.push(numbers.iter().map(|&n| (f64::from(n) / all).powi(2)).sum());
        }
        self.exact.push_by_key(entries, labels * labels, |candidate| {
            let required = |end| sides.get(end).map_or(0, |&side| label_of(candidate, side));
            required(0) * labels + required(1)
        });
        self.position_types.push(PositionType { showing, words, chances });
        self.position_types.len() - 1
    }
}

/// The class of each cell, and the first cell of each class. Cells of a class have equal domains and
/// fixed neighbours that require the same labels on the same sides.
fn classes(tables: &FitTables<'_>) -> (Vec<usize>, Vec<usize>) {
    let mut firsts = Vec::new();
    let mut known = HashMap::new();
    let class_of = tables.class_of.iter().enumerate().map(|(cell, &class)| {
        *known.entry((class, required_by_fixed(tables, cell))).or_insert_with(|| {
            firsts.push(cell);
            firsts.len() - 1
        })
    });
    (class_of.collect(), firsts)
}

/// The sides of an open cell that touch cells with a fixed value, with the labels that these
/// require.
fn required_by_fixed(tables: &FitTables<'_>, cell: usize) -> Vec<(usize, Label)> {
    if tables.fixed[cell].is_some() {
        return Vec::new();
    }
    let required = tables.neighbours(cell).filter_map(|(here, there, other)| {
        Some((here, tables.fits[tables.fixed[other]? * tables.sides + there]))
    });
    required.collect()
}

/// The kinds with more copies than fixed cells need, ascending.
fn spare_kinds(tables: &FitTables<'_>) -> Vec<usize> {
    let fixed: Vec<usize> = tables.fixed.iter().flatten().copied().collect();
    tables.spare_kinds(&fixed)
}

/// The candidates for a cell, those with the most early sides first; ties are in the order of
/// `kinds`. They leave the copies that fixed cells need and, if there are such, fit fixed
/// neighbours: a search that meets a fixed cell late would hardly ever find its tile left and both
/// seams matching.
fn entries(
    tables: &FitTables<'_>,
    cell: usize,
    (kinds, spare): (&[usize], &[usize]),
    early: &[bool],
) -> Vec<KindValue> {
    let is_left = |kind: usize| tables.fixed[cell].is_some() || spare.binary_search(&kind).is_ok();
    let values = kinds.iter().filter(|&&kind| is_left(kind)).flat_map(|&kind| {
        let values = tables.values(cell, kind).iter();
        values.map(move |&value| KindValue { value: value as u16, kind: kind as u16 })
    });
    let mut all: Vec<KindValue> = values.collect();
    let required = required_by_fixed(tables, cell);
    let fits = |candidate: &KindValue| {
        let shown = tables.shown_by(usize::from(candidate.value));
        required.iter().all(|&(side, label)| shown[side] == label)
    };
    if all.iter().any(fits) {
        all.retain(fits);
    }
    all.sort_by_key(|candidate| {
        let shown = tables.shown_by(usize::from(candidate.value)).iter();
        Reverse(shown.filter(|label| early[label.index()]).count())
    });
    all
}

/// The entries of each kind in the bit sets of all classes, as masks of words.
fn bits_of_kinds(classes: &[Vec<KindValue>], width: usize, kinds: usize) -> Vec<Vec<Bits>> {
    let mut bits: Vec<Vec<Bits>> = vec![Vec::new(); kinds];
    for (class, entries) in classes.iter().enumerate() {
        for (index, candidate) in entries.iter().enumerate() {
            let of_kind = &mut bits[usize::from(candidate.kind)];
            let word = class * width + index / 64;
            let mask = 1 << (index % 64);
            match of_kind.last_mut() {
                Some(last) if last.word == word => last.mask |= mask,
                _ => of_kind.push(Bits { word, mask }),
            }
        }
    }
    bits
}

/// The cells in the order in which they are filled, with [`AttemptPlan::comb`] and
/// [`AttemptPlan::line`].
type Order = (Vec<usize>, usize, usize);

/// A random order: on a rectangle, lines from a random corner in a random direction, with the last
/// lines filled across; on other boards that of [`grown_order`]. Breaks if the token stops the run.
fn cell_order(run: &mut MethodRun<'_>) -> Flow<Order> {
    let Some((rows, columns)) = run.tables.problem.board.rectangle() else {
        return grown_order(run);
    };
    let by_columns = run.random.bool();
    let from_bottom = run.random.bool();
    let from_right = run.random.bool();
    let (lines, length) = if by_columns { (columns, rows) } else { (rows, columns) };
    let cell = |line: usize, at: usize| {
        let line = if from_bottom { lines - 1 - line } else { line };
        let at = if from_right { length - 1 - at } else { at };
        if by_columns { at * columns + line } else { line * columns + at }
    };
    let comb = (lines as f64 * COMB).round() as usize;
    let rows = itertools::iproduct!(0..lines - comb, 0..length);
    let teeth = itertools::iproduct!(0..length, lines - comb..lines);
    let all = rows.chain(teeth.map(|(at, line)| (line, at)));
    let cells = all.map(|(line, at)| cell(line, at)).collect();
    ControlFlow::Continue((cells, (lines - comb) * length, length))
}

/// The order that starts at a random cell and always continues with a cell that has the most filled
/// neighbours; ties go to the one whose first neighbour was filled earliest. Breaks if the token
/// stops the run.
fn grown_order(run: &mut MethodRun<'_>) -> Flow<Order> {
    let size = run.tables.problem.board.size();
    let mut order = vec![run.random.usize(..size)];
    // The number of filled neighbours of each cell, and the depth at which the first one was
    // filled.
    let mut filled = vec![(0, Reverse(usize::MAX)); size];
    let mut is_open = vec![true; size];
    while let Some(&cell) = order.last() {
        is_open[cell] = false;
        for (_, _, other) in run.tables.neighbours(cell) {
            let (number, since) = &mut filled[other];
            *number += 1;
            *since = Reverse(order.len()).max(*since);
        }
        let Some(next) = (0..size).filter(|&cell| is_open[cell]).max_by_key(|&cell| filled[cell])
        else {
            break;
        };
        order.push(next);
        run.effort.token.work(size)?;
    }
    let comb = ((1.0 - COMB) * size as f64).round() as usize;
    ControlFlow::Continue((order, comb, (size as f64).sqrt().round() as usize))
}

/// Chooses early images at random among those that the largest class of cells can show. Returns
/// true for each label of an early image; at least one image is chosen if there is any.
fn early_labels(tables: &FitTables<'_>, random: &mut Random) -> Vec<bool> {
    let labels = &tables.problem.puzzle.labels;
    let fit = tables.problem.tables();
    // The interior of a framed board, or the whole board without a frame.
    let largest = tables.classes.iter().rev().max_by_key(|cells| cells.len());
    let is_taken =
        |cell: usize, value: usize| tables.values(cell, tables.kind_of[value]).contains(&value);
    let is_shown = |label: &Label| {
        let mut values = (0..tables.sides).flat_map(|side| fit.showing(side, *label));
        largest.is_some_and(|cells| values.any(|&value| is_taken(cells[0], value)))
    };
    let mut images: Vec<Label> = labels.firsts().filter(is_shown).collect();
    random.shuffle(&mut images);
    let number = (images.len() as f64 * EARLY).round() as usize;
    let mut early = vec![false; labels.len()];
    for &label in &images[..number.clamp(images.len().min(1), images.len())] {
        early[label.index()] = true;
        early[fit.mate(label).index()] = true;
    }
    early
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::puzzle::ValueSet;
    use crate::runtime::limits::CancelToken;
    use crate::samples;

    #[test]
    fn cells_fit_the_fixed_cells_beside_them_and_leave_their_tiles() {
        let problem = samples::tiles(Board::grid(6, 6), samples::FRAMED_6X6);
        let problem = problem.with_border("grey").build().unwrap();
        let all = problem.kinds.values.len();
        let fixed = [(7, 120), (8, 70)];
        let allowed = (0..36).map(|cell| match fixed.iter().find(|(at, _)| *at == cell) {
            Some(&(_, value)) => ValueSet::from_values(all, [value]),
            None => ValueSet::from_range(all, 0..all),
        });
        let problem = problem.confined(allowed.collect());
        let tables = FitTables::new(&problem, &CancelToken::never()).continue_value().unwrap();
        let kinds: Vec<usize> = (0..problem.kinds.kinds.len()).collect();
        let early = vec![false; problem.puzzle.labels.len()];
        let spare = spare_kinds(&tables);
        let entries = |cell| entries(&tables, cell, (&kinds, &spare), &early);
        let (class_of, firsts) = classes(&tables);
        assert_eq!(firsts.iter().map(|&cell| class_of[cell]).max(), Some(firsts.len() - 1));
        for (cell, value) in fixed {
            assert_eq!(
                entries(cell).iter().map(|c| usize::from(c.value)).collect::<Vec<_>>(),
                [value]
            );
            for (there, here, other) in tables.neighbours(cell) {
                let label = tables.fits[value * tables.sides + there];
                let shows = |c: &KindValue| tables.shown_by(usize::from(c.value))[here] == label;
                assert!(
                    fixed.iter().any(|(at, _)| *at == other) || entries(other).iter().all(shows)
                );
            }
            let kind = tables.kind_of[value];
            let others = (0..36).filter(|&other| other != cell).flat_map(entries);
            assert!(others.map(|c| usize::from(c.kind)).all(|other| other != kind));
        }
    }
}
