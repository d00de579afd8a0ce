//! How large a search will be, before it is run.
//!
//! An engine first runs for a moment. Where it ends, its tree is known; else random ways down the
//! tree (Knuth, *Mathematics of Computation* 29, 1975) estimate its nodes, and the time that a node
//! has taken so far tells the seconds.

mod parts;

pub use parts::{Parts, parts};

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::Serialize;

use crate::board::Problem;
use crate::engine::{Auto, Backtrack, Choice, Engine, Milp, Propagate};
use crate::enumerate::{self, Found, Limits, Outcome, Stop, Verdict};

/// How long an engine runs to see what a node takes.
pub const MOMENT: Duration = Duration::from_millis(50);

/// The engines that can be estimated.
fn engines() -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(Propagate),
        Box::new(Backtrack::Fast),
        Box::new(Milp::default()),
    ]
}

/// What is expected of one engine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// The engine.
    pub engine: &'static str,
    /// Nodes of its whole tree; for `milp` decisions.
    pub nodes: f64,
    /// The standard error of the nodes; 0 where the tree is known.
    pub spread: f64,
    /// Seconds of the whole search on this machine.
    pub seconds: f64,
    /// Whether the engine ended within a [`MOMENT`], so that nothing is guessed.
    pub is_known: bool,
    /// Random ways down; 0 where the tree is known.
    pub probes: u32,
}

/// Estimates of the engines that serve the board, and what [`Auto`] would take.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimates {
    /// One an engine.
    pub engines: Vec<Estimate>,
    /// The choice of `auto`; `None` where the run was interrupted before it was made.
    pub auto: Option<Choice>,
    /// What to expect of a run in parts, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Parts>,
}

/// Estimates each engine's tree with so many probes. `Break` where the limits say stop.
pub fn estimate(
    problem: &Problem,
    probes: u32,
    seed: u64,
    limits: &Limits<'_>,
) -> ControlFlow<Stop, Estimates> {
    let mut estimates = Vec::new();
    for engine in engines() {
        if engine.serves(problem).is_ok() {
            let estimate = one(problem, engine.as_ref(), probes, seed, limits)?;
            estimates.push(estimate);
        }
    }
    let run = moment(problem, &Auto, limits)?;
    ControlFlow::Continue(Estimates {
        engines: estimates,
        auto: run.work.choice,
        parts: None,
    })
}

fn one(
    problem: &Problem,
    engine: &dyn Engine,
    probes: u32,
    seed: u64,
    limits: &Limits<'_>,
) -> ControlFlow<Stop, Estimate> {
    let run = moment(problem, engine, limits)?;
    let made = engine.steps(&run.work) as f64;
    let mut estimate = Estimate {
        engine: engine.name(),
        nodes: made,
        spread: 0.0,
        seconds: run.seconds,
        is_known: run.verdict.is_complete(),
        probes: 0,
    };
    if !estimate.is_known {
        let ways = ways_down(problem, engine, probes, seed, limits)?;
        let (mean, spread) = mean_and_error(&ways);
        // What has been seen is there.
        estimate.nodes = mean.max(made);
        estimate.spread = spread;
        estimate.seconds = run.seconds * estimate.nodes / made.max(1.0);
        estimate.probes = probes;
    }
    ControlFlow::Continue(estimate)
}

/// Probes in batches, so that the user can interrupt.
fn ways_down(
    problem: &Problem,
    engine: &dyn Engine,
    probes: u32,
    seed: u64,
    limits: &Limits<'_>,
) -> ControlFlow<Stop, Vec<f64>> {
    const BATCH: u32 = 1000;
    let mut random = fastrand::Rng::with_seed(seed);
    let mut ways = Vec::new();
    let mut left = probes;
    while left > 0 {
        if limits.interrupt.is_some_and(|i| i.load(Ordering::Relaxed)) {
            return ControlFlow::Break(Stop::Interrupted);
        }
        let batch = left.min(BATCH);
        ways.extend(engine.probe(problem, batch, random.u64(..)));
        left -= batch;
    }
    ControlFlow::Continue(ways)
}

/// Runs an engine for a moment; `Break` where the user's limits end it.
fn moment(
    problem: &Problem,
    engine: &dyn Engine,
    limits: &Limits<'_>,
) -> ControlFlow<Stop, Outcome> {
    let limits = Limits {
        distinct: 0,
        time: Some(MOMENT),
        interrupt: limits.interrupt,
        ..Limits::default()
    };
    let ignore = &mut |_: &Found<'_>| ControlFlow::Continue(());
    let outcome = enumerate::run(problem, engine, &limits, ignore);
    match outcome.verdict {
        Verdict::Stopped(Stop::Interrupted) => ControlFlow::Break(Stop::Interrupted),
        _ => ControlFlow::Continue(outcome),
    }
}

/// The mean, and its standard error.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let number = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / number;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let variance = squares / (number - 1.0).max(1.0);
    (mean, (variance / number).sqrt())
}
