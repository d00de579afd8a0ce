//! The tables that all methods of `--best` share.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use super::penalty::Penalties;
use crate::board::{Board, CellId};
use crate::domains::Domains;
use crate::problem::Problem;
use crate::puzzle::{KindId, Label, ValueId, ValueSet};
use crate::runtime::limits::{CancelToken, Flow};
use crate::tables::Tables;

/// No seam.
pub(super) const NOTHING: u32 = u32::MAX;

/// The constants of a problem for the methods of `--best`.
pub(super) struct FitTables<'a> {
    pub problem: &'a Problem,
    /// The most sides of a cell, and so many entries of a cell or a value in the next three.
    pub sides: usize,
    /// By cell and side, the side of another cell that it touches and that cell, or [`NOTHING`]
    /// where that does not count.
    beside: Vec<(u32, u32)>,
    /// By cell, its own sides that touch, where that counts.
    own: Vec<Vec<[usize; 2]>>,
    /// What fits what.
    tables: &'a Tables,
    /// By value and side, the label that it shows, and the one that fits against it; for sides that
    /// it lacks the first ones again.
    pub shows: Vec<Label>,
    pub fits: Vec<Label>,
    pub kind_of: Vec<usize>,
    /// Cells with one domain are of one class.
    pub class_of: Vec<usize>,
    pub classes: Vec<Vec<usize>>,
    /// By class and kind, the values that such a cell can take.
    values: Vec<Vec<Range<usize>>>,
    all_values: Vec<usize>,
    /// What constraints on several cells weigh where they are broken.
    pub penalties: Penalties,
    /// Whether single cells and copies of tiles are all that there is to obey.
    is_free: bool,
}

impl<'a> FitTables<'a> {
    /// `Break` where the token says so.
    pub fn new(problem: &'a Problem, token: &CancelToken<'_>) -> Flow<Self> {
        let board = &problem.board;
        let kinds = &problem.kinds;
        let sides = board.cells().iter().map(|cell| cell.sides).max().unwrap_or_default();
        let tables = problem.tables();
        let values = kinds.values.iter();
        let shows: Vec<Label> = values
            .flat_map(|value| {
                (0..sides).map(|side| *value.edges.get(side).unwrap_or(&value.edges[0]))
            })
            .collect();
        let domains = Domains::first(problem);
        let (class_of, classes) = classes(&domains);
        let is_implied = domains.imply_constraints(problem);
        let mut values = Vec::new();
        let mut all_values = Vec::new();
        for cells in &classes {
            let domain = &domains.cells[cells[0]];
            let by_kind = kinds.kinds.iter().map(|kind| {
                let start = all_values.len();
                all_values.extend(kind.values.clone().filter(|&value| domain.contains(value)));
                start..all_values.len()
            });
            values.push(by_kind.collect());
            token.work(kinds.kinds.len() + kinds.values.len())?;
        }
        ControlFlow::Continue(FitTables {
            problem,
            sides,
            beside: beside(board, sides),
            own: own(board),
            tables,
            fits: shows.iter().map(|&label| tables.mate(label)).collect(),
            shows,
            kind_of: kinds.values.iter().map(|value| value.kind).collect(),
            class_of,
            classes,
            values,
            all_values,
            penalties: if is_implied {
                Penalties::default()
            } else {
                Penalties::new(problem, token)?
            },
            is_free: is_implied && may_use_any(problem, &domains),
        })
    }

    pub fn values(&self, CellId(cell): CellId, KindId(kind): KindId) -> &[usize] {
        &self.all_values[self.values[self.class_of[cell]][kind].clone()]
    }

    /// What the sides of a cell touch.
    pub fn beside_of(&self, cell: usize) -> &[(u32, u32)] {
        &self.beside[cell * self.sides..][..self.sides]
    }

