//! Counts solutions without listing them: a dynamic program over the frontier of the assigned cells.
//!
//! The cells are assigned one by one. Two partial boards have the same completions if they show the
//! same labels to the remaining cells, have used the same pieces, and have reached the same totals
//! in the linear constraints. Such boards are one state with a number of ways (the *transfer matrix*
//! or *broken-profile* method). The cost is proportional to the number of states, not of solutions.
//!
//! ```text
//!   ┌──┬──┬──┬──┐
//!   │██│██│██│██│   assigned
//!   ├──┼──┼──┼──┤   state: the labels along the frontier ═, the pieces used, the totals
//!   │██│██│  │  │
//!   ╞══╧══╪══╧══╡
//! ```
//!
//! Distinct arrangements are the orbits of the group, counted by Burnside's lemma. The arrangements
//! that a symmetry maps onto themselves are counted by the same program over the orbits of cells.

mod meet;
mod network;
mod order;
mod plan;
mod sweep;

use std::ops::{ControlFlow, Range};
use std::time::Duration;

use itertools::Itertools;
use num_bigint::BigUint;

use self::meet::Meeting;
use self::network::Network;
use self::plan::MOST_BITS;
use self::sweep::{NoCount, SweepCost};
use crate::board::Symmetry;
use crate::domains::{Domains, reduce_under};
use crate::engine::{Auto, Engine, Propagate, Work, counted};
use crate::enumerate::{self, Limits, NewSolution, Outcome, RunStatus, StopReason, Tally};
use crate::problem::Problem;
use crate::runtime::clock::{self, Instant};
use crate::runtime::limits::{CancelToken, Flow};

/// The name of this method where results name an engine.
pub const NAME: &str = "frontier";

/// Returns `Ok` if the solutions of a problem can be counted along a frontier.
///
/// # Errors
/// A message with the reason if they cannot.
pub fn serves(problem: &Problem) -> Result<(), String> {
    if problem.most_broken.is_some() {
        return Err("it does not support seams that may be broken".into());
    }
    if problem.is_lazy() || !problem.formulas.is_empty() {
        let mut constraints = problem.constraints.iter().enumerate();
        let other = constraints.find(|(_, constraint)| {
            let alone = problem.relaxed(vec![(*constraint).clone()], &[], &[]);
            constraint.is_lazy() || !alone.formulas.is_empty()
        });
        return Err(match other {
            Some((index, constraint)) => {
                let (number, name) = (index + 1, constraint.name());
                format!("constraint {number} (`{name}`) is not a sum over cells")
            }
            None => "a constraint is not a sum over cells".into(),
        });
    }
    if problem.board.size() * problem.kinds.values.len() > MOST_PLACEMENTS {
        return Err("there are too many placements".into());
    }
    Ok(())
}

/// Counts all solutions along a frontier. A state is not a solution, so a search for one solution
/// runs first (at most a million nodes). If the count is stopped early, the result has what that
/// search found. The status is `Unsupported` if [`serves`] fails.
///
/// ```
/// use edgematch::{enumerate::frontier, enumerate::Limits, load};
/// let text = "{rows: 2, cols: 2, rotations: false, tiles: {1: [a, b, c, d], 2: [c, b, a, d], \
///             3: [a, d, c, b], 4: [c, d, a, b]}}";
/// let counted = frontier::count(&load::from_str(text)?, &Limits::default());
/// assert!(counted.status.is_complete());
/// assert_eq!(counted.tally.distinct, 12u32.into());
/// # Ok::<(), edgematch::load::LoadError>(())
/// ```
pub fn count(problem: &Problem, limits: &Limits<'_>) -> Outcome {
    let token = &limits.token();
    let started = clock::now();
    if serves(problem).is_err() {
        return along_frontier(token, problem, limits.nodes, u64::MAX);
    }
    let one = Limits { distinct: 1, ..with_nodes(limits, FIRST) };
    let trial = list(token, problem, &one);
    after_trial(trial.tally, along_frontier(token, problem, limits.nodes, u64::MAX), started)
}

