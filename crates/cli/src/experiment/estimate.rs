//! `edgematch estimate`: estimates how long `propagate` and `backtrack` would take.

use anyhow::bail;
use edgematch::analyse::estimate::{Probing, estimate};
use edgematch::domains::Split;
use edgematch_report as report;

use crate::args::{AnswerFormat, Estimate, machine};
use crate::common::{exit, interrupt, patience, print, print_json, say, warnings};

/// Runs `edgematch estimate`; returns the exit code: [`exit::STOPPED`] after the time limit.
pub fn run(args: &Estimate) -> anyhow::Result<u8> {
    let interrupt = interrupt::flag();
    let limits = args.time.limits(Some(&interrupt));
    let problem = patience::load(&args.puzzle, &limits)?.problem;
    if let (Some(_), Err(why)) = (args.parts, Split::serves(&problem)) {
        bail!("this puzzle can't be cut into parts: {why}");
    }
    warnings::of_problem(&problem, args.answer.messages.quiet);
    let probing = Probing {
        probes: args.probes,
        seed: args.seed,
        processor: machine::PROCESSOR_TIME,
        parts: args.parts,
    };
    let estimates = estimate(&problem, &probing, &limits);
    match args.answer.format {
        AnswerFormat::Json => print_json(&estimates, &problem)?,
        AnswerFormat::Text => print(report::estimate::text(&estimates))?,
    }
    if let Some(stop) = estimates.stopped {
        say(&format!("{stop}: the estimates are incomplete"));
    }
    warnings::assumed(&problem, args.answer.messages.quiet);
    warnings::ignored_objective(&problem, args.answer.messages.quiet);
    Ok(estimates.stopped.map_or(exit::FOUND, exit::of_stop))
}