    /// Whether a method can serve that obeys single cells and copies of tiles alone.
    ///
    /// # Errors
    /// What there is to obey beside these.
    pub fn concerns_single_cells(&self) -> Result<(), &'static str> {
        if self.is_free { Ok(()) } else { Err("constraints concern several cells") }
    }

    /// The kinds of the tiles that are left over where cells show some values.
    pub fn spare_kinds(&self, values: &[usize]) -> Vec<usize> {
        let kinds = &self.problem.kinds.kinds;
        let mut left: Vec<usize> = kinds.iter().map(|kind| kind.count()).collect();
        for &value in values {
            let left = &mut left[self.kind_of[value]];
            *left = left.saturating_sub(1);
        }
        let left = left.into_iter().enumerate();
        left.flat_map(|(kind, number)| std::iter::repeat_n(kind, number)).collect()
    }

    /// How many seams with other cells break where a cell shows a value, and the others theirs.
    #[inline(always)]
    pub fn broken_around(
        &self,
        values: &[usize],
        CellId(cell): CellId,
        ValueId(value): ValueId,
    ) -> usize {
        let sides = self.sides;
        let fits = &self.fits[value * sides..][..sides];
        let mut broken = 0;
        for (&(side, other), &fitting) in self.beside_of(cell).iter().zip(fits) {
            if other != NOTHING {
                let shown = self.shows[values[other as usize] * sides + side as usize];
                broken += usize::from(shown != fitting && !self.fit_in_part(fitting, shown));
            }
        }
        broken
    }

    /// How many of a cell's own seams a value breaks.
    pub fn broken_within(&self, CellId(cell): CellId, ValueId(value): ValueId) -> usize {
        let label = |table: &[Label], side: usize| table[value * self.sides + side];
        let broken = self.own[cell].iter().filter(|[one, other]| {
            let [fitting, shown] = [label(&self.fits, *one), label(&self.shows, *other)];
            fitting != shown && !self.fit_in_part(fitting, shown)
        });
        broken.count()
    }

    /// Whether the label whose mate this is fits another one all the same.
    #[inline(always)]
    fn fit_in_part(&self, mate: Label, other: Label) -> bool {
        !self.tables.are_mates_alone() && self.tables.fit(self.tables.mate(mate), other)
    }

    /// Whether edges fit their mates alone.
    ///
    /// # Errors
    /// Why not.
    pub fn knows_every_edge(&self) -> Result<(), &'static str> {
        if self.tables.are_mates_alone() { Ok(()) } else { Err("some edges are unknown") }
    }

    /// The number of seams that count.
    pub fn seams(&self) -> usize {
        self.problem.board.counted().count()
    }

    /// The class with the most cells: inside a frame, or all of a board without one.
    pub fn largest_class(&self) -> usize {
        let largest = self.classes.iter().enumerate().rev().max_by_key(|(_, cells)| cells.len());
        largest.map_or(0, |(class, _)| class)
    }

    /// The labels that a value shows, by side.
    #[inline(always)]
    pub fn shown_by(&self, value: usize) -> &[Label] {
        &self.shows[value * self.sides..][..self.sides]
    }
}

/// By cell and side what it touches of another cell, where that counts.
fn beside(board: &Board, sides: usize) -> Vec<(u32, u32)> {
    let mut beside = vec![(0, NOTHING); board.size() * sides];
    for [one, other] in board.counted().filter(|[one, other]| one.0 != other.0) {
        for (here, there) in [(one, other), (other, one)] {
            beside[here.0 * sides + here.1] = (there.1 as u32, there.0 as u32);
        }
    }
    beside
}

/// By cell its own sides that touch, where that counts.
fn own(board: &Board) -> Vec<Vec<[usize; 2]>> {
    let mut own = vec![Vec::new(); board.size()];
    for [one, other] in board.counted().filter(|[one, other]| one.0 == other.0) {
        own[one.0].push([one.1, other.1]);
    }
    own
}

/// The class of each cell, and the cells of each class: those that can take the same.
fn classes(domains: &Domains) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut numbers: HashMap<&ValueSet, usize> = HashMap::new();
    let mut classes: Vec<Vec<usize>> = Vec::new();
    let class_of: Vec<usize> = domains
        .cells
        .iter()
        .enumerate()
        .map(|(cell, domain)| {
            let class = *numbers.entry(domain).or_insert(classes.len());
            if class == classes.len() {
                classes.push(Vec::new());
            }
            classes[class].push(cell);
            class
        })
        .collect();
    (class_of, classes)
}

/// Whether it makes no difference which tiles are used: all of them are, or none need be.
fn may_use_any(problem: &Problem, domains: &Domains) -> bool {
    problem.uses_every_tile() || domains.uses.iter().all(|uses| uses.least == 0)
}
