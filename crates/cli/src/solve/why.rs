//! `edgematch why`: explains why a puzzle has no solution.
//!
//! Counting arguments come first, then a minimal set of rules. Every claim is proven by a count or
//! a complete search, or the output says that the search was stopped.

use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::bail;
use edgematch::analyse::explain::{Members, NoReason, Reasons, SetSearch, reasons};
use edgematch::board::{CellSide, side_name};
use edgematch::engine::{Auto, counted};
use edgematch::enumerate::{Limits, NewSolution, RunStatus};
use edgematch::load::printable;
use edgematch::optimise::{self, Optimisation};
use edgematch::problem::{Arrangement, Problem};
use edgematch_draw::{self as draw, Drawing, Marks, Pictures};
use edgematch_report::{listed, named_members};
use itertools::Itertools;
use serde_json::{Value, json};

use super::conflicts::{self, constraints_json, not_explained, solvable};
use crate::args::{AnswerFormat, Why as Args};
use crate::common::{
    DrawingFile, exit, interrupt, is_stdout, patience, pictures, print, print_json, say, warnings,
};

/// Runs the command; returns the exit code: [`exit::NONE`] if there is a solution.
///
/// # Errors
/// If the input is invalid, or standard output or the drawing cannot be written.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let is_drawing_printed = args.output.as_deref().is_some_and(is_stdout);
    if is_drawing_printed && args.answer.format == AnswerFormat::Json {
        bail!("-o - writes one SVG to standard output: --format cannot be used with it");
    }
    let interrupt = interrupt::flag();
    let limits = args.search.limits(&interrupt);
    let problem = patience::load(&args.puzzle, &limits)?.problem;
    let is_quiet = args.answer.messages.quiet;
    warnings::of_problem(&problem, is_quiet);
    warnings::ignored_objective(&problem, is_quiet);
    if args.mcs || args.all {
        let code = conflicts::run(args, &problem, &limits)?;
        warnings::assumed(&problem, is_quiet);
        return Ok(code);
    }
    if !args.keep.is_empty() {
        bail!("--keep requires --mcs or --all");
    }
    let own = pictures::read(args.output.is_some(), &args.puzzle, &problem, is_quiet, &limits)?;
    let output = args.output.as_deref();
    let read = args.puzzle.inputs();
    let output = DrawingFile::of_option(output, args.picture, args.force, read, own.as_ref())?;
    let code = explain(args, &problem, own.as_ref(), output, &limits)?;
    warnings::assumed(&problem, is_quiet);
    Ok(code)
}

/// Searches for reasons, prints and draws them; returns the exit code. `own` are the tiles' own
/// pictures. If a limit stops the search before the set is minimal, the set is printed too, with a
/// note.
///
/// # Errors
/// If standard output or the drawing cannot be written.
fn explain(
    args: &Args,
    problem: &Problem,
    own: Option<&Pictures>,
    output: Option<DrawingFile>,
    limits: &Limits<'_>,
) -> anyhow::Result<u8> {
    let wanted = match (args.set, args.output.is_some()) {
        (true, _) => SetSearch::Required,
        (false, true) => SetSearch::Optional,
        (false, false) => SetSearch::IfNeeded,
    };
    let reasons = match reasons(problem, wanted, limits) {
        Ok(reasons) => reasons,
        Err(NoReason::Solvable(solution)) => return solvable(args, problem, &solution),
        Err(NoReason::Ended(status)) => return not_explained(args, &status),
    };
    let members = reasons.set.as_ref().map(|(members, _)| members);
    match args.answer.format {
        _ if args.output.as_deref().is_some_and(is_stdout) => {}
        AnswerFormat::Json => print_json(as_json(problem, &reasons), problem)?,
        AnswerFormat::Text => print(text(problem, &reasons))?,
    }
    if let Some(mut output) = output {
        let best = closest(problem, limits);
        interrupt::end_at_once();
        let style = pictures::style(args.picture, own);
        output.write(&draw(problem, members, best.as_ref(), &style))?;
    }
    match reasons.set {
        Some((_, Err(RunStatus::Stopped(stop)))) => {
            say(&format!("{stop}: a smaller set may rule it out, too"));
            Ok(exit::of_stop(stop))
        }
        Some((_, Err(status))) => not_explained(args, &status),
        _ => Ok(exit::FOUND),
    }
}

