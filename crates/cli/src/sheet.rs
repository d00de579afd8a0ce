//! `edgematch sheet`: pages to print, cut and solve.
//!
//! If no solution is found in time, the sheet is written without one.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::bail;
use edgematch::engine::{Auto, counted};
use edgematch::enumerate::{self, Found, Limits, RunStatus, StopReason};
use edgematch::problem::{Arrangement, Problem};
use edgematch_draw::{self as draw, Page, Sheets};

use super::args::Sheet;
use super::pictures::{names, of_tiles};
use super::talk::say;
use super::whole::write_whole;
use super::{exit, interrupt, patience};

/// Runs the command; gives the exit code.
pub fn run(args: &Sheet) -> anyhow::Result<u8> {
    let is_pdf = is_pdf(&args.output)?;
    let interrupt = interrupt::flag();
    let limits = args.limits(&interrupt);
    let problem = patience::load(&args.puzzle, &limits)?;
    let own = of_tiles(&problem, &args.puzzle.file, args.messages.quiet)?;
    let sheets = Sheets {
        paper: args.paper(),
        side: args.size_mm,
        seed: args.seed,
        style: draw::Style {
            names: names(args.names),
            pictures: own.as_ref(),
            ..draw::Style::default()
        },
    };
    // What does not fit on the paper is not solved first.
    sheets.refuse_too_large(&problem)?;
    let (solved, code) = if args.no_solution {
        (None, exit::FOUND)
    } else {
        solve(&problem, &limits)
    };
    let solution = solved
        .as_ref()
        .map(|(first, words)| (first, words.as_str()));
    let pages = sheets.pages(&problem, solution)?;
    let written = if is_pdf {
        let title = problem
            .puzzle
            .title
            .as_ref()
            .unwrap_or(&problem.puzzle.name);
        write_whole(&args.output, &draw::pdf(&pages, title)?)?;
        vec![args.output.clone()]
    } else {
        write_svg(&args.output, &pages)?
    };
    if !args.messages.quiet {
        let count = counted(pages.len(), "page", "pages");
        let last = written.last().filter(|_| written.len() > 1);
        let last = last.map_or_else(String::new, |last| format!(" to {}", last.display()));
        say(&format!("{count}: {}{last}", written[0].display()));
    }
    Ok(code)
}

/// Whether the ending asks for one file with all pages.
fn is_pdf(path: &Path) -> anyhow::Result<bool> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("pdf") => Ok(true),
        Some("svg") => Ok(false),
        _ => bail!(
            "{}: expected a name that ends in .pdf or .svg",
            path.display()
        ),
    }
}

/// A file a page, numbered where there are several.
fn write_svg(path: &Path, pages: &[Page]) -> anyhow::Result<Vec<PathBuf>> {
    let numbered = |number: usize| match pages.len() {
        1 => path.to_owned(),
        _ => {
            let mut name = OsString::from(path.file_stem().unwrap_or_default());
            name.push(format!("-{number}.svg"));
            path.with_file_name(name)
        }
    };
    let files: Vec<PathBuf> = (1..=pages.len()).map(numbered).collect();
    for (file, page) in files.iter().zip(pages) {
        write_whole(file, page.svg.as_bytes())?;
    }
    Ok(files)
}

/// The first solution with a few words, and the exit code.
fn solve(problem: &Problem, limits: &Limits<'_>) -> (Option<(Arrangement, String)>, u8) {
    let mut first = None;
    let take = &mut |found: &Found<'_>| {
        first.get_or_insert_with(|| found.distinct.arrangement.clone());
        ControlFlow::Continue(())
    };
    let outcome = enumerate::run(problem, &Auto, limits, take);
    let distinct = outcome.tally.distinct;
    let Some(first) = first else {
        say(&match &outcome.status {
            RunStatus::Complete => "there is no solution, proven: the sheet shows none".to_owned(),
            status if status.is_failure() => format!("failed: {status}: the sheet shows none"),
            _ => "no solution was found in time: the sheet shows none".to_owned(),
        });
        return (None, exit::of_outcome(&outcome));
    };
    let words = match (&outcome.status, distinct) {
        (RunStatus::Complete, 1) => "the solution".to_owned(),
        (RunStatus::Complete, _) => format!("one of {distinct} solutions"),
        _ => "a solution".to_owned(),
    };
    // One is enough.
    let code = match &outcome.status {
        RunStatus::Stopped(StopReason::Interrupted) => exit::INTERRUPTED,
        status if status.is_failure() => exit::of_outcome(&outcome),
        _ => exit::FOUND,
    };
    (Some((first, words)), code)
}
