//! `propagate`: branch, follow the consequences over the tables, to the bottom, with no model.

use std::ops::ControlFlow;

use super::kind::usual_form;
use super::{Engine, EngineKind, Failure, Filtered, Host, Trace, Work, counted, probe_parts};
use crate::domains::{
    Domains, Leaf, Leaves, Outlet, Part, Progress, Rarest, Split, Walker, break_symmetry,
};
use crate::problem::Problem;
use crate::tables::Tables;

/// The engine that keeps for each cell the set of what it can still take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Propagate;

pub(super) const KIND: EngineKind = EngineKind {
    name: "propagate",
    help: "The cell with the fewest possibilities first; after each choice, its consequences",
    options: &[],
    build: |_| Box::new(Propagate),
    forms: || usual_form(KIND.name),
    is_compared: true,
    has_probes: true,
};

impl Engine for Propagate {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn variant(&self) -> String {
        String::new()
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

    fn effort(&self, work: &Work) -> String {
        counted(work.nodes, "node", "nodes")
    }

    fn probe(&self, problem: &Problem, probes: u32, seed: u64) -> Vec<f64> {
        let parts = break_symmetry(problem, Domains::first(problem), Rarest::Mates);
        let (tables, split) = (Tables::build(problem), Split::to_the_bottom(problem));
        probe_parts(problem, &tables, split, &parts, (probes, seed))
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut Filtered<'_>,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, Failure> {
        let parts = break_symmetry(problem, Domains::first(problem), Rarest::Mates);
        // Then the parts hold one image of each solution; the leaves of a part share nothing.
        if problem.moves_every_placement() {
            host.meets_each_once();
        }
        search(problem, &parts, None, host, work)
    }
}

/// Searches through parts; on one thread where it is traced.
pub(super) fn search(
    problem: &Problem,
    parts: &[Part],
    trace: Option<&mut dyn Trace>,
    host: &mut dyn Host,
    work: &mut Work,
) -> Result<ControlFlow<()>, Failure> {
    let tables = Tables::build(problem);
    let split = Split::to_the_bottom(problem);
    let threads = if trace.is_some() { 1 } else { host.threads() };
    let before = work.nodes;
    let mut books = Books {
        problem,
        host,
        work,
        before,
        // As long as the others live.
        trace: trace.map(|trace| trace as &mut dyn Trace),
    };
    let (end, decisions) = split.walk((problem, &tables), parts, threads, &Filled, &mut books)?;
    books.work.nodes = before + decisions;
    Ok(end)
}

/// Leaves with a tile in each cell.
struct Filled;

impl Leaves for Filled {
    type Yield = Vec<usize>;

    fn leaf(&self, leaf: &mut dyn Leaf, outlet: &mut dyn Outlet<Self::Yield>) -> ControlFlow<()> {
        leaf.looks()
            .map_or(ControlFlow::Continue(()), |looks| outlet.found(looks))
    }
}

struct Books<'a> {
    problem: &'a Problem,
    host: &'a mut dyn Host,
    work: &'a mut Work,
    /// Nodes counted before this run.
    before: u64,
    trace: Option<&'a mut dyn Trace>,
}

impl Walker<Vec<usize>> for Books<'_> {
    fn found(&mut self, looks: Vec<usize>, decisions: u64) -> ControlFlow<()> {
        self.work.nodes = self.before + decisions;
        if let Some(trace) = &mut self.trace {
            trace.found(&looks);
        }
        self.host.found(&self.problem.deal(looks), self.work)
    }

    fn poll(&mut self, progress: Progress) -> ControlFlow<()> {
        if self.trace.as_ref().is_some_and(|t| t.trouble().is_some()) {
            return ControlFlow::Break(());
        }
        self.work.nodes = self.before + progress.decisions;
        self.work.explored = Some(progress.explored);
        self.host.poll(self.work)
    }

    fn is_tracing(&self) -> bool {
        self.trace.is_some()
    }

    fn decided(&mut self, cell: usize, look: usize, left: Option<&dyn Leaf>) {
        if let Some(trace) = &mut self.trace {
            trace.decided(cell, look, left);
        }
    }

    fn done(&mut self, way: &[(usize, usize)]) {
        if let Some(trace) = &mut self.trace {
            trace.done(way);
        }
    }
}
