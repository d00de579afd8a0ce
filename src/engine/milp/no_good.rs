//! No-good cuts: rows that exclude a solution already found and its images under the symmetry, and
//! rows that exclude violations of a lazy constraint.

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::domains::{Domains, Leaf};
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};

/// A no-good: cells, each with a set of values. It excludes every arrangement in which all of these
/// cells have one of their values.
pub(super) type Cut = Vec<(usize, Vec<usize>)>;

/// Returns true if a cut excludes the arrangement with these values.
pub(super) fn excludes(cut: &Cut, values: &[usize]) -> bool {
    let mut cells = cut.iter();
    cells.all(|(cell, excluded)| excluded.contains(&values[*cell]))
}

/// The cut that excludes `image`, an image of an integral point found in a leaf. For a solution, it
/// contains a minimal set of placements that force it; for a violation of a lazy constraint, the
/// constraint's explanation; otherwise all placements in cells with several values. Breaks if the
/// token stops the run.
pub(super) fn make_cut(
    problem: &Problem,
    (leaf, domains): (&mut Leaf<'_>, &Domains),
    is_solution: bool,
    image: &[usize],
) -> Flow<Cut> {
    if is_solution {
        return shorten(leaf, domains, image).map_continue(single_values);
    }
    ControlFlow::Continue(match problem.lazy_cut(image) {
        Some(cells) => {
            let cells = cells.into_iter().filter_map(|(cell, mut values)| {
                let domain = &domains.cells[cell];
                values.keep(domain);
                let is_open = values != *domain;
                is_open.then(|| (cell, values.iter().collect()))
            });
            cells.collect()
        }
        None => single_values(open_placements(domains, image)),
    })
}

/// The cut that excludes a set of placements (cell, value).
fn single_values(placements: Vec<(usize, usize)>) -> Cut {
    placements.into_iter().map(|(cell, value)| (cell, vec![value])).collect()
}

/// The images under the group of an arrangement, given by its values, that are in the domains,
/// including itself. If symmetry is fully broken, there are no others. Breaks if the token stops
/// the run.
pub(super) fn images(
    problem: &Problem,
    domains: &Domains,
    values: &[usize],
    token: &CancelToken<'_>,
) -> Flow<HashSet<Vec<usize>>> {
    let inside = |image: &Vec<usize>| {
        let mut cells = image.iter().zip(&domains.cells);
        cells.all(|(&value, domain)| domain.contains(value))
    };
    let mut images = HashSet::new();
    for symmetry in &problem.group {
        images.extend(problem.image(values.iter().copied(), symmetry).filter(inside));
        token.work(4 * values.len())?;
    }
    ControlFlow::Continue(images)
}

/// The placements of an arrangement in the cells whose domain has several values.
fn open_placements(domains: &Domains, values: &[usize]) -> Vec<(usize, usize)> {
    let is_open = |(cell, _): &(usize, usize)| domains.cells[*cell].len() > 1;
    (0..).zip(values.iter().copied()).filter(is_open).collect()
}

/// A minimal set of placements of a solution that no other solution in the leaf contains. Must not
/// be used for a point that is not a solution: some of its placements may be part of a solution.
/// Breaks if the token stops the run.
///
/// A cell is omitted if its domain is a single value, or if the other placements still force the
/// solution. The shorter cut excludes the same solutions and is tighter.
fn shorten(leaf: &mut Leaf<'_>, domains: &Domains, values: &[usize]) -> Flow<Vec<(usize, usize)>> {
    let mut kept = open_placements(domains, values);
    let mut candidate = 0;
    while candidate < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(candidate);
        if leaf.forces(&fewer)? {
            kept = fewer;
        } else {
            candidate += 1;
        }
    }
    ControlFlow::Continue(kept)
}
