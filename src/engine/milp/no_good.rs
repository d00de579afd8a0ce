//! What a no-good cut excludes.

use std::collections::HashSet;

use crate::board::Problem;
use crate::domains::{Domains, reduce};
use crate::puzzle::LookSet;
use crate::tables::Tables;

/// The looks of a solution and of all its images under the group that lie in the domains too.
/// There is only the solution itself where symmetry is fully broken.
pub(super) fn images(problem: &Problem, domains: &Domains, looks: &[usize]) -> HashSet<Vec<usize>> {
    let inside = |image: &Vec<usize>| {
        let mut cells = image.iter().zip(&domains.cells);
        cells.all(|(&look, domain)| domain.contains(look))
    };
    let images = problem
        .group
        .iter()
        .filter_map(|s| problem.image(looks.iter().copied(), s));
    images.filter(inside).collect()
}

/// Placements (cell, look) of a solution that no other solution shares all of.
///
/// A cell stays out where its domain is a single look, and where reducing from the rest still
/// leaves nothing but the solution; the shorter cut then excludes no more, and is tighter.
pub(super) fn shorten(
    problem: &Problem,
    tables: &Tables,
    domains: &Domains,
    looks: &[usize],
) -> Vec<(usize, usize)> {
    let is_open = |&cell: &usize| domains.cells[cell].len() > 1;
    let mut kept: Vec<usize> = (0..looks.len()).filter(is_open).collect();
    let mut candidate = 0;
    while candidate < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(candidate);
        match forces(problem, tables, domains, looks, &fewer) {
            true => kept = fewer,
            false => candidate += 1,
        }
    }
    kept.into_iter().map(|cell| (cell, looks[cell])).collect()
}

/// Whether reducing leaves nothing but the solution when only these cells are fixed to it.
fn forces(
    problem: &Problem,
    tables: &Tables,
    domains: &Domains,
    looks: &[usize],
    cells: &[usize],
) -> bool {
    let mut domains = domains.clone();
    for &cell in cells {
        domains.cells[cell] = LookSet::from_looks(problem.kinds.looks.len(), [looks[cell]]);
    }
    // The solution itself is in the domains, so they cannot run empty.
    reduce(problem, tables, &mut domains).is_ok() && domains.cells.iter().all(|c| c.len() == 1)
}
