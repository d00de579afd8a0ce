//! `edgematch count`: how many solutions a puzzle has, or still has.

use std::io::{self, Write};

use anyhow::bail;
use edgematch::halves;
use edgematch_report::{number, sentence};
use serde_json::json;

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
    let tally = &outcome.tally;
    let is_complete = outcome.status.is_complete();
    let mut out = io::stdout().lock();
    if args.answer.format == "json" {
        let counts = json!({
            "solutions": number(&tally.solutions),
            "classes": number(&tally.classes),
            "distinct": tally.distinct,
            "complete": is_complete,
        });
        writeln!(out, "{counts}")?;
    } else {
        let least = if is_complete { "" } else { "at least " };
        writeln!(out, "solutions  {least}{}", tally.solutions)?;
        writeln!(out, "classes    {least}{}", tally.classes)?;
        writeln!(out, "distinct   {least}{}", tally.distinct)?;
    }
    out.flush()?;
    if !args.answer.messages.quiet {
        say(&sentence(&outcome));
    }
    Ok(exit::of_outcome(&outcome))
}
