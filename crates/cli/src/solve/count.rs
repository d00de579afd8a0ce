//! `edgematch count`: counts the solutions of a puzzle, also with some tiles pinned.

use std::io::{self, Write};

use anyhow::{anyhow, bail};
use clap::ValueEnum;
use edgematch::BigUint;
use edgematch::enumerate::up_to::{UpTo, symmetries};
use edgematch::enumerate::{self, Limits, Marginals, Method, Outcome, frontier};
use edgematch::problem::Problem;
use edgematch_report::sizes::{Sizes, sizes};
use edgematch_report::{
    Ending, count_lines, counts, listed, marginals_text, readable, sentence, write_statistics,
};

use crate::args::{AnswerFormat, Count, CountMethod, Identified};
use crate::common::{exit, interrupt, note, patience, print, print_json, warnings};

/// Runs `edgematch count`; returns the exit code, like `solve`.
///
/// # Errors
/// If the input is invalid, `--method frontier` does not support it, or standard output cannot be
/// written.
pub fn run(args: &Count) -> anyhow::Result<u8> {
    let interrupt = interrupt::flag();
    let limits = args.search.limits(&interrupt);
    let loaded = patience::load(&args.puzzle, &limits)?;
    let is_quiet = args.answer.messages.quiet;
    warnings::of_text(&args.puzzle, &loaded.text, &loaded.problem, (false, is_quiet))?;
    let problem = loaded.problem;
    warnings::of_problem(&problem, args.answer.messages.quiet);
    warnings::ignored_objective(&problem, args.answer.messages.quiet);
    let method = args.method.map(|method| match method {
        CountMethod::Search => Method::Search,
        CountMethod::Frontier => Method::Frontier,
    });
    if let (Some(Method::Frontier), Err(reason)) = (method, frontier::serves(&problem)) {
        bail!("--method frontier cannot count this puzzle: {reason}");
    }
    let (outcome, more) = count(args, &problem, &limits, method)?;
    interrupt::end_at_once();
    let sizes = args.statistics.then(|| sizes(&problem));
    match args.answer.format {
        AnswerFormat::Json => {
            let counts = counts(&outcome, sizes.as_ref());
            let counts = match &more {
                More::Nothing => counts,
                More::UpTo(_, number) => counts.with_up_to(number),
                More::Marginals(marginals) => counts.with_marginals(&problem, marginals),
            };
            print_json(counts, &problem)?;
        }
        AnswerFormat::Text => print(text(&problem, &outcome, sizes.as_ref(), &more)?)?,
    }
    note(args.answer.messages.quiet, &sentence(&problem, &outcome));
    warnings::assumed(&problem, args.answer.messages.quiet);
    if !args.answer.messages.quiet {
        warnings::of_direction(&args.puzzle, &problem, &outcome);
    }
    Ok(exit::of_outcome(&outcome))
}

/// What is counted beside the solutions.
enum More {
    Nothing,
    /// The symmetries in words, and the number of distinct solutions up to them.
    UpTo(String, BigUint),
    Marginals(Marginals),
}

/// Counts the solutions, and what `--up-to` or `--marginals` ask for.
///
/// # Errors
/// If `--up-to` does not support the puzzle.
fn count(
    args: &Count,
    problem: &Problem,
    limits: &Limits<'_>,
    method: Option<Method>,
) -> anyhow::Result<(Outcome, More)> {
    if args.marginals {
        let (outcome, marginals) = enumerate::marginals(problem, limits, method);
        return Ok((outcome, More::Marginals(marginals)));
    }
    if args.up_to.is_empty() {
        return Ok((enumerate::count(problem, limits, method), More::Nothing));
    }
    let up_to = UpTo {
        mirrors: args.up_to.contains(&Identified::Mirrors),
        colours: args.up_to.contains(&Identified::Colours),
    };
    let symmetries = symmetries(problem, up_to);
    let symmetries = symmetries
        .map_err(|reason| anyhow!("--up-to cannot count the solutions of this puzzle: {reason}"))?;
    let (outcome, number) = enumerate::count_up_to(problem, limits, method, &symmetries);
    let names = args.up_to.iter().filter_map(ValueEnum::to_possible_value);
    let names = listed(names.map(|value| value.get_name().to_owned()), "and");
    Ok((outcome, More::UpTo(names, number)))
}

/// The counts, one per line, then `more`. With `sizes` (`--statistics`) they have all digits, and
/// the statistics of the run follow; otherwise long counts are shortened. If the run is not
/// complete, each count is marked as a lower bound.
fn text(
    problem: &Problem,
    outcome: &Outcome,
    sizes: Option<&Sizes>,
    more: &More,
) -> io::Result<Vec<u8>> {
    let tally = &outcome.tally;
    let shown = |count: &BigUint| match sizes {
        Some(_) => count.to_string(),
        None => readable(count),
    };
    let is_complete = outcome.status.is_complete();
    let counts = [&tally.solutions, &tally.classes, &tally.distinct].map(shown);
    let mut text = count_lines(counts, is_complete).into_bytes();
    if let More::UpTo(up_to, number) = more {
        let least = if is_complete { "" } else { "at least " };
        writeln!(text, "distinct up to {up_to}  {least}{}", shown(number))?;
    }
    if let More::Marginals(marginals) = more {
        write!(text, "\n{}", marginals_text(problem, marginals))?;
    }
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
