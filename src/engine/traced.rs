//! `propagate` on one thread, with every decision and conflict reported: the steps of a proof.
//!
//! It makes the same decisions as `propagate` on one thread, so its proof is of the search that was
//! run.

use std::cell::RefCell;

use super::propagate::search;
use super::{Engine, Filtered, Propagate, Result, Work, observed};
use crate::domains::{Domains, Observer, Rarest, SymmetryBranch, break_symmetry};
use crate::problem::Problem;
use crate::runtime::limits::Flow;

/// How the symmetry of a search is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BrokenSymmetry {
    /// Not at all.
    Not,
    /// A tile that every solution uses, the first of this kind, loses these placements (cell,
    /// value).
    Tile {
        /// The kind.
        kind: usize,
        /// The placements.
        removed: Vec<(usize, usize)>,
    },
    /// A cell that every symmetry fixes loses these values.
    Cell {
        /// The cell.
        cell: usize,
        /// The placements (cell, value).
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
    /// A search through the whole: in one part, whose symmetry is broken only where that leaves one
    /// and `breaks_symmetry` says so.
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
        Traced { broken: broken(problem, &whole, &part), part, observer: RefCell::new(observer) }
    }

    /// How the symmetry is broken.
    pub fn broken(&self) -> &BrokenSymmetry {
        &self.broken
    }
}

/// What a part has lost by its symmetry.
fn broken(problem: &Problem, whole: &Domains, part: &SymmetryBranch) -> BrokenSymmetry {
    let cells = whole.cells.iter().zip(&part.domains.cells).enumerate();
    let lost: Vec<(usize, usize)> = cells
        .flat_map(|(cell, (before, after))| {
            before.iter().filter(|&value| !after.contains(value)).map(move |value| (cell, value))
        })
        .collect();
    let (Some(&(cell, _)), kind_of) =
        (lost.first(), |value: usize| problem.kinds.values[value].kind)
    else {
        return BrokenSymmetry::Not;
    };
    match &part.first {
        None => BrokenSymmetry::Cell { cell, removed: lost },
        Some(places) => {
            let Some(&(_, value)) = places.first() else {
                return BrokenSymmetry::Not;
            };
            let kind = kind_of(value);
            // What else leaves the only cell that is left for the tile follows.
            let of_kind = lost.into_iter().filter(|&(_, value)| kind_of(value) == kind);
            let removed: Vec<(usize, usize)> = of_kind.collect();
            if removed.is_empty() {
                BrokenSymmetry::Not
            } else {
                BrokenSymmetry::Tile { kind, removed }
            }
        }
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

    fn search(&self, problem: &Problem, host: &mut Filtered<'_>, work: &mut Work) -> Result<Flow> {
        let mut observer = self.observer.borrow_mut();
        let parts = std::slice::from_ref(&self.part);
        let token = host.token();
        let observer_of_search = Some(&mut **observer as _);
        let end = search(problem, parts, observer_of_search, token, (host, work))?;
        observed(end, &**observer)
    }
}
