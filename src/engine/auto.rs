//! `auto`: chooses the search for a board, where counts do not rule out that there is a solution.
//!
//! Without a frame, and where a constraint concerns several cells, that is `propagate`. For other
//! framed boards no static figure predicts the better of the two searches. `backtrack` begins, which
//! solves small boards. When its probes have said how large its tree is, probes of the other decide
//! whether it goes on; nothing that it has searched is lost then.

use std::ops::ControlFlow;

use super::kind::usual_form;
use super::propagate::Start;
use super::{
    Backtrack, Choice, Engine, EngineKind, Filtered, Host, Propagate, Result, Work, backtrack,
};
use crate::counting;
use crate::domains::{Domains, Probes};
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::{Random, mean_and_error};

/// The engine that chooses between `propagate` and `backtrack`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Auto;

/// Probes of the tree of `propagate` at first, and at least where there is time for as many: with fewer,
/// what they spread tells too little of their error.
const FIRST_PROBES: u32 = 16;
const ENOUGH_PROBES: u32 = 64;

/// So many times sooner done must `propagate` promise to be. Taking over costs what `backtrack` has
/// begun, and most estimates are too low, those of `propagate` more.
const ADVANTAGE: f64 = 1.6;

/// Where the two differ by so many standard errors, the sooner one is known.
const CLEAR: f64 = 2.0;

/// The error of the logarithm that no number of probes takes away: they do not learn from failures, nor
/// know what a node takes on this board.
const ERROR_LEFT: f64 = 0.2;

/// The share of the sooner engine's time that probes may take. With 5 or 15 % `auto` takes as long.
const SHARE_FOR_PROBES: f64 = 0.1;

/// A probe mostly ends after 3 to 7 decisions.
const DECISIONS_OF_PROBE: f64 = 4.0;

/// A tree of so many decisions is hopeless: they take centuries.
const HOPELESS: f64 = 1e16;

/// Decisions of all probes where both trees are hopeless: their sizes no longer matter much.
const MOST_DECISIONS: u64 = 1 << 16;

/// Probes of the tree of `backtrack` where it does not run.
const PROBES_BEFOREHAND: u32 = 512;

const SEED: u64 = 1;

