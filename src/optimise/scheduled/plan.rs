//! The constants of one attempt: order of the cells, candidates of each depth, early images.
//!
//! Everything is a fraction of the board, or follows from its tiles; nothing is tuned for one
//! board. The shares are those of Blackwood's program for Eternity II (16 × 16).

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use crate::board::CellId;
use crate::limits::{CancelToken, Flow};
use crate::optimise::tables::{FitTables, NOTHING};
use crate::puzzle::KindId;
use crate::random::Random;
use crate::tables::CandidateIndex;

/// The share of the lines of a rectangle that are filled column by column at the end. With rows to
/// the end hardly any board is completed.
const COMB: f64 = 5.0 / 16.0;

/// The share of the images that are early: three of seventeen.
const EARLY: f64 = 3.0 / 17.0;

/// A value for a cell, and its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub value: u16,
    pub kind: u16,
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
    /// The neighbours whose labels select the candidates: none, one or two.
    pub selecting: Vec<Before>,
    /// Further filled neighbours, on boards that are not filled in rows.
    pub others: Vec<Before>,
    /// Which of [`Plan::sorts`] it is.
    pub sort: u32,
}

/// Depths whose cells are of one class, and which the same sides select.
#[derive(Debug)]
pub(super) struct Sort {
    pub class: usize,
    /// The list of [`Plan::exact`] for labels 0, 0.
    first_list: usize,
    /// By selecting side and label, which entries of the class show it: bits of words.
    showing: Vec<Vec<u64>>,
    /// By selecting side, the chance that an entry drawn at random matches another one.
    pub chances: Vec<f64>,
}

/// What cells of one class can take, early sides first; a bit of some words each.
#[derive(Debug, Default)]
pub(super) struct Entries {
    pub all: Vec<Candidate>,
    pub words: usize,
}

/// The bits of a kind among the entries of a class.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bits {
    pub class: u32,
    pub word: u32,
    pub mask: u64,
}

/// The constants of an attempt.
#[derive(Debug)]
pub(super) struct Plan {
    pub depths: Vec<Depth>,
    pub sorts: Vec<Sort>,
    /// By sort and required labels, the candidates that match all of them.
    pub exact: CandidateIndex<Candidate>,
    pub classes: Vec<Entries>,
    /// By kind, where it is among the entries.
    pub bits: Vec<Vec<Bits>>,
    /// By label, whether its image is early.
    pub early: Vec<bool>,
    /// The depth from which columns are filled, and the cells of a line.
    pub comb: usize,
    pub line: usize,
    labels: usize,
}

impl Plan {
    /// `Break` where the token says so.
    pub fn new(tables: &FitTables<'_>, random: &mut Random, token: &CancelToken<'_>) -> Flow<Plan> {
        let early = early_labels(tables, random);
        let Order { cells, comb, line } = cell_order(tables, random, token)?;
        let mut kinds: Vec<usize> = (0..tables.problem.kinds.kinds.len()).collect();
        random.shuffle(&mut kinds);
        let classes: Vec<Entries> = (0..tables.classes.len())
            .map(|class| Entries::new(tables, class, &kinds, &early))
            .collect();
        let mut plan = Plan {
            bits: bits_of_kinds(&classes, kinds.len()),
            classes,
            early,
            comb,
            line,
            labels: tables.problem.puzzle.labels.len(),
            depths: Vec::new(),
            sorts: Vec::new(),
            exact: CandidateIndex::default(),
        };
        let mut place = vec![usize::MAX; cells.len()];
        for (depth, &cell) in cells.iter().enumerate() {
            place[cell] = depth;
        }
        let mut known: HashMap<(usize, Vec<u32>), u32> = HashMap::new();
        for (depth, &cell) in cells.iter().enumerate() {
            let beside = tables.beside_of(cell).iter().zip(0..);
            let mut selecting: Vec<Before> = beside
                .filter(|((_, other), _)| *other != NOTHING && place[*other as usize] < depth)
                .map(|(&(there, cell), here)| Before { cell, there, here })
                .collect();
            let others = selecting.split_off(selecting.len().min(2));
            let sides = selecting.iter().map(|before| before.here).collect();
            let class = tables.class_of[cell];
            let sort = *known
                .entry((class, sides))
                .or_insert_with_key(|(class, sides)| plan.enter(tables, *class, sides));
            plan.depths.push(Depth { cell: cell as u32, selecting, others, sort });
        }
        ControlFlow::Continue(plan)
    }

    /// Where the candidates of a depth are that match all labels which its neighbours require.
    #[inline(always)]
    pub fn exact_range(&self, sort: u32, required: [u32; 2]) -> Range<u32> {
        let key = required[0] as usize * self.labels + required[1] as usize;
        self.exact.range(self.sorts[sort as usize].first_list + key)
    }

    /// Which entries show a label to a selecting neighbour.
    #[inline(always)]
    pub fn showing(&self, sort: u32, side: usize, label: u32) -> &[u64] {
        let sort = &self.sorts[sort as usize];
        let words = self.classes[sort.class].words;
        &sort.showing[side][label as usize * words..][..words]
    }

