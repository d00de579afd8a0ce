//! `milp`: the 0-1 model, solved again and again with no-good cuts until it is infeasible.
//!
//! The domains are reduced, symmetry is broken, and what is left is split until few placements are
//! open; each leaf becomes one model, or one for the whole where nothing is split. After each
//! solution the model gets a cut for it, and for each of its images that lie in the leaf too, and is
//! solved again. Only the solver's proof that nothing is left ends a leaf: any other answer is a
//! [`Failure`] with its round.

mod beside;
mod no_good;
mod solver;

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Engine, Failure, Host, Work, counted, probe_parts, share};
use crate::board::Problem;
use crate::domains::{
    Domains, Leaf, NothingFits, Part, Progress, Rarest, Split, Walker, break_symmetry, reduce,
};
use crate::model::{FORMULATIONS, Formulation, Meaning, Model};
use crate::tables::Tables;
use solver::{Answer, Solver};

/// The engine that solves the 0-1 model.
#[derive(Debug, Clone, Copy)]
pub struct Milp {
    /// How the seams are stated.
    pub formulation: &'static dyn Formulation,
    /// Domains are split until at most so many placements are left in cells that can take more than
    /// one; the model of those is solved.
    pub leaf: usize,
}

impl Milp {
    /// The usual size of a leaf. Smaller ones are faster, as a model costs more than the search that
    /// it replaces; with this one every 3×3 is still more than ten times faster than with OR-Tools, and
    /// there is a model left to compare, to cut and to constrain.
    pub const LEAF: usize = 60;

    /// The size that splits nothing: one model of the whole.
    pub const WHOLE: usize = usize::MAX;

    /// A formulation with leaves of the usual size.
    pub fn new(formulation: &'static dyn Formulation) -> Milp {
        Milp {
            formulation,
            leaf: Milp::LEAF,
        }
    }
}

/// The first formulation, with leaves of the usual size.
impl Default for Milp {
    fn default() -> Milp {
        Milp::new(FORMULATIONS[0])
    }
}

impl Engine for Milp {
    fn name(&self) -> &'static str {
        "milp"
    }

    fn variant(&self) -> String {
        match self.leaf {
            Milp::WHOLE => format!("{} whole", self.formulation.name()),
            Milp::LEAF => self.formulation.name().to_owned(),
            leaf => format!("{} leaf {leaf}", self.formulation.name()),
        }
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        Split::serves(problem)
    }

    fn effort(&self, work: &Work) -> String {
        let solves = counted(work.solves, "solve", "solves");
        format!("{solves}, {}", counted(work.cuts, "cut", "cuts"))
    }

    fn steps(&self, work: &Work) -> u64 {
        work.decisions
    }

    fn probe(&self, problem: &Problem, probes: u32, seed: u64) -> Vec<f64> {
        let Start { tables, parts } = Start::of(problem);
        let split = Split::down_to(self.leaf);
        probe_parts(problem, &tables, split, &parts, (probes, seed))
    }

    fn run(
        &self,
        problem: &Problem,
        host: &mut dyn Host,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, Failure> {
        let Some(start) = prepare(problem, host, work, Start::of)? else {
            return Ok(ControlFlow::Break(()));
        };
        let tables = Arc::new(start.tables);
        let split = Split::down_to(self.leaf);
        for (index, part) in start.parts.iter().enumerate() {
            let before = work.decisions;
            let mut leaves = Leaves {
                problem,
                tables: &tables,
                formulation: self.formulation,
                host,
                work,
                before,
                part: (index, start.parts.len()),
                failure: None,
            };
            let (end, decisions) = split.walk(problem, &tables, part, &mut leaves);
            leaves.work.decisions = before + decisions;
            if let Some(failure) = leaves.failure {
                return Err(failure);
            }
            if end.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Runs one step of the preparation, beside this thread where the board is large; `None` where the
/// host asked to stop before it was done.
fn prepare<T: Send + 'static>(
    problem: &Problem,
    host: &mut dyn Host,
    work: &Work,
    step: impl FnOnce(&Problem) -> T + Send + 'static,
) -> Result<Option<T>, Failure> {
    // A step on an 8×8 takes a few milliseconds.
    const MANY_PLACEMENTS: usize = 20_000;
    if problem.board.size() * problem.kinds.looks.len() <= MANY_PLACEMENTS {
        return Ok(Some(step(problem)));
    }
    let problem = problem.clone();
    beside::run(move |_| step(&problem), host, work)
}

/// What every part of the search needs.
struct Start {
    tables: Tables,
    parts: Vec<Part>,
}

impl Start {
    fn of(problem: &Problem) -> Self {
        let tables = Tables::build(problem);
        let mut root = Domains::first(problem);
        let parts = match reduce(problem, &tables, &mut root) {
            Ok(()) => break_symmetry(problem, root, Rarest::Placements),
            Err(NothingFits) => Vec::new(),
        };
        Start { tables, parts }
    }
}

/// Solves the leaves of a part, one after another.
struct Leaves<'a> {
    problem: &'a Problem,
    tables: &'a Arc<Tables>,
    formulation: &'static dyn Formulation,
    host: &'a mut dyn Host,
    work: &'a mut Work,
    /// Decisions in the parts before this one.
    before: u64,
    /// The index of this part, and the number of parts.
    part: (usize, usize),
    failure: Option<Failure>,
}

impl Walker for Leaves<'_> {
    fn leaf(&mut self, leaf: &mut dyn Leaf) -> ControlFlow<()> {
        self.work.decisions = self.before + leaf.decisions();
        let end = match leaf.looks() {
            Some(looks) => Ok(self.host.found(&self.problem.deal(looks), self.work)),
            None => self.enumerate(leaf),
        };
        self.work.nodes += 1;
        end.unwrap_or_else(|failure| {
            self.failure = Some(failure);
            ControlFlow::Break(())
        })
    }

    fn poll(&mut self, progress: Progress) -> ControlFlow<()> {
        self.work.decisions = self.before + progress.decisions;
        self.work.explored = Some(share(self.part, progress.explored));
        self.host.poll(self.work)
    }
}

