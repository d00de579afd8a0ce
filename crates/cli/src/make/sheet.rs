//! `edgematch sheet`: writes pages to print, cut out and solve.
//!
//! If no solution is found in time, the page with the solution is left out.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::bail;
use edgematch::engine::{Auto, counted};
use edgematch::enumerate::{self, Limits, NewSolution, RunStatus, StopReason};
use edgematch::problem::{Arrangement, Problem};
use edgematch_draw::{self as draw, Sheets};
use itertools::Itertools;

use crate::args::{Loaded, Sheet};
use crate::common::{
    LimitError, OutputFile, Outputs, ending, exit, interrupt, named_after, note, patience,
    pictures, say, warnings,
};

/// Runs `edgematch sheet`; returns the exit code: 0, or that of the search if it found no solution.
/// The sheet is written in both cases.
pub fn run(args: &Sheet) -> anyhow::Result<u8> {
    let output = args.output.clone();
    let output = output.unwrap_or_else(|| named_after(Some(&args.puzzle.file), "pdf"));
    let is_pdf = is_pdf(&output)?;
    let interrupt = interrupt::flag();
    let threads = args.threads.number();
    let limits = Limits { threads, ..args.time.limits(Some(&interrupt)) };
    let Loaded { problem, text, .. } = patience::load(&args.puzzle, &limits)?;
    warnings::of_text(&args.puzzle, &text, &problem, (false, args.messages.quiet))?;
    let own = pictures::read(true, &args.puzzle, &problem, args.messages.quiet, &limits)?;
    let sheets = Sheets {
        paper: args.paper,
        side: args.size_mm,
        seed: args.seed,
        style: draw::Style {
            names: args.names,
            theme: args.theme,
            pictures: own.as_ref(),
            ..draw::Style::default()
        },
    };
    let mut pages = sheets.pages(&problem)?;
    // All possible outputs are checked before the search, including a page for the solution.
    let read = args.puzzle.inputs().chain(pictures::files(own.as_ref()));
    let mut outputs = Outputs::new(args.force, read);
    let mut open = |path: PathBuf| anyhow::Ok((outputs.file(&path)?, path));
    let has_one = is_pdf || pages.len() == 1;
    let alone = has_one.then(|| open(output.clone())).transpose()?;
    let most = pages.len() + usize::from(!args.no_solution);
    let numbers = (1..=most).filter(|_| !is_pdf && most > 1);
    let numbered = numbers.map(|number| open(numbered_path(&output, number)));
    let numbered: Vec<(OutputFile, PathBuf)> = numbered.try_collect()?;
    let (solved, code) =
        if args.no_solution { (None, exit::FOUND) } else { solve(&problem, &limits) };
    if code == exit::INTERRUPTED {
        bail!(LimitError::new(StopReason::Interrupted, "the sheet was written"));
    }
    interrupt::end_at_once();
    pages.extend(solved.map(|(first, words)| sheets.solution_page(&problem, &first, &words)));
    let contents: Vec<Vec<u8>> = if is_pdf {
        let puzzle = &problem.puzzle;
        vec![draw::pdf(&pages, puzzle.title.as_ref().unwrap_or(&puzzle.name))?]
    } else {
        pages.iter().map(|page| page.svg.clone().into_bytes()).collect()
    };
    let outputs = match (alone, contents.len()) {
        (Some(alone), 1) => vec![alone],
        _ => numbered,
    };
    let mut written = Vec::new();
    for ((mut file, path), content) in outputs.into_iter().zip(&contents) {
        file.write(content)?;
        written.push(path.display().to_string());
    }
    let ends = match &written[..] {
        [first, .., last] => format!("{first} to {last}"),
        other => other.concat(),
    };
    note(args.messages.quiet, &format!("{}: {ends}", counted(pages.len(), "page", "pages")));
    warnings::assumed(&problem, args.messages.quiet);
    Ok(code)
}

/// Returns true if the name ends in .pdf, one file of all pages; false for .svg, a file for each.
///
/// # Errors
/// If the name has another ending.
fn is_pdf(path: &Path) -> anyhow::Result<bool> {
    match ending(path).as_str() {
        "pdf" => Ok(true),
        "svg" => Ok(false),
        _ => bail!("{}: expected a name that ends in .pdf or .svg", path.display()),
    }
}

/// The path of one of several SVG pages: `sheet.svg` becomes `sheet-2.svg`.
fn numbered_path(path: &Path, number: usize) -> PathBuf {
    let mut name = OsString::from(path.file_stem().unwrap_or_default());
    name.push(format!("-{number}.svg"));
    path.with_file_name(name)
}

/// Searches for solutions within the limits. Returns the first one with its caption, and the exit
/// code; `None` if none was found, which is printed unless the search was interrupted.
fn solve(problem: &Problem, limits: &Limits<'_>) -> (Option<(Arrangement, String)>, u8) {
    let mut first = None;
    let take = &mut |found: &NewSolution<'_>| {
        first.get_or_insert_with(|| found.distinct.arrangement.clone());
        ControlFlow::Continue(())
    };
    let outcome = enumerate::run(problem, &Auto, limits, take);
    let distinct = outcome.tally.listed();
    let Some(first) = first else {
        say(&match &outcome.status {
            RunStatus::Complete => "there is no solution, proven: the sheet shows none".to_owned(),
            status if status.is_failure() => format!("failed: {status}: the sheet shows none"),
            // The caller writes nothing and reports it.
            RunStatus::Stopped(StopReason::Interrupted) => return (None, exit::INTERRUPTED),
            status => format!("no solution found, {status}: the sheet shows none"),
        });
        return (None, exit::of_outcome(&outcome));
    };
    let words = match (&outcome.status, distinct) {
        (RunStatus::Complete, 1) => "the solution".to_owned(),
        (RunStatus::Complete, _) => format!("one of {distinct} solutions"),
        _ => "a solution".to_owned(),
    };
    // One solution suffices, so a limit is no failure.
    let code = match &outcome.status {
        RunStatus::Stopped(StopReason::Interrupted) => exit::INTERRUPTED,
        status if status.is_failure() => exit::of_outcome(&outcome),
        _ => exit::FOUND,
    };
    (Some((first, words)), code)
}
