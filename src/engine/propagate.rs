//! `propagate`: depth-first search that maintains arc consistency, without a model.
//!
//! It splits domains until each cell has a single value; each leaf is a solution.

use std::ops::ControlFlow;

use super::host::report_branches_to_host;
use super::kind::default_variant;
use super::{Engine, EngineKind, FilteringHost, Host, Result, Work, probe_parts};
use crate::domains::{
    Domains, Leaf, Observer, Outlet, Probes, Rarest, Split, SymmetryBranch, break_symmetry_under,
};
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;
use crate::runtime::scheduler::{Branch, SearchProgress, Sink};

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
    let mut found = HostSink { problem, host, work: &mut *work, before };
    let (end, decisions) =
        split.walk(problem, parts, (threads, token), &filled, &mut found, observer)?;
    work.nodes = before + decisions;
    Ok(end)
}

/// Passes the solution of a leaf to the outlet. Every leaf has a value in each cell. Breaks if the
/// outlet does.
fn filled(leaf: &mut Leaf<'_>, outlet: &mut Outlet<'_, Vec<usize>>) -> Flow {
    leaf.values().map_or(ControlFlow::Continue(()), |values| outlet.found(values))
}

struct HostSink<'a> {
    problem: &'a Problem,
    host: &'a mut dyn Host,
    work: &'a mut Work,
    /// The nodes counted before this run.
    before: u64,
}

impl Sink<Vec<usize>> for HostSink<'_> {
    fn found(&mut self, values: Vec<usize>, decisions: u64) -> Flow {
        self.work.nodes = self.before + decisions;
        self.host.found(&self.problem.deal(values), self.work)
    }

    fn progress(&mut self, progress: SearchProgress) -> Flow {
        self.work.nodes = self.before + progress.steps;
        self.work.explored = Some(progress.share);
        self.work.filled = self.work.filled.max(progress.filled);
        self.host.poll(self.work)
    }

    fn report_branches(&mut self, branches: &dyn Fn() -> Vec<Branch>) {
        report_branches_to_host(self.problem, self.host, branches);
    }
}
