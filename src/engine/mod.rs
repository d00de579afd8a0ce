//! Ways of enumerating every solution.
//!
//! An engine walks through a problem's solutions and hands each arrangement to its [`Host`] before
//! it excludes it from the rest of the search. It may hand over any image of a solution under the
//! group, and the same one again; the host checks, counts and says whether to go on. A new engine is
//! one file, or one folder, behind the trait [`Engine`].

mod auto;
mod backtrack;
mod corners;
mod filter;
#[cfg(feature = "milp")]
mod milp;
mod propagate;
mod share;
mod step;
mod trace;
mod traced;

pub use auto::{Auto, Choice};
pub use backtrack::{Backtrack, Onlooker, Order, Watched};
pub use corners::Corners;
#[cfg(feature = "milp")]
pub use milp::{BACK_ENDS, BackEnd, Milp};
pub use propagate::Propagate;
pub use share::{PartOf, Share, cut};
pub use trace::Trace;
pub use traced::{Broken, Traced};

use std::fmt::Display;
use std::ops::ControlFlow;

use num_bigint::BigUint;
use serde::Serialize;
use thiserror::Error;

use crate::domains::{Part, Roots, Split};
use crate::problem::{Arrangement, Problem};
use crate::tables::Tables;
use crate::threads::Trouble;

/// A way of enumerating.
pub trait Engine {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// What of its options the engine runs with, in a word or two.
    fn variant(&self) -> String;

    /// Whether the engine can search this problem.
    ///
    /// # Errors
    /// What it needs instead, for people.
    fn serves(&self, _problem: &Problem) -> Result<(), String> {
        Ok(())
    }

    /// Whether the engine lets extra constraints cut its search short; else it finds what they exclude,
    /// too, and drops it.
    fn prunes_by_constraints(&self) -> bool {
        true
    }

    /// The work in a few words, in the units that say most of this engine.
    fn effort(&self, work: &Work) -> String;

    /// For engines that count calls per level: how many nodes are possible with k = 0, 1, … tiles
    /// placed, whether they fit or not. Empty for the others.
    fn possible(&self, _problem: &Problem) -> Vec<BigUint> {
        Vec::new()
    }

    /// What of its work [`Engine::probe`] estimates.
    fn steps(&self, work: &Work) -> u64 {
        work.nodes
    }

    /// Goes down the tree at random, so often, and tells what each way down estimates of the number
    /// of [steps](Engine::steps) in all; the mean is unbiased. Empty for engines that cannot be
    /// probed.
    fn probe(&self, _problem: &Problem, _probes: u32, _seed: u64) -> Vec<f64> {
        Vec::new()
    }

    /// Where the search begins when it is cut into parts, and the order in which it fills cells: parts
    /// that follow another order are more work.
    fn roots(&self, problem: &Problem) -> Roots {
        Roots::of(problem)
    }

    /// The engine that does the work, where this one chooses among several; the same one whenever the
    /// problem is the same.
    fn chosen(&self, _problem: &Problem) -> Option<(&'static dyn Engine, Choice)> {
        None
    }

    /// Walks through all solutions until there are no more or the host says stop, and counts its
    /// work as it goes.
    ///
    /// # Errors
    /// Where the search cannot go on. What was handed over until then stays valid, but nothing is
    /// proven about the rest.
    fn run(
        &self,
        problem: &Problem,
        host: &mut dyn Host,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, Failure>;
}

/// A number with its noun.
pub fn counted(number: impl Display, one: &str, many: &str) -> String {
    let number = number.to_string();
    let noun = if number == "1" { one } else { many };
    format!("{number} {noun}")
}

/// Whether seams must fit or need not, whatever their number.
///
/// # Errors
/// Where some may break but not all, for people.
fn counts_no_broken_seams(problem: &Problem) -> Result<(), String> {
    match problem.most_broken {
        None => Ok(()),
        Some(_) => Err("it does not count seams that break".into()),
    }
}

/// What an engine talks to while it runs.
pub trait Host {
    /// Takes an arrangement. `Break` asks the engine to stop.
    fn found(&mut self, arrangement: &Arrangement, work: &Work) -> ControlFlow<()>;

    /// Asked at least every tenth of a second. `Break` asks the engine to stop.
    fn poll(&mut self, work: &Work) -> ControlFlow<()>;

    /// Told that from now on no labelled solution is handed over twice, nor an image of one under the
    /// group. What was handed over before may come again, once.
    fn meets_each_once(&mut self) {}

