//! The fast backtracker: row by row, with a look ahead to the end of each row.
//!
//! Kinds are laid, not tiles, so twins are searched once; the symmetry is broken up front, at a
//! corner of a framed board. When a row begins, what its upper neighbours show is known: a sweep
//! from its end to its beginning keeps, for each cell, the labels towards the beginning from which
//! the row can still be completed with kinds that have copies left. After that one bit a candidate
//! tells whether it leads to the end of the row. With each cell that is laid, a step of a sweep the other
//! way tells whether the row below can be filled as far.
//!
//! Any corner can be the first cell, and rows can run either way. Those trees differ up to
//! threefold, and random probes tell them apart.

mod cell_order;
mod duty;
mod filling;
mod plan;
mod search;
mod steps;
mod work;

use std::ops::ControlFlow;

use self::cell_order::{CellOrder, cell_orders};
use self::filling::Filling;
use self::plan::Plan;
use self::steps::LabelBits;
use self::work::{alone, together};
use crate::domains::{
    Domains, Rarest, Roots, SymmetryBranch, break_symmetry_at_first_cell, break_symmetry_under,
};
use crate::engine::backtrack::side_label::SideLabel;
use crate::engine::{Host, Work, add_up};
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;
use crate::runtime::scheduler::SchedulerError;

/// Nodes of the first tree before any is probed: tiny boards need no probes.
const NODES_BEFORE_PROBES: u64 = 1 << 12;

/// Probes of the first tree, at least and at most, before another is built; and how many of its nodes
/// the smallest mostly has.
const LOOK: ((u32, u32), f64) = ((64, 128), 0.7);

/// How the smallest tree is found, step by step. 16 probes of a tree are mostly within a factor of 5 of
/// its size, 128 within 2.5, 1,024 within 1.5, and trees differ by 3.
const STEPS: [Step; 4] = [
    Step { probes: (16, 16), tells: false, tries: Some((8e3, 1 << 15)) },
    Step { probes: (64, 64), tells: true, tries: None },
    Step { probes: (64, 4096), tells: false, tries: Some((3e5, 1 << 21)) },
    Step { probes: (64, 4096), tells: true, tries: None },
];

/// What is done with some probes.
struct Step {
    /// Probes of each tree, at least and at most.
    probes: (u32, u32),
    /// Whether the host is told how large the smallest tree is.
    tells: bool,
    /// Where the smallest has at most so many nodes by its probes, it is searched within so many.
    tries: Option<(f64, u64)>,
}

/// The same probes in each run.
const SEED: u64 = 1;

/// The lists by two labels take this many squared.
const MOST_LABELS: usize = 255;

/// Returns true if the labels of a problem fit in the lists, its values in 16 bits and the copies of
/// its kinds in their counts. A rectangle has rows, and they are made of seams that fit.
pub(super) fn serves(problem: &Problem) -> bool {
    problem.board.rectangle().is_some()
        && problem.board.is_whole()
        && problem.puzzle.labels.len() <= MOST_LABELS
        && problem.tables().are_mates_alone()
        && problem.kinds.values.len().max(problem.board.size()) <= usize::from(u16::MAX)
}

/// Calls a function that is compiled for sets of labels of the size that a puzzle needs.
macro_rules! with_bits {
    ($problem:expr, $function:ident($($argument:expr),*)) => {
        match SideLabel::number($problem.puzzle.labels.len()) {
            ..=32 => $function::<u32>($($argument),*),
            _ => $function::<u64>($($argument),*),
        }
    };
}

