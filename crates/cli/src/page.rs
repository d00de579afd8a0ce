//! `edgematch page`: one file to play a puzzle without a server.
//!
//! If the search is stopped, the page is written with what was found and says that there may be
//! more.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::bail;
use edgematch::engine::{Auto, counted};
use edgematch::enumerate::{self, Found, Limits, Outcome};
use edgematch::problem::{Arrangement, Problem};
use edgematch_draw::Style;
use edgematch_play::{
    Answer, Game, Offered, Offline, One, Question, Solved, Solving, Symmetries, answer,
};
use edgematch_report::sentence;

use super::args::Page;
use super::output::{Outputs, is_stdout};
use super::pictures::{files, of_tiles};
use super::talk::say;
use super::{exit, interrupt, patience, solver, warnings};

/// Runs the command; gives the exit code.
pub fn run(args: &Page) -> anyhow::Result<u8> {
    refuse_no_html(&args.output)?;
    let wanted = args.solver.then(|| solver::read(args.wasm.as_deref()));
    let solver = wanted.transpose()?;
    let interrupt = interrupt::flag();
    let limits = args.limits(&interrupt);
    let problem = patience::load(&args.puzzle, &limits)?;
    if !args.messages.quiet {
        warnings::of_problem(&problem);
    }
    let pictures = of_tiles(&problem, &args.puzzle.file, args.messages.quiet, &limits)?;
    let wasm = args.wasm.iter().map(|path| ("the solver", path.as_path()));
    let read = args.puzzle.read().chain(wasm);
    let mut outputs = Outputs::new(args.force, read.chain(files(pictures.as_ref())));
    let output = outputs.file_or_stdout(Some(&args.output))?;
    let one = One { problem, pictures };
    let problem = &one.problem;
    // The time that the search for all solutions leaves may be none.
    let recordings = recordings(args, problem, &limits);
    let puzzles = match solver {
        Some(_) => vec![Offered::new(&problem.puzzle.name, &one, &limits)?],
        None => Vec::new(),
    };
    let mut solutions: Vec<Arrangement> = Vec::new();
    let keep = &mut |found: &Found<'_>| {
        solutions.push(found.distinct.arrangement.clone());
        ControlFlow::Continue(())
    };
    let outcome = enumerate::run(problem, &Auto, &limits, keep);
    if outcome.status.is_failure() {
        say(&sentence(problem, &outcome));
        return Ok(exit::of_outcome(&outcome));
    }
    interrupt::end_at_once();
    let offline = offline(&one, &solutions, &outcome, recordings);
    let page = edgematch_play::Page {
        offline: Some(&offline),
        solving: solver.as_ref().map(|solver| Solving { solver, puzzles: &puzzles }),
        has_files: false,
    };
    let html = page.html()?;
    match output {
        Some(mut file) => file.write(html.as_bytes())?,
        None => io::stdout().write_all(html.as_bytes())?,
    }
    if !args.messages.quiet {
        say(&sentence(problem, &outcome));
        let place = if is_stdout(&args.output) {
            "the page".into()
        } else {
            args.output.display().to_string()
        };
        say(&format!(
            "{place} with {}: {:.1} KB",
            counted(solutions.len(), "solution", "solutions"),
            html.len() as f64 / 1000.0
        ));
        warnings::assumed(problem);
    }
    Ok(exit::of_outcome(&outcome))
}

/// The puzzle with its solutions.
fn offline(
    one: &One,
    solutions: &[Arrangement],
    outcome: &Outcome,
    recordings: Vec<Answer>,
) -> Offline {
    let problem = &one.problem;
    let style = Style { pictures: one.pictures.as_ref(), ..Style::default() };
    let is_complete = outcome.status.is_complete();
    Offline {
        game: Game::new(problem, &style),
        solved: Solved::new(problem, solutions, is_complete, sentence(problem, outcome)),
        symmetries: Symmetries::new(problem),
        recordings,
    }
}

/// The searches that the page shows.
fn recordings(args: &Page, problem: &Problem, limits: &Limits<'_>) -> Vec<Answer> {
    let mut recordings = Vec::new();
    let mut record = |said: Answer| {
        if matches!(said, Answer::Recording { .. }) {
            recordings.push(said);
        }
    };
    // A search that can't be shown is no reason not to play.
    if let Err(refused) = answer(problem, &Question::Watch {}, limits, &mut record)
        && !args.messages.quiet
    {
        say(&format!("the page does not show a search: {refused}"));
    }
    recordings
}

/// Refuses what no browser opens; a puzzle is not written over by mistake.
fn refuse_no_html(path: &Path) -> anyhow::Result<()> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("html" | "htm") => Ok(()),
        _ if is_stdout(path) => Ok(()),
        _ => bail!("{}: expected a name that ends in .html", path.display()),
    }
}