    /// The threads that the engine may search with. What is found, its order, and the work counted
    /// until then must not depend on them.
    fn threads(&self) -> usize {
        1
    }
}

/// What an engine has done so far, in units that do not depend on the machine.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Work {
    /// For `milp` the leaves done, solved or filled; for a search the decisions made.
    pub nodes: u64,
    /// The share of the tree that is done, from 0 to 1, when the branches of each node count alike;
    /// `None` where an engine does not know. It never falls.
    pub explored: Option<f64>,
    /// Decisions made while `milp` split the domains.
    pub decisions: u64,
    /// Placements tested against the seams.
    pub tries: u64,
    /// Entries of the recursive search with k tiles placed.
    pub calls_per_level: Vec<u64>,
    /// What `auto` has chosen.
    pub choice: Option<Choice>,
    /// What `corners` counts of its blocks.
    pub blocks: Option<Blocks>,
    /// Solves of a linear 0-1 model.
    pub solves: u64,
    /// No-good cuts added.
    pub cuts: u64,
    /// Placements left when the search began.
    pub placements: u64,
    /// Variables of the largest model.
    pub variables: u64,
    /// Rows of the largest model, cuts not counted.
    pub rows: u64,
    /// Coefficients in those rows.
    pub nonzeros: u64,
    /// Seconds of each solve.
    pub rounds: Vec<f64>,
}

impl Work {
    /// Adds what another run took.
    pub fn add(&mut self, run: Work) {
        self.decisions += run.decisions;
        self.tries += run.tries;
        self.choice = run.choice.clone().or(self.choice.take());
        let levels = self.calls_per_level.len().max(run.calls_per_level.len());
        self.calls_per_level.resize(levels, 0);
        for (calls, more) in self.calls_per_level.iter_mut().zip(&run.calls_per_level) {
            *calls += more;
        }
        if let Some(more) = run.blocks {
            self.blocks.get_or_insert_default().add(more);
        }
        self.add_leaf(run);
    }

    /// Adds what solving a leaf took, but for the decisions that led to it.
    fn add_leaf(&mut self, leaf: Work) {
        self.nodes += leaf.nodes;
        self.solves += leaf.solves;
        self.cuts += leaf.cuts;
        self.placements += leaf.placements;
        self.variables = self.variables.max(leaf.variables);
        self.rows = self.rows.max(leaf.rows);
        self.nonzeros = self.nonzeros.max(leaf.nonzeros);
        self.rounds.extend(leaf.rounds);
    }
}

/// The first phase of `corners`: the 2×2 blocks of a cornerstone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Blocks {
    /// Chains of three tiles: the cornerstone, the one beside it, the one beyond.
    pub chains: u64,
    /// Placements tried for the fourth.
    pub tries: u64,
    /// Blocks found.
    pub found: u64,
}

impl Blocks {
    fn add(&mut self, more: Blocks) {
        self.chains += more.chains;
        self.tries += more.tries;
        self.found += more.found;
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

/// Probes of domains that are split in parts.
fn probe_parts(
    problem: &Problem,
    tables: &Tables,
    split: Split,
    parts: &[Part],
    (probes, seed): (u32, u64),
) -> Vec<f64> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut sum = Vec::new();
    for part in parts {
        add_up(
            &mut sum,
            split.probe(problem, tables, part, &mut random, probes),
        );
    }
    sum
}

/// The share of all that is done, in one of several parts that count alike.
fn share((index, parts): (usize, usize), of_part: f64) -> f64 {
    (index as f64 + of_part) / parts as f64
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        Failure::Thread {
            message: trouble.to_string(),
        }
    }
}

/// Why an engine could not go on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Failure {
    /// The solver gave neither a solution nor a proof.
    #[error("the solver failed in round {round}: {message}")]
    Solver {
        /// The round, from 1.
        round: u64,
        /// What the solver said.
        message: String,
    },
    /// The solver's point is no arrangement, or one that was excluded.
    #[error("the solver's answer in round {round} is wrong: {message}")]
    WrongAnswer {
        /// The round, from 1.
        round: u64,
        /// What is wrong with it.
        message: String,
    },
    /// An arrangement did not pass the checker.
    #[error("engine {engine} handed over an arrangement that does not fit: {misfit}")]
    DoesNotFit {
        /// The engine.
        engine: String,
        /// The rule that is broken.
        misfit: String,
    },
    /// The engine can't search this problem.
    #[error("engine {engine} does not serve this problem: {reason}")]
    DoesNotServe {
        /// The engine.
        engine: String,
        /// What it needs.
        reason: String,
    },
    /// The engine ended before its search did, though nobody asked it to.
    #[error("engine {engine} ended before its search did")]
    GaveUp {
        /// The engine.
        engine: String,
    },
    /// What the search says of itself could not be written down.
    #[error("{message}")]
    Trace {
        /// What happened.
        message: String,
    },
    /// The parts that a search was cut into do not hold all of it.
    #[error("the search is cut wrongly: {message}")]
    Cut {
        /// What lies in none of them.
        message: String,
    },
    /// A thread panicked, or could not be started.
    #[error("{message}")]
    Thread {
        /// What happened.
        message: String,
    },
}