pub(super) const KIND: EngineKind = EngineKind {
    name: "auto",
    help: "propagate or backtrack, to suit the board",
    options: &[],
    build: |_| Box::new(Auto),
    forms: || usual_form(KIND.name),
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

    /// Each of the engines does, or the constraints are asked of what it finds.
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

    /// By sight or by probes alone, as nobody runs the whole before its parts.
    fn chosen(
        &self,
        problem: &Problem,
        token: &CancelToken<'_>,
    ) -> Flow<Option<(&'static dyn Engine, Choice)>> {
        let (engine, why) = match at_sight(problem) {
            Some(choice) => choice,
            None => {
                let probes = Backtrack::Fast.probe(problem, PROBES_BEFOREHAND, SEED, token)?;
                Comparison::new(problem, token).sooner(mean_and_error(&probes).0)?
            }
        };
        ControlFlow::Continue(Some((engine, chosen(engine, why))))
    }

    fn search(&self, problem: &Problem, host: &mut Filtered<'_>, work: &mut Work) -> Result<Flow> {
        let token = host.token();
        match counting::proof_under(token, problem) {
            ControlFlow::Continue(None) => {}
            ControlFlow::Continue(Some(count)) => {
                work.choice = Some(Choice { engine: counting::NAME, why: count.describe(problem) });
                return Ok(ControlFlow::Continue(()));
            }
            ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
        }
        if let Some((engine, why)) = at_sight(problem) {
            work.choice = Some(chosen(engine, why));
            return engine.run(problem, token, host, work);
        }
        let mut comparison = Comparison::new(problem, token);
        let mut choice = None;
        let end = backtrack::run_fast(problem, host, work, &mut |nodes| {
            let (engine, _) = choice.insert(comparison.sooner(nodes)?);
            let goes_on = engine.name() == Backtrack::Fast.name();
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        let (engine, why) = choice.unwrap_or_else(|| {
            let why = match end {
                ControlFlow::Continue(()) => format!("it ends within {} nodes", work.nodes),
                ControlFlow::Break(()) => "it was tried first".into(),
            };
            (&Backtrack::Fast as &dyn Engine, why)
        });
        work.choice = Some(chosen(engine, why));
        if engine.name() == Backtrack::Fast.name() {
            return Ok(end);
        }
        work.expected = None;
        host.begins_again(&format!("{} takes over", engine.name()), work);
        match comparison.start {
            Some(start) => start.search(host, work),
            None => Propagate.search(problem, host, work),
        }
    }
}

/// What needs no trial.
fn at_sight(problem: &Problem) -> Option<(&'static dyn Engine, String)> {
    match (Propagate.serves(problem), Backtrack::Fast.serves(problem)) {
        (Err(why), _) => Some((&Backtrack::Fast, why)),
        (_, Err(why)) => Some((&Propagate, why)),
        _ if !problem.constraints.is_empty()
            && !Domains::first(problem).imply_constraints(problem) =>
        {
            let why = "backtrack would only test the constraints on each arrangement";
            Some((&Propagate, why.into()))
        }
        _ if !problem.tables().fits_mates_only() => {
            Some((&Propagate, "some edges are unknown".into()))
        }
        _ if problem.board.rectangle().is_none() => {
            Some((&Propagate, "the board is not a rectangle".into()))
        }
        _ if problem.puzzle.border.is_none() => Some((&Propagate, "the board has no frame".into())),
        _ => None,
    }
}

fn chosen(engine: &dyn Engine, why: String) -> Choice {
    Choice { engine: engine.name(), why }
}

/// As many nodes of `backtrack` as count as a decision of `propagate`. They take 30 ns against 0.7 µs on
/// 6×6, 1.1 on 7×7, 1.2 on 8×8, 1.7 on 10×10, but their number is estimated better; this line chose best
/// on 109 framed boards. Measured times would make the choice, and with it the order of the solutions,
/// a matter of luck.
fn nodes_per_decision(problem: &Problem) -> f64 {
    10.0 + 0.5 * problem.board.size() as f64
}

/// The other search, probed as far as needed to say which of the two is sooner done.
struct Comparison<'a> {
    problem: &'a Problem,
    token: &'a CancelToken<'a>,
    /// Built for the first probe: small boards need none.
    start: Option<Start<'a>>,
    random: Random,
    probes: Probes,
}

impl<'a> Comparison<'a> {
    fn new(problem: &'a Problem, token: &'a CancelToken<'a>) -> Self {
        Comparison {
            problem,
            token,
            start: None,
            random: Random::with_seed(SEED),
            probes: Probes::default(),
        }
    }

    /// The engine that is sooner done, if `backtrack` needs so many nodes by its probes. Those of
    /// `propagate` are doubled until they are clear, or have taken too long. `Break` where the token
    /// says so.
    fn sooner(&mut self, nodes: f64) -> Flow<(&'static dyn Engine, String)> {
        let decision = nodes_per_decision(self.problem);
        if self.probes.estimates.is_empty() {
            self.probe(FIRST_PROBES)?;
        }
        loop {
            let (decisions, error) = mean_and_error(&self.probes.estimates);
            let is_hopeless = decisions.min(nodes / decision) > HOPELESS;
            if is_hopeless && self.probes.leaves > 0 {
                // No search ends, but a random way down may end at a solution.
                let found = self.probes.leaves;
                let of = self.probes.estimates.len();
                let why = format!(
                    "neither search would end, and {found} of {of} random ways down propagate find \
                     a solution"
                );
                return ControlFlow::Continue((&Propagate, why));
            }
            let ratio = nodes / (decision * decisions * ADVANTAGE);
            let error_of_log = ((error / decisions).powi(2).ln_1p() + ERROR_LEFT.powi(2)).sqrt();
            let more = self.probes.estimates.len() as u32;
            let taken = DECISIONS_OF_PROBE * 2.0 * f64::from(more);
            let has_time = taken < SHARE_FOR_PROBES * decisions.min(nodes / decision)
                && !(is_hopeless && self.probes.decisions > MOST_DECISIONS);
            // Two trees too large for their numbers have no ratio.
            let is_unclear = ratio.ln().abs() < CLEAR * error_of_log;
            if has_time && (is_unclear || more < ENOUGH_PROBES) {
                self.probe(more)?;
                continue;
            }
            let engine: &'static dyn Engine =
                if ratio > 1.0 { &Propagate } else { &Backtrack::Fast };
            let why = format!(
                "backtrack needs about {nodes:.1e} nodes, propagate {decisions:.1e}, each as long \
                 as {decision:.0}"
            );
            return ControlFlow::Continue((engine, why));
        }
    }

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
