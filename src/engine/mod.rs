//! Engines: ways of enumerating every solution.
//!
//! An engine hands each arrangement to its [`Host`] before it excludes it from the rest of its
//! search. It may hand over any image of a solution under the group, and the same one more than
//! once; the host checks, counts and says whether to go on.
//!
//! A new engine is one file, or one folder, that implements [`Engine`], and one line in
//! [`ENGINES`]: commands, comparisons, batches, estimates and tests take it from there. The tables
//! of engines in `docs/`, and the digest in `tests/it/revision.rs`, are to be completed by hand.

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
mod registry;
mod sample;
mod share;
mod step;
mod traced;
mod work;
mod xcc;

use std::fmt::Display;
use std::ops::ControlFlow;

use num_bigint::BigUint;

pub use self::auto::Auto;
pub use self::backtrack::{Backtrack, Order, observe_scan};
pub use self::corners::Corners;
pub use self::failure::{EngineError, Result};
pub use self::host::{Decided, Filtered, Host};
pub use self::kind::{Contender, EngineKind};
#[cfg(feature = "milp")]
pub use self::milp::{BACK_ENDS, BackEnd, Milp};
pub use self::options::{EngineOption, OptionError, Options, Value};
pub use self::propagate::Propagate;
pub use self::registry::{ENGINES, contenders};
pub use self::share::{PartOf, Share, cut};
pub use self::traced::{Broken, Traced};
pub use self::work::{Blocks, Choice, Work};
pub use self::xcc::Xcc;
use crate::domains::{Observer, Probes, Roots, Split, SymmetryBranch};
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;

/// A way of enumerating.
pub trait Engine {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// What of its options the engine runs with, in a word or two.
    fn variant(&self) -> String {
        String::new()
    }

    /// Whether the engine can search this problem.
    ///
    /// # Errors
    /// What it needs instead, as a message.
    fn serves(&self, _problem: &Problem) -> Result<(), String> {
        Ok(())
    }

    /// Whether the engine lets extra constraints cut its search short, and hands over nothing that
    /// they exclude. Of any other engine they are asked of each arrangement that it hands over.
    fn prunes_by_constraints(&self) -> bool {
        false
    }

    /// Whether the engine searches with the threads that its host offers.
    fn uses_threads(&self) -> bool {
        false
    }

    /// The work in a few words, in the units that say most of this engine.
    fn effort(&self, work: &Work) -> String {
        counted(work.nodes, "node", "nodes")
    }

    /// Whether a search for the best goes on until it ends, and takes no turns with guesses.
    fn seeks_alone(&self) -> bool {
        false
    }

    /// Whether the engine counts [calls per level](Work::calls_per_level).
    fn counts_calls(&self) -> bool {
        false
    }

    /// For engines that count calls per level: how many nodes are possible with k = 0, 1, … tiles
    /// placed, whether they fit or not. Empty for the others. `Break` where the token says so.
    fn possible(&self, _problem: &Problem, _token: &CancelToken<'_>) -> Flow<Vec<BigUint>> {
        ControlFlow::Continue(Vec::new())
    }

    /// What of its work [`Engine::probe`] estimates.
    fn steps(&self, work: &Work) -> u64 {
        work.nodes
    }

    /// Goes down the tree at random, so often, and tells what each way down estimates of the number
    /// of [steps](Engine::steps) in all; the mean is unbiased. Empty for engines that cannot be
    /// probed. `Break` where the token says so.
    fn probe(
        &self,
        _problem: &Problem,
        _probes: u32,
        _seed: u64,
        _token: &CancelToken<'_>,
    ) -> Flow<Vec<f64>> {
        ControlFlow::Continue(Vec::new())
    }

    /// Where the search begins when it is cut into parts, and the order in which it fills cells:
    /// parts that follow another order are more work. `Break` where the token says so.
    fn roots(&self, problem: &Problem, token: &CancelToken<'_>) -> Flow<Roots> {
        Roots::new(problem, token)
    }

    /// The engine that does the work, where this one chooses among several; the same one whenever
    /// the problem is the same. `Break` where the token says so.
    fn chosen(
        &self,
        _problem: &Problem,
        _token: &CancelToken<'_>,
    ) -> Flow<Option<(&'static dyn Engine, Choice)>> {
        ControlFlow::Continue(None)
    }

    /// Walks through all solutions until there are no more or the host says stop, and counts its
    /// work as it goes. Loops that do not poll the host poll [its token](Filtered::token). It is
    /// called by [`run`](#method.run) alone.
    ///
    /// # Errors
    /// Where the search cannot go on. What was handed over until then stays valid, but nothing is
    /// proven about the rest.
    fn search(&self, problem: &Problem, host: &mut Filtered<'_>, work: &mut Work) -> Result<Flow>;
}

impl dyn Engine + '_ {
    /// [Searches](Engine::search); arrangements that the problem's constraints exclude do not reach
    /// the host.
    ///
    /// # Errors
    /// As the search.
    pub fn run(
        &self,
        problem: &Problem,
        token: &CancelToken<'_>,
        host: &mut dyn Host,
        work: &mut Work,
    ) -> Result<Flow> {
        let is_asked = !self.prunes_by_constraints() || problem.is_lazy();
        let asked = is_asked.then_some(problem);
        Filtered::run(asked, token, host, |filtered| self.search(problem, filtered, work))
    }
}

/// A number with its noun.
pub fn counted(number: impl Display, one: &str, many: &str) -> String {
    let number = number.to_string();
    let noun = if number == "1" { one } else { many };
    format!("{number} {noun}")
}

/// What a search came to that was observed.
///
/// # Errors
/// Where the observer ended it, and that is a failure.
fn observed(end: Flow, observer: &dyn Observer) -> Result<Flow> {
    match observer.trouble() {
        Some(message) => Err(EngineError::Trace { message }),
        None => Ok(end),
    }
}

/// Whether seams must fit or need not, whatever their number.
///
/// # Errors
/// Where some may break but not all, as a message.
fn counts_no_broken_seams(problem: &Problem) -> Result<(), String> {
    match problem.most_broken {
        None => Ok(()),
        Some(_) => Err("it does not count seams that break".into()),
    }
}

/// Estimates of parts that are searched one after another, added up probe by probe.
fn add_up(sum: &mut Vec<f64>, part: impl IntoIterator<Item = f64>) {
    for (index, estimate) in part.into_iter().enumerate() {
        match sum.get_mut(index) {
            Some(sum) => *sum += estimate,
            None => sum.push(estimate),
        }
    }
}

/// Probes of domains that are split in parts. `Break` where the token says so.
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

/// The share of all that is done, in one of several parts that count alike.
fn share((index, parts): (usize, usize), of_part: f64) -> f64 {
    (index as f64 + of_part) / parts as f64
}
