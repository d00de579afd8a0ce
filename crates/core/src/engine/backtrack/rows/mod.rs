//! The fast backtracker: row by row with lookahead to the end of each row.
//!
//! It places kinds, not tiles, so twins are searched once. Symmetry is broken up front, at a corner
//! of a framed board. At the beginning of a row, all labels of its upper neighbours are known. A
//! sweep from the end of the row computes, for each cell, a superset of the labels from which the
//! row can be completed with the kinds left: a kind may recur within the sweep. After that, one bit
//! per candidate tells whether it may lead to the end of the row. Each placement also extends a
//! forward sweep, which prunes if the row below cannot be filled up to that cell.
//!
//! Any corner can be the first cell, and rows can run in either direction. The trees differ in size
//! by up to a factor of three, which random probes detect.

mod cell_order;
mod filling;
mod plan;
mod search;
mod steps;
mod work;

use std::ops::{ControlFlow, RangeInclusive};

use self::cell_order::{CellOrder, cell_orders};
use self::filling::Filling;
use self::plan::RowPlan;
use self::steps::LabelBits;
use self::work::{search_in_parallel, search_within};
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

/// The number of probes of the first tree before others are built.
const FIRST_PROBES: RangeInclusive<u32> = 64..=128;

/// The typical ratio of the smallest tree's nodes to those of the first.
const SMALLEST_TO_FIRST: f64 = 0.7;

/// The time of a probe, in nodes per cell of the board. Most probes end within the first third of
/// the cells.
const PROBE_NODES_PER_CELL: f64 = 0.6;

/// The share of the expected time of the smallest tree that probing may take.
const PROBING_SHARE: f64 = 1.0 / 8.0;

/// After this number of probes, trees are dropped whose estimate exceeds this multiple of the
/// smallest one.
const DROPPED_TREES: [(u32, f64); 2] = [(1024, 1.5), (64, 3.0)];

/// The rounds of the search for the smallest tree. Estimates from 16 probes are mostly within a
/// factor of 5 of the tree size, from 128 within 2.5, from 1,024 within 1.5; trees differ by a
/// factor of 3.
const PROBE_ROUNDS: [ProbeRound; 4] = [
    ProbeRound {
        probes: 16..=16,
        reports_estimate: false,
        tries: Some(Trial { expected: 8e3, most: 1 << 15 }),
    },
    ProbeRound { probes: 64..=64, reports_estimate: true, tries: None },
    ProbeRound {
        probes: 64..=4096,
        reports_estimate: false,
        tries: Some(Trial { expected: 3e5, most: 1 << 21 }),
    },
    ProbeRound { probes: 64..=4096, reports_estimate: true, tries: None },
];

/// A round of probes and its consequence.
struct ProbeRound {
    /// The number of probes per tree.
    probes: RangeInclusive<u32>,
    /// True if the host receives the estimate of the smallest tree.
    reports_estimate: bool,
    /// A search of the smallest tree; the next round follows if it reaches its limit.
    tries: Option<Trial>,
}

/// A search of a tree under a limit.
struct Trial {
    /// The largest estimate for which the tree is searched.
    expected: f64,
    /// The maximum number of nodes.
    most: u64,
}

/// The seed of the probes, the same for every run.
const SEED: u64 = 1;

/// The maximum number of labels. Each position has a list per pair of labels, so the memory is
/// quadratic.
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

/// Evaluates an expression with the label-set type that a puzzle needs: `u32` for up to 31 labels,
/// otherwise `u64`.
macro_rules! with_bits {
    ($problem:expr, $bits:ident => $call:expr) => {
        if SideLabel::number($problem.puzzle.labels.len()) <= 32 {
            type $bits = u32;
            $call
        } else {
            type $bits = u64;
            $call
        }
    };
}

/// The end of a search: breaks if the run was stopped, and fails if a thread panicked or could not
/// be started.
type SearchEnd = Flow<Result<(), SchedulerError>>;