/// Fills the board row by row, from the corner and in the direction that promise the smallest tree.
///
/// # Errors
/// Where the threads cannot do their work.
pub(super) fn search(
    problem: &Problem,
    token: &CancelToken<'_>,
    expects: &mut dyn FnMut(f64) -> Flow,
    host: &mut dyn Host,
    work: &mut Work,
) -> Result<Flow, SchedulerError> {
    let ControlFlow::Continue(forests) = Forests::new(problem, token) else {
        return Ok(ControlFlow::Break(()));
    };
    let number = forests.len();
    for (index, trees) in forests.iter(problem).enumerate() {
        let part = Part { problem, token, place: (index, number) };
        if with_bits!(problem, search_smallest(&part, trees, expects, host, work))?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// What each of so many random ways down estimates of the number of nodes. `Break` where the token
/// says so.
pub(super) fn probe(
    problem: &Problem,
    (probes, seed): (u32, u64),
    token: &CancelToken<'_>,
) -> Flow<Vec<f64>> {
    let mut sum = Vec::new();
    for trees in Forests::new(problem, token)?.iter(problem) {
        let (smallest, _) = smallest_probed(problem, trees, (probes, seed), token)?;
        add_up(&mut sum, smallest);
    }
    ControlFlow::Continue(sum)
}

/// Where the search begins when it is cut into parts: with the tree that probes say is the
/// smallest. `Break` where the token says so.
pub(super) fn roots(problem: &Problem, token: &CancelToken<'_>) -> Flow<Roots> {
    const PROBES: u32 = 128;
    let forests = Forests::new(problem, token)?;
    let mut parts = Vec::new();
    let mut cells = None;
    for trees in forests.iter(problem) {
        let (_, smallest) = smallest_probed(problem, trees, (PROBES, SEED), token)?;
        if let Some((branch, order)) = smallest {
            parts.push(branch.clone());
            cells.get_or_insert(order.cells);
        }
    }
    ControlFlow::Continue(Roots { parts, order: cells })
}

/// The tree with the smallest sum of estimates, and these.
fn smallest_probed<'a>(
    problem: &Problem,
    trees: Vec<Tree<'a>>,
    (probes, seed): (u32, u64),
    token: &CancelToken<'_>,
) -> Flow<(Vec<f64>, Option<Tree<'a>>)> {
    let mut smallest = (Vec::new(), None);
    let mut least = f64::INFINITY;
    for tree in trees {
        let estimates = with_bits!(problem, estimates(problem, &tree, (probes, seed), token))?;
        let total: f64 = estimates.iter().sum();
        if smallest.1.is_none() || total.total_cmp(&least).is_lt() {
            (least, smallest) = (total, (estimates, Some(tree)));
        }
    }
    ControlFlow::Continue(smallest)
}

/// What each of so many random ways down a tree estimates of its nodes.
fn estimates<B: LabelBits>(
    problem: &Problem,
    (branch, order): &Tree<'_>,
    (probes, seed): (u32, u64),
    token: &CancelToken<'_>,
) -> Flow<Vec<f64>> {
    let plan = Plan::<B>::new(problem, branch, order, token)?;
    let mut random = Random::with_seed(seed);
    Filling::new(&plan).probes(&mut random, probes, token)
}

/// A part of the search, and the order in which its cells are filled.
type Tree<'a> = (&'a SymmetryBranch, CellOrder);

/// The parts of the search.
struct Forests {
    parts: Vec<SymmetryBranch>,
    /// Whether each part holds all solutions by itself, with its tile in the first cell; else all
    /// of them must be searched.
    are_corners: bool,
}

impl Forests {
    /// `Break` where the token says so.
    fn new(problem: &Problem, token: &CancelToken<'_>) -> Flow<Self> {
        let domains = Domains::first(problem);
        let corners = break_symmetry_at_first_cell(problem, &domains, token)?;
        ControlFlow::Continue(if corners.is_empty() {
            Forests {
                parts: break_symmetry_under(token, problem, domains, Rarest::Placements)?,
                are_corners: false,
            }
        } else {
            Forests { parts: corners, are_corners: true }
        })
    }

    /// Parts of which any one holds all solutions of all of them.
    fn alike(&self) -> impl ExactSizeIterator<Item = &[SymmetryBranch]> {
        let number = if self.are_corners { self.parts.len() } else { 1 };
        self.parts.chunks(number.max(1))
    }

    /// The number of forests that must be searched.
    fn len(&self) -> usize {
        self.alike().len()
    }

    /// What must be searched: of each item any one tree, as it holds all solutions of the item.
    fn iter<'a>(&'a self, problem: &'a Problem) -> impl Iterator<Item = Vec<Tree<'a>>> {
        let suits = |order: &CellOrder| !self.are_corners || order.starts_at(0);
        self.alike().map(move |parts| {
            let trees = parts.iter().flat_map(|branch| {
                cell_orders(problem).into_iter().filter(suits).map(move |order| (branch, order))
            });
            trees.collect()
        })
    }
}

/// What is searched.
struct Part<'a> {
    problem: &'a Problem,
    token: &'a CancelToken<'a>,
    /// The index of the part among several, and their number.
    place: (usize, usize),
}

/// Searches the tree that promises to be the smallest; where it is not small, looks again.
fn search_smallest<B: LabelBits>(
    part: &Part<'_>,
    trees: Vec<Tree<'_>>,
    expects: &mut dyn FnMut(f64) -> Flow,
    host: &mut dyn Host,
    work: &mut Work,
) -> Result<Flow, SchedulerError> {
    let mut trees = trees.iter();
    let Some((branch, order)) = trees.next() else {
        return Ok(ControlFlow::Continue(()));
    };
    if host.poll(work).is_break() {
        return Ok(ControlFlow::Break(()));
    }
    let Part { problem, token, .. } = *part;
    let ControlFlow::Continue(first) = Plan::<B>::new(problem, branch, order, token) else {
        return Ok(ControlFlow::Break(()));
    };
    if let Some(end) = alone(problem, &first, NODES_BEFORE_PROBES, host, work) {
        return Ok(end);
    }
    host.begins_again(&not_done(NODES_BEFORE_PROBES), work);
    let mut probed = vec![Probed::new(&first)];
    let (probes, of_first) = LOOK;
    let looked_at = smallest(&mut probed, probes, token, host, work);
    let ControlFlow::Continue(Some((_, nodes))) = looked_at else {
        return Ok(looked_at.map_continue(drop));
    };
    if expect(part, nodes * of_first, expects, work).is_break() {
        return Ok(ControlFlow::Break(()));
    }
    let mut others = Vec::new();
    for (branch, order) in trees {
        if host.poll(work).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let ControlFlow::Continue(plan) = Plan::new(problem, branch, order, token) else {
            return Ok(ControlFlow::Break(()));
        };
        others.push(plan);
    }
    probed.extend(others.iter().map(Probed::new));
    search_probed(part, probed, expects, host, work)
}

