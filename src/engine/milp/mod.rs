//! `milp`: the 0-1 model, solved again and again with no-good cuts until it is infeasible.
//!
//! The domains are reduced and symmetry is broken first; each part that is left becomes one model.
//! After each solution the model gets a cut for it, and for each of its images that lie in the
//! domains too, and is solved again. Only the solver's proof that nothing is left ends a part: any
//! other answer is a [`Failure`] with its round.

mod beside;
mod no_good;
mod solver;

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Engine, Failure, Host, Work, counted};
use crate::board::Problem;
use crate::domains::{Domains, NothingFits, break_symmetry, reduce};
use crate::model::{Formulation, Meaning, Model};
use crate::tables::Tables;
use solver::{Answer, Solver};

/// The engine that solves the 0-1 model.
#[derive(Debug, Clone, Copy)]
pub struct Milp {
    /// How the seams are stated.
    pub formulation: &'static dyn Formulation,
}

impl Engine for Milp {
    fn name(&self) -> &'static str {
        "milp"
    }

    fn variant(&self) -> String {
        self.formulation.name().to_owned()
    }

    fn effort(&self, work: &Work) -> String {
        let solves = counted(work.solves, "solve", "solves");
        format!("{solves}, {}", counted(work.cuts, "cut", "cuts"))
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
        for domains in start.parts {
            let (tables, formulation) = (Arc::clone(&tables), self.formulation);
            let build = move |problem: &Problem| Part::build(problem, tables, domains, formulation);
            match prepare(problem, host, work, build)? {
                None => return Ok(ControlFlow::Break(())),
                Some(None) => {}
                Some(Some(part)) => {
                    if part.enumerate(problem, host, work)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    work.nodes += 1;
                }
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
    parts: Vec<Domains>,
}

impl Start {
    fn of(problem: &Problem) -> Self {
        let tables = Tables::build(problem);
        let mut root = Domains::first(problem);
        let parts = match reduce(problem, &tables, &mut root) {
            Ok(()) => break_symmetry(problem, root),
            Err(NothingFits) => Vec::new(),
        };
        Start { tables, parts }
    }
}

/// Domains with the model that was built for them.
struct Part {
    tables: Arc<Tables>,
    domains: Domains,
    model: Model,
    solver: Solver,
}

impl Part {
    /// `None` where reducing proves that nothing fits.
    fn build(
        problem: &Problem,
        tables: Arc<Tables>,
        mut domains: Domains,
        formulation: &dyn Formulation,
    ) -> Option<Self> {
        reduce(problem, &tables, &mut domains).ok()?;
        let model = Model::build(problem, &tables, &domains, formulation);
        Some(Part {
            solver: Solver::new(&model),
            tables,
            domains,
            model,
        })
    }

    fn enumerate(
        mut self,
        problem: &Problem,
        host: &mut dyn Host,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, Failure> {
        work.placements += self.domains.placements() as u64;
        work.variables = work.variables.max(self.model.variables.len() as u64);
        work.rows = work.rows.max(self.model.rows.len() as u64);
        work.nonzeros = work.nonzeros.max(self.model.nonzeros() as u64);
        let mut cuts: Vec<Vec<(usize, usize)>> = Vec::new();
        loop {
            let looks = match self.solver.solve(host, work)? {
                Answer::Infeasible => return Ok(ControlFlow::Continue(())),
                Answer::Stopped => return Ok(ControlFlow::Break(())),
                Answer::Point(values) => self.decode(problem, &values, work.solves)?,
            };
            if cuts
                .iter()
                .any(|cut| cut.iter().all(|&(c, l)| looks[c] == l))
            {
                return Err(wrong(work.solves, "it was excluded by a cut".into()));
            }
            if host
                .found(&problem.deal(looks.iter().copied()), work)
                .is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
            for image in no_good::images(problem, &self.domains, &looks) {
                let cut = no_good::shorten(problem, &self.tables, &self.domains, &image);
                work.cuts += 1;
                self.solver.add(&self.model.no_good(&cut, work.cuts));
                cuts.push(cut);
            }
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
