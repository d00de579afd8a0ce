//! Estimates of the size of a search, before it is run.
//!
//! The engine first runs for a moment. If it finishes, its tree is known. Otherwise random paths
//! down the tree estimate the nodes (Knuth, *Mathematics of Computation* 29, 1975), and the
//! processor time per node so far gives the seconds; unlike wall time it does not depend on other
//! programs.

mod parts;

use std::ops::ControlFlow;
use std::time::Duration;

use serde::{Serialize, Serializer};

pub use self::parts::Parts;
use crate::engine::{Auto, Choice, ENGINES, Engine};
use crate::enumerate::{self, Found, Limits, Outcome, RunStatus, StopReason};
use crate::problem::Problem;
use crate::runtime::clock::{ProcessorTime, Stopwatch};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::{Random, mean_and_error};

/// How long an engine runs to see what a node takes.
pub const MOMENT: Duration = Duration::from_millis(50);

/// Probes that scatter less than this share of their mean agree but for rounding: they have seen
/// one way down again and again, and their mean says nothing of the others.
const NO_SPREAD: f64 = 1e-9;

/// What is expected of one engine.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Estimate {
    /// The engine.
    pub engine: &'static str,
    /// Nodes of its whole tree; for `milp` decisions.
    pub nodes: f64,
    /// The standard error of the nodes; 0 where the tree is known, or only a bound is.
    pub spread: f64,
    /// Seconds of processor time of the whole search on this machine.
    pub seconds: f64,
    /// Whether the engine ended within a [`MOMENT`], so that nothing is guessed.
    pub is_known: bool,
    /// Whether nodes and seconds are only what was seen in a [`MOMENT`]: the probes tell nothing
    /// of the rest, as they all agree, or estimate less than that.
    pub is_at_least: bool,
    /// Random ways down; 0 where the tree is known, or none can be gone.
    pub probes: u32,
}

/// Estimates of the engines that serve the board, and what [`Auto`] would take.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Estimates {
    /// One per engine, up to the one that a limit or an interruption ended.
    pub engines: Vec<Estimate>,
    /// The choice of `auto`; `None` where the run was stopped before it was made.
    pub auto: Option<Choice>,
    /// What to expect of a run in parts, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Parts>,
    /// The reason why something is missing.
    #[serde(
        rename = "reason",
        serialize_with = "by_name",
        skip_serializing_if = "Option::is_none"
    )]
    pub stopped: Option<StopReason>,
}

fn by_name<S: Serializer>(stopped: &Option<StopReason>, serializer: S) -> Result<S::Ok, S::Error> {
    stopped.and_then(|stop| RunStatus::Stopped(stop).reason()).serialize(serializer)
}

/// How trees are probed.
#[derive(Debug, Clone, Copy)]
pub struct Probing {
    /// Random ways down each tree.
    pub probes: u32,
    /// Where randomness begins: the same seed goes the same ways.
    pub seed: u64,
    /// What tells how long a node takes.
    pub processor: ProcessorTime,
    /// The number of parts of a search in parts, where that is to be estimated too.
    pub parts: Option<u32>,
}

/// Estimates each engine's tree, as far as the limits allow.
pub fn estimate(problem: &Problem, probing: &Probing, limits: &Limits<'_>) -> Estimates {
    let under = Under { limits: *limits, token: limits.token() };
    let mut estimates = Estimates { engines: Vec::new(), auto: None, parts: None, stopped: None };
    if estimates.fill(problem, probing, &under).is_break() {
        estimates.stopped = Some(under.token.stop_reason().unwrap_or(StopReason::Interrupted));
    }
    estimates
}

impl Estimates {
    fn fill(&mut self, problem: &Problem, probing: &Probing, under: &Under<'_>) -> ControlFlow<()> {
        for kind in ENGINES.iter().filter(|kind| kind.has_probes) {
            let engine = kind.usual();
            if engine.serves(problem).is_ok() {
                self.engines.push(one(problem, engine.as_ref(), probing, under)?);
            }
        }
        self.auto = under.moment(problem, &Auto, probing.processor)?.0.work.choice;
        if let Some(of) = probing.parts {
            self.parts = Some(parts::estimate(under, problem, of, probing)?);
        }
        ControlFlow::Continue(())
    }
}

fn one(
    problem: &Problem,
    engine: &dyn Engine,
    probing: &Probing,
    under: &Under<'_>,
) -> Flow<Estimate> {
    let (run, seconds) = under.moment(problem, engine, probing.processor)?;
    let made = engine.steps(&run.work) as f64;
    let mut estimate = Estimate {
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
    // What was seen in a moment stands even if the limits end the probes.
    let ways = engine.probe(problem, probing.probes, seed, &under.token);
    let ways = ways.continue_value().unwrap_or_default();
    let (mean, spread) = mean_and_error(&ways);
    // Some engines can't be probed on some boards.
    estimate.probes = ways.len() as u32;
    estimate.is_at_least = mean <= made || spread <= NO_SPREAD * mean;
    if !estimate.is_at_least {
        estimate.nodes = mean;
        estimate.spread = spread;
        estimate.seconds = seconds * mean / made.max(1.0);
    }
    ControlFlow::Continue(estimate)
}

/// The nodes of an engine's whole tree by random probes alone, and their standard error; `None`
/// where the engine has none, or all agree, or the token breaks.
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

/// The limits of an estimate, and its token.
struct Under<'a> {
    limits: Limits<'a>,
    token: CancelToken<'a>,
}

impl Under<'_> {
    /// Runs an engine for a moment, and measures the seconds that it takes; `Break` where the user's
    /// limits end it.
    fn moment(
        &self,
        problem: &Problem,
        engine: &dyn Engine,
        processor: ProcessorTime,
    ) -> Flow<(Outcome, f64)> {
        let watch = Stopwatch::start(processor);
        let left = self.token.time_left().unwrap_or(MOMENT);
        let limits = Limits {
            time: Some(left.min(MOMENT)),
            interrupt: self.limits.interrupt,
            memory: self.limits.memory,
            ..Limits::default()
        };
        let ignore = &mut |_: &Found<'_>| ControlFlow::Continue(());
        let outcome = enumerate::run(problem, engine, &limits, ignore);
        self.token.poll()?;
        ControlFlow::Continue((outcome, watch.seconds()))
    }
}
