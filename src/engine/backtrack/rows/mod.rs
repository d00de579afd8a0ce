//! The fast backtracker: row by row with lookahead to the end of each row.
//!
//! It places kinds, not tiles, so twins are searched once. Symmetry is broken up front, at a corner
//! of a framed board. At the beginning of a row, all labels of its upper neighbours are known. A
//! sweep from the end of the row computes, for each cell, the labels from which the row can be
//! completed with the kinds left. After that, one bit per candidate shows if it leads to the end of
//! the row. Each placement also extends a forward sweep, which shows if the row below can be filled
//! up to that cell.
//!
//! Any corner can be the first cell, and rows can run in either direction. The trees differ in size
//! by up to a factor of three, which random probes detect.

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
use self::plan::RowPlan;
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

/// The number of nodes of the first tree before probing; tiny boards need no probes.
const NODES_BEFORE_PROBES: u64 = 1 << 12;

/// The minimum and maximum number of probes of the first tree before others are built, and the
/// typical ratio of the smallest tree's nodes to its own.
const LOOK: ((u32, u32), f64) = ((64, 128), 0.7);

/// The steps of the search for the smallest tree. Estimates from 16 probes are mostly within a
/// factor of 5 of the tree size, from 128 within 2.5, from 1,024 within 1.5; trees differ by a
/// factor of 3.
const STEPS: [ProbeRound; 4] = [
    ProbeRound { probes: (16, 16), tells: false, tries: Some((8e3, 1 << 15)) },
    ProbeRound { probes: (64, 64), tells: true, tries: None },
    ProbeRound { probes: (64, 4096), tells: false, tries: Some((3e5, 1 << 21)) },
    ProbeRound { probes: (64, 4096), tells: true, tries: None },
];

/// A round of probes and its consequence.
struct ProbeRound {
    /// The minimum and maximum number of probes per tree.
    probes: (u32, u32),
    /// True if the host receives the estimate of the smallest tree.
    tells: bool,
    /// If the smallest estimate is at most the first number, that tree is searched with the second
    /// as node limit.
    tries: Option<(f64, u64)>,
}

/// The seed of the probes, the same for every run.
const SEED: u64 = 1;

/// The lists by two labels take the square of this.
const MOST_LABELS: usize = 255;

/// Returns true if the labels of a problem fit into the lists, its values into 16 bits and the
/// copies of its kinds into their counts. The board must be a rectangle on which all seams are
/// required.
pub(super) fn serves(problem: &Problem) -> bool {
    problem.board.rectangle().is_some()
        && problem.board.is_whole()
        && problem.puzzle.labels.len() <= MOST_LABELS
        && problem.tables().fits_mates_only()
        && problem.kinds.values.len().max(problem.board.size()) <= usize::from(u16::MAX)
}

/// Calls a function compiled for the size of label sets that a puzzle needs.
macro_rules! with_bits {
    ($problem:expr, $function:ident($($argument:expr),*)) => {
        match SideLabel::number($problem.puzzle.labels.len()) {
            ..=32 => $function::<u32>($($argument),*),
            _ => $function::<u64>($($argument),*),
        }
    };
}

/// Fills the board row by row, from the corner and in the direction with the smallest expected
/// tree.
///
/// # Errors
/// If a thread panics or cannot be started.
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
        let part = SearchGroup { problem, token, place: (index, number) };
        if with_bits!(problem, search_smallest(&part, trees, expects, host, work))?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// One tree-size estimate per random dive. Breaks if the token stops the run.
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

/// The roots of a search in parts: the tree with the smallest estimate. Breaks if the token stops
/// the run.
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

/// The tree with the smallest total of its estimates, and these estimates.
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

/// One tree-size estimate per random dive into a tree.
fn estimates<B: LabelBits>(
    problem: &Problem,
    (branch, order): &Tree<'_>,
    (probes, seed): (u32, u64),
    token: &CancelToken<'_>,
) -> Flow<Vec<f64>> {
    let plan = RowPlan::<B>::new(problem, branch, order, token)?;
    let mut random = Random::with_seed(seed);
    Filling::new(&plan).probes(&mut random, probes, token)
}

/// A symmetry branch and the order in which its cells are filled.
type Tree<'a> = (&'a SymmetryBranch, CellOrder);

/// The symmetry branches of the search.
struct Forests {
    parts: Vec<SymmetryBranch>,
    /// True if each branch alone contains all solutions, with its tile in the first cell; otherwise
    /// all branches must be searched.
    are_corners: bool,
}

