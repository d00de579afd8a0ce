//! The constants of a search with scheduled breaks: cell order, candidates, early colours,
//! schedule.
//!
//! Everything is a fraction of the board, or follows from its tiles; nothing is tuned for one
//! board. The fractions are those of Blackwood's program for Eternity II (16 × 16) where nothing
//! else is said.

use std::collections::HashMap;

use crate::board::CellId;
use crate::optimise::tables::{FitTables, NOTHING};
use crate::puzzle::{KindId, ValueId};

/// The share of the lines of a rectangle that are filled column by column at the end. With rows to
/// the end hardly any board is completed.
const COMB: f64 = 5.0 / 16.0;

/// The share of the images whose edges are used early: three of seventeen.
const EARLY: f64 = 3.0 / 17.0;

/// The share of all early sides that must have been used when some share of the cells of the
/// largest class is filled; after the last entry nothing is asked. Without it 442 seams of 480 fit
/// in place of 460.
const QUOTA: [(f64, f64); 6] = [
    (0.0, 0.0),
    (0.044, 0.19),
    (0.18, 0.49),
    (0.27, 0.61),
    (0.386, 0.73),
    (0.643, 0.815),
];

/// The share of the cells that are filled before the first and the last break, the breaks for each
/// cell that these are meant for, the cells by which each further one widens that range, and the
/// power by which breaks are denser at the end.
const FIRST: f64 = 201.0 / 256.0;
const LAST: f64 = 239.0 / 256.0;
const BREAKS: f64 = 10.0 / 256.0;
const WIDENING: f64 = 1.2;
const POWER: f64 = 0.5;

/// A value for a cell whose first two filled neighbours require some labels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub value: u16,
    pub kind: u16,
    /// Sides of early colours.
    pub early: u8,
    /// Seams that it breaks: with the two neighbours, and between its own sides.
    pub breaks: u8,
}

/// A neighbour that is filled before a cell: the neighbour, its side, and the side that touches it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before {
    pub cell: u32,
    pub there: u32,
    pub here: u32,
}

/// A depth of the search.
#[derive(Debug)]
pub(super) struct Depth {
    /// The cell that is filled.
    pub cell: u32,
    /// The neighbours whose labels select the list of candidates.
    pub first: Option<Before>,
    pub second: Option<Before>,
    /// Further filled neighbours, on boards that are not filled in rows.
    pub others: Vec<Before>,
    /// The start of its lists in [`Plan::starts`].
    lists: u32,
}

/// The constants of a search.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub depths: Vec<Depth>,
    /// All lists, one after the other: first what breaks nothing, then what breaks one seam, each
    /// by the number of early sides.
    pub candidates: Vec<Candidate>,
    /// By sort of depth and two labels: the first candidate, the first one with a break, the end.
    starts: Vec<[u32; 3]>,
    /// By depth, the early sides that must have been used before.
    pub quota: Vec<u32>,
    /// The number of labels and one, for no neighbour.
    stride: usize,
}

/// A value while lists are built.
struct Entry {
    candidate: Candidate,
    /// The labels that it shows to the first and the second neighbour, from 1; 0 without one.
    shown: [u32; 2],
}

impl Entry {
    fn breaks(&self, required: [u32; 2]) -> u8 {
        let broken = self.shown.iter().zip(&required).filter(|(a, b)| a != b);
        self.candidate.breaks + broken.count() as u8
    }
}

impl Plan {
    pub fn new(tables: &FitTables<'_>, random: &mut fastrand::Rng) -> Plan {
        let order = cell_order(tables, random);
        let early = early_labels(tables, random);
        let mut kinds: Vec<usize> = (0..tables.problem.kinds.kinds.len()).collect();
        random.shuffle(&mut kinds);
        let mut plan = Plan {
            quota: quota(tables, &order, &early),
            stride: tables.problem.puzzle.labels.len() + 1,
            ..Plan::default()
        };
        let mut place = vec![usize::MAX; order.len()];
        for (depth, &cell) in order.iter().enumerate() {
            place[cell] = depth;
        }
        // By class and the two sides that select, the start of the lists.
        let mut known: HashMap<(usize, [Option<u32>; 2]), u32> = HashMap::new();
        for (depth, &cell) in order.iter().enumerate() {
            let beside = tables.beside_of(cell).iter().enumerate();
            let filled = beside
                .filter(|(_, (_, other))| *other != NOTHING && place[*other as usize] < depth);
            let mut before = filled.map(|(here, &(there, cell))| Before {
                cell,
                there,
                here: here as u32,
            });
            let first = before.next();
            let second = before.next();
            let sides = [first, second].map(|before| before.map(|before| before.here));
            let lists = *known
                .entry((tables.class_of[cell], sides))
                .or_insert_with(|| {
                    let entries = entries(tables, cell, sides, &kinds, &early);
                    plan.enter(&entries, sides)
                });
            plan.depths.push(Depth {
                cell: cell as u32,
                first,
                second,
                others: before.collect(),
                lists,
            });
        }
        plan
    }

