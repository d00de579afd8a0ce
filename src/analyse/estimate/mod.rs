//! Estimates the size of a search without running it to the end.
//!
//! The engine first runs for a moment; if it finishes, its tree is known. Otherwise random dives
//! estimate the number of nodes (Knuth, *Mathematics of Computation* 29, 1975), and the processor
//! time per node gives the seconds. Unlike wall time, it does not depend on other programs.

mod parts;

use std::ops::ControlFlow;
use std::time::Duration;

use serde::{Serialize, Serializer};

pub use self::parts::PartsEstimate;
use crate::engine::{Auto, ENGINES, Engine, EngineChoice, NOT_COMPARED};
use crate::enumerate::{self, Limits, NewSolution, Outcome, RunStatus, StopReason};
use crate::problem::Problem;
use crate::runtime::clock::{ProcessorTime, Stopwatch};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::{Random, mean_and_error};

/// The time for which an engine runs to measure its time per node.
pub const MOMENT: Duration = Duration::from_millis(50);

/// The relative standard error below which estimates are considered equal except for rounding. All
/// dives have then followed the same path, so their mean is not informative.
const NO_SPREAD: f64 = 1e-9;

/// The estimate for one engine.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EngineEstimate {
    /// The name of the engine.
    pub engine: &'static str,
    /// The number of nodes of the whole tree.
    pub nodes: f64,
    /// The standard error of `nodes`; 0 if `nodes` is exact or a lower bound.
    pub spread: f64,
    /// The processor seconds of the whole search on this machine; wall-clock seconds if the
    /// processor time is unknown.
    pub seconds: f64,
    /// True if the engine finished within a [`MOMENT`], so the values are exact.
    pub is_known: bool,
    /// True if nodes and seconds are only lower bounds, those of a [`MOMENT`]: the probes all
    /// agree, estimate less than that, or are missing.
    pub is_at_least: bool,
    /// The number of random dives; 0 if the tree is known or the engine cannot be probed.
    pub probes: u32,
}

/// The estimates of all engines that support the problem, and the choice of [`Auto`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Estimates {
    /// One estimate for each engine that can be probed and supports the problem; incomplete if a
    /// limit ended the run.
    pub engines: Vec<EngineEstimate>,
    /// The choice of `auto`; `None` if the run was stopped before.
    pub auto: Option<EngineChoice>,
    /// The estimate for a search in parts; `None` if it was not requested or the run was stopped
    /// before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<PartsEstimate>,
    /// The reason why the run was stopped; `None` if nothing is missing.
    #[serde(
        rename = "reason",
        serialize_with = "serialise_reason",
        skip_serializing_if = "Option::is_none"
    )]
    pub stopped: Option<StopReason>,
}

/// Serialises the reason by its name in results.
fn serialise_reason<S: Serializer>(
    stopped: &Option<StopReason>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    stopped.and_then(|stop| RunStatus::Stopped(stop).reason()).serialize(serializer)
}

/// The parameters of an estimate.
#[derive(Debug, Clone, Copy)]
pub struct Probing {
    /// The number of random dives into each tree.
    pub probes: u32,
    /// The random seed; equal seeds give equal dives.
    pub seed: u64,
    /// The source of processor time.
    pub processor: ProcessorTime,
    /// The number of parts if a search in parts is to be estimated.
    pub parts: Option<u32>,
}

/// Estimates the tree of each engine that can be probed and supports the problem, the choice of
/// `auto` and, if requested, a search in parts. If a limit is reached, what has been estimated so
/// far is returned, and [`Estimates::stopped`] names the limit.
pub fn estimate(problem: &Problem, probing: &Probing, limits: &Limits<'_>) -> Estimates {
    let token = limits.token();
    let mut estimates = Estimates { engines: Vec::new(), auto: None, parts: None, stopped: None };
    if estimates.run(problem, probing, &token).is_break() {
        estimates.stopped = Some(token.stop_reason().unwrap_or(StopReason::Interrupted));
    }
    estimates
}

impl Estimates {
    /// Computes the estimates one by one. Breaks if the token stops the run.
    fn run(&mut self, problem: &Problem, probing: &Probing, token: &CancelToken<'_>) -> Flow {
        for kind in ENGINES.iter().filter(|kind| kind.has_probes) {
            let engine = kind.usual();
            if engine.serves(problem).is_ok() {
                self.engines.push(estimate_engine(problem, engine.as_ref(), probing, token)?);
            }
        }
        self.auto = match run_briefly(problem, &Auto, probing.processor, token)?.0.work.choice {
            Some(choice) if choice.why == NOT_COMPARED => {
                Auto.chosen(problem, token)?.map(|(_, choice)| choice)
            }
            choice => choice,
        };
        if let Some(parts) = probing.parts {
            self.parts = Some(parts::estimate(problem, parts, probing, token)?);
        }
        ControlFlow::Continue(())
    }
}

/// Estimates the tree of one engine: runs it for a [`MOMENT`] and, if it does not finish, probes
/// it. If the token stops the probes, the nodes of that run are a lower bound. Breaks if the token
/// stops the run.
fn estimate_engine(
    problem: &Problem,
    engine: &dyn Engine,
    probing: &Probing,
    token: &CancelToken<'_>,
) -> Flow<EngineEstimate> {
    let (run, seconds) = run_briefly(problem, engine, probing.processor, token)?;
    let made = run.work.nodes as f64;
    let mut estimate = EngineEstimate {
        engine: engine.name(),
        nodes: made,
        spread: 0.0,
        seconds,
        is_known: run.status.is_complete(),
        is_at_least: false,
        probes: 0,
    };
    if estimate.is_known {
        return ControlFlow::Continue(estimate);
    }
    let seed = Random::with_seed(probing.seed).u64(..);
    // The result of the moment is kept even if the limits end the probes.
    let ways = engine.probe(problem, probing.probes, seed, token);
    let ways = ways.continue_value().unwrap_or_default();
    let (mean, spread) = mean_and_error(&ways);
    // Some engines cannot be probed on some boards.
    estimate.probes = ways.len() as u32;
    estimate.is_at_least = mean <= made || spread <= NO_SPREAD * mean;
    if !estimate.is_at_least {
        estimate.nodes = mean;
        estimate.spread = spread;
        estimate.seconds = seconds * mean / made.max(1.0);
    }
    ControlFlow::Continue(estimate)
}

/// Estimates the nodes of an engine's whole tree, and their standard error, from random probes
/// alone. Returns `None` if the engine has no probes, all probes agree, or the token stops them.
pub fn by_probes(
    problem: &Problem,
    engine: &dyn Engine,
    probes: u32,
    seed: u64,
    token: &CancelToken<'_>,
) -> Option<(f64, f64)> {
    let ways = engine.probe(problem, probes, seed, token).continue_value()?;
    let (mean, spread) = mean_and_error(&ways);
    (spread > NO_SPREAD * mean).then_some((mean, spread))
}

/// Runs an engine for at most a [`MOMENT`]; also returns the processor seconds, or wall-clock
/// seconds if unknown. Breaks if the token stops the run.
fn run_briefly(
    problem: &Problem,
    engine: &dyn Engine,
    processor: ProcessorTime,
    token: &CancelToken<'_>,
) -> Flow<(Outcome, f64)> {
    let watch = Stopwatch::start(processor);
    let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
    let outcome = enumerate::run(problem, engine, &token.limits_within(MOMENT), ignore);
    token.poll()?;
    ControlFlow::Continue((outcome, watch.seconds()))
}
