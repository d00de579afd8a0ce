//! `propagate`: branch, follow the consequences over the tables, to the bottom, with no model.

use std::ops::ControlFlow;

use super::{Engine, Failure, Host, Work, counted, probe_parts, share};
use crate::board::Problem;
use crate::domains::{Domains, Leaf, Progress, Rarest, Split, Walker, break_symmetry};
use crate::tables::Tables;

/// The engine that keeps for each cell the set of what it can still take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Propagate;

impl Engine for Propagate {
    fn name(&self) -> &'static str {
        "propagate"
    }

    fn variant(&self) -> String {
        String::new()
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        Split::serves(problem)
    }

    fn effort(&self, work: &Work) -> String {
        counted(work.nodes, "node", "nodes")
    }

    fn probe(&self, problem: &Problem, probes: u32, seed: u64) -> Vec<f64> {
        let parts = break_symmetry(problem, Domains::first(problem), Rarest::Mates);
        let (tables, split) = (Tables::build(problem), Split::to_the_bottom(problem));
        probe_parts(problem, &tables, split, &parts, (probes, seed))
    }

    fn run(
        &self,
        problem: &Problem,
        host: &mut dyn Host,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, Failure> {
        let tables = Tables::build(problem);
        let split = Split::to_the_bottom(problem);
        let mut decided = work.nodes;
        let parts = break_symmetry(problem, Domains::first(problem), Rarest::Mates);
        for (index, part) in parts.iter().enumerate() {
            let mut walk = Walk {
                problem,
                host,
                work,
                before: decided,
                part: (index, parts.len()),
            };
            let (end, decisions) = split.walk(problem, &tables, part, &mut walk);
            decided += decisions;
            work.nodes = decided;
            if end.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

struct Walk<'a> {
    problem: &'a Problem,
    host: &'a mut dyn Host,
    work: &'a mut Work,
    /// Decisions in the parts before this one.
    before: u64,
    /// The index of this part, and the number of parts.
    part: (usize, usize),
}

impl Walker for Walk<'_> {
    fn leaf(&mut self, leaf: &mut dyn Leaf) -> ControlFlow<()> {
        self.work.nodes = self.before + leaf.decisions();
        let Some(looks) = leaf.looks() else {
            return ControlFlow::Continue(());
        };
        self.host.found(&self.problem.deal(looks), self.work)
    }

    fn poll(&mut self, progress: Progress) -> ControlFlow<()> {
        self.work.nodes = self.before + progress.decisions;
        self.work.explored = Some(share(self.part, progress.explored));
        self.host.poll(self.work)
    }
}
