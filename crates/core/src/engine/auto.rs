//! `auto`: chooses a search for the board, unless counting arguments prove that there is no
//! solution.
//!
//! If seams may break and each constraint concerns single cells, `regions` is the fastest.
//! Boards without a frame, and boards with constraints on several cells, are for `propagate`. For
//! other framed boards no static figure predicts the better search. There `backtrack` starts, and
//! it solves small boards. Once its probes have estimated its tree, probes of `propagate` decide
//! which of the two continues. If `backtrack` does, none of its work is lost.

use std::ops::ControlFlow;

use super::kind::default_variant;
use super::propagate::Start;
use super::{
    Backtrack, Engine, EngineChoice, EngineKind, FilteringHost, Host, Propagate, Regions, Result,
    Work, backtrack,
};
use crate::domains::counting;
use crate::domains::{Domains, Probes};
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::{Random, mean_and_error};

/// An engine that chooses between `propagate`, `backtrack` and `regions`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Auto;

/// The reason of a run of `auto` that was stopped before it compared the searches.
pub const NOT_COMPARED: &str = "backtrack starts every run";

/// The number of probes of the tree of `propagate` before the first comparison.
const FIRST_PROBES: u32 = 16;

/// The minimum number of probes while there is time, however clear the comparison is: the spread of
/// fewer probes does not estimate their error.
const ENOUGH_PROBES: u32 = 64;

/// `propagate` must be predicted to be this many times as fast before it takes over. A change costs
/// the work of `backtrack` so far, and most estimates are too low, those of `propagate` more so.
const ADVANTAGE: f64 = 1.6;

/// The difference, in standard errors of the logarithm, from which the faster engine is known.
const CLEAR: f64 = 2.0;

/// The standard error of the logarithm that remains with any number of probes: probes do not learn
/// from failures, and the time per node depends on the board.
const ERROR_LEFT: f64 = 0.2;

/// The maximum time of the probes, as a share of the expected time of the faster engine. With 5 %
/// or 15 % the total time is the same.
const SHARE_FOR_PROBES: f64 = 0.1;

/// The typical number of decisions of a probe; most make 3 to 7.
const DECISIONS_OF_PROBE: f64 = 4.0;

/// The number of decisions from which a search would take centuries.
const HOPELESS: f64 = 1e16;

/// The maximum number of decisions of all probes if both searches would take centuries: their sizes
/// no longer matter then.
const MOST_DECISIONS: u64 = 1 << 16;

/// The number of probes of the tree of `backtrack` if an engine is chosen without running a search.
const PROBES_BEFOREHAND: u32 = 512;

const SEED: u64 = 1;

pub(super) const KIND: EngineKind = EngineKind {
    name: "auto",
    help: "propagate or backtrack, chosen for the board; regions for the best arrangement",
    options: &[],
    build: |_| Box::new(Auto),
    variants: || default_variant(KIND.name),
    is_compared: false,
    has_probes: false,
};