impl Forests {
    /// Breaks if the token stops the run.
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

    /// Groups of branches; any one branch of a group contains all solutions of the group.
    fn alike(&self) -> impl ExactSizeIterator<Item = &[SymmetryBranch]> {
        let number = if self.are_corners { self.parts.len() } else { 1 };
        self.parts.chunks(number.max(1))
    }

    /// The number of groups, each of which must be searched.
    fn len(&self) -> usize {
        self.alike().len()
    }

    /// The trees of each group, any one of which contains all solutions of the group.
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

/// A group to be searched.
struct SearchGroup<'a> {
    problem: &'a Problem,
    token: &'a CancelToken<'a>,
    /// The index of the group, and the number of groups.
    place: (usize, usize),
}

/// Searches the tree with the smallest estimate. If the first tree is not small, probes others.
fn search_smallest<B: LabelBits>(
    part: &SearchGroup<'_>,
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
    let SearchGroup { problem, token, .. } = *part;
    let ControlFlow::Continue(first) = RowPlan::<B>::new(problem, branch, order, token) else {
        return Ok(ControlFlow::Break(()));
    };
    if let Some(end) = alone(problem, &first, NODES_BEFORE_PROBES, host, work) {
        return Ok(end);
    }
    host.begins_again(&not_done(NODES_BEFORE_PROBES), work);
    let mut probed = vec![ProbedTree::new(&first)];
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
        let ControlFlow::Continue(plan) = RowPlan::new(problem, branch, order, token) else {
            return Ok(ControlFlow::Break(()));
        };
        others.push(plan);
    }
    probed.extend(others.iter().map(ProbedTree::new));
    search_probed(part, probed, expects, host, work)
}

/// Reports the expected number of nodes of all groups, extrapolated from the first.
fn expect(
    part: &SearchGroup<'_>,
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

/// Probes trees step by step and searches the one with the smallest estimate.
fn search_probed<B: LabelBits>(
    part: &SearchGroup<'_>,
    mut trees: Vec<ProbedTree<'_, B>>,
    expects: &mut dyn FnMut(f64) -> Flow,
    host: &mut dyn Host,
    work: &mut Work,
) -> Result<Flow, SchedulerError> {
    let &SearchGroup { problem, token, place } = part;
    let mut given_up = 0;
    for step in STEPS {
        // Do not repeat a step whose sample size has already failed.
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

/// A tree with its probes.
struct ProbedTree<'a, B: LabelBits> {
    plan: &'a RowPlan<B>,
    random: Random,
    probes: u32,
    /// The sum of the estimates; infinite if it overflows.
    total: f64,
}

fn fewest_probes<B: LabelBits>(trees: &[ProbedTree<'_, B>]) -> u32 {
    trees.iter().map(|tree| tree.probes).min().unwrap_or(0)
}

/// The plan of the tree with the smallest estimate, and that estimate. Each tree gets at least
/// `least` probes; their number is doubled until the probes have taken an eighth of the expected
/// time of that tree, or there are `most`.
fn smallest<'a, B: LabelBits>(
    trees: &mut Vec<ProbedTree<'a, B>>,
    (least, most): (u32, u32),
    token: &CancelToken<'_>,
    host: &mut dyn Host,
    work: &Work,
) -> Flow<Option<(&'a RowPlan<B>, f64)>> {
    let mut number = least.max(fewest_probes(trees));
    loop {
        for tree in trees.iter_mut() {
            tree.probe(number, token, host, work)?;
        }
        let nodes = |tree: &ProbedTree<'_, B>| tree.nodes();
        let Some(best) = trees.iter().min_by(|a, b| nodes(a).total_cmp(&nodes(b))) else {
            return ControlFlow::Continue(None);
        };
        let (plan, nodes) = (best.plan, best.nodes());
        // Most probes end within the first third of the cells.
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

impl<'a, B: LabelBits> ProbedTree<'a, B> {
    fn new(plan: &'a RowPlan<B>) -> Self {
        ProbedTree { plan, random: Random::with_seed(SEED), probes: 0, total: 0.0 }
    }

    fn nodes(&self) -> f64 {
        self.total / f64::from(self.probes)
    }

    /// Probes until there are `number` probes in total. Polls the host between batches, because
    /// probes of large boards take long.
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