/// Counts all solutions: lists them if a short search finds all, and otherwise counts along a
/// frontier. If that is not done in the time that a list is expected to take, in half of the
/// remaining time, or has too many states, lists them.
pub fn count_or_list(problem: &Problem, limits: &Limits<'_>) -> Outcome {
    let started = clock::now();
    let token = &limits.token();
    if serves(problem).is_err() {
        return list(token, problem, limits);
    }
    let trial = list(token, problem, &with_nodes(limits, TRIAL));
    if trial.status != RunStatus::Stopped(StopReason::Nodes(TRIAL)) {
        return trial;
    }
    let ControlFlow::Continue(nodes) = expected_nodes(problem, token) else {
        return Outcome { status: RunStatus::stopped_by(token), ..trial };
    };
    let half = token.limits_within(token.time_left().map_or(Duration::MAX, |left| left / 2));
    let counted =
        along_frontier(&half.token(), problem, limits.nodes, (TRANSITIONS_PER_NODE * nodes) as u64);
    let outcome = if counted.status.is_complete() { counted } else { list(token, problem, limits) };
    after_trial(trial.tally, outcome, started)
}

/// The node limit of the trial listing.
const TRIAL: u64 = 100_000;

/// The node limit of the search for one solution.
const FIRST: u64 = 1_000_000;

/// The transitions that take as long as a node of the search.
const TRANSITIONS_PER_NODE: f64 = 4.0;

/// The maximum number of cells times values.
const MOST_PLACEMENTS: usize = 1 << 20;

/// The maximum memory of the states of one step, in bytes.
const MOST_BYTES: u64 = 1 << 30;

fn list(token: &CancelToken<'_>, problem: &Problem, limits: &Limits<'_>) -> Outcome {
    let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
    enumerate::run_under(token, problem, &Auto, limits, ignore)
}

fn with_nodes<'a>(limits: &Limits<'a>, nodes: u64) -> Limits<'a> {
    Limits { nodes: Some(limits.nodes.map_or(nodes, |most| most.min(nodes))), ..*limits }
}

/// `outcome` with the time since `started`. If the count ended early and the trial found more
/// distinct solutions, the tally of the trial replaces its own.
fn after_trial(trial: Tally, outcome: Outcome, started: Instant) -> Outcome {
    let keeps = outcome.status.is_complete() || outcome.tally.distinct >= trial.distinct;
    Outcome {
        tally: if keeps { outcome.tally } else { trial },
        seconds: started.elapsed().as_secs_f64(),
        ..outcome
    }
}

/// The number of nodes to list all solutions, estimated by random probes.
fn expected_nodes(problem: &Problem, token: &CancelToken<'_>) -> Flow<f64> {
    const PROBES: u32 = 200;
    let probes = Propagate.probe(problem, PROBES, 0, token)?;
    ControlFlow::Continue(probes.iter().sum::<f64>() / f64::from(PROBES))
}

fn along_frontier(
    token: &CancelToken<'_>,
    problem: &Problem,
    nodes: Option<u64>,
    most_transitions: u64,
) -> Outcome {
    let started = clock::now();
    let cost = SweepCost {
        token,
        most_bytes: MOST_BYTES,
        most_transitions,
        most_states: nodes,
        transitions: 0,
        states: 0,
    };
    let mut counter = FrontierCounter { problem, cost };
    let tally = serves(problem).map_err(RunStatus::Unsupported).and_then(|()| counter.tally());
    let (status, tally) = match tally {
        Ok(tally) => (RunStatus::Complete, tally),
        Err(status) => (status, Tally::default()),
    };
    let states = counter.cost.states;
    Outcome {
        engine: NAME,
        variant: String::new(),
        status,
        tally,
        effort: counted(states, "state", "states"),
        work: Work { nodes: states, ..Work::default() },
        seconds: started.elapsed().as_secs_f64(),
    }
}

