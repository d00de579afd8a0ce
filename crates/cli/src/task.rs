//! The task of `solve`: all solutions, or the best.

use std::path::Path;

use edgematch::constraints::Expression;
use edgematch::load::{self, LoadError};
use edgematch::optimise::{Aim, Fit, Linear};
use edgematch::problem::Problem;

use super::args::Solve;

/// What is wanted of a puzzle.
pub enum Task {
    /// All solutions.
    All,
    /// The most seams that fit.
    Best,
    /// The largest expression, or the smallest.
    Maximize(Expression),
    Minimize(Expression),
}

impl Task {
    /// What is read of it, and from where.
    pub fn read(args: &Solve) -> impl Iterator<Item = (&'static str, &Path)> {
        let terms = args.maximize.iter().chain(&args.minimize);
        terms.map(|terms| ("the terms", Path::new(terms.as_str())))
    }

    /// What the flags say.
    pub fn new(args: &Solve, problem: &Problem) -> Result<Task, LoadError> {
        if let Some(terms) = &args.maximize {
            return Ok(Task::Maximize(load::expression(
                problem,
                terms,
                "--maximize",
            )?));
        }
        if let Some(terms) = &args.minimize {
            return Ok(Task::Minimize(load::expression(
                problem,
                terms,
                "--minimize",
            )?));
        }
        Ok(if args.best { Task::Best } else { Task::All })
    }

    /// What is to be as large as possible; nothing where all solutions are wanted.
    pub fn aim<'a>(&self, problem: &'a Problem) -> Option<Box<dyn Aim + 'a>> {
        Some(match self {
            Task::All => return None,
            Task::Best => Box::new(Fit(problem)),
            Task::Maximize(expression) => Box::new(Linear::maximize(problem, expression.clone())),
            Task::Minimize(expression) => Box::new(Linear::minimize(problem, expression.clone())),
        })
    }
}
