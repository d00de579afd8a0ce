//! `propagate` on one thread, telling what it has searched through: the steps of a proof.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::{Engine, Failure, Host, Propagate, Work};
use crate::board::Problem;
use crate::domains::{
    Domains, Leaf, Leaves, Outlet, Part, Progress, Rarest, Split, Walker, break_symmetry,
};
use crate::tables::Tables;

/// What is told of a search while it runs.
pub trait Trace {
    /// One look a cell that fit together. The same are never told again.
    fn found(&mut self, looks: &[usize]);

    /// Nothing fits where these placements (cell, look) are made, but what was found. Children come
    /// before their parents; the end of the run speaks for the top.
    fn done(&mut self, way: &[(usize, usize)]);

    /// What makes it pointless to go on, for people.
    fn trouble(&self) -> Option<String>;
}

/// How the symmetry of a search is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Broken {
    /// Not at all.
    Not,
    /// A tile that every solution uses, the first of this kind, loses these placements (cell, look).
    Tile {
        /// The kind.
        kind: usize,
        /// The placements.
        removed: Vec<(usize, usize)>,
    },
    /// A cell that every symmetry fixes loses these looks.
    Cell {
        /// The cell.
        cell: usize,
        /// The placements (cell, look).
        removed: Vec<(usize, usize)>,
    },
}

/// The engine `propagate` with somebody who is told of each node that is done.
pub struct Traced<'a> {
    part: Part,
    broken: Broken,
    trace: RefCell<&'a mut dyn Trace>,
}

impl<'a> Traced<'a> {
    /// A search through the whole: in one part, whose symmetry is broken only where that leaves one
    /// and `breaks_symmetry` says so.
    pub fn new(problem: &Problem, breaks_symmetry: bool, trace: &'a mut dyn Trace) -> Self {
        let whole = Domains::first(problem);
        let mut parts = match breaks_symmetry {
            true => break_symmetry(problem, whole.clone(), Rarest::Mates),
            false => Vec::new(),
        };
        let is_one = parts.len() == 1 && (parts[0].first.is_none() || problem.uses_every_tile());
        let part = match parts.pop() {
            Some(part) if is_one => part,
            _ => Part {
                domains: whole.clone(),
                first: None,
            },
        };
        Traced {
            broken: broken(problem, &whole, &part),
            part,
            trace: RefCell::new(trace),
        }
    }

    /// How the symmetry is broken.
    pub fn broken(&self) -> &Broken {
        &self.broken
    }
}

/// What a part has lost by its symmetry.
fn broken(problem: &Problem, whole: &Domains, part: &Part) -> Broken {
    let cells = whole.cells.iter().zip(&part.domains.cells).enumerate();
    let lost = cells.flat_map(|(cell, (before, after))| {
        let lost = before.iter().filter(|&look| !after.contains(look));
        lost.map(move |look| (cell, look))
    });
    let lost: Vec<(usize, usize)> = lost.collect();
    let (Some(&(cell, _)), kind_of) = (lost.first(), |look: usize| problem.kinds.looks[look].kind)
    else {
        return Broken::Not;
    };
    match &part.first {
        None => Broken::Cell {
            cell,
            removed: lost,
        },
        Some(places) => {
            let Some(&(_, look)) = places.first() else {
                return Broken::Not;
            };
            let kind = kind_of(look);
            // What else leaves the only cell that is left for the tile follows.
            let of_kind = lost.into_iter().filter(|&(_, look)| kind_of(look) == kind);
            let removed: Vec<(usize, usize)> = of_kind.collect();
            match removed.is_empty() {
                true => Broken::Not,
                false => Broken::Tile { kind, removed },
            }
        }
    }
}

impl Engine for Traced<'_> {
    fn name(&self) -> &'static str {
        Propagate.name()
    }

    fn variant(&self) -> String {
        "traced".into()
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        Propagate.serves(problem)
    }

    fn effort(&self, work: &Work) -> String {
        Propagate.effort(work)
    }

    fn run(
        &self,
        problem: &Problem,
        host: &mut dyn Host,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, Failure> {
        let tables = Tables::build(problem);
        let split = Split::to_the_bottom(problem);
        let before = work.nodes;
        let mut books = Books {
            problem,
            host,
            work,
            before,
            trace: &mut **self.trace.borrow_mut(),
        };
        let parts = std::slice::from_ref(&self.part);
        let (end, decisions) = split.walk((problem, &tables), parts, 1, &Filled, &mut books)?;
        if let Some(message) = books.trace.trouble() {
            return Err(Failure::Trace { message });
        }
        work.nodes = before + decisions;
        Ok(end)
    }
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
    trace: &'a mut dyn Trace,
}

impl Walker<Vec<usize>> for Books<'_> {
    fn found(&mut self, looks: Vec<usize>, decisions: u64) -> ControlFlow<()> {
        self.work.nodes = self.before + decisions;
        self.trace.found(&looks);
        self.host.found(&self.problem.deal(looks), self.work)
    }

    fn poll(&mut self, progress: Progress) -> ControlFlow<()> {
        if self.trace.trouble().is_some() {
            return ControlFlow::Break(());
        }
        self.work.nodes = self.before + progress.decisions;
        self.work.explored = Some(progress.explored);
        self.host.poll(self.work)
    }

    fn is_tracing(&self) -> bool {
        true
    }

    fn done(&mut self, way: &[(usize, usize)]) {
        self.trace.done(way);
    }
}
