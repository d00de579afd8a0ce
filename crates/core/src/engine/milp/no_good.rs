//! No-good cuts: rows that exclude a solution already found and its images under the symmetry, and
//! rows that exclude violations of a lazy constraint.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::rows::{Literal, Rows};
use crate::domains::Domains;
use crate::model::Model;
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

/// The cut of an arrangement that is not a solution: the explanation of the lazy constraint that it
/// violates, otherwise all its placements.
pub(super) fn of_violation(problem: &Problem, domains: &Domains, values: &[usize]) -> Cut {
    match problem.lazy_cut(values) {
        Some(cells) => {
            let cells = cells.into_iter().filter_map(|(cell, mut values)| {
                let domain = &domains.cells[cell];
                values.keep(domain);
                let is_open = values != *domain;
                is_open.then(|| (cell, values.iter().collect()))
            });
            cells.collect()
        }
        None => (0..).zip(values.iter().map(|&value| vec![value])).collect(),
    }
}

/// The cut of a solution: placements that no other solution contains, without any that follows from
/// the others, but at least one. It excludes the same solutions as all placements, and is tighter.
/// Breaks if the token stops the run.
pub(super) fn of_solution(
    rows: &mut Rows,
    model: &Model,
    values: &[usize],
    token: &CancelToken<'_>,
) -> Flow<Cut> {
    let mut kept: Vec<(usize, usize)> = (0..).zip(values.iter().copied()).collect();
    let mut candidate = 0;
    while candidate < kept.len() && kept.len() > 1 {
        let mut fewer = kept.clone();
        fewer.remove(candidate);
        let literals = fewer.iter().map(|&(cell, value)| model.placement(cell, value));
        let before = rows.steps;
        if rows.forces(literals.map(Literal::one)) {
            kept = fewer;
        } else {
            candidate += 1;
        }
        token.work((rows.steps - before) as usize)?;
    }
    ControlFlow::Continue(kept.into_iter().map(|(cell, value)| (cell, vec![value])).collect())
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