impl Leaves<'_> {
    /// Solves the model of a leaf until nothing is left.
    fn enumerate(&mut self, leaf: &mut dyn Leaf) -> Result<ControlFlow<()>, Failure> {
        let domains = leaf.domains();
        let build = {
            let (tables, formulation) = (Arc::clone(self.tables), self.formulation);
            let domains = domains.clone();
            move |problem: &Problem| Stated::build(problem, &tables, &domains, formulation)
        };
        let Some(mut stated) = prepare(self.problem, self.host, self.work, build)? else {
            return Ok(ControlFlow::Break(()));
        };
        let (problem, work) = (self.problem, &mut *self.work);
        work.placements += domains.placements() as u64;
        work.variables = work.variables.max(stated.model.variables.len() as u64);
        work.rows = work.rows.max(stated.model.rows.len() as u64);
        work.nonzeros = work.nonzeros.max(stated.model.nonzeros() as u64);
        let mut cuts: Vec<Vec<(usize, usize)>> = Vec::new();
        loop {
            let looks = match stated.solver.solve(self.host, work)? {
                Answer::Infeasible => return Ok(ControlFlow::Continue(())),
                Answer::Stopped => return Ok(ControlFlow::Break(())),
                Answer::Point(values) => stated.decode(problem, &values, work.solves)?,
            };
            let is_cut = |cut: &Vec<(usize, usize)>| cut.iter().all(|&(c, l)| looks[c] == l);
            if cuts.iter().any(is_cut) {
                return Err(wrong(work.solves, "it was excluded by a cut".into()));
            }
            let arrangement = problem.deal(looks.iter().copied());
            if self.host.found(&arrangement, work).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            for image in no_good::images(problem, &domains, &looks) {
                let cut = no_good::shorten(leaf, &domains, &image);
                work.cuts += 1;
                stated.solver.add(&stated.model.no_good(&cut, work.cuts));
                cuts.push(cut);
            }
        }
    }
}

/// A model, and the same in the solver's hands.
struct Stated {
    model: Model,
    solver: Solver,
}

impl Stated {
    fn build(
        problem: &Problem,
        tables: &Tables,
        domains: &Domains,
        formulation: &dyn Formulation,
    ) -> Self {
        let model = Model::build(problem, tables, domains, formulation);
        Stated {
            solver: Solver::new(&model),
            model,
        }
    }

    /// The look that is chosen in each cell: exactly one variable above one half.
    fn decode(&self, problem: &Problem, values: &[f64], round: u64) -> Result<Vec<usize>, Failure> {
        let mut looks = vec![None; problem.board.size()];
        for (variable, &value) in self.model.variables.iter().zip(values) {
            if let (Meaning::Placement { cell, look }, true) = (variable.meaning, value > 0.5)
                && let Some(other) = looks[cell].replace(look)
            {
                let message = format!("cell {cell} shows looks {other} and {look} at once");
                return Err(wrong(round, message));
            }
        }
        let all: Option<Vec<usize>> = looks.into_iter().collect();
        all.ok_or_else(|| wrong(round, "a cell is empty".into()))
    }
}

fn wrong(round: u64, message: String) -> Failure {
    Failure::WrongAnswer { round, message }
}