    /// The candidates of a depth where its neighbours require labels, from 1; 0 without one.
    #[inline(always)]
    pub fn list(&self, depth: &Depth, first: usize, second: usize) -> [u32; 3] {
        let seconds = if depth.second.is_some() {
            self.stride
        } else {
            1
        };
        self.starts[depth.lists as usize + first * seconds + second]
    }

    /// Builds the lists of a sort of depth; says where they start.
    fn enter(&mut self, entries: &[Entry], sides: [Option<u32>; 2]) -> u32 {
        let lists = self.starts.len() as u32;
        let labels = sides.map(|side| if side.is_some() { 0..self.stride } else { 0..1 });
        let mut by_label = [0, 1].map(|end| vec![Vec::new(); labels[end].len()]);
        for entry in entries {
            for end in [0, 1] {
                by_label[end][entry.shown[end] as usize].push(entry);
            }
        }
        for first in labels[0].clone() {
            for second in labels[1].clone() {
                let required = [first as u32, second as u32];
                let start = self.candidates.len() as u32;
                let matching = by_label[0][first].iter().copied();
                self.push(
                    matching.filter(|entry| entry.breaks(required) == 0),
                    required,
                );
                let middle = self.candidates.len() as u32;
                // What breaks one seam matches one of the neighbours, or none if there is but one.
                let mut broken: Vec<&Entry> = if sides[1].is_some() {
                    let other = by_label[1][second].iter().copied();
                    let other = other.filter(|entry| entry.shown[0] != required[0]);
                    by_label[0][first].iter().copied().chain(other).collect()
                } else {
                    entries.iter().collect()
                };
                broken.retain(|entry| entry.breaks(required) == 1);
                broken.sort_by_key(|entry| u8::MAX - entry.candidate.early);
                self.push(broken.into_iter(), required);
                self.starts
                    .push([start, middle, self.candidates.len() as u32]);
            }
        }
        lists
    }

    fn push<'e>(&mut self, entries: impl Iterator<Item = &'e Entry>, required: [u32; 2]) {
        self.candidates.extend(entries.map(|entry| Candidate {
            breaks: entry.breaks(required),
            ..entry.candidate
        }));
    }
}

/// The values of a cell, those with many early sides first.
fn entries(
    tables: &FitTables<'_>,
    cell: usize,
    sides: [Option<u32>; 2],
    kinds: &[usize],
    early: &[bool],
) -> Vec<Entry> {
    let mut entries = Vec::new();
    for &kind in kinds {
        for &value in tables.values(CellId(cell), KindId(kind)) {
            let shown = tables.shown_by(value);
            let inner = shown.iter().zip(tables.beside_of(cell));
            let inner = inner.filter(|(_, (_, other))| *other != NOTHING);
            entries.push(Entry {
                candidate: Candidate {
                    value: value as u16,
                    kind: kind as u16,
                    early: inner.filter(|(label, _)| early[**label as usize]).count() as u8,
                    breaks: tables.broken_within(CellId(cell), ValueId(value)) as u8,
                },
                shown: sides.map(|side| side.map_or(0, |side| shown[side as usize] + 1)),
            });
        }
    }
    entries.sort_by_key(|entry| u8::MAX - entry.candidate.early);
    entries
}

/// Rows from a corner, the last ones column by column; on other boards the cell with the most
/// filled neighbours comes next.
fn cell_order(tables: &FitTables<'_>, random: &mut fastrand::Rng) -> Vec<usize> {
    let Some((rows, columns)) = tables.problem.board.rectangle() else {
        return grown_order(tables, random);
    };
    let by_columns = random.bool();
    let from_bottom = random.bool();
    let from_right = random.bool();
    let (lines, length) = if by_columns {
        (columns, rows)
    } else {
        (rows, columns)
    };
    let cell = |line: usize, at: usize| {
        let line = if from_bottom { lines - 1 - line } else { line };
        let at = if from_right { length - 1 - at } else { at };
        if by_columns {
            at * columns + line
        } else {
            line * columns + at
        }
    };
    let comb = (lines as f64 * COMB).round() as usize;
    let rows = itertools::iproduct!(0..lines - comb, 0..length);
    let teeth = itertools::iproduct!(0..length, lines - comb..lines);
    let all = rows.chain(teeth.map(|(at, line)| (line, at)));
    all.map(|(line, at)| cell(line, at)).collect()
}

