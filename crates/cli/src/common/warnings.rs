//! Messages about a puzzle on standard error: likely mistakes before the command starts, and
//! assumptions made by the reader at its end.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use edgematch::engine::{Auto, counted};
use edgematch::enumerate::{self, Limits, NewSolution, Outcome};
use edgematch::load;
use edgematch::problem::Problem;
use edgematch::puzzle::{Assumption, Half, Label};
use edgematch_report::{obstacles, readable};
use itertools::Itertools;

use super::talk::{note, say};
use crate::args::PuzzleFile;

/// The maximum number of warnings to print.
const SHOWN: usize = 8;

/// Prints warnings about likely typing mistakes in the puzzle's `text`, at most 8, a line each. With
/// `--strict` they are errors, even if messages are off.
///
/// # Errors
/// With `--strict`, the first warning, which is not printed here.
pub fn of_text(
    puzzle: &PuzzleFile,
    text: &[u8],
    problem: &Problem,
    (is_strict, is_quiet): (bool, bool),
) -> Result<()> {
    if is_quiet && !is_strict {
        return Ok(());
    }
    let kind = if is_strict { "error" } else { "warning" };
    let file = load::shown(&load::puzzle_file(&puzzle.file)?);
    let options = puzzle.extra.reading.options()?;
    let warnings = load::warnings(text, &file, &options, problem)?;
    // The error that ends the command is printed at its end.
    let last = usize::from(is_strict);
    for warning in warnings.iter().take(SHOWN).skip(last) {
        let help = warning.help.as_deref().unwrap_or_default();
        say(&format!("{kind}: {warning}; {help}"));
    }
    if warnings.len() > SHOWN {
        say(&format!("{} more {kind}s", warnings.len() - SHOWN));
    }
    match warnings.into_iter().next() {
        Some(first) if is_strict => Err(first.into()),
        _ => Ok(()),
    }
}

/// Prints how a puzzle was read if the reader had to assume something, unless `is_quiet`: the last
/// line of a command.
pub fn assumed(problem: &Problem, is_quiet: bool) {
    let is_stated = problem.puzzle.assumed.is_empty();
    note(is_quiet || is_stated, &format!("read as: {}", read_as(problem)));
}

/// The opposite of the direction in which the reader assumed that edges are listed; `None` if it
/// assumed none.
pub fn other_direction(problem: &Problem) -> Option<&'static str> {
    problem.puzzle.assumed.iter().find_map(|fact| match fact {
        Assumption::Order(order) if order.starts_with("counterclockwise") => {
            Some("clockwise-from-top")
        }
        Assumption::Order(order) if order.starts_with("clockwise") => {
            Some("counterclockwise-from-top")
        }
        _ => None,
    })
}

/// Prints the number of solutions if the edges were listed in the other direction, if the direction
/// was assumed and the number is not the one of a complete `outcome`. The search takes a second at
/// most.
pub fn of_direction(puzzle: &PuzzleFile, problem: &Problem, outcome: &Outcome) {
    // Standard input cannot be read again.
    if !outcome.status.is_complete() || puzzle.file == Path::new("-") {
        return;
    }
    // Otherwise, the mirror images of the solutions are the solutions.
    let may_differ = !problem.puzzle.may_turn || !problem.constraints.is_empty();
    let Some(other) = other_direction(problem).filter(|_| may_differ) else { return };
    let mut mirrored = puzzle.clone();
    mirrored.extra.reading.edge_order = Some(other.to_owned());
    let Ok(loaded) = mirrored.load() else { return };
    let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
    let all = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
    let mirrored = enumerate::run(&loaded.problem, &Auto, &limits, all);
    if mirrored.status.is_complete() && mirrored.tally.solutions != outcome.tally.solutions {
        let number = readable(&mirrored.tally.solutions);
        say(&format!("with --edge-order {other}, the number of solutions is {number}"));
    }
}

/// One line on the tiles, images and rules of a puzzle. Each assumption is marked with the flag
/// that overrides it.
pub fn read_as(problem: &Problem) -> String {
    let puzzle = &problem.puzzle;
    let (mut halves, mut order) = (String::new(), None);
    let mut rotations =
        if puzzle.may_turn { "tiles may be turned" } else { "tiles may not be turned" }.to_owned();
    let mut frame = match puzzle.border {
        Some(border) => format!("frame `{}`", puzzle.labels.name(border)),
        None => "no frame".to_owned(),
    };
    for fact in &puzzle.assumed {
        match fact {
            Assumption::Order(_) => {
                let edges = fact.to_string().replace("edges are listed", "edges");
                order = Some(format!("{edges} (assumed; --edge-order)"));
            }
            Assumption::Border(Some(_)) => frame += " (assumed; --border none)",
            Assumption::Border(None) => frame += " (assumed; --border 0)",
            Assumption::Rotations(true) => rotations += " (assumed; --no-rotation)",
            Assumption::Rotations(false) => rotations += " (assumed; --border none)",
            Assumption::Halves(what) if what == "signs" => halves = " by signs".to_owned(),
            Assumption::Halves(what) => {
                halves = format!(" by {what} (assumed; --from whole)");
            }
        }
    }
    let inside = |label: &Label| puzzle.border != Some(*label) && puzzle.labels.is_known(*label);
    let (halved, whole): (Vec<Label>, Vec<Label>) = puzzle
        .labels
        .firsts()
        .filter(inside)
        .partition(|&label| puzzle.labels.edge(label).half != Half::Whole);
    let images = [(halved.len(), format!(" in halves{halves}")), (whole.len(), String::new())];
    let images = images.into_iter().filter(|(number, _)| *number > 0);
    let images = images.map(|(number, how)| counted(number, "image", "images") + &how);
    [counted(puzzle.tiles.len(), "tile", "tiles")]
        .into_iter()
        .chain(images)
        .chain(order)
        .chain([rotations, frame])
        .join(", ")
}

/// Says that a command ignores the objective and the soft constraints of a problem, if there are any.
pub fn ignored_objective(problem: &Problem, is_quiet: bool) {
    let number = problem.soft_constraints().count();
    if number > 0 {
        let them = counted(number, "soft constraint is", "soft constraints are");
        note(is_quiet, &format!("note: {them} ignored: `solve` finds the smallest cost"));
    }
    if !problem.objectives.list.is_empty() {
        note(is_quiet, "note: the objective is ignored: `solve` finds the optimum");
    }
}

/// Prints why parts of a puzzle cannot be used, and the number of pieces of the board if there are
/// several, unless `is_quiet`.
pub fn of_problem(problem: &Problem, is_quiet: bool) {
    if !is_quiet {
        let pieces = problem.board.pieces().len();
        if pieces > 1 {
            say(&format!("the board consists of {pieces} pieces that no seam connects"));
        }
        obstacles(problem).iter().for_each(|(_, message)| say(&format!("warning: {message}")));
    }
}
