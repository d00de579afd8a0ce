//! The task of `solve`: all solutions, or the optima of objectives.

use std::path::Path;

use edgematch::enumerate::solution::check;
use edgematch::load::{self, LoadError};
use edgematch::optimise::{self, Optimisation};
use edgematch::problem::{Arrangement, Objective, Problem};

use crate::args::{Input, Solve, inputs};

/// The objectives of a search.
#[derive(Default)]
pub struct Task {
    /// The objectives, the most important first; empty if all solutions are sought.
    pub objectives: Vec<Objective>,
    /// The arrangement to start from (`--resume`).
    start: Option<Arrangement>,
}

impl Task {
    /// The additional input files of the task, with noun phrases for messages.
    pub fn inputs(args: &Solve) -> impl Iterator<Item = Input<'_>> {
        args.objective.inputs().chain(inputs("the arrangement", &args.resume))
    }

    /// The task that the flags and the puzzle describe; reads the files that the flags name. The
    /// objective of a flag replaces those of the puzzle.
    ///
    /// # Errors
    /// If an objective contradicts other options, or the terms of an objective or the arrangement to
    /// resume from are invalid or cannot be read.
    pub fn new(args: &Solve, problem: &Problem) -> Result<Task, LoadError> {
        let objectives = if args.best {
            optimise::with_cost(problem, vec![Objective::Seams])
        } else {
            args.objective.objectives(problem)?
        };
        let refuse = |message| Err(LoadError::whole_file(load::shown(&args.puzzle.file), message));
        if let (false, Some(option)) = (objectives.is_empty(), args.not_with_objective()) {
            return refuse(format!(
                "{option} cannot be used with an objective or soft constraints, which this puzzle has"
            ));
        }
        if let (true, Some(_)) = (objectives.is_empty(), args.gap) {
            return refuse("--gap requires an objective: --best, --maximize, --minimize, or `objective:` in the puzzle".to_owned());
        }
        let start = args.resume.as_deref().map(|path| read_start(problem, path));
        Ok(Task { objectives, start: start.transpose()? })
    }

    /// The optimisation; `None` if all solutions are sought.
    pub fn optimisation<'a>(&self, args: &Solve, problem: &'a Problem) -> Option<Optimisation<'a>> {
        if self.objectives.is_empty() {
            return None;
        }
        let mut what = Optimisation::new(problem, self.objectives.clone());
        what.seed = args.seed.unwrap_or_default();
        what.start.clone_from(&self.start);
        what.gap = args.gap.unwrap_or_default().into();
        what.distance = args.distance.map(|distance| distance as usize);
        Some(what)
    }
}

/// Reads the arrangement to start from: the one in the file with the most matching seams.
///
/// # Errors
/// If the file cannot be read or has no arrangement, or the chosen one violates another rule.
fn read_start(problem: &Problem, path: &Path) -> Result<Arrangement, LoadError> {
    let name = load::shown(path);
    let all = load::read_solutions(&load::read_bytes(path)?, &name, problem)?;
    let value = |arrangement: &Arrangement| Objective::Seams.value(problem, arrangement);
    let best = all.into_iter().max_by_key(value);
    let Some(best) = best else {
        return Err(LoadError::whole_file(name, "no arrangement to start from".into()));
    };
    let loose = Objective::Seams.reaching(problem, value(&best));
    match check(&loose, &best) {
        Ok(()) => Ok(best),
        Err(violation) => {
            let why = violation.describe(&loose);
            let why = format!("the arrangement has more faults than mismatched edges: {why}");
            Err(LoadError::whole_file(name, why))
        }
    }
}