/// The answer as lines of text.
fn text(problem: &Problem, reasons: &Reasons) -> String {
    const TOGETHER: &str = "these contradict each other:";
    let Reasons { counts, set } = reasons;
    let set = set.as_ref().filter(|(members, _)| !members.is_empty() || counts.is_empty());
    let because = match set {
        Some((members, _)) if !members.is_empty() && counts.is_empty() => {
            format!("there is no solution, because {TOGETHER}")
        }
        _ => "there is no solution:".to_owned(),
    };
    let mut lines = vec![because];
    lines.extend(counts.iter().map(|count| format!("  {}", count.describe(problem))));
    if let Some((members, smallest)) = set {
        if members.is_empty() {
            lines.push("  no tiles can fill the board as the border requires".to_owned());
        } else {
            lines.extend((!counts.is_empty()).then(|| TOGETHER.to_owned()));
            lines.extend(listed_members(problem, members));
            if smallest.is_ok() {
                let why =
                    "each of them is needed: without it, the rest of the list can be satisfied";
                lines.push(why.to_owned());
            }
        }
    }
    lines.iter().map(|line| printable(line) + "\n").collect()
}

/// A line for each kind of member with their number and names, and a last one that says which other
/// rules could be dropped without resolving the contradiction.
fn listed_members(problem: &Problem, members: &Members) -> Vec<String> {
    let named = named_members(problem, members);
    let lists = named.iter().filter(|(_, names)| !names.is_empty()).map(|(one, names)| {
        let number = counted(names.len(), one, &format!("{one}s"));
        format!("  {number}: {}", names.join(", "))
    });
    lists.chain([rest_of(problem, members)]).collect()
}

/// A line on the rules that are not needed for the contradiction: "even if the other seams need not
/// match".
fn rest_of(problem: &Problem, members: &Members) -> String {
    let all = Members::all(problem);
    let Members { constraints, seams, tiles } = members;
    let has_all_tiles = all.tiles.len() == tiles.len();
    let left_out: Vec<String> = [
        (&all.constraints, constraints, "the other constraints are", "constraints are", "ignored"),
        (&all.seams, seams, "the other seams need not", "no seam need", "match"),
        (&all.tiles, tiles, "the other tiles", "every tile", "may be used any number of times"),
    ]
    .into_iter()
    .filter(|(all, kept, ..)| all.len() > kept.len())
    .map(|(_, kept, others, every, rest)| {
        let subject = if kept.is_empty() { every } else { others };
        format!("{subject} {rest}")
    })
    .collect();
    if left_out.is_empty() {
        return "these are all the rules of the puzzle".into();
    }
    let is_limited = !has_all_tiles && !constraints.is_empty();
    let as_asked = if is_limited { " (as far as the constraints allow)" } else { "" };
    format!("even if {}{as_asked}", listed(left_out, "and"))
}

/// The reasons why there is no solution as JSON.
fn as_json(problem: &Problem, reasons: &Reasons) -> Value {
    let mut object = json!({
        "type": "why",
        "solvable": false,
        "counts": reasons.counts.iter().map(|count| count.describe(problem)).collect_vec(),
    });
    if let Some((members, smallest)) = &reasons.set {
        let cells = problem.board.cells();
        let name = |(at, _): CellSide| &cells[at].name;
        let side = |(at, side): CellSide| side_name(side, cells[at].sides);
        let seams = members.ends(problem);
        let tiles = members.tiles.iter().map(|&tile| problem.puzzle.tiles[tile].name.as_str());
        object["constraints"] = constraints_json(problem, &members.constraints);
        object["seams"] = seams.iter().map(|ends| json!(ends.map(name))).collect();
        object["seam_sides"] = seams.iter().map(|ends| json!(ends.map(side))).collect();
        object["tiles"] = tiles.collect();
        object["smallest"] = smallest.is_ok().into();
    }
    object
}

/// The arrangement with the most matching seams that a search of at most 2 seconds finds; `None` if
/// it finds none.
fn closest(problem: &Problem, limits: &Limits<'_>) -> Option<Arrangement> {
    const ENOUGH: Duration = Duration::from_secs(2);
    let limits = Limits { distinct: 1, ..limits.token().limits_within(ENOUGH) };
    let mut best = None;
    let mut keep = |found: &NewSolution<'_>| {
        best = Some(found.distinct.arrangement.clone());
        ControlFlow::Continue(())
    };
    optimise::run(&Optimisation::best(problem), &Auto, &limits, &mut keep);
    best
}

/// Draws the arrangement with the members of the set marked. Without an arrangement, draws the
/// tiles and marks only those of the set.
fn draw(
    problem: &Problem,
    members: Option<&Members>,
    arrangement: Option<&Arrangement>,
    style: &draw::Style<'_>,
) -> Drawing {
    let marks = members.map_or_else(Marks::default, |members| Marks {
        seams: members.ends(problem),
        tiles: members.tiles.clone(),
    });
    let title = format!(
        "Why {} has no solution: the marked parts rule out every solution",
        problem.puzzle.name
    );
    match arrangement {
        Some(arrangement) => draw::marked(problem, arrangement, style, &title, &marks),
        None => draw::marked_tiles(problem, style, &title, &marks),
    }
}
