//! `milp`: the 0-1 model, solved again and again with no-good cuts until it is infeasible.
//!
//! The domains are reduced and symmetry is broken first; each part that is left becomes one model.
//! After each solution the model gets a cut for it, and for each of its images that lie in the
//! domains too, and is solved again. Only the solver's proof that nothing is left ends a part: any
//! other answer is a [`Failure`] with its round.

mod no_good;
mod solver;

use std::ops::ControlFlow;

use super::{Engine, Failure, Host, Work};
use crate::board::{Arrangement, Placed, Problem};
use crate::domains::{Domains, break_symmetry, reduce};
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

    fn run(
        &self,
        problem: &Problem,
        host: &mut dyn Host,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, Failure> {
        let tables = Tables::build(problem);
        let mut root = Domains::first(problem);
        if reduce(problem, &tables, &mut root).is_err() {
            return Ok(ControlFlow::Continue(()));
        }
        for mut part in break_symmetry(problem, root) {
            if reduce(problem, &tables, &mut part).is_err() {
                continue;
            }
            let part = Part {
                problem,
                tables: &tables,
                model: Model::build(problem, &tables, &part, self.formulation),
                domains: part,
            };
            if part.enumerate(host, work)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            work.nodes += 1;
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Domains with the model that was built for them.
struct Part<'a> {
    problem: &'a Problem,
    tables: &'a Tables,
    domains: Domains,
    model: Model,
}

impl Part<'_> {
    fn enumerate(&self, host: &mut dyn Host, work: &mut Work) -> Result<ControlFlow<()>, Failure> {
        work.placements += self.domains.placements() as u64;
        work.variables = work.variables.max(self.model.variables.len() as u64);
        work.rows = work.rows.max(self.model.rows.len() as u64);
        work.nonzeros = work.nonzeros.max(self.model.nonzeros() as u64);
        let mut solver = Solver::new(&self.model);
        let mut cuts: Vec<Vec<(usize, usize)>> = Vec::new();
        loop {
            let looks = match solver.solve(host, work)? {
                Answer::Infeasible => return Ok(ControlFlow::Continue(())),
                Answer::Stopped => return Ok(ControlFlow::Break(())),
                Answer::Point(values) => self.decode(&values, work.solves)?,
            };
            if cuts
                .iter()
                .any(|cut| cut.iter().all(|&(c, l)| looks[c] == l))
            {
                let message = "it was excluded by a cut".into();
                return Err(wrong(work.solves, message));
            }
            if host.found(&self.arrangement(&looks), work).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            for image in no_good::images(self.problem, &self.domains, &looks) {
                let cut = no_good::shorten(self.problem, self.tables, &self.domains, &image);
                work.cuts += 1;
                solver.add(&self.model.no_good(&cut, work.cuts));
                cuts.push(cut);
            }
        }
    }

    /// The look that is chosen in each cell: exactly one variable above one half.
    fn decode(&self, values: &[f64], round: u64) -> Result<Vec<usize>, Failure> {
        let mut looks = vec![None; self.problem.board.size()];
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

    /// Deals the tiles of each kind to its cells. A kind used too often gets a tile twice, which
    /// the checker refuses.
    fn arrangement(&self, looks: &[usize]) -> Arrangement {
        let kinds = &self.problem.kinds;
        let mut used = vec![0; kinds.kinds.len()];
        let placed = looks.iter().map(|&look| {
            let kind = kinds.looks[look].kind;
            let tiles = &kinds.kinds[kind].tiles;
            let tile = tiles[used[kind] % tiles.len()];
            used[kind] += 1;
            let orientation = kinds.orientations_of(tile, look).next();
            let orientation = orientation.unwrap_or(kinds.looks[look].orientation);
            Placed { tile, orientation }
        });
        Arrangement(placed.collect())
    }
}

fn wrong(round: u64, message: String) -> Failure {
    Failure::WrongAnswer { round, message }
}
