//! Tables of a problem for the heuristic methods that maximise the number of matching seams.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::penalty::Penalties;
use crate::domains::Domains;
use crate::problem::Problem;
use crate::puzzle::Label;
use crate::runtime::limits::{CancelToken, Flow};
use crate::tables::{CandidateIndex, Tables};

/// The index of the other cell for a side without a counted seam.
const NOTHING: u32 = u32::MAX;

/// Read-only tables of a problem: the compatibility [`Tables`], the values of each cell, and the
/// neighbours of each side, laid out for fast access.
pub(super) struct FitTables<'a> {
    pub problem: &'a Problem,
    tables: &'a Tables,
    /// The largest number of sides of a cell, which is the stride of the next three vectors.
    pub sides: usize,
    /// For each cell and side, the touching side and its cell; the cell is [`NOTHING`] if there is
    /// none or the seam does not count.
    beside: Vec<(u32, u32)>,
    /// The label on each side of each value, and the mates of these labels. Missing sides repeat
    /// the first side.
    shows: Vec<Label>,
    pub fits: Vec<Label>,
    pub kind_of: Vec<usize>,
    /// The value of each cell that allows no other.
    pub fixed: Vec<Option<usize>>,
    /// The class of each cell, and the cells of each class. Cells with equal domains form a class.
    pub class_of: Vec<usize>,
    pub classes: Vec<Vec<usize>>,
    /// The allowed values by class and kind.
    values: CandidateIndex<usize>,
    /// The penalties of the extra constraints; none if the domains imply all constraints.
    pub penalties: Penalties,
    /// True if the domains imply all extra constraints and any selection of tiles may be used.
    is_free: bool,
}

impl<'a> FitTables<'a> {
    /// Builds the tables. Breaks if the token stops the run.
    pub fn new(problem: &'a Problem, token: &CancelToken<'_>) -> Flow<Self> {
        let board = &problem.board;
        let kinds = &problem.kinds;
        let tables = problem.tables();
        let sides = board.most_sides();
        let shown = kinds.values.iter().flat_map(|value| {
            (0..sides).map(|side| *value.edges.get(side).unwrap_or(&value.edges[0]))
        });
        let shows: Vec<Label> = shown.collect();
        let mut beside = vec![(0, NOTHING); board.size() * sides];
        for [one, other] in board.counted().filter(|[one, other]| one.0 != other.0) {
            for (here, there) in [(one, other), (other, one)] {
                beside[here.0 * sides + here.1] = (there.1 as u32, there.0 as u32);
            }
        }
        let domains = Domains::first(problem);
        let is_implied = domains.imply_constraints(problem);
        let fixed = domains.cells.iter().map(|cell| cell.iter().next().filter(|_| cell.len() == 1));
        let mut numbers = HashMap::new();
        let number = |domain| {
            let next = numbers.len();
            *numbers.entry(domain).or_insert(next)
        };
        let class_of: Vec<usize> = domains.cells.iter().map(number).collect();
        let mut classes: Vec<Vec<usize>> = vec![Vec::new(); numbers.len()];
        for (cell, &class) in class_of.iter().enumerate() {
            classes[class].push(cell);
        }
        let mut values = CandidateIndex::default();
        for cells in &classes {
            let domain: Vec<usize> = domains.cells[cells[0]].iter().collect();
            values.push_by_key(&domain, kinds.kinds.len(), |&value| kinds.values[value].kind);
            token.work(kinds.kinds.len() + kinds.values.len())?;
        }
        // The choice of tiles is irrelevant if all are used, or if none has to be used.
        let may_use_any =
            problem.uses_every_tile() || domains.uses.iter().all(|uses| uses.least == 0);
        ControlFlow::Continue(FitTables {
            problem,
            tables,
            sides,
            beside,
            fits: shows.iter().map(|&label| tables.mate(label)).collect(),
            shows,
            kind_of: kinds.values.iter().map(|value| value.kind).collect(),
            fixed: fixed.collect(),
            class_of,
            classes,
            values,
            penalties: if is_implied {
                Penalties::default()
            } else {
                Penalties::new(problem, token)?
            },
            is_free: is_implied && may_use_any,
        })
    }

    /// The values of a kind that a cell allows.
    #[inline(always)]
    pub fn values(&self, cell: usize, kind: usize) -> &[usize] {
        self.values.list(self.class_of[cell] * self.problem.kinds.kinds.len() + kind)
    }

    /// The counted seams of a cell with other cells: its side, the other cell's side, and the other
    /// cell.
    pub fn neighbours(&self, cell: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        let beside = self.beside[cell * self.sides..][..self.sides].iter().enumerate();
        beside
            .filter(|(_, (_, other))| *other != NOTHING)
            .map(|(here, &(there, other))| (here, there as usize, other as usize))
    }

    /// Returns `Ok` if the problem has only single-cell constraints and copy limits, otherwise a
    /// reason as the error.
    pub fn concerns_single_cells(&self) -> Result<(), &'static str> {
        if self.is_free { Ok(()) } else { Err("constraints concern several cells") }
    }

    /// The kinds of the tiles that are not placed if the cells contain `values`: ascending, each as
    /// often as it has copies left.
    pub fn spare_kinds(&self, values: &[usize]) -> Vec<usize> {
        let kinds = &self.problem.kinds.kinds;
        let mut left: Vec<usize> = kinds.iter().map(|kind| kind.copies).collect();
        for &value in values {
            let left = &mut left[self.kind_of[value]];
            *left = left.saturating_sub(1);
        }
        let left = left.into_iter().enumerate();
        left.flat_map(|(kind, number)| std::iter::repeat_n(kind, number)).collect()
    }

    /// The number of counted seams of a cell that would be broken if it contained `value` and the
    /// other cells contained `values`. Values that break a required seam of the cell with itself
    /// are not in its domain.
    #[inline(always)]
    pub fn broken_at(&self, values: &[usize], cell: usize, value: usize) -> usize {
        let (sides, tables) = (self.sides, self.tables);
        let fits = &self.fits[value * sides..][..sides];
        let mut broken = tables.own_broken(cell).get(value).copied().unwrap_or(0);
        for (&(side, other), &fitting) in self.beside[cell * sides..][..sides].iter().zip(fits) {
            if other != NOTHING {
                let shown = self.shows[values[other as usize] * sides + side as usize];
                let fits = if tables.fits_mates_only() {
                    shown == fitting
                } else {
                    tables.fit(tables.mate(fitting), shown)
                };
                broken += usize::from(!fits);
            }
        }
        broken
    }

    /// The label of a value on each side.
    #[inline(always)]
    pub fn shown_by(&self, value: usize) -> &[Label] {
        &self.shows[value * self.sides..][..self.sides]
    }
}
