//! No-good cuts: rows that exclude a solution already found, with its images under the symmetry.

use std::collections::HashSet;

use crate::board::CellId;
use crate::domains::{Domains, Leaf};
use crate::problem::Problem;
use crate::puzzle::ValueId;

/// The values of a solution and of all its images under the group that lie in the domains too.
/// There is only the solution itself where symmetry is fully broken.
pub(super) fn images(
    problem: &Problem,
    domains: &Domains,
    values: &[usize],
) -> HashSet<Vec<usize>> {
    let inside = |image: &Vec<usize>| {
        let mut cells = image.iter().zip(&domains.cells);
        cells.all(|(&value, domain)| domain.contains(value))
    };
    let images = problem
        .group
        .iter()
        .filter_map(|s| problem.image(values.iter().copied(), s));
    images.filter(inside).collect()
}

/// All placements in cells that can take more than one.
pub(super) fn whole(domains: &Domains, values: &[usize]) -> Vec<(CellId, ValueId)> {
    let is_open = |(CellId(cell), _): &(CellId, ValueId)| domains.cells[*cell].len() > 1;
    let point = values.iter().copied().map(ValueId);
    let placements = (0..).map(CellId).zip(point);
    placements.filter(is_open).collect()
}

/// Placements of a solution that no other solution of the leaf shares all of. Of what is
/// no solution a part may force a solution, so that only the [`whole`] may be cut.
///
/// A cell stays out where its domain is a single value, and where the rest still forces the
/// solution; the shorter cut then excludes no more, and is tighter.
pub(super) fn shorten(
    leaf: &mut dyn Leaf,
    domains: &Domains,
    values: &[usize],
) -> Vec<(CellId, ValueId)> {
    let mut kept = whole(domains, values);
    let mut candidate = 0;
    while candidate < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(candidate);
        if leaf.forces(&fewer) {
            kept = fewer;
        } else {
            candidate += 1;
        }
    }
    kept
}
