//! `auto`: chooses the search for a board.
//!
//! Without a frame, and where a constraint concerns several cells, that is `propagate`. For other
//! framed boards no static figure predicts the better of the two searches, so both run for a while,
//! which solves small boards; then random probes of both trees decide.

use std::ops::ControlFlow;

use super::kind::usual_form;
use super::{Backtrack, Choice, Engine, EngineError, EngineKind, Filtered, Host, Propagate, Work};
use crate::domains::Domains;
use crate::problem::{Arrangement, Problem};

/// The engine that chooses between `propagate` and `backtrack`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Auto;

/// Nodes that `backtrack` has at first: about a millisecond.
const NODES: u64 = 1 << 15;

/// Decisions that `propagate` has at first: about a millisecond, too.
const DECISIONS: u64 = 1 << 10;

/// Probes of each tree, and the nodes above which the next number is asked: 64 are mostly within a
/// factor of 2 or 3 of its size, and take about a millisecond.
const STAGES: [(u32, f64); 2] = [(64, 1e6), (512, f64::INFINITY)];

/// The estimate of `backtrack` is the smallest of several, and so too small.
const TOO_SMALL: f64 = 1.5;

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
            Some(choice) => format!("{}, {nodes}", choice.engine),
            None => nodes,
        }
    }

    /// By sight or by probes alone, as nobody runs the whole before its parts.
    fn chosen(&self, problem: &Problem) -> Option<(&'static dyn Engine, Choice)> {
        let (engine, why) = at_sight(problem).unwrap_or_else(|| sooner(problem));
        Some((engine, chosen(engine, why)))
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut Filtered<'_>,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, EngineError> {
        if let Some((engine, why)) = at_sight(problem) {
            work.choice = Some(chosen(engine, why));
            return engine.run(problem, host, work);
        }
        for (engine, nodes) in [
            (&Backtrack::Fast as &dyn Engine, NODES),
            (&Propagate, DECISIONS),
        ] {
            let trial = Trial::run(engine, problem, host, work, nodes)?;
            if !trial.is_spent {
                let why = match trial.end {
                    ControlFlow::Continue(()) => format!("it ends within {nodes} nodes"),
                    ControlFlow::Break(()) => "it was tried first".into(),
                };
                work.choice = Some(chosen(engine, why));
                return Ok(trial.end);
            }
        }
        let (engine, why) = sooner(problem);
        work.choice = Some(chosen(engine, why));
        engine.run(problem, host, work)
    }
}

/// What needs no trial.
fn at_sight(problem: &Problem) -> Option<(&'static dyn Engine, String)> {
    match (Propagate.serves(problem), Backtrack::Fast.serves(problem)) {
        (Err(why), _) => Some((&Backtrack::Fast, why)),
        (_, Err(why)) => Some((&Propagate, why)),
        _ if !problem.sums.is_empty() && !Domains::first(problem).imply_constraints(problem) => {
            let why = "backtrack would only test the constraints on each arrangement";
            Some((&Propagate, why.into()))
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

/// As many nodes of `backtrack` as take as long as a decision of `propagate`: 29 ns against 0.8 to
/// 1.1 µs on 6×6, 1.7 on 8×8, 2.3 on 10×10. Measured times would make the choice, and with it the
/// order of the solutions, a matter of luck.
fn nodes_per_decision(problem: &Problem) -> f64 {
    15.0 + 0.5 * problem.board.size() as f64
}

/// The engine that probes say is sooner done.
fn sooner(problem: &Problem) -> (&'static dyn Engine, String) {
    let decision = nodes_per_decision(problem);
    let mut nodes = 0.0;
    let mut decisions = 0.0;
    for (number, enough) in STAGES {
        [nodes, decisions] = [&Backtrack::Fast as &dyn Engine, &Propagate].map(|engine| {
            let probes = engine.probe(problem, number, SEED);
            probes.iter().sum::<f64>() / f64::from(number)
        });
        if f64::min(nodes, decision * decisions) < enough {
            break;
        }
    }
    let engine: &'static dyn Engine = if TOO_SMALL * nodes <= decision * decisions {
        &Backtrack::Fast
    } else {
        &Propagate
    };
    let why = format!(
        "backtrack needs about {nodes:.1e} nodes, propagate {decisions:.1e}, each as long as \
         {decision:.0}"
    );
    (engine, why)
}

/// A run that ends after some nodes.
struct Trial {
    is_spent: bool,
    end: ControlFlow<()>,
}

impl Trial {
    fn run(
        engine: &dyn Engine,
        problem: &Problem,
        host: &mut dyn Host,
        work: &mut Work,
        nodes: u64,
    ) -> Result<Trial, EngineError> {
        let before = work.nodes;
        let mut budget = Budget {
            host,
            most: before + nodes,
            is_spent: false,
        };
        let end = engine.run(problem, &mut budget, work)?;
        work.explored = None;
        Ok(Trial {
            is_spent: budget.is_spent,
            end,
        })
    }
}

/// A host that stops an engine after some nodes.
struct Budget<'a> {
    host: &'a mut dyn Host,
    most: u64,
    is_spent: bool,
}

impl Host for Budget<'_> {
    fn found(&mut self, arrangement: &Arrangement, work: &Work) -> ControlFlow<()> {
        self.host.found(arrangement, work)
    }

    fn poll(&mut self, work: &Work) -> ControlFlow<()> {
        if work.nodes >= self.most {
            self.is_spent = true;
            return ControlFlow::Break(());
        }
        // What a trial has explored is explored again.
        let unknown = Work {
            explored: None,
            ..work.clone()
        };
        self.host.poll(&unknown)
    }
}
