//! Estimates the duration of a search in parts, and the balance between them.
//!
//! The search is split as `--part` does, and random dives estimate the subtree of each leaf. With
//! few probes the maximum over the parts is mostly sampling noise. So the variance of the probes is
//! subtracted from the variance of the parts, and the longest of N parts is estimated as mean +
//! σ√(2 ln N).

use std::ops::ControlFlow;

use serde::Serialize;

use super::{Probing, run_briefly};
use crate::engine::{Auto, Engine, Propagate, split_search};
use crate::problem::Problem;
use crate::runtime::clock::Stopwatch;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::mean_and_error;

/// The number of leaves after which no further part is probed; this many take some seconds.
const MOST_PROBED: usize = 1 << 15;

/// The total number of dives over all leaves.
const DIVES: usize = 1 << 14;

/// The minimum number of dives per leaf.
const DIVES_EACH: usize = 8;

/// The estimate for a search in parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PartsEstimate {
    /// The number of parts.
    pub parts: u32,
    /// The engine that `auto` chooses, the same in all parts.
    pub engine: &'static str,
    /// The total number of leaves.
    pub leaves: usize,
    /// The seconds that each part takes to split the search, on this machine.
    pub frontier: f64,
    /// The number of nodes of all parts.
    pub nodes: f64,
    /// The seconds of an average part, on one thread of this machine.
    pub mean: f64,
    /// The estimated seconds of the longest part.
    pub longest: f64,
    /// The total seconds of all parts.
    pub seconds: f64,
    /// The number of parts that were probed, the first ones; the others are assumed to be alike.
    pub probed: usize,
}

/// Splits the search of the engine that `auto` chooses into `parts` parts, times a short run of it
/// for the seconds per node, and probes the leaves part by part. After [`MOST_PROBED`] leaves the
/// remaining parts are assumed to be like those probed. Breaks if the token stops the run.
pub(super) fn estimate(
    problem: &Problem,
    parts: u32,
    probing: &Probing,
    token: &CancelToken<'_>,
) -> Flow<PartsEstimate> {
    let chosen = Auto.chosen(problem, token)?;
    let engine = chosen.map_or(&Propagate as &dyn Engine, |(engine, _)| engine);
    let watch = Stopwatch::start(probing.processor);
    let frontier = split_search(engine, problem, parts, token)?;
    let cutting = watch.seconds();
    let (run, seconds) = run_briefly(problem, engine, probing.processor, token)?;
    let per_node = seconds / run.work.nodes.max(1) as f64;

    let number = parts as usize;
    let ways = (DIVES / frontier.len().max(1)).max(DIVES_EACH) as u32;
    let mut nodes = Vec::new();
    let mut scatter = 0.0;
    let mut probed = 0;
    while nodes.len() < number && probed < MOST_PROBED {
        let mut of_part = 0.0;
        for leaf in frontier.share(nodes.len(), number) {
            if let Some(cells) = frontier.cells(problem, leaf, token)? {
                let confined = problem.confined(cells);
                let seed = probing.seed.wrapping_add(leaf as u64);
                let (mean, error) = mean_and_error(&engine.probe(&confined, ways, seed, token)?);
                of_part += mean;
                scatter += error.powi(2);
            }
            probed += 1;
        }
        nodes.push(of_part);
    }
    let (mean, longest) = mean_and_longest(&nodes, scatter, parts);
    let seconds_of = |nodes: f64| cutting + per_node * nodes;
    ControlFlow::Continue(PartsEstimate {
        parts,
        engine: engine.name(),
        leaves: frontier.len(),
        frontier: cutting,
        nodes: mean * f64::from(parts),
        mean: seconds_of(mean),
        longest: seconds_of(longest),
        seconds: seconds_of(mean) * f64::from(parts),
        probed: nodes.len(),
    })
}

/// The mean number of nodes per part, and an estimate for the largest of `parts` parts. `nodes` are
/// the estimates for the parts that were probed; the variances of these estimates add up to
/// `scatter`.
fn mean_and_longest(nodes: &[f64], scatter: f64, parts: u32) -> (f64, f64) {
    let sampled = nodes.len().max(1) as f64;
    let mean = nodes.iter().sum::<f64>() / sampled;
    let squares: f64 = nodes.iter().map(|nodes| (nodes - mean).powi(2)).sum();
    let variance = (squares - scatter).max(0.0) / sampled;
    (mean, mean + (2.0 * variance * f64::from(parts).ln()).sqrt())
}
