//! Counts solutions without listing them: the board is cut into two halves, and half boards meet in
//! a table.
//!
//! If every tile is used, two half boards form a solution if their tiles are complementary and
//! their labels along the cut fit (*meet in the middle*: Horowitz and Sahni, *Journal of the ACM*
//! 21, 1974). The cost is proportional to the number of half boards, not of solutions. The labels
//! along the cut are fixed first, so a table only holds the half boards that show them.
//!
//! ```text
//!    half A            cut            half B
//!   ┌──┬──┐  shows red, blue, blue  ┌──┬──┐
//!   │  │  │ ───────────────────────►│  │  │   number += of A with tiles T × of B without
//!   └──┴──┘   tiles T ─► number     └──┴──┘
//! ```
//!
//! Distinct arrangements are the orbits of the group, counted by Burnside's lemma; arrangements
//! that a symmetry maps onto themselves are enumerated.

mod cut;
mod fixed;
mod half;
mod meet;

use std::ops::ControlFlow;

use num_bigint::BigUint;

use self::cut::Cut;
use self::fixed::{FixedCounts, fixed};
use self::half::Tiles;
use self::meet::{JoinedCounts, meet};
use crate::domains::{Domains, reduce_under};
use crate::engine::{Auto, Engine, Propagate, Work, counted};
use crate::enumerate::{self, Limits, NewSolution, Outcome, RunStatus, StopReason, Tally};
use crate::problem::Problem;
use crate::puzzle::Copies;
use crate::runtime::clock::{self, Instant};
use crate::runtime::limits::{CancelToken, Flow};

/// The name of this method where results name an engine.
pub const NAME: &str = "halves";

/// Returns `Ok` if the solutions of a problem can be counted by halves.
///
/// # Errors
/// A message with the reason if they cannot.
pub fn serves(problem: &Problem) -> Result<(), String> {
    if problem.board.size() < 2 {
        return Err("a board of one cell cannot be cut into halves".into());
    }
    if problem.is_lazy() || !Domains::first(problem).imply_constraints(problem) {
        return Err(match wide(problem) {
            Some((index, name)) => {
                let number = index + 1;
                format!(
                    "constraint {number} (`{name}`) concerns several cells, which may be in different halves"
                )
            }
            None => "constraints concern several cells, which may be in different halves".into(),
        });
    }
    let of_kind = |tiles: &[usize]| -> Vec<Copies> {
        tiles.iter().map(|&tile| problem.puzzle.tiles[tile].copies).collect()
    };
    let kinds = || problem.kinds.kinds.iter();
    let is_named =
        |copies: &[Copies]| copies.len() == 1 || copies.iter().all(|c| *c == Copies::ONE);
    if !kinds().all(|kind| is_named(&of_kind(&kind.tiles))) {
        return Err("tiles with copies look the same as other tiles".into());
    }
    let is_endless = kinds().all(|kind| of_kind(&kind.tiles).contains(&Copies::Any));
    if !is_endless && !problem.uses_every_tile() {
        return Err(
            "there are more tiles than cells, so one half does not determine the other".into()
        );
    }
    if problem.kinds.values.len() > 64 * MOST_WORDS {
        return Err("the tiles have too many different orientations".into());
    }
    Tiles::new(problem).map(|_| ())
}

/// The index and name of the first constraint over several cells.
fn wide(problem: &Problem) -> Option<(usize, &'static str)> {
    let mut all = problem.constraints.iter().enumerate();
    let found = all.find(|(_, constraint)| {
        let alone = problem.relaxed(vec![(*constraint).clone()], &[], &[]);
        constraint.is_lazy() || !Domains::first(&alone).imply_constraints(&alone)
    });
    found.map(|(index, constraint)| (index, constraint.name()))
}

/// Counts all solutions by halves. A short search for one solution runs first, because unjoined
/// half boards prove nothing; if the count ends early, the result of that search is reported.
///
/// ```
/// use edgematch::{enumerate::halves, enumerate::Limits, load};
/// let text = "{rows: 2, cols: 2, rotations: false, tiles: {1: [a, b, c, d], 2: [c, b, a, d], \
///             3: [a, d, c, b], 4: [c, d, a, b]}}";
/// let counted = halves::count(&load::from_str(text)?, &Limits::default());
/// assert!(counted.status.is_complete());
/// assert_eq!(counted.tally.distinct, 12);
/// # Ok::<(), edgematch::load::LoadError>(())
/// ```
pub fn count(problem: &Problem, limits: &Limits<'_>) -> Outcome {
    let token = &limits.token();
    if serves(problem).is_err() {
        return by_halves(token, problem, limits.threads);
    }
    let started = clock::now();
    let one = Limits { distinct: 1, ..with_nodes(limits, FIRST) };
    let trial = list(token, problem, &one);
    after_trial(trial.tally, by_halves(token, problem, limits.threads), started)
}

