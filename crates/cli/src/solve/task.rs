//! The task of `solve`: all solutions, or the best.

use std::path::Path;

use edgematch::enumerate::solution::check;
use edgematch::load::{self, LoadError};
use edgematch::optimise::{Aim, Fit, LinearAim};
use edgematch::problem::constraints::Expression;
use edgematch::problem::{Arrangement, Problem};

use crate::args::{Solve, inputs};

/// What is wanted of a puzzle.
pub enum Task {
    /// All solutions.
    All,
    /// The most seams that fit.
    Best {
        /// For what is drawn at random.
        seed: u64,
        /// Where the run begins with one.
        start: Option<Arrangement>,
    },
    /// The largest expression, or the smallest.
    Maximize(Expression),
    Minimize(Expression),
}

impl Task {
    /// What is read of it, and from where.
    pub fn read(args: &Solve) -> impl Iterator<Item = (&'static str, &Path)> {
        let terms = args.maximize.iter().chain(&args.minimize);
        let terms = terms.map(|terms| ("the terms", Path::new(terms.as_str())));
        terms.chain(inputs("the arrangement", &args.guessing.resume))
    }

    /// What the flags say.
    pub fn new(args: &Solve, problem: &Problem) -> Result<Task, LoadError> {
        if let Some(terms) = &args.maximize {
            return Ok(Task::Maximize(load::expression(problem, terms, "--maximize")?));
        }
        if let Some(terms) = &args.minimize {
            return Ok(Task::Minimize(load::expression(problem, terms, "--minimize")?));
        }
        if !args.best {
            return Ok(Task::All);
        }
        let start = args.guessing.resume.as_deref().map(|path| start(problem, path));
        Ok(Task::Best { seed: args.guessing.seed.unwrap_or_default(), start: start.transpose()? })
    }

    /// What is to be as large as possible; nothing where all solutions are wanted.
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
        })
    }
}

/// The arrangement of a file with the most seams that fit, where it obeys all other rules.
fn start(problem: &Problem, path: &Path) -> Result<Arrangement, LoadError> {
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
            let why = format!("the arrangement breaks more than seams: {why}");
            Err(LoadError::whole_file(name, why))
        }
    }
}
