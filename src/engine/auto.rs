//! `auto`: the search that suits the board.
//!
//! Without a frame that is `propagate`, always, and where a constraint concerns several cells. No
//! static figure tells which of the two searches suits another framed board, so both run a little, which finishes small boards; where neither does,
//! random probes of both trees and the time that a node has taken say which is sooner done.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::{Backtrack, Engine, Failure, Host, Propagate, Work};
use crate::board::{Arrangement, Problem};
use crate::domains::Domains;

/// The engine that chooses between `propagate` and `backtrack`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Auto;

/// Nodes that `backtrack` has at first: about a millisecond.
const NODES: u64 = 1 << 15;

/// Decisions that `propagate` has at first: about a millisecond, too.
const DECISIONS: u64 = 1 << 10;

/// Probes of each tree: mostly within a factor of 2 or 3 of its size, and the two differ by more
/// where it matters. They take about a millisecond.
const PROBES: u32 = 64;

const SEED: u64 = 1;

/// What `auto` takes, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choice {
    /// The engine.
    pub engine: &'static str,
    /// The reason, for people.
    pub why: String,
}

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn variant(&self) -> String {
        String::new()
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        Propagate
            .serves(problem)
            .or(Backtrack::Fast.serves(problem))
    }

    fn effort(&self, work: &Work) -> String {
        let nodes = Propagate.effort(work);
        match &work.choice {
            Some(choice) => format!("{}, {nodes}", choice.engine),
            None => nodes,
        }
    }

    fn run(
        &self,
        problem: &Problem,
        host: &mut dyn Host,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, Failure> {
        if let Some((engine, why)) = at_sight(problem) {
            work.choice = Some(chosen(engine, why));
            return engine.run(problem, host, work);
        }
        let mut costs = Vec::new();
        for (engine, nodes) in [
            (&Backtrack::Fast as &dyn Engine, NODES),
            (&Propagate, DECISIONS),
        ] {
            let trial = Trial::run(engine, problem, host, work, nodes)?;
            if !trial.is_spent {
                let why = match trial.end {
                    ControlFlow::Continue(()) => format!("it ends within {nodes} nodes"),
                    ControlFlow::Break(()) => "it was on trial".into(),
                };
                work.choice = Some(chosen(engine, why));
                return Ok(trial.end);
            }
            costs.push((engine, trial.seconds_per_node));
        }
        let (engine, why) = sooner(problem, &costs);
        work.choice = Some(chosen(engine, why));
        engine.run(problem, host, work)
    }
}

/// What needs no trial.
fn at_sight(problem: &Problem) -> Option<(&'static dyn Engine, String)> {
    match (Propagate.serves(problem), Backtrack::Fast.serves(problem)) {
        (Err(why), _) => Some((&Backtrack::Fast, why)),
        (_, Err(why)) => Some((&Propagate, why)),
        _ if !Domains::first(problem).imply_constraints(problem) => {
            let why = "backtrack would only filter by the constraints";
            Some((&Propagate, why.into()))
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

/// The engine that probes say is sooner done.
fn sooner<'a>(problem: &Problem, costs: &[(&'a dyn Engine, f64)]) -> (&'a dyn Engine, String) {
    let mut expected: Vec<(f64, &dyn Engine, f64)> = costs
        .iter()
        .map(|&(engine, seconds_per_node)| {
            let probes = engine.probe(problem, PROBES, SEED);
            let nodes = probes.iter().sum::<f64>() / f64::from(PROBES);
            (nodes * seconds_per_node, engine, nodes)
        })
        .collect();
    expected.sort_by(|a, b| a.0.total_cmp(&b.0));
    let words = expected.iter().map(|(seconds, engine, nodes)| {
        let name = engine.name();
        let time = Duration::try_from_secs_f64(*seconds).unwrap_or(Duration::MAX);
        format!("{name} about {nodes:.1e} nodes, {time:.1?}")
    });
    let why = words.collect::<Vec<_>>().join("; ");
    (expected[0].1, why)
}

/// A run that ends after some nodes.
struct Trial {
    is_spent: bool,
    end: ControlFlow<()>,
    seconds_per_node: f64,
}

impl Trial {
    fn run(
        engine: &dyn Engine,
        problem: &Problem,
        host: &mut dyn Host,
        work: &mut Work,
        nodes: u64,
    ) -> Result<Trial, Failure> {
        let (started, before) = (Instant::now(), work.nodes);
        let mut budget = Budget {
            host,
            most: before + nodes,
            is_spent: false,
        };
        let end = engine.run(problem, &mut budget, work)?;
        work.explored = None;
        let made = (work.nodes - before).max(1) as f64;
        Ok(Trial {
            is_spent: budget.is_spent,
            end,
            seconds_per_node: started.elapsed().as_secs_f64() / made,
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
