//! `edgematch count`: how many solutions a puzzle has, or still has.

use std::fmt::Display;
use std::io::{self, Write};

use anyhow::bail;
use edgematch::enumerate::Outcome;
use edgematch::halves;
use edgematch::problem::Problem;
use edgematch_report::sizes::{Sizes, sizes};
use edgematch_report::{Ending, WithAssumed, count_lines, counts, readable, sentence, statistics};

use super::args::Count;
use super::talk::say;
use super::{exit, interrupt, patience, warnings};

/// Runs the command; gives the exit code.
pub fn run(args: &Count) -> anyhow::Result<u8> {
    let interrupt = interrupt::flag();
    let limits = args.search.limits(&interrupt);
    let problem = patience::load(&args.puzzle, &limits)?;
    if !args.answer.messages.quiet {
        warnings::of_problem(&problem);
    }
    let outcome = if args.by_halves {
        if let Err(reason) = halves::serves(&problem) {
            bail!("--by-halves: {reason}");
        }
        halves::count(&problem, &limits)
    } else {
        halves::count_or_list(&problem, &limits)
    };
    interrupt::end_at_once();
    let sizes = args.statistics.then(|| sizes(&problem));
    let mut out = io::stdout().lock();
    if args.answer.format == "json" {
        let counts = WithAssumed::new(counts(&outcome, sizes.as_ref()), &problem);
        writeln!(out, "{}", serde_json::to_string(&counts)?)?;
    } else {
        print(&mut out, &problem, &outcome, sizes.as_ref())?;
    }
    out.flush()?;
    if !args.answer.messages.quiet {
        say(&sentence(&problem, &outcome));
        warnings::assumed(&problem);
    }
    Ok(exit::of_outcome(&outcome))
}

/// The counts, one a line; with the sizes all their digits, and the statistics of the run.
fn print(
    out: &mut dyn Write,
    problem: &Problem,
    outcome: &Outcome,
    sizes: Option<&Sizes>,
) -> io::Result<()> {
    let tally = &outcome.tally;
    let all: [&dyn Display; 3] = [&tally.solutions, &tally.classes, &tally.distinct];
    let shown = all.map(|count| match sizes {
        Some(_) => count.to_string(),
        None => readable(count),
    });
    out.write_all(count_lines(shown, outcome.status.is_complete()).as_bytes())?;
    let Some(sizes) = sizes else { return Ok(()) };
    let ending = Ending {
        problem,
        outcome,
        sizes: Some(sizes),
        is_cut_short: false,
        best: None,
        part: None,
    };
    statistics(out, &ending, sizes)
}
