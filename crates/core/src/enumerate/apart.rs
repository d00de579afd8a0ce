//! Diverse solutions: each differs in a number of cells from every one before.

use std::cell::RefCell;
use std::sync::Arc;

use super::series::Series;
use super::{Limits, Listener, Outcome, RunStatus, StopReason, run_under};
use crate::board::Board;
use crate::engine::Engine;
use crate::enumerate::solution::ValueArrangement;
use crate::problem::{
    Arrangement, Constraint, Formula, LinearConstraint, Placed, Problem, Term, TilePlacements,
};
use crate::puzzle::Puzzle;
use crate::runtime::clock;
use crate::runtime::limits::CancelToken;

/// Finds solutions one by one, each of which differs in at least `distance` cells from all images
/// of every one before. Cells with tiles that look the same do not differ. The outcome is
/// [complete](RunStatus::Complete) if it is proven that no other solution does; a different choice
/// of solutions may have more members.
///
/// Every solution found becomes linear constraints of the next search, so that no search visits the
/// neighbourhood of a known solution.
pub fn run_apart(
    problem: &Problem,
    distance: usize,
    engine: &dyn Engine,
    limits: &Limits<'_>,
    listener: &mut dyn Listener,
) -> Outcome {
    run_apart_under(&limits.token(), problem, distance, engine, limits, listener)
}

/// Like [`run_apart`], with a token that other runs share.
pub(crate) fn run_apart_under(
    token: &CancelToken<'_>,
    problem: &Problem,
    distance: usize,
    engine: &dyn Engine,
    limits: &Limits<'_>,
    listener: &mut dyn Listener,
) -> Outcome {
    let started = clock::now();
    let mut series = Series::new(listener, limits.distinct);
    let mut rest = problem.clone();
    loop {
        let spent = series.work.nodes;
        let nodes = limits.nodes.map(|most| most.saturating_sub(spent));
        let limits = Limits { distinct: 1, nodes, ..*limits };
        let latest = RefCell::new(None);
        let keep = |found: &Arrangement| latest.replace(Some(found.clone())).is_none();
        let mut outcome = run_under(token, &rest, engine, &limits, &mut series.next_run(&keep));
        series.work.add(outcome.work);
        let is_last =
            outcome.status != RunStatus::Stopped(StopReason::Enough) || series.is_enough();
        match latest.into_inner() {
            Some(latest) if !is_last => {
                let images = ValueArrangement::new(problem, &latest).orbit(problem);
                let apart =
                    images.iter().map(|image| Arc::new(Apart::new(problem, image, distance)));
                rest = rest.with_constraints(apart);
            }
            _ => {
                (outcome.tally, outcome.work) = (series.tally, series.work);
                outcome.effort = engine.effort(&outcome.work);
                outcome.seconds = started.elapsed().as_secs_f64();
                return outcome;
            }
        }
    }
}

/// The constraint that an arrangement differs from another one in some number of cells.
#[derive(Debug)]
struct Apart {
    /// In each cell, the placements that look like that of the other arrangement.
    same: Vec<Arc<TilePlacements>>,
    /// The number of cells that may look the same; negative if no arrangement is far enough.
    most: i64,
}

impl Apart {
    /// Requires that at least `distance` cells look different from those of `other`.
    fn new(problem: &Problem, other: &ValueArrangement, distance: usize) -> Apart {
        let kinds = &problem.kinds;
        let alike = |value: usize| {
            let tiles = kinds.kind_of(value).tiles.iter();
            let placements = tiles.flat_map(|&tile| {
                let orientations = kinds.orientations_of(tile, value);
                orientations.map(move |orientation| Placed { tile, orientation })
            });
            Arc::new(placements.collect())
        };
        let same: Vec<Arc<TilePlacements>> = other.values().map(alike).collect();
        let most = same.len() as i64 - distance as i64;
        Apart { same, most }
    }
}

impl Constraint for Apart {
    fn name(&self) -> &'static str {
        "distance"
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, _: &Puzzle, _: &Board, arrangement: &Arrangement) -> Option<String> {
        let cells = self.same.iter().zip(&arrangement.0);
        let equal = cells.filter(|(same, placed)| same.contains(placed)).count() as i64;
        let most = self.most;
        (equal > most)
            .then(|| format!("{equal} cells look as in another solution, expected at most {most}"))
    }

    fn formula(&self, _: &Puzzle, _: &Board) -> Formula {
        let term = |(cell, placements): (usize, &Arc<TilePlacements>)| Term {
            cells: vec![cell],
            placements: Arc::clone(placements),
            coefficient: 1,
        };
        let terms = self.same.iter().enumerate().map(term).collect();
        LinearConstraint { terms, bound: self.most }.into()
    }
}
