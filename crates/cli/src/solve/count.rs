//! `edgematch count`: counts the solutions of a puzzle, also with some tiles pinned.

use std::fmt::Display;
use std::io;
use std::ops::ControlFlow;

use anyhow::bail;
use edgematch::engine::Auto;
use edgematch::enumerate::{self, NewSolution, Outcome, frontier};
use edgematch::problem::Problem;
use edgematch_report::sizes::{Sizes, sizes};
use edgematch_report::{Ending, count_lines, counts, readable, sentence, write_statistics};

use crate::args::{AnswerFormat, Count, CountMethod};
use crate::common::{exit, interrupt, note, patience, print, print_json, warnings};

/// Runs `edgematch count`; returns the exit code, like `solve`.
///
/// # Errors
/// If the input is invalid, `--method frontier` does not support it, or standard output cannot be
/// written.
pub fn run(args: &Count) -> anyhow::Result<u8> {
    let interrupt = interrupt::flag();
    let limits = args.search.limits(&interrupt);
    let problem = patience::load(&args.puzzle, &limits)?.problem;
    warnings::of_problem(&problem, args.answer.messages.quiet);
    let outcome = match args.method {
        None => frontier::count_or_list(&problem, &limits),
        Some(CountMethod::Search) => {
            enumerate::run(&problem, &Auto, &limits, &mut |_: &NewSolution<'_>| {
                ControlFlow::Continue(())
            })
        }
        Some(CountMethod::Frontier) => {
            if let Err(reason) = frontier::serves(&problem) {
                bail!("--method frontier cannot count this puzzle: {reason}");
            }
            frontier::count(&problem, &limits)
        }
    };
    interrupt::end_at_once();
    let sizes = args.statistics.then(|| sizes(&problem));
    match args.answer.format {
        AnswerFormat::Json => print_json(counts(&outcome, sizes.as_ref()), &problem)?,
        AnswerFormat::Text => print(text(&problem, &outcome, sizes.as_ref())?)?,
    }
    note(args.answer.messages.quiet, &sentence(&problem, &outcome));
    warnings::assumed(&problem, args.answer.messages.quiet);
    Ok(exit::of_outcome(&outcome))
}

/// The counts, one per line. With `sizes` (`--statistics`) they have all digits, and the statistics
/// of the run follow; otherwise long counts are shortened. If the run is not complete, each count
/// is marked as a lower bound.
fn text(problem: &Problem, outcome: &Outcome, sizes: Option<&Sizes>) -> io::Result<Vec<u8>> {
    let tally = &outcome.tally;
    let all: [&dyn Display; 3] = [&tally.solutions, &tally.classes, &tally.distinct];
    let shown = all.map(|count| match sizes {
        Some(_) => count.to_string(),
        None => readable(count),
    });
    let mut text = count_lines(shown, outcome.status.is_complete()).into_bytes();
    let Some(sizes) = sizes else { return Ok(text) };
    let ending = Ending {
        problem,
        outcome,
        sizes: Some(sizes),
        is_cut_short: false,
        best: None,
        part: None,
    };
    write_statistics(&mut text, &ending)?;
    Ok(text)
}