/// Counts the solutions of a problem.
struct FrontierCounter<'a> {
    problem: &'a Problem,
    cost: SweepCost<'a>,
}

impl FrontierCounter<'_> {
    fn tally(&mut self) -> Result<Tally, RunStatus> {
        let problem = self.problem;
        let mut domains = Domains::first(problem);
        let reduced = reduce_under(self.cost.token, problem, &mut domains);
        let ControlFlow::Continue(reduced) = reduced else {
            return Err(RunStatus::stopped_by(self.cost.token));
        };
        if reduced.is_err() {
            return Ok(Tally::default());
        }
        let identity = &problem.group[0];
        let mut distinct = self.sweep(&domains, identity, false)?;
        let solutions = match constant_weight(problem) {
            Some(weight) => &distinct * weight,
            None => self.sweep(&domains, identity, true)?,
        };
        let mut classes = solutions.clone();
        let labelled_are_fixed = problem.puzzle.has_copies() || !problem.moves_every_placement();
        for symmetry in &problem.group[1..] {
            distinct += self.sweep(&domains, symmetry, false)?;
            if labelled_are_fixed {
                classes += self.sweep(&domains, symmetry, true)?;
            }
        }
        let order = problem.group.len();
        Ok(Tally { distinct: distinct / order, classes: classes / order, solutions })
    }

    /// Counts the arrangements that a symmetry maps onto themselves.
    fn sweep(
        &mut self,
        domains: &Domains,
        symmetry: &Symmetry,
        is_labelled: bool,
    ) -> Result<BigUint, RunStatus> {
        if self.cost.token.poll().is_break() {
            return Err(RunStatus::stopped_by(self.cost.token));
        }
        let network = Network::new(self.problem, domains, symmetry, is_labelled);
        if network.is_infeasible() {
            return Ok(BigUint::ZERO);
        }
        let Some(meeting) = Meeting::new(self.problem, &network) else {
            return Err(RunStatus::Unsupported(format!(
                "the state of a frontier needs more than {MOST_BITS} bits"
            )));
        };
        meeting.count(&mut self.cost).map_err(|reason| match reason {
            NoCount::Stopped => RunStatus::stopped_by(self.cost.token),
            NoCount::Overflow => unreachable!("big integers do not overflow"),
            NoCount::StateLimit(limit) => RunStatus::Stopped(StopReason::Nodes(limit)),
            NoCount::TooManyStates => RunStatus::Stopped(StopReason::Memory(MOST_BYTES)),
        })
    }
}

/// The number of labelled solutions that each arrangement represents, if it is the same for all:
/// the ways to choose among identical tiles and among orientations that look the same.
fn constant_weight(problem: &Problem) -> Option<BigUint> {
    let kinds = &problem.kinds;
    let one = || BigUint::from(1u32);
    let uses_every_tile = problem.uses_every_tile();
    let same_of = |values: Range<usize>| {
        let all = values.map(|value| kinds.values[value].same as u64).all_equal_value();
        all.ok().map(BigUint::from)
    };
    let turned = match same_of(0..kinds.values.len()) {
        Some(same) => same.pow(problem.board.size() as u32),
        None if uses_every_tile => kinds.kinds.iter().try_fold(one(), |product, kind| {
            Some(product * same_of(kind.values.clone())?.pow(kind.copies as u32))
        })?,
        None => return None,
    };
    let factorial = |n: usize| (1..=n).fold(one(), |product, factor| product * factor);
    let named = kinds.kinds.iter().try_fold(one(), |product, kind| {
        if kind.tiles.len() == 1 {
            return Some(product);
        }
        let copies = kind.tiles.iter().map(|&tile| problem.puzzle.tiles[tile].copies.number());
        let copies: Vec<usize> = copies.collect::<Option<_>>().filter(|_| uses_every_tile)?;
        let pieces = factorial(copies.iter().sum());
        Some(product * copies.into_iter().fold(pieces, |left, copies| left / factorial(copies)))
    })?;
    Some(turned * named)
}
