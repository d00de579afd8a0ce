//! `edgematch check`: checks arrangements against every rule of the puzzle.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::bail;
use edgematch::engine::counted;
use edgematch::enumerate::solution::{ValueArrangement, violations};
use edgematch::enumerate::{self, Limits, RunStatus};
use edgematch::optimise;
use edgematch::problem::{Arrangement, Problem, Weighted};
use edgematch_report::{Scores, numbered_constraint, readable};
use itertools::Itertools;

use crate::args::{Check, inputs, refuse_two_readers};
use crate::common::{exit, quoted, say, warnings, write_line};

/// Runs the command; returns the exit code: whether all arrangements are solutions.
///
/// # Errors
/// If the input is invalid or has no arrangement, or standard output cannot be written.
pub fn run(args: &Check) -> anyhow::Result<u8> {
    let read = args.puzzle.inputs().chain(inputs("the solution", &args.solution));
    refuse_two_readers(read.chain(inputs("the model", &args.answer.model)))?;
    let loaded = args.puzzle.load()?;
    let heed = (args.warnings.strict, args.quiet);
    warnings::of_text(&args.puzzle, &loaded.text, &loaded.problem, heed)?;
    let arrangements = args.answer.arrangements(&loaded, args.solution.as_ref())?;
    let Some(arrangements) = arrangements else {
        let file = quoted(&args.puzzle.file.display().to_string());
        bail!(
            "no arrangement to check: `edgematch check {file} ARRANGEMENT`, with a file that `solve` or \
             another program wrote, or `-`"
        );
    };
    let problem = loaded.problem;
    let objectives = optimise::own_objectives(&problem);
    let verdicts: Vec<String> = arrangements
        .iter()
        .map(|arrangement| match &violations(&problem, arrangement)[..] {
            [] if objectives.is_empty() => "fits".into(),
            [] => {
                let scores = Scores::of(&problem, &objectives, arrangement);
                format!("fits: {scores}{}", violated_words(&problem, arrangement))
            }
            [one] => format!("does not fit: {}", one.describe(&problem)),
            [one, more @ ..] => {
                let (one, more) = (one.describe(&problem), more.len());
                format!("does not fit: {one}; {more} more, which `edgematch show` lists")
            }
        })
        .collect();
    if !args.quiet {
        let mut out = io::stdout().lock();
        for (index, verdict) in verdicts.iter().enumerate() {
            write_line(&mut out, &format!("arrangement {}: {verdict}", index + 1))?;
        }
        out.flush()?;
    }
    let fitting = verdicts.iter().filter(|verdict| verdict.starts_with("fits")).count();
    if verdicts.len() > 1 && !args.quiet {
        let all = counted(verdicts.len(), "arrangement", "arrangements");
        say(&if fitting < verdicts.len() {
            format!("{all}, {fitting} fit")
        } else {
            format!("{all}: all fit, {}", distinct_words(&problem, &arrangements))
        });
    }
    warnings::assumed(&problem, args.quiet);
    if fitting == verdicts.len() { Ok(exit::FOUND) } else { Ok(exit::NONE) }
}

/// The soft constraints that the arrangement violates, in words; empty if it violates none.
fn violated_words(problem: &Problem, arrangement: &Arrangement) -> String {
    let is_violated = |one: &Weighted| {
        one.constraint.broken(&problem.puzzle, &problem.board, arrangement).is_some()
    };
    let soft = problem.constraints.iter().enumerate();
    let violated = soft.filter(|(_, one)| one.soft.as_ref().is_some_and(is_violated));
    let titles = violated.map(|(index, _)| numbered_constraint(problem, index)).join(", ");
    if titles.is_empty() { titles } else { format!(", violated: {titles}") }
}

/// The number of distinct solutions in words, and unless there is an objective, if they are all of them,
/// as far as a second of counting tells.
fn distinct_words(problem: &Problem, solutions: &[Arrangement]) -> String {
    const ENOUGH: Duration = Duration::from_secs(1);
    let objectives = optimise::own_objectives(problem);
    let compared = optimise::weakest(problem, &objectives);
    let canonical =
        |one: &Arrangement| ValueArrangement::new(&compared, one).orbit(&compared).remove(0);
    let distinct = solutions.iter().map(canonical).unique().count();
    if !objectives.is_empty() {
        return format!("{distinct} distinct");
    }
    let limits = Limits { time: Some(ENOUGH), ..Limits::default() };
    let counted = enumerate::count(problem, &limits, None);
    let all = readable(&counted.tally.distinct);
    let which = match counted.status {
        RunStatus::Complete if counted.tally.distinct == distinct.into() => "complete".to_owned(),
        RunStatus::Complete => format!("not complete: there are {all}"),
        _ => "not known to be complete".to_owned(),
    };
    format!("{distinct} distinct, {which}")
}