/// Tells how many nodes are expected in all parts; the first of several stands for the others.
fn expect(
    part: &Part<'_>,
    nodes: f64,
    expects: &mut dyn FnMut(f64) -> Flow,
    work: &mut Work,
) -> Flow {
    let (index, parts) = part.place;
    if index > 0 {
        return ControlFlow::Continue(());
    }
    work.expected = Some(nodes * parts as f64);
    expects(nodes * parts as f64)
}

/// Probes trees step by step, and searches the one that promises to be the smallest.
fn search_probed<B: LabelBits>(
    part: &Part<'_>,
    mut trees: Vec<Probed<'_, B>>,
    expects: &mut dyn FnMut(f64) -> Flow,
    host: &mut dyn Host,
    work: &mut Work,
) -> Result<Flow, SchedulerError> {
    let &Part { problem, token, place } = part;
    let mut given_up = 0;
    for step in STEPS {
        // What was too small by far is not asked again.
        let least = step.probes.0.max(given_up);
        let chosen = smallest(&mut trees, (least, step.probes.1), token, host, work);
        let ControlFlow::Continue(Some((plan, nodes))) = chosen else {
            return Ok(chosen.map_continue(drop));
        };
        let is_over = step.tells && expect(part, nodes, expects, work).is_break();
        if is_over || host.poll(work).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        if let Some((expected, most)) = step.tries
            && nodes <= expected
        {
            if let Some(end) = alone(problem, plan, most, host, work) {
                return Ok(end);
            }
            host.begins_again(&not_done(most), work);
            given_up = 4 * fewest_probes(&trees);
        }
    }
    let chosen = smallest(&mut trees, (0, 0), token, host, work);
    let ControlFlow::Continue(Some((plan, _))) = chosen else {
        return Ok(ControlFlow::Break(()));
    };
    together(problem, plan, place, host, work)
}

fn not_done(nodes: u64) -> String {
    format!("it is not done within {nodes} nodes, and probes look for a smaller tree")
}

/// A tree that is probed.
struct Probed<'a, B: LabelBits> {
    plan: &'a Plan<B>,
    random: Random,
    probes: u32,
    /// The sum of what they estimate; infinite where the tree is too large for its number.
    total: f64,
}

fn fewest_probes<B: LabelBits>(trees: &[Probed<'_, B>]) -> u32 {
    trees.iter().map(|tree| tree.probes).min().unwrap_or(0)
}

/// The plan of the tree that probes say is the smallest, and the nodes that it has by them. Each gets
/// at least so many probes, and more until they have taken an eighth of the time of that tree.
fn smallest<'a, B: LabelBits>(
    trees: &mut Vec<Probed<'a, B>>,
    (least, most): (u32, u32),
    token: &CancelToken<'_>,
    host: &mut dyn Host,
    work: &Work,
) -> Flow<Option<(&'a Plan<B>, f64)>> {
    let mut number = least.max(fewest_probes(trees));
    loop {
        for tree in trees.iter_mut() {
            tree.probe(number, token, host, work)?;
        }
        let nodes = |tree: &Probed<'_, B>| tree.nodes();
        let Some(best) = trees.iter().min_by(|a, b| nodes(a).total_cmp(&nodes(b))) else {
            return ControlFlow::Continue(None);
        };
        let (plan, nodes) = (best.plan, best.nodes());
        // Most probes end in the first third of the cells.
        let of_probe = plan.cells.len() as f64 * 0.6;
        let taken = of_probe * trees.len() as f64 * f64::from(number);
        if number >= most || 8.0 * taken > nodes {
            return ControlFlow::Continue(Some((plan, nodes)));
        }
        if number >= 64 {
            let largest = if number >= 1024 { 1.5 } else { 3.0 } * nodes;
            trees.retain(|tree| tree.nodes().total_cmp(&largest).is_le());
        }
        number *= 2;
    }
}

impl<'a, B: LabelBits> Probed<'a, B> {
    fn new(plan: &'a Plan<B>) -> Self {
        Probed { plan, random: Random::with_seed(SEED), probes: 0, total: 0.0 }
    }

    fn nodes(&self) -> f64 {
        self.total / f64::from(self.probes)
    }

    /// Goes on until there are so many probes. Those of large boards take long, so the host is asked
    /// now and then.
    fn probe(
        &mut self,
        number: u32,
        token: &CancelToken<'_>,
        host: &mut dyn Host,
        work: &Work,
    ) -> Flow {
        const BATCH: u32 = 32;
        while self.probes < number {
            host.poll(work)?;
            let batch = BATCH.min(number - self.probes);
            let estimates = Filling::new(self.plan).probes(&mut self.random, batch, token)?;
            self.total += estimates.iter().sum::<f64>();
            self.probes += batch;
        }
        ControlFlow::Continue(())
    }
}
