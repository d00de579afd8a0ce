//! The method of scheduled breaks: a depth-first search that may break seams at scheduled depths
//! (Verhaard 2008 and Blackwood 2020, for Eternity II).
//!
//! Cells are filled in a fixed order. Each depth allows a number of broken seams: none for most of
//! the board, then increasingly many towards the end. An attempt chooses a corner, a set of images
//! to be used up early, and a score at random. A beam finds beginnings with well-matching remaining
//! tiles, and the subtree of each is searched up to a node limit. The schedule is computed from the
//! numbers of matching candidates measured during the attempt. Each complete board tightens it, and
//! the search continues in the same tree.
//!
//! Supports single-cell constraints only.

mod beam;
mod plan;
mod schedule;
mod search;

use std::ops::ControlFlow;

use self::beam::Beam;
use self::plan::AttemptPlan;
use self::search::ScheduledSearch;
use super::method::{Method, MethodRun};
use super::tables::FitTables;
use crate::runtime::limits::Flow;

// The numbers of nodes, candidates and beginnings are per cell, to suit boards of any size. On
// f16-b5k17-0 an attempt takes 30 million nodes; longer and shorter beams are equal within noise
// there (docs/measurements.md has the scores).

/// The number of nodes that take as long as an annealing step.
const NODES_PER_STEP: u64 = 8;

/// The number of nodes per cell of an attempt.
const RESTART: u64 = 117_000;

/// The maximum number of nodes per cell in the subtree of a beginning.
const BEGINNING: u64 = 8_000;

/// The maximum number of beginnings per cell that a beam keeps.
const WIDTH: usize = 16;

/// The maximum share of an attempt's nodes for the beam, and the expected number of candidates per
/// beginning and cell.
const SHARE: f64 = 1.0 / 8.0;
const CANDIDATES: f64 = 3.0;

/// If the subtrees of all beginnings are exhausted, the beginnings are shortened by the length of a
/// line divided by this.
const BACK: usize = 4;

/// The number of nodes between two polls, about two milliseconds.
const STRIDE: u64 = 1 << 16;

/// The maximum number of entries in tables by two labels: 16 MB.
const MOST_ENTRIES: usize = 1 << 22;

/// The method of scheduled breaks.
pub(super) const METHOD: Method = Method {
    name: "scheduled breaks",
    serves,
    restart: |tables| Some(RESTART * tables.problem.board.size() as u64 / NODES_PER_STEP),
    leads: true,
    run: |run| {
        let mut done = 0;
        loop {
            attempt(run, &mut done)?;
        }
    },
};

/// Returns `Ok` if the method supports the problem, otherwise the reason as the error.
fn serves(tables: &FitTables<'_>) -> Result<(), &'static str> {
    tables.concerns_single_cells()?;
    if !tables.problem.tables().fits_mates_only() {
        return Err("some edges fit several others");
    }
    if tables.problem.board.counted().any(|[one, other]| one.0 == other.0) {
        return Err("a cell touches itself");
    }
    let labels = tables.problem.puzzle.labels.len();
    let values = tables.kind_of.len();
    // Each open cell beside a fixed one may be a class of its own. A class has several position types
    // if different pairs of sides select its cells.
    let fixed = tables.fixed.iter().flatten().count();
    let beside = (tables.sides * fixed).min(tables.fixed.len() - fixed);
    let position_types = 4 * (tables.classes.len() + beside);
    let entries = labels * (labels + values.div_ceil(64));
    if values > usize::from(u16::MAX) || position_types * entries > MOST_ENTRIES {
        return Err("there are too many tiles or images");
    }
    Ok(())
}

/// Makes one attempt: finds beginnings and searches their subtrees. `done` is the number of nodes
/// of all attempts, including this one. Breaks if the run must end.
fn attempt(run: &mut MethodRun<'_>, done: &mut u64) -> Flow {
    let nodes = NODES_PER_STEP * run.effort.steps;
    let plan = AttemptPlan::new(run)?;
    let cells = plan.depths.len();
    let early_alone = run.random.bool();
    let depths = plan.comb.saturating_sub(run.random.usize(..plan.line.max(1)));
    let affordable = nodes as f64 * SHARE / (CANDIDATES * cells as f64);
    let width = (affordable as usize).clamp(1, WIDTH * cells);
    let beam = Beam::new(run.tables, &plan, early_alone);
    let (mut beginnings, work) = beam.beginnings((width, depths), run)?;
    *done += work;
    run.report(*done / NODES_PER_STEP)?;
    let end = nodes.min(*done + RESTART * cells as u64);
    let mut search = ScheduledSearch::new(&plan, run);
    let mut length = beginnings.first().map_or(0, Vec::len);
    loop {
        for beginning in &beginnings {
            search.reset(beginning);
            let until = end.min(*done + BEGINNING * cells as u64);
            while *done < until {
                let most = STRIDE.min(until - *done);
                let nodes = search.search(most, *done / NODES_PER_STEP)?;
                // A beginning that cannot be extended counts as a node, so that the attempt ends.
                *done += nodes.max(1);
                search.run.report(*done / NODES_PER_STEP)?;
                if nodes < most {
                    break;
                }
            }
            if *done >= end {
                return ControlFlow::Continue(());
            }
        }
        // Every beginning is exhausted; shorter ones have larger subtrees.
        if length == 0 {
            return ControlFlow::Continue(());
        }
        length -= plan.line.div_ceil(BACK).min(length);
        beginnings.iter_mut().for_each(|beginning| beginning.truncate(length));
        beginnings.sort_unstable();
        beginnings.dedup();
        search.run.random.shuffle(&mut beginnings);
    }
}