/// Counts all solutions by listing them if this is short or is expected to take fewer steps than
/// half boards, and by halves otherwise.
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
    let counted = match takes_fewer_steps(problem, token) {
        ControlFlow::Continue(true) => by_halves(token, problem, limits.threads),
        ControlFlow::Continue(false) => list(token, problem, limits),
        ControlFlow::Break(()) => Outcome { status: RunStatus::stopped_by(token), ..trial.clone() },
    };
    after_trial(trial.tally, counted, started)
}

fn list(token: &CancelToken<'_>, problem: &Problem, limits: &Limits<'_>) -> Outcome {
    let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
    enumerate::run_under(token, problem, &Auto, limits, ignore)
}

fn with_nodes<'a>(limits: &Limits<'a>, nodes: u64) -> Limits<'a> {
    Limits { nodes: Some(limits.nodes.map_or(nodes, |most| most.min(nodes))), ..*limits }
}

/// The outcome of a count after a trial. If the count ended early, the trial may have found more.
fn after_trial(trial: Tally, outcome: Outcome, started: Instant) -> Outcome {
    let keeps = outcome.status.is_complete() || outcome.tally.distinct >= trial.distinct;
    Outcome {
        tally: if keeps { outcome.tally } else { trial },
        seconds: started.elapsed().as_secs_f64(),
        ..outcome
    }
}

fn by_halves(token: &CancelToken<'_>, problem: &Problem, threads: usize) -> Outcome {
    let started = clock::now();
    let mut work = Work::default();
    let run = CountTask { problem, threads, token, work: &mut work };
    let counted_or_not = match serves(problem) {
        Ok(()) => in_words(problem, run),
        Err(reason) => Err(RunStatus::Unsupported(reason)),
    };
    let (status, tally) = match counted_or_not {
        Ok(tally) => (RunStatus::Complete, tally),
        Err(status) => (status, Tally::default()),
    };
    Outcome {
        engine: NAME,
        variant: String::new(),
        status,
        tally,
        effort: counted(work.nodes, "half board", "half boards"),
        work,
        seconds: started.elapsed().as_secs_f64(),
    }
}

/// The node limit of the trial listing.
const TRIAL: u64 = 100_000;

/// The node limit of the search for one solution.
const FIRST: u64 = 1_000_000;

/// The half-board steps that are assumed to cost as much as one search node. Measured times are 10
/// ns and 400 ns; the lower ratio allows for errors of the estimates.
const STEPS_PER_NODE: f64 = 13.0;

fn takes_fewer_steps(problem: &Problem, token: &CancelToken<'_>) -> Flow<bool> {
    const PROBES: u32 = 200;
    let nodes = Propagate.probe(problem, PROBES, 0, token)?.iter().sum::<f64>() / f64::from(PROBES);
    let steps = in_words(problem, StepEstimate { problem, token })?;
    ControlFlow::Continue(steps < STEPS_PER_NODE * nodes)
}

/// A task compiled for sets of values of `W` words.
trait WordsTask {
    type Result;

    fn run<const W: usize>(self) -> Self::Result;
}

/// The maximum number of words in a set of values, enough for 64 kinds of two-sided hexagons.
const MOST_WORDS: usize = 16;

/// Runs a task with the smallest set size that holds the values of the problem.
fn in_words<T: WordsTask>(problem: &Problem, task: T) -> T::Result {
    match problem.kinds.values.len().div_ceil(64) {
        0 | 1 => task.run::<1>(),
        2 => task.run::<2>(),
        3 | 4 => task.run::<4>(),
        5..=8 => task.run::<8>(),
        _ => task.run::<MOST_WORDS>(),
    }
}

/// Estimates the number of steps to enumerate all half boards.
struct StepEstimate<'a> {
    problem: &'a Problem,
    token: &'a CancelToken<'a>,
}

impl WordsTask for StepEstimate<'_> {
    type Result = Flow<f64>;

    fn run<const W: usize>(self) -> Flow<f64> {
        let StepEstimate { problem, token } = self;
        match (reduced(problem, token)?, Tiles::new(problem)) {
            (Some(domains), Ok(tiles)) => {
                Cut::<W>::best(problem, &domains, &tiles, token)?.expected(token)
            }
            _ => ControlFlow::Continue(0.0),
        }
    }
}

