//! The fast backtracker: row by row, with a look ahead to the end of each row.
//!
//! Kinds are laid, not tiles, so twins are searched once; the symmetry is broken up front, at a
//! corner of a framed board. When a row begins, what its upper neighbours show is known: a sweep
//! from its end to its beginning keeps, for each cell, the labels towards the beginning from which
//! the row can still be completed with kinds that have copies left. After that one bit a candidate
//! tells whether it leads to the end of the row.
//!
//! Any corner can be the first cell, and rows can run either way. Those trees differ up to
//! threefold, and random probes tell them apart.

mod cell_order;
mod duty;
mod filling;
mod plan;
mod search;
mod work;

use std::ops::ControlFlow;

use self::cell_order::{CellOrder, cell_orders};
use self::filling::Filling;
use self::plan::Plan;
use self::work::{alone, together};
use crate::domains::{
    Domains, Rarest, Roots, SymmetryBranch, break_symmetry, break_symmetry_at_first_cell,
};
use crate::engine::{Host, Work, add_up};
use crate::problem::Problem;
use crate::random::Random;
use crate::scheduler::SchedulerError;

/// Probes of each tree, and the nodes within which the one that looks smallest must end; else the
/// next stage looks harder. Tiny boards need no probes; 128 are mostly within a factor of 2.5 of
/// the tree's size, 1,024 within 1.5, and trees differ by 3.
const STAGES: [(u32, u64); 3] = [(0, 1 << 12), (128, 1 << 21), (1024, u64::MAX)];

/// The same probes in each run.
const SEED: u64 = 1;

/// The lists by two labels take this many squared.
const MOST_LABELS: usize = 255;

/// Whether a problem's labels fit in the lists, and the copies of its kinds in their counts; its
/// values do where the engine serves it. A rectangle has rows, and they are made of seams that fit.
pub(super) fn serves(problem: &Problem) -> bool {
    problem.board.rectangle().is_some()
        && problem.board.is_whole()
        && problem.puzzle.labels.len() <= MOST_LABELS
        && problem.puzzle.tiles.len() <= usize::from(u16::MAX)
}

/// Fills the board row by row, from the corner and in the direction that promise the smallest tree.
///
/// # Errors
/// Where the threads cannot do their work.
pub(super) fn search(
    problem: &Problem,
    host: &mut dyn Host,
    work: &mut Work,
) -> Result<ControlFlow<()>, SchedulerError> {
    let forests = Forests::new(problem);
    let number = forests.len();
    for (index, trees) in forests.iter(problem).enumerate() {
        if search_smallest(problem, trees, (index, number), host, work)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// What each of so many random ways down estimates of the number of nodes.
pub(super) fn probe(problem: &Problem, probes: u32, seed: u64) -> Vec<f64> {
    let mut sum = Vec::new();
    for trees in Forests::new(problem).iter(problem) {
        let estimates = trees.iter().map(|(branch, order)| {
            let plan = Plan::new(problem, branch, order);
            let mut random = Random::with_seed(seed);
            Filling::new(&plan).probes(&mut random, probes)
        });
        let total = |estimates: &Vec<f64>| estimates.iter().sum::<f64>();
        let smallest = estimates.min_by(|a, b| total(a).total_cmp(&total(b)));
        add_up(&mut sum, smallest.unwrap_or_default());
    }
    sum
}

/// Where the search begins when it is cut into parts: with the tree that probes say is the
/// smallest.
pub(super) fn roots(problem: &Problem) -> Roots {
    const PROBES: u32 = STAGES[1].0;
    let forests = Forests::new(problem);
    let mut parts = Vec::new();
    let mut cells = None;
    for trees in forests.iter(problem) {
        let total = |(branch, order): &(&SymmetryBranch, CellOrder)| {
            let plan = Plan::new(problem, branch, order);
            let mut random = Random::with_seed(SEED);
            let estimates = Filling::new(&plan).probes(&mut random, PROBES);
            estimates.iter().sum::<f64>()
        };
        let sized = trees.into_iter().map(|tree| (total(&tree), tree));
        let smallest = sized.min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, (branch, order))) = smallest {
            parts.push(branch.clone());
            cells.get_or_insert(order.cells);
        }
    }
    Roots {
        parts,
        order: cells,
    }
}

