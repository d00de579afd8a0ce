//! `edgematch why --mcs` and `--all`: the fewest constraints to drop, and all minimal conflicts.

use std::ops::ControlFlow;

use anyhow::bail;
use edgematch::analyse::explain::{self, Finding};
use edgematch::engine::counted;
use edgematch::enumerate::{Limits, RunStatus};
use edgematch::load::printable;
use edgematch::problem::{Arrangement, Problem};
use edgematch_report::{arrangement_text, numbered_constraint, placements};
use itertools::Itertools;
use serde_json::{Value, json};

use crate::args::{AnswerFormat, Why as Args};
use crate::common::{exit, is_stdout, note, print, print_json, say};

/// Runs the command; returns the exit code.
///
/// # Errors
/// If a constraint to keep does not exist, or standard output cannot be written.
pub fn run(args: &Args, problem: &Problem, limits: &Limits<'_>) -> anyhow::Result<u8> {
    let kept = kept(args, problem)?;
    let (mut conflicts, mut correction) = (Vec::new(), None);
    let ended = explain::conflicts(problem, &kept, limits, &mut |finding| {
        match finding {
            Finding::Conflict(conflict) => conflicts.push(conflict),
            Finding::Correction(dropped, solution) => {
                if args.mcs || dropped.is_empty() {
                    correction = Some((dropped, solution));
                    return ControlFlow::Break(());
                }
            }
        }
        let is_enough = args.all && args.sets > 0 && conflicts.len() as u64 == args.sets;
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match correction {
        Some((dropped, solution)) if dropped.is_empty() => solvable(args, problem, &solution),
        Some((dropped, solution)) => print_correction(args, problem, &dropped, &solution),
        None => match ended {
            Err(status) if args.mcs || conflicts.is_empty() => not_explained(args, &status),
            ended => print_conflicts(args, problem, conflicts, ended),
        },
    }
}

/// Prints the constraints to drop and the solution that there is without them.
///
/// # Errors
/// If standard output cannot be written.
fn print_correction(
    args: &Args,
    problem: &Problem,
    dropped: &[usize],
    solution: &Arrangement,
) -> anyhow::Result<u8> {
    match args.answer.format {
        AnswerFormat::Json => {
            let object = json!({
                "type": "why",
                "solvable": false,
                "drop": constraints_json(problem, dropped),
                "placements": placements(problem, solution),
            });
            print_json(object, problem)?;
        }
        AnswerFormat::Text => print(format!(
            "there is no solution, but there is one without\n  {}\n{}dropping fewer does not suffice\n",
            listed(problem, dropped),
            arrangement_text(problem, solution)
        ))?,
    }
    Ok(exit::FOUND)
}

/// Prints the conflicts that were found; one without constraints means that the other rules alone
/// have no solution. `ended` is the result of the search for them.
///
/// # Errors
/// If standard output cannot be written.
fn print_conflicts(
    args: &Args,
    problem: &Problem,
    mut conflicts: Vec<Vec<usize>>,
    ended: Result<(), RunStatus>,
) -> anyhow::Result<u8> {
    if conflicts.iter().any(Vec::is_empty) {
        conflicts.clear();
    }
    let is_complete = ended.is_ok() && (args.sets == 0 || (conflicts.len() as u64) < args.sets);
    match args.answer.format {
        AnswerFormat::Json if args.mcs => {
            print_json(json!({"type": "why", "solvable": false, "drop": null}), problem)?;
        }
        AnswerFormat::Json => {
            let sets = conflicts.iter().map(|conflict| constraints_json(problem, conflict));
            let object = json!({
                "type": "why",
                "solvable": false,
                "conflicts": sets.collect_vec(),
                "complete": is_complete,
            });
            print_json(object, problem)?;
        }
        AnswerFormat::Text => print(text(args, problem, &conflicts))?,
    }
    if let Err(status) = ended {
        return not_explained(args, &status);
    }
    let all = counted(conflicts.len(), "minimal set", "minimal sets");
    let end = if is_complete { "proven complete" } else { "there may be more" };
    note(args.answer.messages.quiet || conflicts.is_empty(), &format!("{all}, {end}"));
    Ok(exit::FOUND)
}

/// The conflicts as lines of text; without any, the other rules alone have no solution.
fn text(args: &Args, problem: &Problem, conflicts: &[Vec<usize>]) -> String {
    if conflicts.is_empty() {
        let kept = if args.keep.is_empty() { "" } else { " but those kept" };
        return format!(
            "there is no solution, even without all constraints{kept}: `edgematch why` without options \
             explains it\n"
        );
    }
    let lines = conflicts.iter().map(|conflict| format!("  {}\n", listed(problem, conflict)));
    let kept = if args.keep.is_empty() { "" } else { " and those kept" };
    let why = "the constraints of each line contradict each other";
    format!("there is no solution, because {why}{kept}:\n{}", lines.format(""))
}

/// The number of constraints and their names.
fn listed(problem: &Problem, constraints: &[usize]) -> String {
    let names = constraints.iter().map(|&i| numbered_constraint(problem, i)).join(", ");
    printable(&format!("{}: {names}", counted(constraints.len(), "constraint", "constraints")))
}

/// The indices of the constraints to keep.
///
/// # Errors
/// If a name or number does not identify a constraint.
fn kept(args: &Args, problem: &Problem) -> anyhow::Result<Vec<usize>> {
    let mut kept = Vec::new();
    for name in args.keep.iter().map(|name| name.trim()) {
        let constraints = problem.constraints.iter().enumerate();
        let named = constraints.filter(|(index, constraint)| {
            constraint.name.as_deref() == Some(name) || name.parse() == Ok(index + 1)
        });
        let before = kept.len();
        kept.extend(named.map(|(index, _)| index));
        if kept.len() == before {
            let all = problem.constraints.iter().map(|one| one.title()).unique().join(", ");
            bail!(
                "--keep: no constraint `{name}`: give a number from 1 to {}, or the `name` of a constraint ({all})",
                problem.constraints.len()
            );
        }
    }
    Ok(kept)
}

/// Reports that the search for an explanation was stopped or failed; returns the exit code.
pub(super) fn not_explained(args: &Args, status: &RunStatus) -> anyhow::Result<u8> {
    exit::give_up(args.answer.format, "not explained", status)
}

/// Prints that there is a solution, in text also the solution; returns [`exit::NONE`]. Nothing is
/// drawn; with `-o -`, standard output stays empty.
pub(super) fn solvable(
    args: &Args,
    problem: &Problem,
    solution: &Arrangement,
) -> anyhow::Result<u8> {
    if args.output.is_some() {
        say("there is a solution: nothing to explain or draw");
    }
    if args.output.as_deref().is_some_and(is_stdout) {
        return Ok(exit::NONE);
    }
    match args.answer.format {
        AnswerFormat::Json => print_json(json!({"type": "why", "solvable": true}), problem)?,
        _ => print(
            "there is a solution: nothing to explain:\n".to_owned()
                + &arrangement_text(problem, solution),
        )?,
    }
    Ok(exit::NONE)
}

/// Constraints as JSON: the number, from 1, and the name or kind of each.
pub(super) fn constraints_json(problem: &Problem, constraints: &[usize]) -> Value {
    let constraint =
        |&index: &usize| json!({"index": index + 1, "name": problem.constraints[index].title()});
    constraints.iter().map(constraint).collect()
}
