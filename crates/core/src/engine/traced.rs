//! `propagate` on one thread, with an observer of every decision and conflict, which writes a
//! proof.
//!
//! It makes the same decisions as `propagate` on one thread, so the proof describes that search.

use std::cell::RefCell;

use super::propagate::search;
use super::{Engine, FilteringHost, Propagate, Result, Work, check_observer};
use crate::domains::{Domains, Observer, Rarest, SymmetryBranch, break_symmetry};
use crate::problem::Problem;
use crate::runtime::limits::Flow;

/// The way in which a search breaks the symmetry: the placements that it removes at the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BrokenSymmetry {
    /// The symmetry is not broken.
    Not,
    /// The first tile of a kind, which every solution uses, loses some placements.
    Tile {
        /// The kind of the tile.
        kind: usize,
        /// The removed placements (cell, value).
        removed: Vec<(usize, usize)>,
    },
    /// A cell that every symmetry fixes loses some values.
    Cell {
        /// The cell.
        cell: usize,
        /// The removed placements (cell, value).
        removed: Vec<(usize, usize)>,
    },
}

/// The engine `propagate` with an [`Observer`].
pub struct Traced<'a> {
    part: SymmetryBranch,
    broken: BrokenSymmetry,
    observer: RefCell<&'a mut dyn Observer>,
}

impl<'a> Traced<'a> {
    /// Prepares a search of the whole tree. It breaks the symmetry only if `breaks_symmetry` is set
    /// and this leaves a single branch that does not depend on a tile that may be unused.
    pub fn new(problem: &Problem, breaks_symmetry: bool, observer: &'a mut dyn Observer) -> Self {
        let whole = Domains::first(problem);
        let mut parts = if breaks_symmetry {
            break_symmetry(problem, whole.clone(), Rarest::Mates)
        } else {
            Vec::new()
        };
        let is_one = parts.len() == 1 && (parts[0].first.is_none() || problem.uses_every_tile());
        let part = match parts.pop() {
            Some(part) if is_one => part,
            _ => SymmetryBranch { domains: whole.clone(), first: None },
        };
        Traced {
            broken: find_broken_symmetry(problem, &whole, &part),
            part,
            observer: RefCell::new(observer),
        }
    }

    /// The way in which the search breaks the symmetry.
    pub fn broken(&self) -> &BrokenSymmetry {
        &self.broken
    }
}

/// Determines how the symmetry was broken from the values that the branch `part` lacks compared
/// with the domains `whole`.
fn find_broken_symmetry(
    problem: &Problem,
    whole: &Domains,
    part: &SymmetryBranch,
) -> BrokenSymmetry {
    let cells = whole.cells.iter().zip(&part.domains.cells).enumerate();
    let lost: Vec<(usize, usize)> = cells
        .flat_map(|(cell, (before, after))| {
            before.iter().filter(|&value| !after.contains(value)).map(move |value| (cell, value))
        })
        .collect();
    let kind_of = |value: usize| problem.kinds.values[value].kind;
    match (lost.first(), part.first.as_deref()) {
        (Some(&(cell, _)), None) => BrokenSymmetry::Cell { cell, removed: lost },
        (Some(_), Some(&[(_, value), ..])) => {
            let kind = kind_of(value);
            // Values of other kinds are only removed from a cell that is the last one left for the
            // tile. These removals follow from the others.
            let of_kind = lost.into_iter().filter(|&(_, value)| kind_of(value) == kind);
            match of_kind.collect::<Vec<_>>() {
                removed if removed.is_empty() => BrokenSymmetry::Not,
                removed => BrokenSymmetry::Tile { kind, removed },
            }
        }
        _ => BrokenSymmetry::Not,
    }
}

impl Engine for Traced<'_> {
    fn name(&self) -> &'static str {
        Propagate.name()
    }

    fn variant(&self) -> String {
        "traced".into()
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        Propagate.serves(problem)
    }

    fn prunes_by_constraints(&self) -> bool {
        Propagate.prunes_by_constraints()
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow> {
        let mut observer = self.observer.borrow_mut();
        let parts = std::slice::from_ref(&self.part);
        let token = host.token();
        let observer_of_search = Some(&mut **observer as _);
        let end = search(problem, parts, observer_of_search, token, (host, work))?;
        check_observer(end, &**observer)
    }
}