    /// Builds the tables of a sort; says which one it is. A label that no neighbour requires is 0.
    fn enter(&mut self, tables: &FitTables<'_>, class: usize, sides: &[u32]) -> u32 {
        let entries = &self.classes[class];
        let label_of = |candidate: &Candidate, end: usize| {
            sides.get(end).map_or(0, |&side| {
                tables.shown_by(usize::from(candidate.value))[side as usize].index()
            })
        };
        let mut showing = vec![vec![0; self.labels * entries.words]; sides.len()];
        let mut numbers = vec![vec![0u32; self.labels]; sides.len()];
        for (index, candidate) in entries.all.iter().enumerate() {
            for (end, (showing, numbers)) in showing.iter_mut().zip(&mut numbers).enumerate() {
                let label = label_of(candidate, end);
                showing[label * entries.words + index / 64] |= 1 << (index % 64);
                numbers[label] += 1;
            }
        }
        let all = entries.all.len() as f64;
        let chances = numbers
            .iter()
            .map(|numbers| numbers.iter().map(|&n| (f64::from(n) / all).powi(2)).sum());
        let chances = chances.collect();
        let labels = self.labels;
        let first_list = self.exact.push_by_key(&entries.all, labels * labels, |candidate| {
            label_of(candidate, 0) * labels + label_of(candidate, 1)
        });
        self.sorts.push(Sort { class, first_list, showing, chances });
        self.sorts.len() as u32 - 1
    }
}

impl Entries {
    fn new(tables: &FitTables<'_>, class: usize, kinds: &[usize], early: &[bool]) -> Entries {
        let cell = CellId(tables.classes[class][0]);
        let values = kinds.iter().flat_map(|&kind| {
            let values = tables.values(cell, KindId(kind)).iter();
            values.map(move |&value| Candidate { value: value as u16, kind: kind as u16 })
        });
        let mut all: Vec<Candidate> = values.collect();
        all.sort_by_key(|candidate| {
            let shown = tables.shown_by(usize::from(candidate.value)).iter();
            usize::MAX - shown.filter(|&&label| early[label.index()]).count()
        });
        Entries { words: all.len().div_ceil(64), all }
    }
}

fn bits_of_kinds(classes: &[Entries], kinds: usize) -> Vec<Vec<Bits>> {
    let mut bits: Vec<Vec<Bits>> = vec![Vec::new(); kinds];
    for (class, entries) in (0..).zip(classes) {
        for (index, candidate) in entries.all.iter().enumerate() {
            let of_kind = &mut bits[usize::from(candidate.kind)];
            let word = (index / 64) as u32;
            let mask = 1 << (index % 64);
            match of_kind.last_mut() {
                Some(last) if last.class == class && last.word == word => last.mask |= mask,
                _ => of_kind.push(Bits { class, word, mask }),
            }
        }
    }
    bits
}

/// The cells in the order in which they are filled.
struct Order {
    cells: Vec<usize>,
    comb: usize,
    line: usize,
}

/// Rows from a corner, the last ones column by column; on other boards the cell with the most
/// filled neighbours comes next.
fn cell_order(tables: &FitTables<'_>, random: &mut Random, token: &CancelToken<'_>) -> Flow<Order> {
    let Some((rows, columns)) = tables.problem.board.rectangle() else {
        return grown_order(tables, random, token);
    };
    let by_columns = random.bool();
    let from_bottom = random.bool();
    let from_right = random.bool();
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
    ControlFlow::Continue(Order {
        cells: all.map(|(line, at)| cell(line, at)).collect(),
        comb: (lines - comb) * length,
        line: length,
    })
}

fn grown_order(
    tables: &FitTables<'_>,
    random: &mut Random,
    token: &CancelToken<'_>,
) -> Flow<Order> {
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
        token.work(size)?;
    }
    ControlFlow::Continue(Order {
        cells: order,
        comb: ((1.0 - COMB) * size as f64).round() as usize,
        line: (size as f64).sqrt().round() as usize,
    })
}

/// By label, whether it is of an early image: one of some that tiles of the largest class of cells
/// show.
fn early_labels(tables: &FitTables<'_>, random: &mut Random) -> Vec<bool> {
    let labels = &tables.problem.puzzle.labels;
    let cell = CellId(tables.classes[tables.largest_class()][0]);
    let mut is_shown = vec![false; labels.len()];
    for kind in 0..tables.problem.kinds.kinds.len() {
        for &value in tables.values(cell, KindId(kind)) {
            for &label in tables.shown_by(value) {
                is_shown[label.index()] = true;
            }
        }
    }
    let mut images: Vec<_> = labels.firsts().filter(|label| is_shown[label.index()]).collect();
    random.shuffle(&mut images);
    let number = (images.len() as f64 * EARLY).round() as usize;
    let mut early = vec![false; labels.len()];
    for &label in &images[..number.clamp(images.len().min(1), images.len())] {
        early[label.index()] = true;
        early[tables.problem.tables().mate(label).index()] = true;
    }
    early
}
