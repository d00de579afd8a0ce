//! The task of `solve`: all solutions, the most matching edges, the largest or smallest sum, or the
//! smallest cost of soft constraints.

use std::path::Path;

use edgematch::enumerate::solution::check;
use edgematch::load::{self, LoadError};
use edgematch::optimise::{Aim, Fit, LinearAim, SoftAim};
use edgematch::problem::constraints::Expression;
use edgematch::problem::{Arrangement, Problem};

use crate::args::{Input, Solve, inputs};

/// The goal of a search.
pub enum Task {
    /// Find all solutions.
    All,
    /// Find an arrangement with the most matching seams (`--best`).
    Best {
        /// The seed of the randomised methods.
        seed: u64,
        /// The arrangement to start from (`--resume`).
        start: Option<Arrangement>,
    },
    /// Find a solution with the largest, or the smallest, value of the expression.
    Maximize(Expression),
    Minimize(Expression),
    /// Find a solution that violates soft constraints with the smallest total weight.
    Soft,
}

impl Task {
    /// The additional input files of the task, with noun phrases for messages. Terms given as text
    /// are included as if they were a path.
    pub fn inputs(args: &Solve) -> impl Iterator<Item = Input<'_>> {
        let terms = args.maximize.iter().chain(&args.minimize);
        let terms = terms.map(|terms| ("the terms", Path::new(terms.as_str())));
        terms.chain(inputs("the arrangement", &args.resume))
    }

    /// The task that the flags describe; reads the files that they name.
    ///
    /// # Errors
    /// If the terms of an objective or the arrangement to resume from are invalid or cannot be
    /// read.
    pub fn new(args: &Solve, problem: &Problem) -> Result<Task, LoadError> {
        if problem.soft_constraints().next().is_some() {
            return match args.not_with_soft() {
                None => Ok(Task::Soft),
                Some(option) => {
                    let message = format!("soft constraints cannot be used with {option}");
                    Err(LoadError::whole_file(load::shown(&args.puzzle.file), message))
                }
            };
        }
        if let Some(terms) = &args.maximize {
            return Ok(Task::Maximize(load::expression(problem, terms, "--maximize")?));
        }
        if let Some(terms) = &args.minimize {
            return Ok(Task::Minimize(load::expression(problem, terms, "--minimize")?));
        }
        if !args.best {
            return Ok(Task::All);
        }
        let start = args.resume.as_deref().map(|path| read_start(problem, path));
        Ok(Task::Best { seed: args.seed.unwrap_or_default(), start: start.transpose()? })
    }

    /// The objective to maximise; `None` if all solutions are sought.
    pub fn aim<'a>(&self, problem: &'a Problem) -> Option<Box<dyn Aim + 'a>> {
        Some(match self {
            Task::All => return None,
            Task::Best { seed, start } => {
                let fit = Fit::new(problem).seeded(*seed);
                Box::new(match start {
                    Some(start) => fit.starting_from(start.clone()),
                    None => fit,
                })
            }
            Task::Maximize(expression) => {
                Box::new(LinearAim::maximize(problem, expression.clone()))
            }
            Task::Minimize(expression) => {
                Box::new(LinearAim::minimize(problem, expression.clone()))
            }
            Task::Soft => Box::new(SoftAim::new(problem)),
        })
    }
}

/// Reads the arrangement to start from: the one in the file with the most matching seams.
///
/// # Errors
/// If the file cannot be read or has no arrangement, or the chosen one violates another rule.
fn read_start(problem: &Problem, path: &Path) -> Result<Arrangement, LoadError> {
    let name = load::shown(path);
    let all = load::read_solutions(&load::read_bytes(path)?, &name, problem)?;
    let fit = Fit::new(problem);
    let best = all.into_iter().max_by_key(|arrangement| fit.value(arrangement));
    let Some(best) = best else {
        return Err(LoadError::whole_file(name, "no arrangement to start from".into()));
    };
    let loose = fit.reaching(fit.value(&best));
    match check(&loose, &best) {
        Ok(()) => Ok(best),
        Err(violation) => {
            let why = violation.describe(&loose);
            let why = format!("the arrangement has more faults than mismatched edges: {why}");
            Err(LoadError::whole_file(name, why))
        }
    }
}