/// The reduced domains; `None` if there is no solution. Breaks if the token stops the run.
fn reduced(problem: &Problem, token: &CancelToken<'_>) -> Flow<Option<Domains>> {
    let mut domains = Domains::first(problem);
    let reduced = reduce_under(token, problem, &mut domains)?;
    ControlFlow::Continue(reduced.is_ok().then_some(domains))
}

/// Counts the solutions.
struct CountTask<'a> {
    problem: &'a Problem,
    threads: usize,
    token: &'a CancelToken<'a>,
    work: &'a mut Work,
}

impl WordsTask for CountTask<'_> {
    type Result = Result<Tally, RunStatus>;

    fn run<const W: usize>(mut self) -> Result<Tally, RunStatus> {
        let problem = self.problem;
        let Some(domains) = self.unless_stopped(reduced(problem, self.token))? else {
            return Ok(Tally::default());
        };
        let tiles = Tiles::new(problem).map_err(RunStatus::Unsupported)?;
        let cut = Cut::<W>::best(problem, &domains, &tiles, self.token);
        let cut = self.unless_stopped(cut)?;
        let values = &problem.kinds.values;
        let pictures = self.meet(&cut, &vec![1; values.len()])?;
        let solutions = match same_of_all(problem) {
            Some(same) => &pictures * same,
            None => {
                let same = values.iter().map(|value| value.same as u64);
                self.meet(&cut, &same.collect::<Vec<u64>>())?
            }
        };
        let solutions = solutions * namings(problem);
        let fixed = self.fixed(&domains)?;
        let order = problem.group.len();
        let distinct = (pictures + fixed.pictures) / order;
        Ok(Tally {
            distinct: u64::try_from(distinct).map_err(|_| {
                RunStatus::Unsupported("there are more than 2^64 distinct arrangements".into())
            })?,
            classes: (&solutions + fixed.solutions) / order,
            solutions,
        })
    }
}

impl CountTask<'_> {
    fn meet<const W: usize>(
        &mut self,
        cut: &Cut<W>,
        weights: &[u64],
    ) -> Result<BigUint, RunStatus> {
        let met = meet(cut, weights, (self.threads.max(1), self.token));
        let (end, JoinedCounts { pairs, half_boards }) =
            met.map_err(|e| RunStatus::Failed(e.into()))?;
        self.work.nodes += half_boards;
        self.unless_stopped(end.map_continue(|()| pairs))
    }

    /// The arrangements that each symmetry except the identity, which comes first, maps onto
    /// themselves.
    fn fixed(&self, domains: &Domains) -> Result<FixedCounts, RunStatus> {
        let mut all = FixedCounts::default();
        for symmetry in &self.problem.group[1..] {
            let more = fixed(self.problem, domains, symmetry, self.token);
            let more = self.unless_stopped(more)?;
            all.pictures += more.pictures;
            all.solutions += more.solutions;
        }
        Ok(all)
    }

    fn unless_stopped<T>(&self, flow: Flow<T>) -> Result<T, RunStatus> {
        flow.continue_value().ok_or_else(|| RunStatus::stopped_by(self.token))
    }
}

/// The product over the cells of the number of orientations in which a tile looks the same, if it
/// is equal for all pictures.
fn same_of_all(problem: &Problem) -> Option<BigUint> {
    let kinds = &problem.kinds;
    let mut product = BigUint::from(1u32);
    let mut all = kinds.values.iter().map(|value| value.same);
    let first = all.next()?;
    if all.all(|same| same == first) {
        return Some(BigUint::from(first).pow(problem.board.size() as u32));
    }
    if !problem.uses_every_tile() {
        return None;
    }
    for kind in &kinds.kinds {
        let mut same = kind.values.clone().map(|value| kinds.values[value].same);
        let first = same.next()?;
        if same.any(|same| same != first) {
            return None;
        }
        product *= BigUint::from(first).pow(kind.copies as u32);
    }
    Some(product)
}

/// The number of ways to assign the tiles of a picture: twins have different names, copies do not.
fn namings(problem: &Problem) -> BigUint {
    let several = problem.kinds.kinds.iter().filter(|kind| kind.tiles.len() > 1);
    let namings =
        several.map(|kind| (1..=kind.tiles.len()).map(BigUint::from).product::<BigUint>());
    namings.product()
}
