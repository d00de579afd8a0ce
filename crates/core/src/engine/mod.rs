//! Engines: algorithms that enumerate every solution.
//!
//! An engine reports each arrangement to its [`Host`] before it excludes it from the rest of its
//! search. It may report any image of a solution under the group, and may repeat it; the host
//! checks, counts and decides if the search continues.
//!
//! A new engine is one file or folder that implements [`Engine`], and one line in [`ENGINES`];
//! commands, comparisons, batches, estimates and tests use that list. The tables of engines in
//! `docs/` and the digest in `tests/it/revision.rs` must be updated by hand.

mod auto;
mod backtrack;
mod corners;
mod failure;
mod host;
mod kind;
#[cfg(feature = "milp")]
mod milp;
mod options;
mod propagate;
mod regions;
mod registry;
mod sample;
mod share;
mod step;
mod traced;
mod work;
mod xcc;

use std::ops::ControlFlow;

use num_bigint::BigUint;

pub(crate) use self::auto::nodes_of_backtrack;
pub use self::auto::{Auto, NOT_COMPARED};
pub use self::backtrack::{Backtrack, Order, observe_scan};
pub use self::corners::Corners;
pub use self::failure::{EngineError, Result};
pub use self::host::{Decided, FilteringHost, Host};
pub use self::kind::{Contender, EngineKind};
#[cfg(feature = "milp")]
pub use self::milp::{BACK_ENDS, BackEnd, Lp, Milp, Relaxed, relax};
pub use self::options::{EngineOption, OptionError, Options, Value};
pub use self::propagate::Propagate;
pub use self::regions::Regions;
pub use self::registry::{ENGINES, contenders};
pub use self::share::{PartOf, Share, split_search};
pub use self::traced::{BrokenSymmetry, Traced};
pub use self::work::{BlockCounts, EngineChoice, Work};
pub use self::xcc::Xcc;
pub use crate::domains::counting::counted;
use crate::domains::{Observer, Probes, Roots, Split, SymmetryBranch};
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;

/// An algorithm that enumerates solutions.
pub trait Engine {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// A short description of the non-default options, such as `spiral plain`; may be empty.
    fn variant(&self) -> String {
        String::new()
    }

    /// Returns `Ok` if the engine supports the problem.
    ///
    /// # Errors
    /// A message that names the unmet requirement.
    fn serves(&self, _problem: &Problem) -> Result<(), String> {
        Ok(())
    }

    /// Returns true if the engine reports nothing that the extra constraints exclude, lazy ones
    /// aside, because it prunes by them. Otherwise, or if a constraint is lazy, every reported
    /// arrangement is tested.
    fn prunes_by_constraints(&self) -> bool {
        false
    }

    /// Returns true if the engine uses the threads of its host.
    fn uses_threads(&self) -> bool {
        false
    }

    /// Describes the work in the units that are most meaningful for this engine.
    fn effort(&self, work: &Work) -> String {
        counted(work.nodes, "node", "nodes")
    }

    /// Returns true if the engine counts [calls per level](Work::calls_per_level).
    fn counts_calls(&self) -> bool {
        false
    }

    /// The number of ways to fill the first k = 0, 1, … cells in the engine's order, regardless of
    /// seams: an upper bound on the calls per level. Empty if it is unknown. Breaks if the token
    /// stops the run.
    fn possible(&self, _problem: &Problem, _token: &CancelToken<'_>) -> Flow<Vec<BigUint>> {
        ControlFlow::Continue(Vec::new())
    }

    /// Estimates the total number of nodes by `probes` random dives, one estimate per dive; the
    /// mean is unbiased. Empty if the engine cannot be probed on this problem. Breaks if the token
    /// stops the run.
    fn probe(
        &self,
        _problem: &Problem,
        _probes: u32,
        _seed: u64,
        _token: &CancelToken<'_>,
    ) -> Flow<Vec<f64>> {
        ControlFlow::Continue(Vec::new())
    }

    /// The subtrees from which a search in several parts starts, and the order in which this engine
    /// fills cells; parts split in another order take more work. Breaks if the token stops the run.
    fn roots(&self, problem: &Problem, token: &CancelToken<'_>) -> Flow<Roots> {
        Roots::new(problem, token)
    }

    /// The engine that this one would delegate to, and the reason; `None` if it does not delegate.
    /// The choice only depends on the problem. Breaks if the token stops the run.
    fn chosen(
        &self,
        _problem: &Problem,
        _token: &CancelToken<'_>,
    ) -> Flow<Option<(&'static dyn Engine, EngineChoice)>> {
        ControlFlow::Continue(None)
    }

    /// Reports all solutions to the host until the search is complete (`Continue`) or the host
    /// stops it (`Break`), and counts the work. Loops that do not poll the host must poll [its
    /// token](FilteringHost::token). Callers use [`run`](#method.run) instead.
    ///
    /// # Errors
    /// If the search cannot continue. Solutions reported so far remain valid, but nothing is proven
    /// about the rest.
    fn search(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow>;
}

impl dyn Engine + '_ {
    /// Runs the [search](Engine::search). Arrangements that violate a constraint of the problem do
    /// not reach the host. `Break` means that the host or the token stopped the search.
    ///
    /// # Errors
    /// The error of the search.
    pub fn run(
        &self,
        problem: &Problem,
        token: &CancelToken<'_>,
        host: &mut dyn Host,
        work: &mut Work,
    ) -> Result<Flow> {
        FilteringHost::run(problem, token, host, |host| self.search_tested(problem, host, work))
    }

    /// Runs the search after making the host test the constraints if the engine does not. Engines
    /// that delegate to another one call it with their own host. Breaks like [`Engine::search`].
    ///
    /// # Errors
    /// The error of the search.
    fn search_tested(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow> {
        if !self.prunes_by_constraints() || problem.is_lazy() {
            host.test_constraints();
        }
        self.search(problem, host, work)
    }
}

/// Returns `end`, the result of a search with an observer, which may be `Break`, unless the
/// observer has failed.
///
/// # Errors
/// If the observer has failed, for instance to write a trace.
fn check_observer(end: Flow, observer: &dyn Observer) -> Result<Flow> {
    match observer.failure() {
        Some(message) => Err(EngineError::Trace { message }),
        None => Ok(end),
    }
}

/// Rejects problems that bound the number of broken seams.
///
/// # Errors
/// A message if the number is bounded.
fn check_no_broken_seams(problem: &Problem) -> Result<(), String> {
    match problem.most_broken {
        None => Ok(()),
        Some(_) => Err("it does not support seams that may be broken".into()),
    }
}

/// Adds each estimate of a part to the one at the same index in `sum`; further estimates are
/// appended.
fn add_up(sum: &mut Vec<f64>, part: impl IntoIterator<Item = f64>) {
    for (index, estimate) in part.into_iter().enumerate() {
        match sum.get_mut(index) {
            Some(sum) => *sum += estimate,
            None => sum.push(estimate),
        }
    }
}

/// Probes the tree of each symmetry branch, and adds up the estimates dive by dive. Breaks if the
/// token stops the run.
fn probe_parts(
    problem: &Problem,
    split: Split,
    parts: &[SymmetryBranch],
    (probes, random): (u32, &mut Random),
    token: &CancelToken<'_>,
) -> Flow<Probes> {
    let mut sum = Probes::default();
    for part in parts {
        let of_part = split.probe(problem, part, (probes, &mut *random), token)?;
        add_up(&mut sum.estimates, of_part.estimates);
        sum.decisions += of_part.decisions;
        sum.leaves += of_part.leaves;
    }
    ControlFlow::Continue(sum)
}
