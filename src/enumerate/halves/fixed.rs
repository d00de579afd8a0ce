//! Counts the arrangements that a symmetry of the board maps onto themselves.

use std::ops::ControlFlow;

use num_bigint::BigUint;

use crate::board::{Seam, Symmetry};
use crate::domains::Domains;
use crate::enumerate::solution::{Picture, fixed_solutions};
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};

/// The number of fixed arrangements.
#[derive(Debug, Default)]
pub(super) struct FixedCounts {
    /// Arrangements of values.
    pub pictures: BigUint,
    /// Labelled solutions.
    pub solutions: BigUint,
}

/// Counts the solutions that a symmetry maps onto themselves. In such a solution, the value in one
/// cell determines the values of all cells in its orbit. Breaks if the token stops the run.
pub(super) fn fixed(
    problem: &Problem,
    domains: &Domains,
    symmetry: &Symmetry,
    token: &CancelToken<'_>,
) -> Flow<FixedCounts> {
    let mut search = FixingSearch {
        problem,
        domains,
        symmetry,
        token,
        orbits: orbits(symmetry),
        placed: vec![None; problem.board.size()],
        used: vec![0; problem.kinds.kinds.len()],
        fixed: FixedCounts::default(),
    };
    search.extend(0)?;
    ControlFlow::Continue(search.fixed)
}

/// The orbits of the cells, largest first.
fn orbits(symmetry: &Symmetry) -> Vec<Vec<usize>> {
    let mut is_seen = vec![false; symmetry.image.len()];
    let mut orbits = Vec::new();
    for first in 0..is_seen.len() {
        let mut orbit = Vec::new();
        let mut cell = first;
        while !is_seen[cell] {
            is_seen[cell] = true;
            orbit.push(cell);
            cell = symmetry.image[cell];
        }
        if !orbit.is_empty() {
            orbits.push(orbit);
        }
    }
    orbits.sort_by_key(|orbit| std::cmp::Reverse(orbit.len()));
    orbits
}

struct FixingSearch<'a> {
    problem: &'a Problem,
    domains: &'a Domains,
    symmetry: &'a Symmetry,
    token: &'a CancelToken<'a>,
    orbits: Vec<Vec<usize>>,
    placed: Vec<Option<usize>>,
    /// The number of pieces placed of each kind.
    used: Vec<usize>,
    fixed: FixedCounts,
}

impl FixingSearch<'_> {
    fn extend(&mut self, depth: usize) -> Flow {
        let Some(orbit) = self.orbits.get(depth).cloned() else {
            return self.found();
        };
        for value in self.domains.cells[orbit[0]].iter() {
            // Each cell is checked against every seam.
            self.token.work(orbit.len() * self.problem.board.seams().len())?;
            if self.place(&orbit, value) {
                self.extend(depth + 1)?;
            }
            self.remove(&orbit);
        }
        ControlFlow::Continue(())
    }

    /// Places a value and its images in the cells of an orbit; returns false if they do not fit.
    fn place(&mut self, orbit: &[usize], first: usize) -> bool {
        let kinds = &self.problem.kinds;
        let kind = kinds.values[first].kind;
        if self.used[kind] + orbit.len() > kinds.kinds[kind].copies {
            return false;
        }
        let mut value = Some(first);
        for &cell in orbit {
            let Some(lies) = value.filter(|&lies| self.domains.cells[cell].contains(lies)) else {
                return false;
            };
            self.placed[cell] = Some(lies);
            self.used[kind] += 1;
            value = kinds.moved_value(lies, self.symmetry.motion[cell]);
        }
        value == Some(first) && orbit.iter().all(|&cell| self.fits(cell))
    }

    fn remove(&mut self, orbit: &[usize]) {
        for &cell in orbit {
            if let Some(value) = self.placed[cell].take() {
                self.used[self.problem.kinds.values[value].kind] -= 1;
            }
        }
    }

    /// Returns true if the value in a cell fits the values placed around it.
    fn fits(&self, cell: usize) -> bool {
        let shown = |(cell, side): (usize, usize)| {
            Some(self.problem.kinds.values[self.placed[cell]?].edges[side])
        };
        let seams = self.problem.board.seams().iter().map(Seam::ends);
        let mut own = seams.filter(|[one, other]| one.0 == cell || other.0 == cell);
        own.all(|[one, other]| match (shown(one), shown(other)) {
            (Some(one), Some(other)) => self.problem.tables().fit(one, other),
            _ => true,
        })
    }

    fn found(&mut self) -> Flow {
        let values: Option<Vec<usize>> = self.placed.iter().copied().collect();
        if let Some(values) = values {
            let picture = Picture::from_values(values);
            let (problem, symmetry) = (self.problem, self.symmetry);
            self.fixed.pictures += 1u32;
            self.fixed.solutions += fixed_solutions(problem, &picture, symmetry, self.token)?;
        }
        ControlFlow::Continue(())
    }
}
