//! `propagate`: depth-first search that maintains arc consistency, without a model.
//!
//! It splits domains until each cell has a single value; each leaf is a solution.

use std::ops::ControlFlow;

use super::host::HostSink;
use super::kind::default_variant;
use super::{Engine, EngineKind, FilteringHost, Host, Result, Work, probe_parts};
use crate::domains::{
    Domains, Observer, Probes, Rarest, Split, SymmetryBranch, break_symmetry_under,
};
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;

/// The engine that maintains the domain of each cell by constraint propagation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Propagate;

pub(super) const KIND: EngineKind = EngineKind {
    name: "propagate",
    help: "constraint propagation, most promising cell first",
    options: &[],
    build: |_| Box::new(Propagate),
    variants: || default_variant(KIND.name),
    is_compared: true,
    has_probes: true,
};

impl Engine for Propagate {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        Split::serves(problem)
    }

    fn prunes_by_constraints(&self) -> bool {
        true
    }

    fn uses_threads(&self) -> bool {
        true
    }

    fn probe(
        &self,
        problem: &Problem,
        probes: u32,
        seed: u64,
        token: &CancelToken<'_>,
    ) -> Flow<Vec<f64>> {
        let start = Start::new(problem, token)?;
        ControlFlow::Continue(start.probe(probes, &mut Random::with_seed(seed), token)?.estimates)
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow> {
        match Start::new(problem, host.token()) {
            ControlFlow::Continue(start) => start.search(host, work),
            ControlFlow::Break(()) => Ok(ControlFlow::Break(())),
        }
    }
}

/// The symmetry branches of a problem, from which searches and probes start.
pub(super) struct Start<'a> {
    problem: &'a Problem,
    parts: Vec<SymmetryBranch>,
}

impl<'a> Start<'a> {
    /// Finds the symmetry branches of a problem. Breaks if the token stops the run.
    pub fn new(problem: &'a Problem, token: &CancelToken<'_>) -> Flow<Self> {
        let domains = Domains::first(problem);
        ControlFlow::Continue(Start {
            problem,
            parts: break_symmetry_under(token, problem, domains, Rarest::Mates)?,
        })
    }

    /// Searches all symmetry branches and passes their solutions to the host. Breaks if the host or
    /// the token stops the run.
    ///
    /// # Errors
    /// Like [`Engine::search`].
    pub fn search(&self, host: &mut FilteringHost<'_>, work: &mut Work) -> Result<Flow> {
        // The parts then contain one image of each solution, and the leaves of a part are disjoint.
        if self.problem.moves_every_placement() {
            host.promise_no_duplicates();
        }
        search(self.problem, &self.parts, None, host.token(), (host, work))
    }

    /// Estimates the number of decisions of the search by `probes` random dives. Breaks if the
    /// token stops the run.
    pub fn probe(&self, probes: u32, random: &mut Random, token: &CancelToken<'_>) -> Flow<Probes> {
        let split = Split::whole_tree(self.problem);
        probe_parts(self.problem, split, &self.parts, (probes, random), token)
    }
}

/// Searches symmetry branches and passes all solutions to the host; adds the decisions to
/// `work.nodes`. With an observer, the search runs on a single thread. Breaks if the host, the
/// token or the observer stops the run.
///
/// # Errors
/// If a thread panics or cannot be started.
pub(super) fn search(
    problem: &Problem,
    parts: &[SymmetryBranch],
    observer: Option<&mut dyn Observer>,
    token: &CancelToken<'_>,
    (host, work): (&mut dyn Host, &mut Work),
) -> Result<Flow> {
    let split = Split::whole_tree(problem);
    let threads = host.threads();
    let before = work.nodes;
    let mut sink = HostSink::new(problem, host, work, Some((0, 1)));
    let (end, decisions) = split.walk(problem, parts, (threads, token), &mut sink, observer)?;
    work.nodes = before + decisions;
    Ok(end)
}