/// The parts of the search.
struct Forests {
    parts: Vec<SymmetryBranch>,
    /// Whether each part holds all solutions by itself, with its tile in the first cell; else all
    /// of them must be searched.
    are_corners: bool,
}

impl Forests {
    fn new(problem: &Problem) -> Self {
        let domains = Domains::first(problem);
        let corners = break_symmetry_at_first_cell(problem, &domains);
        if corners.is_empty() {
            Forests {
                parts: break_symmetry(problem, domains, Rarest::Placements),
                are_corners: false,
            }
        } else {
            Forests {
                parts: corners,
                are_corners: true,
            }
        }
    }

    /// Parts of which any one holds all solutions of all of them.
    fn alike(&self) -> impl ExactSizeIterator<Item = &[SymmetryBranch]> {
        let number = if self.are_corners {
            self.parts.len()
        } else {
            1
        };
        self.parts.chunks(number.max(1))
    }

    /// The number of forests that must be searched.
    fn len(&self) -> usize {
        self.alike().len()
    }

    /// What must be searched: of each item any one tree, as it holds all solutions of the item.
    fn iter<'a>(
        &'a self,
        problem: &'a Problem,
    ) -> impl Iterator<Item = Vec<(&'a SymmetryBranch, CellOrder)>> {
        let suits = |order: &CellOrder| !self.are_corners || order.starts_at(0);
        self.alike().map(move |parts| {
            let trees = parts.iter().flat_map(|branch| {
                let orders = cell_orders(problem).into_iter().filter(suits);
                orders.map(move |order| (branch, order))
            });
            trees.collect()
        })
    }
}

/// Searches the tree that promises to be the smallest; where it is not small, looks again.
fn search_smallest(
    problem: &Problem,
    trees: Vec<(&SymmetryBranch, CellOrder)>,
    part: (usize, usize),
    host: &mut dyn Host,
    work: &mut Work,
) -> Result<ControlFlow<()>, SchedulerError> {
    let mut plans: Vec<Plan> = Vec::new();
    for (probes, most) in STAGES {
        let wanted = if probes == 0 { 1 } else { trees.len() };
        for (branch, order) in trees.iter().take(wanted).skip(plans.len()) {
            if host.poll(work).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            plans.push(Plan::new(problem, branch, order));
        }
        let ControlFlow::Continue(plan) = smallest(&plans, probes, host, work) else {
            return Ok(ControlFlow::Break(()));
        };
        let Some(plan) = plan else { break };
        if most == u64::MAX {
            return together(problem, plan, part, host, work);
        }
        if let Some(end) = alone(problem, plan, most, host, work) {
            return Ok(end);
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// The plan of the tree that so many probes say is the smallest.
fn smallest<'a>(
    plans: &'a [Plan],
    probes: u32,
    host: &mut dyn Host,
    work: &Work,
) -> ControlFlow<(), Option<&'a Plan>> {
    let mut smallest: Option<(f64, &Plan)> = None;
    for plan in plans {
        let size = total_of_probes(plan, probes, host, work)?;
        if smallest.is_none_or(|(other, _)| size < other) {
            smallest = Some((size, plan));
        }
    }
    ControlFlow::Continue(smallest.map(|(_, plan)| plan))
}

/// The sum of so many probes; infinite where a tree is too large for its number. Probes of large
/// boards take long, so the host is asked now and then.
fn total_of_probes(
    plan: &Plan,
    probes: u32,
    host: &mut dyn Host,
    work: &Work,
) -> ControlFlow<(), f64> {
    const BATCH: u32 = 32;
    let mut random = Random::with_seed(SEED);
    let mut total = 0.0;
    for _ in 0..probes / BATCH {
        host.poll(work)?;
        let estimates = Filling::new(plan).probes(&mut random, BATCH);
        total += estimates.iter().sum::<f64>();
    }
    ControlFlow::Continue(total)
}