/// Fills the board row by row, from the corner and in the direction with the smallest expected
/// tree. `expects` receives each estimate of the total number of nodes and can end the search by
/// `Break`.
///
/// # Errors
/// If a thread panics or cannot be started.
pub(super) fn search(
    problem: &Problem,
    token: &CancelToken<'_>,
    expects: &mut dyn FnMut(f64) -> Flow,
    host: &mut dyn Host,
    work: &mut Work,
) -> SearchEnd {
    let groups = SearchGroups::new(problem, token)?;
    let mut search =
        GroupSearch { problem, token, place: (0, groups.groups().len()), expects, host, work };
    for (index, trees) in groups.iter(problem).enumerate() {
        search.place.0 = index;
        let end = with_bits!(problem, B => search.search_smallest::<B>(&trees))?;
        if end.is_err() {
            return ControlFlow::Continue(end);
        }
    }
    ControlFlow::Continue(Ok(()))
}

/// Estimates the total number of nodes `probes` times: each estimate is the sum of one random dive
/// per group, into the tree of that group with the smallest total. Breaks if the token stops the
/// run.
pub(super) fn probe(
    problem: &Problem,
    (probes, seed): (u32, u64),
    token: &CancelToken<'_>,
) -> Flow<Vec<f64>> {
    let mut sum = Vec::new();
    for trees in SearchGroups::new(problem, token)?.iter(problem) {
        let (smallest, _) = smallest_probed(problem, trees, (probes, seed), token)?;
        add_up(&mut sum, smallest);
    }
    ControlFlow::Continue(sum)
}

/// The roots for a search that is split into parts: the branch of each group whose tree has the
/// smallest estimate, and the cell order of the first group. Breaks if the token stops the run.
pub(super) fn roots(problem: &Problem, token: &CancelToken<'_>) -> Flow<Roots> {
    const PROBES: u32 = 128;
    let groups = SearchGroups::new(problem, token)?;
    let mut parts = Vec::new();
    let mut cells = None;
    for trees in groups.iter(problem) {
        let (_, smallest) = smallest_probed(problem, trees, (PROBES, SEED), token)?;
        if let Some((branch, order)) = smallest {
            parts.push(branch.clone());
            cells.get_or_insert(order.cells);
        }
    }
    ControlFlow::Continue(Roots { parts, order: cells })
}

/// The estimates of the tree whose estimates have the smallest total, and that tree; empty and
/// `None` if there are no trees. Breaks if the token stops the run.
fn smallest_probed<'a>(
    problem: &Problem,
    trees: Vec<Tree<'a>>,
    (probes, seed): (u32, u64),
    token: &CancelToken<'_>,
) -> Flow<(Vec<f64>, Option<Tree<'a>>)> {
    let mut smallest = (Vec::new(), None);
    let mut least = f64::INFINITY;
    for tree in trees {
        let of_tree =
            with_bits!(problem, B => estimates::<B>(problem, &tree, (probes, seed), token));
        let estimates = of_tree?;
        let total: f64 = estimates.iter().sum();
        if smallest.1.is_none() || total.total_cmp(&least).is_lt() {
            (least, smallest) = (total, (estimates, Some(tree)));
        }
    }
    ControlFlow::Continue(smallest)
}

/// Estimates the size of a tree by `probes` random dives, one estimate each. Breaks if the token
/// stops the run.
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

/// The symmetry branches of the search, in groups.
struct SearchGroups {
    parts: Vec<SymmetryBranch>,
    /// True if each branch alone contains all solutions, with its tile in the first cell; otherwise
    /// all branches must be searched.
    are_corners: bool,
}

impl SearchGroups {
    /// Finds the symmetry branches: by the tiles that may be in the first cell if possible,
    /// otherwise by the placements of the rarest kind. Breaks if the token stops the run.
    fn new(problem: &Problem, token: &CancelToken<'_>) -> Flow<Self> {
        let domains = Domains::first(problem);
        let corners = break_symmetry_at_first_cell(problem, &domains, token)?;
        ControlFlow::Continue(if corners.is_empty() {
            SearchGroups {
                parts: break_symmetry_under(token, problem, domains, Rarest::Placements)?,
                are_corners: false,
            }
        } else {
            SearchGroups { parts: corners, are_corners: true }
        })
    }

