//! No-good cuts: rows that exclude a solution already found, with its images under the symmetry, and
//! rows that exclude what breaks a lazy constraint.

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::domains::{Domains, Leaf};
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};

/// For each of some cells values: no solution that is still sought has one of them in each.
pub(super) type Cut = Vec<(usize, Vec<usize>)>;

/// Whether a value in each cell has all that a cut excludes.
pub(super) fn is_met(cut: &Cut, values: &[usize]) -> bool {
    let mut cells = cut.iter();
    cells.all(|(cell, excluded)| excluded.contains(&values[*cell]))
}

/// The cut of an image of what was met in a leaf: of a solution by as few placements as force it, of
/// what breaks a lazy constraint by what that says, of anything else by all of it. `Break` where the
/// run is cancelled.
pub(super) fn cut(
    problem: &Problem,
    (leaf, domains): (&mut Leaf<'_>, &Domains),
    is_solution: bool,
    image: &[usize],
) -> Flow<Cut> {
    if is_solution {
        return shorten(leaf, domains, image).map_continue(by_one);
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
        None => by_one(whole(domains, image)),
    })
}

fn by_one(placements: Vec<(usize, usize)>) -> Cut {
    placements.into_iter().map(|(cell, value)| (cell, vec![value])).collect()
}

/// The values of a solution and of all its images under the group that lie in the domains too.
/// There is only the solution itself where symmetry is fully broken.
/// `Break` where the token says so.
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

/// All placements in cells that can take more than one.
fn whole(domains: &Domains, values: &[usize]) -> Vec<(usize, usize)> {
    let is_open = |(cell, _): &(usize, usize)| domains.cells[*cell].len() > 1;
    (0..).zip(values.iter().copied()).filter(is_open).collect()
}

/// Placements of a solution that no other solution of the leaf shares all of. Of what is
/// no solution a part may force a solution, so that only the [`whole`] may be cut.
///
/// A cell stays out where its domain is a single value, and where the rest still forces the
/// solution; the shorter cut then excludes no more, and is tighter.
fn shorten(leaf: &mut Leaf<'_>, domains: &Domains, values: &[usize]) -> Flow<Vec<(usize, usize)>> {
    let mut kept = whole(domains, values);
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