fn grown_order(tables: &FitTables<'_>, random: &mut fastrand::Rng) -> Vec<usize> {
    let size = tables.problem.board.size();
    let mut order = vec![random.usize(..size)];
    // By cell, the filled neighbours, and the depth at which the first of them was filled.
    let mut filled = vec![(0, usize::MAX); size];
    let mut is_open = vec![true; size];
    while let Some(&cell) = order.last() {
        is_open[cell] = false;
        for &(_, other) in tables.beside_of(cell) {
            if other != NOTHING {
                let (number, since) = &mut filled[other as usize];
                *number += 1;
                *since = order.len().min(*since);
            }
        }
        let open = (0..size).filter(|&cell| is_open[cell]);
        let next = open.max_by_key(|&cell| (filled[cell].0, usize::MAX - filled[cell].1));
        match next {
            Some(next) => order.push(next),
            None => break,
        }
    }
    order
}

/// By label, whether it is of an early colour: one of some images that tiles of the largest class
/// of cells show.
fn early_labels(tables: &FitTables<'_>, random: &mut fastrand::Rng) -> Vec<bool> {
    let labels = &tables.problem.puzzle.labels;
    let cell = CellId(tables.classes[tables.largest_class()][0]);
    let mut is_shown = vec![false; labels.len()];
    for kind in 0..tables.problem.kinds.kinds.len() {
        for &value in tables.values(cell, KindId(kind)) {
            for &label in tables.shown_by(value) {
                is_shown[label as usize] = true;
            }
        }
    }
    let firsts = labels.all().filter(|&label| label <= labels.mate(label));
    let mut images: Vec<_> = firsts.filter(|label| is_shown[label.index()]).collect();
    random.shuffle(&mut images);
    let number = (images.len() as f64 * EARLY).round() as usize;
    let mut early = vec![false; labels.len()];
    for &label in &images[..number.clamp(images.len().min(1), images.len())] {
        early[label.index()] = true;
        early[labels.mate(label).index()] = true;
    }
    early
}

/// By depth, the early sides that must have been used before. With more tiles than cells nobody
/// knows which are used, and none must.
fn quota(tables: &FitTables<'_>, order: &[usize], early: &[bool]) -> Vec<u32> {
    let kinds = &tables.problem.kinds.kinds;
    let copies: usize = kinds.iter().map(|kind| kind.count()).sum();
    if copies > order.len() {
        return vec![0; order.len() + 1];
    }
    let sides = kinds.iter().map(|kind| {
        let shown = tables.shown_by(kind.values.start);
        kind.count() * shown.iter().filter(|&&label| early[label as usize]).count()
    });
    let all = sides.sum::<usize>() as f64;
    let class = tables.largest_class();
    let number = tables.classes[class].len() as f64;
    let mut filled = 0.0;
    let mut quota = vec![0];
    for &cell in order {
        filled += f64::from(u8::from(tables.class_of[cell] == class));
        quota.push((all * share_due(filled / number)) as u32);
    }
    quota
}

/// [`QUOTA`] between its entries.
fn share_due(filled: f64) -> f64 {
    let pairs = QUOTA.windows(2);
    let mut within = pairs.filter(|pair| (pair[0].0..pair[1].0).contains(&filled));
    within.next().map_or(0.0, |pair| {
        let [(from, low), (to, high)] = [pair[0], pair[1]];
        low + (high - low) * (filled - from) / (to - from)
    })
}

/// By depth, how many of `breaks` seams may be broken with that cell filled.
pub(super) fn schedule(cells: usize, breaks: usize) -> Vec<u32> {
    let number = cells as f64;
    let widening = WIDENING * (breaks as f64 - BREAKS * number);
    let first = FIRST * number - widening;
    let last = (LAST * number + widening).min(number - 1.0);
    let mut allowed = vec![0; cells];
    for index in 0..breaks {
        let share = index as f64 / breaks.saturating_sub(1).max(1) as f64;
        let at = first + (last - first) * share.powf(POWER);
        for allowed in &mut allowed[(at.max(0.0) as usize).min(cells - 1)..] {
            *allowed += 1;
        }
    }
    allowed
}