    /// Groups of branches; any one branch of a group contains all solutions of the group.
    fn groups(&self) -> impl ExactSizeIterator<Item = &[SymmetryBranch]> {
        let number = if self.are_corners { self.parts.len() } else { 1 };
        self.parts.chunks(number.max(1))
    }

    /// The trees of each group, any one of which contains all solutions of the group.
    fn iter<'a>(&'a self, problem: &'a Problem) -> impl Iterator<Item = Vec<Tree<'a>>> {
        let suits = |order: &CellOrder| !self.are_corners || order.cells[0] == 0;
        self.groups().map(move |parts| {
            let trees = parts.iter().flat_map(|branch| {
                cell_orders(problem).into_iter().filter(suits).map(move |order| (branch, order))
            });
            trees.collect()
        })
    }
}

/// The search of a group of trees.
struct GroupSearch<'a> {
    problem: &'a Problem,
    token: &'a CancelToken<'a>,
    /// The index of the group, and the number of groups.
    place: (usize, usize),
    expects: &'a mut dyn FnMut(f64) -> Flow,
    host: &'a mut dyn Host,
    work: &'a mut Work,
}

impl GroupSearch<'_> {
    /// Searches a group completely: its first tree with a node limit; if the limit is reached,
    /// probes all trees and searches the one with the smallest estimate. Breaks if `expects`, the
    /// host or the token stops the run.
    ///
    /// # Errors
    /// If a thread panics or cannot be started.
    fn search_smallest<B: LabelBits>(&mut self, trees: &[Tree<'_>]) -> SearchEnd {
        let Some(((branch, order), others)) = trees.split_first() else {
            return ControlFlow::Continue(Ok(()));
        };
        self.host.poll(self.work)?;
        let first = RowPlan::<B>::new(self.problem, branch, order, self.token)?;
        if self.search_within(&first, NODES_BEFORE_PROBES)? {
            return ControlFlow::Continue(Ok(()));
        }
        let mut probed = vec![ProbedTree::new(&first)];
        let (_, nodes) = self.probe_for_smallest(&mut probed, FIRST_PROBES)?;
        self.report_expected(nodes * SMALLEST_TO_FIRST)?;
        let mut plans = Vec::new();
        for (branch, order) in others {
            self.host.poll(self.work)?;
            plans.push(RowPlan::new(self.problem, branch, order, self.token)?);
        }
        probed.extend(plans.iter().map(ProbedTree::new));
        self.search_probed(probed)
    }

    /// Searches a tree with a node limit. If the limit is reached, reports a restart and returns
    /// false. Breaks if the host stops the search.
    fn search_within<B: LabelBits>(&mut self, plan: &RowPlan<B>, most: u64) -> Flow<bool> {
        let is_finished = search_within(self.problem, plan, most, self.host, self.work)?;
        if !is_finished {
            let why = format!(
                "not finished within {most} nodes: probing for an order with a smaller search tree"
            );
            self.host.report_restart(&why, self.work);
        }
        ControlFlow::Continue(is_finished)
    }

    /// Stores the expected number of nodes of all groups in `work` and passes it to `expects`. It
    /// is extrapolated from the first group; later groups report nothing. Breaks if `expects` does.
    fn report_expected(&mut self, nodes: f64) -> Flow {
        let (index, parts) = self.place;
        if index > 0 {
            return ControlFlow::Continue(());
        }
        self.work.expected = Some(nodes * parts as f64);
        (self.expects)(nodes * parts as f64)
    }

    /// Probes trees in rounds, some of which search the best tree with a node limit. Finally
    /// searches the tree with the smallest estimate on all threads. Breaks and fails like
    /// [`GroupSearch::search_smallest`].
    fn search_probed<B: LabelBits>(&mut self, mut trees: Vec<ProbedTree<'_, B>>) -> SearchEnd {
        let mut given_up = 0;
        for round in PROBE_ROUNDS {
            // Do not repeat a round whose sample size has already failed.
            let probes = given_up.max(*round.probes.start())..=*round.probes.end();
            let (plan, nodes) = self.probe_for_smallest(&mut trees, probes)?;
            if round.reports_estimate {
                self.report_expected(nodes)?;
            }
            self.host.poll(self.work)?;
            if let Some(Trial { expected, most }) = round.tries
                && nodes <= expected
            {
                if self.search_within(plan, most)? {
                    return ControlFlow::Continue(Ok(()));
                }
                given_up = 4 * fewest_probes(&trees);
            }
        }
        let (plan, _) = self.probe_for_smallest(&mut trees, 0..=0)?;
        search_in_parallel(self.problem, plan, self.place, self.host, self.work)
    }

    /// The plan and the estimate of the smallest tree; there must be one. Each tree gets the smallest
    /// number in `probes`, which is doubled until probing takes an eighth of the expected time of
    /// that tree or the largest number is reached. Trees that are much larger are removed from
    /// `trees`. Breaks if the host or the token stops the run.
    fn probe_for_smallest<'t, B: LabelBits>(
        &mut self,
        trees: &mut Vec<ProbedTree<'t, B>>,
        probes: RangeInclusive<u32>,
    ) -> Flow<(&'t RowPlan<B>, f64)> {
        let mut number = fewest_probes(trees).max(*probes.start());
        loop {
            for tree in trees.iter_mut() {
                self.probe(tree, number)?;
            }
            let nodes = |tree: &ProbedTree<'_, B>| tree.nodes();
            let best = trees.iter().min_by(|a, b| nodes(a).total_cmp(&nodes(b)));
            let best = best.expect("there is a tree");
            let (plan, nodes) = (best.plan, best.nodes());
            let of_probe = plan.cells.len() as f64 * PROBE_NODES_PER_CELL;
            let taken = of_probe * trees.len() as f64 * f64::from(number);
            if number >= *probes.end() || taken > PROBING_SHARE * nodes {
                return ControlFlow::Continue((plan, nodes));
            }
            if let Some((_, factor)) = DROPPED_TREES.iter().find(|(probes, _)| number >= *probes) {
                let largest = factor * nodes;
                trees.retain(|tree| tree.nodes().total_cmp(&largest).is_le());
            }
            number *= 2;
        }
    }

    /// Probes a tree until there are `number` probes in total. Polls the host before each batch,
    /// because probes of large boards take long. Breaks if the host or the token stops the run.
    fn probe<B: LabelBits>(&mut self, tree: &mut ProbedTree<'_, B>, number: u32) -> Flow {
        const BATCH: u32 = 32;
        while tree.probes < number {
            self.host.poll(self.work)?;
            let batch = BATCH.min(number - tree.probes);
            let mut filling = Filling::new(tree.plan);
            let estimates = filling.probes(&mut tree.random, batch, self.token)?;
            tree.total += estimates.iter().sum::<f64>();
            tree.probes += batch;
        }
        ControlFlow::Continue(())
    }
}

/// A search tree and the estimates of its size by random dives so far.
struct ProbedTree<'a, B: LabelBits> {
    plan: &'a RowPlan<B>,
    random: Random,
    probes: u32,
    /// The sum of the estimates; infinite if it overflows.
    total: f64,
}

impl<'a, B: LabelBits> ProbedTree<'a, B> {
    /// A tree without probes so far.
    fn new(plan: &'a RowPlan<B>) -> Self {
        ProbedTree { plan, random: Random::with_seed(SEED), probes: 0, total: 0.0 }
    }

    /// The mean of the estimates; NaN before the first probe.
    fn nodes(&self) -> f64 {
        self.total / f64::from(self.probes)
    }
}

/// The smallest number of probes of any tree; 0 without trees.
fn fewest_probes<B: LabelBits>(trees: &[ProbedTree<'_, B>]) -> u32 {
    trees.iter().map(|tree| tree.probes).min().unwrap_or(0)
}