impl Engine for Auto {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        Propagate.serves(problem).or_else(|why| Backtrack::Fast.serves(problem).map_err(|_| why))
    }

    /// Always true: the engine that `auto` delegates to asks the host to test the constraints if it
    /// does not prune by them.
    fn prunes_by_constraints(&self) -> bool {
        true
    }

    fn uses_threads(&self) -> bool {
        true
    }

    fn effort(&self, work: &Work) -> String {
        let nodes = Propagate.effort(work);
        match &work.choice {
            Some(choice) if choice.engine == counting::NAME => choice.engine.to_owned(),
            Some(choice) => format!("{}, {nodes}", choice.engine),
            None => nodes,
        }
    }

    /// Chooses by the board or by probes of both trees; never returns `None`. Unlike
    /// [`Engine::search`], it cannot start with `backtrack`, because no search runs before the
    /// problem is split into parts. Breaks if the token stops the run.
    fn chosen(
        &self,
        problem: &Problem,
        token: &CancelToken<'_>,
    ) -> Flow<Option<(&'static dyn Engine, EngineChoice)>> {
        let (engine, why) = match choose_without_probes(problem) {
            Some(choice) => choice,
            None => {
                let probes = Backtrack::Fast.probe(problem, PROBES_BEFOREHAND, SEED, token)?;
                Comparison::new(problem, token).choose_engine(mean_and_error(&probes).0)?
            }
        };
        ControlFlow::Continue(Some((engine, engine_choice(engine, why))))
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow> {
        let token = host.token();
        match counting::proof_under(token, problem) {
            ControlFlow::Continue(None) => {}
            ControlFlow::Continue(Some(count)) => {
                work.choice =
                    Some(EngineChoice { engine: counting::NAME, why: count.describe(problem) });
                return Ok(ControlFlow::Continue(()));
            }
            ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
        }
        if let Some((engine, why)) = choose_without_probes(problem) {
            work.choice = Some(engine_choice(engine, why));
            return engine.search_tested(problem, host, work);
        }
        let mut comparison = Comparison::new(problem, token);
        let mut choice = None;
        let end = backtrack::search_fast(problem, host, work, &mut |nodes| {
            let (engine, _) = choice.insert(comparison.choose_engine(nodes)?);
            let goes_on = engine.name() == Backtrack::Fast.name();
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        let (engine, why) = choice.unwrap_or_else(|| {
            let why = match end {
                ControlFlow::Continue(()) => {
                    format!("backtrack finished within {} nodes", work.nodes)
                }
                ControlFlow::Break(()) => NOT_COMPARED.into(),
            };
            (&Backtrack::Fast as &dyn Engine, why)
        });
        work.choice = Some(engine_choice(engine, why));
        if engine.name() == Backtrack::Fast.name() {
            return Ok(end);
        }
        work.expected = None;
        host.report_restart(&format!("continuing with {}", engine.name()), work);
        match comparison.start {
            Some(start) => start.search(host, work),
            None => Propagate.search(problem, host, work),
        }
    }
}

/// The engine and the reason for it if the board decides without probes; otherwise `None`.
fn choose_without_probes(problem: &Problem) -> Option<(&'static dyn Engine, String)> {
    let are_implied =
        problem.constraints.is_empty() || Domains::first(problem).imply_constraints(problem);
    if problem.most_broken.is_some() && are_implied && Regions.serves(problem).is_ok() {
        return Some((&Regions, "seams may break".into()));
    }
    match (Propagate.serves(problem), Backtrack::Fast.serves(problem)) {
        (Err(why), _) => Some((&Backtrack::Fast, format!("propagate cannot search it: {why}"))),
        (_, Err(why)) => Some((&Propagate, format!("backtrack cannot search it: {why}"))),
        _ if !are_implied => {
            let why = "backtrack would test the constraints only on complete arrangements";
            Some((&Propagate, why.into()))
        }
        _ if !problem.tables().fits_mates_only() => {
            Some((&Propagate, "some edges fit several others".into()))
        }
        _ if problem.board.rectangle().is_none() => {
            Some((&Propagate, "the board is not a rectangle".into()))
        }
        _ if problem.puzzle.border.is_none() => Some((&Propagate, "the board has no frame".into())),
        _ => None,
    }
}

/// The choice of an engine, with the reason, for [`Work::choice`].
fn engine_choice(engine: &dyn Engine, why: String) -> EngineChoice {
    EngineChoice { engine: engine.name(), why }
}

/// The number of nodes of `backtrack` that take as long as a decision of `propagate`.
///
/// A node takes 30 ns, a decision 0.7 µs on 6×6, 1.1 µs on 7×7, 1.2 µs on 8×8 and 1.7 µs on 10×10.
/// The number of nodes is estimated better than that of decisions, so the line is lower; these
/// coefficients chose best on 109 framed boards. Times measured in the run would make the choice,
/// and the order of the solutions, depend on chance.
fn nodes_per_decision(problem: &Problem) -> f64 {
    const BASE: f64 = 10.0;
    const PER_CELL: f64 = 0.5;
    BASE + PER_CELL * problem.board.size() as f64
}

/// The work of `auto` so far, in the nodes that `backtrack` would make in the same time.
pub(crate) fn nodes_of_backtrack(problem: &Problem, work: &Work) -> f64 {
    let is_propagate = |choice: &EngineChoice| choice.engine == Propagate.name();
    let is_propagate = work.choice.as_ref().is_some_and(is_propagate);
    let nodes = work.nodes - work.ahead;
    nodes as f64 * if is_propagate { nodes_per_decision(problem) } else { 1.0 }
}

/// A comparison of the two searches by as many probes of `propagate` as are needed.
struct Comparison<'a> {
    problem: &'a Problem,
    token: &'a CancelToken<'a>,
    /// Built for the first probe, because small boards need none.
    start: Option<Start<'a>>,
    random: Random,
    probes: Probes,
}

impl<'a> Comparison<'a> {
    /// A comparison without probes so far.
    fn new(problem: &'a Problem, token: &'a CancelToken<'a>) -> Self {
        Comparison {
            problem,
            token,
            start: None,
            random: Random::with_seed(SEED),
            probes: Probes::default(),
        }
    }

    /// The engine with the shorter expected time, and the reason. `nodes` is the estimated number
    /// of nodes of `backtrack`. The number of probes of `propagate` is doubled until the difference
    /// is clear or the probes have taken their share of the time. If neither search is expected to
    /// finish, chooses `propagate` if any of its random dives ended at a solution. Breaks if the
    /// token stops the run.
    fn choose_engine(&mut self, nodes: f64) -> Flow<(&'static dyn Engine, String)> {
        let decision = nodes_per_decision(self.problem);
        if self.probes.estimates.is_empty() {
            self.probe(FIRST_PROBES)?;
        }
        loop {
            let (decisions, error) = mean_and_error(&self.probes.estimates);
            let is_hopeless = decisions.min(nodes / decision) > HOPELESS;
            if is_hopeless && self.probes.leaves > 0 {
                // No search will finish, but a random dive may end at a solution.
                let found = self.probes.leaves;
                let of = self.probes.estimates.len();
                let why = format!(
                    "neither search is expected to finish, and {found} of {of} random dives of \
                     propagate reached a solution"
                );
                return ControlFlow::Continue((&Propagate, why));
            }
            let ratio = nodes / (decision * decisions * ADVANTAGE);
            let error_of_log = ((error / decisions).powi(2).ln_1p() + ERROR_LEFT.powi(2)).sqrt();
            let more = self.probes.estimates.len() as u32;
            let taken = DECISIONS_OF_PROBE * 2.0 * f64::from(more);
            let has_time = taken < SHARE_FOR_PROBES * decisions.min(nodes / decision)
                && !(is_hopeless && self.probes.decisions > MOST_DECISIONS);
            // If both estimates overflow, the ratio is NaN; the comparison is then false.
            let is_unclear = ratio.ln().abs() < CLEAR * error_of_log;
            if has_time && (is_unclear || more < ENOUGH_PROBES) {
                self.probe(more)?;
                continue;
            }
            let engine: &'static dyn Engine =
                if ratio > 1.0 { &Propagate } else { &Backtrack::Fast };
            let why = format!(
                "backtrack needs about {nodes:.1e} nodes, propagate {decisions:.1e} decisions, \
                 each of which takes as long as {decision:.0} nodes"
            );
            return ControlFlow::Continue((engine, why));
        }
    }

    /// Adds `more` probes of `propagate`. Breaks if the token stops the run.
    fn probe(&mut self, more: u32) -> Flow {
        let start = match self.start.take() {
            Some(start) => start,
            None => Start::new(self.problem, self.token)?,
        };
        let probes = start.probe(more, &mut self.random, self.token)?;
        self.start = Some(start);
        self.probes.estimates.extend(probes.estimates);
        self.probes.decisions += probes.decisions;
        self.probes.leaves += probes.leaves;
        ControlFlow::Continue(())
    }
}
