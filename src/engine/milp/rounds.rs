//! Solves the model of a leaf again after each cut, with any of the back ends.

use super::no_good::Cut;
use super::solver::{Solver, SolverResult};
use super::{End, LeafResult, Models, no_good, record_size, unless_stopped, wrong_answer};
use crate::domains::{Leaf, Outlet};
use crate::engine::Work;
use crate::model::{Meaning, Model};
use crate::problem::Problem;

/// Passes all solutions of a leaf to `outlet`: solves its model and adds cuts until it is
/// infeasible.
///
/// # Errors
/// If the run is stopped, or the solver fails or returns a wrong answer.
pub(super) fn search(
    models: &Models<'_>,
    leaf: &mut Leaf<'_>,
    outlet: &mut Outlet<'_, LeafResult>,
    work: &mut Work,
) -> Result<(), End> {
    let domains = leaf.domains();
    let problem = models.problem;
    let model = unless_stopped(models.model(&domains))?;
    let solver = Solver::new(models.back_end, &model, models.token);
    let mut posted = PostedModel { solver: unless_stopped(solver)?, model };
    record_size(&posted.model, work);
    let mut cuts: Vec<Cut> = Vec::new();
    loop {
        let values = match posted.solver.solve(&mut || outlet.poll(), work)? {
            SolverResult::Infeasible => return Ok(()),
            SolverResult::Point(point) => posted.decode(problem, &point)?,
        };
        if cuts.iter().any(|cut| no_good::excludes(cut, &values)) {
            return Err(wrong_answer("a cut already excludes this arrangement".into()));
        }
        // Violations of constraints that the model omits are cut when they occur.
        let is_solution = models.is_solution(&values);
        if is_solution {
            let found = LeafResult {
                result: Ok(Some(problem.deal(values.iter().copied()))),
                work: std::mem::take(work),
            };
            if outlet.found(found).is_break() {
                return Err(End::Stopped);
            }
        }
        for image in unless_stopped(no_good::images(problem, &domains, &values, models.token))? {
            let cut = no_good::make_cut(problem, (leaf, &domains), is_solution, &image);
            let cut = unless_stopped(cut)?;
            work.cuts += 1;
            posted.solver.add(&posted.model.no_good(&cut, cuts.len() as u64 + 1));
            cuts.push(cut);
        }
    }
}

/// A model and its copy in the solver.
struct PostedModel {
    model: Model,
    solver: Solver,
}

impl PostedModel {
    /// The value of each cell in a point of the model.
    ///
    /// # Errors
    /// Unless exactly one variable of each cell exceeds one half.
    fn decode(&self, problem: &Problem, point: &[f64]) -> Result<Vec<usize>, End> {
        let mut values = vec![None; problem.board.size()];
        for (variable, &x) in self.model.variables.iter().zip(point) {
            if let (Meaning::Placement { cell, value }, true) = (variable.meaning, x > 0.5)
                && let Some(other) = values[cell].replace(value)
            {
                let message = format!("cell {cell} has two values, {other} and {value}");
                return Err(wrong_answer(message));
            }
        }
        let all: Option<Vec<usize>> = values.into_iter().collect();
        all.ok_or_else(|| wrong_answer("a cell has no value".into()))
    }
}
