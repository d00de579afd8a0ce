//! `auto`: chooses the search for a board, where counts do not rule out that there is a solution.
//!
//! Without a frame, and where a constraint concerns several cells, that is `propagate`. For other
//! framed boards no static figure predicts the better of the two searches. `backtrack` begins, which
//! solves small boards. When its probes have said how large its tree is, probes of the other decide
//! whether it goes on; nothing that it has searched is lost then.

use std::ops::ControlFlow;

use super::kind::usual_form;
use super::{
    Backtrack, Choice, Decided, Engine, EngineError, EngineKind, Filtered, Host, Propagate, Work,
};
use crate::counting;
use crate::domains::Domains;
use crate::problem::{Arrangement, Problem};

/// The engine that chooses between `propagate` and `backtrack`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Auto;

/// Probes of the tree of `propagate`, and the factor from which on their verdict stands: twice the
/// standard deviation, measured on 110 framed boards of 6×6 to 10×10. With 64 it is 5; another 192
/// would take more time than they save.
const STAGES: [(u32, f64); 2] = [(16, 13.0), (64, 1.0)];

/// Probes of the tree of `backtrack` where it does not run.
const PROBES_BEFOREHAND: u32 = 512;

const SEED: u64 = 1;

pub(super) const KIND: EngineKind = EngineKind {
    name: "auto",
    help: "Choose propagate or backtrack to suit the board",
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
        Propagate
            .serves(problem)
            .or_else(|_| Backtrack::Fast.serves(problem))
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
    fn chosen(&self, problem: &Problem) -> Option<(&'static dyn Engine, Choice)> {
        let (engine, why) = at_sight(problem).unwrap_or_else(|| {
            let probes = Backtrack::Fast.probe(problem, PROBES_BEFOREHAND, SEED);
            sooner(problem, mean(&probes))
        });
        Some((engine, chosen(engine, why)))
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut Filtered<'_>,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, EngineError> {
        if let Some(count) = counting::proof(problem) {
            work.choice = Some(Choice {
                engine: counting::NAME,
                why: count.describe(problem),
            });
            return Ok(ControlFlow::Continue(()));
        }
        if let Some((engine, why)) = at_sight(problem) {
            work.choice = Some(chosen(engine, why));
            return engine.run(problem, host, work);
        }
        let mut trial = Trial {
            problem,
            host,
            compared: None,
            choice: None,
        };
        let end = (&Backtrack::Fast as &dyn Engine).run(problem, &mut trial, work)?;
        let choice = trial.choice.unwrap_or_else(|| {
            let why = match end {
                ControlFlow::Continue(()) => format!("it ends within {} nodes", work.nodes),
                ControlFlow::Break(()) => "it was tried first".into(),
            };
            (&Backtrack::Fast, why)
        });
        let (engine, why) = choice;
        work.choice = Some(chosen(engine, why));
        if engine.name() == Backtrack::Fast.name() {
            return Ok(end);
        }
        work.expected = None;
        host.begins_again(&format!("{} takes over", engine.name()), work);
        engine.run(problem, host, work)
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
        _ if !problem.puzzle.labels.are_known() => {
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
    Choice {
        engine: engine.name(),
        why,
    }
}

/// As many nodes of `backtrack` as count as a decision of `propagate`. They take 32 ns against 0.8 µs on
/// 6×6, 1.2 on 7×7, 1.5 on 8×8, 2.3 on 10×10, but their number is estimated better; this line chose best
/// on 109 framed boards. Measured times would make the choice, and with it the order of the solutions,
/// a matter of luck.
fn nodes_per_decision(problem: &Problem) -> f64 {
    10.0 + 0.5 * problem.board.size() as f64
}

/// The engine that is sooner done, if `backtrack` needs so many nodes by its probes: those of
/// `propagate` are compared with them.
fn sooner(problem: &Problem, nodes: f64) -> (&'static dyn Engine, String) {
    let decision = nodes_per_decision(problem);
    let (mut ratio, mut decisions) = (0.0, 0.0);
    for (number, clear) in STAGES {
        decisions = mean(&Propagate.probe(problem, number, SEED));
        ratio = nodes / (decision * decisions);
        if ratio > clear || ratio < 1.0 / clear {
            break;
        }
    }
    // Two trees too large for their numbers have no ratio.
    let engine: &'static dyn Engine = if ratio > 1.0 {
        &Propagate
    } else {
        &Backtrack::Fast
    };
    let why = format!(
        "backtrack needs about {nodes:.1e} nodes, propagate {decisions:.1e}, each as long as \
         {decision:.0}"
    );
    (engine, why)
}

fn mean(probes: &[f64]) -> f64 {
    probes.iter().sum::<f64>() / probes.len() as f64
}

/// A host that stops `backtrack` once the other engine is expected to be sooner done.
struct Trial<'a> {
    problem: &'a Problem,
    host: &'a mut dyn Host,
    /// The nodes that `backtrack` expected when the two were last compared.
    compared: Option<f64>,
    choice: Option<(&'static dyn Engine, String)>,
}

impl Host for Trial<'_> {
    fn found(&mut self, arrangement: &Arrangement, work: &Work) -> ControlFlow<()> {
        self.host.found(arrangement, work)
    }

    fn poll(&mut self, work: &Work) -> ControlFlow<()> {
        if let Some(nodes) = work.expected
            && self.compared != work.expected
        {
            let (engine, why) = sooner(self.problem, nodes);
            self.compared = work.expected;
            self.choice = Some((engine, why));
            if engine.name() != Backtrack::Fast.name() {
                return ControlFlow::Break(());
            }
        }
        self.host.poll(work)
    }

    fn stands_at(&mut self, path: &dyn Fn() -> Vec<Decided>) {
        self.host.stands_at(path);
    }

    fn begins_again(&mut self, why: &str, work: &Work) {
        self.host.begins_again(why, work);
    }

    fn threads(&self) -> usize {
        self.host.threads()
    }
}
