//! Solves a model to the end, and again after each cut, with any of the back ends.

use std::ops::ControlFlow;

use super::no_good::{self, Cut};
use super::rows::Rows;
use super::solver::Solver;
use super::{End, Models, unless_stopped};
use crate::domains::Domains;
use crate::engine::{FilteringHost, Host, Work};
use crate::model::{Meaning, Model};
use crate::problem::Problem;
use crate::runtime::clock;
use crate::runtime::limits::Flow;

/// Reports all solutions in `domains`: solves their model and adds cuts until it is infeasible.
///
/// # Errors
/// If the run is stopped, or the solver fails or returns a wrong answer.
pub(super) fn search(
    models: &Models<'_>,
    domains: &Domains,
    host: &mut FilteringHost<'_>,
    work: &mut Work,
) -> Result<(), End> {
    let Models { problem, token, .. } = *models;
    let Some(domains) = unless_stopped(probe(models, domains))? else {
        return Ok(());
    };
    let model = unless_stopped(models.model(&domains, work))?;
    let mut rows = unless_stopped(Rows::new(&model, problem.board.size(), token))?;
    if rows.look_at_all(0).is_err() {
        return Ok(());
    }
    let mut solver = unless_stopped(Solver::new(models.milp.back_end, &model, token))?;
    let mut cuts: Vec<Cut> = Vec::new();
    loop {
        work.solves += 1;
        let started = clock::now();
        let answer = solver.solve(&mut || host.poll(work));
        work.rounds.push(started.elapsed().as_secs_f64());
        let Some(point) = answer? else { return Ok(()) };
        let values = decode(&model, problem, &point)?;
        if cuts.iter().any(|cut| no_good::excludes(cut, &values)) {
            return Err(End::WrongAnswer("a cut already excludes this arrangement".into()));
        }
        // Violations of constraints that the model omits are cut when they occur.
        let is_solution = models.is_solution(&values);
        if is_solution {
            unless_stopped(host.found(&problem.deal(values.iter().copied()), work))?;
        }
        for image in unless_stopped(no_good::images(problem, &domains, &values, token))? {
            let cut = if is_solution {
                unless_stopped(no_good::of_solution(&mut rows, &model, &image, token))?
            } else {
                no_good::of_violation(problem, &domains, &image)
            };
            work.cuts += 1;
            solver.add(&model.no_good(&cut, work.cuts));
            cuts.push(cut);
        }
    }
}

/// The domains without the values whose placement leads to a conflict in the rows of the model;
/// `None` if there is no solution. Breaks if the token stops the run.
fn probe(models: &Models<'_>, domains: &Domains) -> Flow<Option<Domains>> {
    let Models { problem, token, .. } = *models;
    let model = Model::build(problem, &[], domains, models.milp.formulation, token)?;
    let mut rows = Rows::new(&model, problem.board.size(), token)?;
    let mut left = domains.clone();
    if rows.look_at_all(0).is_err() {
        return ControlFlow::Continue(None);
    }
    loop {
        let before = left.placements();
        for (variable, declared) in model.variables.iter().enumerate() {
            let Meaning::Placement { cell, value } = declared.meaning else { continue };
            let steps = rows.steps;
            if !rows.may_be_one(variable) {
                left.cells[cell].remove(value);
                if rows.propagate().is_err() {
                    return ControlFlow::Continue(None);
                }
            }
            token.work((rows.steps - steps) as usize)?;
        }
        if left.placements() == before {
            return ControlFlow::Continue(Some(left));
        }
    }
}

/// The value of each cell in a point of the model.
///
/// # Errors
/// Unless exactly one variable of each cell exceeds one half.
fn decode(model: &Model, problem: &Problem, point: &[f64]) -> Result<Vec<usize>, End> {
    let mut values = vec![None; problem.board.size()];
    for (variable, &x) in model.variables.iter().zip(point) {
        if let (Meaning::Placement { cell, value }, true) = (variable.meaning, x > 0.5)
            && let Some(other) = values[cell].replace(value)
        {
            let message = format!("cell {cell} has two values, {other} and {value}");
            return Err(End::WrongAnswer(message));
        }
    }
    let all: Option<Vec<usize>> = values.into_iter().collect();
    all.ok_or_else(|| End::WrongAnswer("a cell has no value".into()))
}
