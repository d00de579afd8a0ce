//! `edgematch estimate`: how long each engine would take.

use std::io::{self, Write};
use std::ops::ControlFlow;

use anyhow::bail;
use edgematch::domains::Split;
use edgematch::enumerate::Limits;
use edgematch::estimate::{Probing, estimate, parts};
use edgematch_report as report;

use super::args::Estimate;
use super::{exit, interrupt, machine, patience, warnings};

/// Runs the command; gives the exit code.
pub fn run(args: &Estimate) -> anyhow::Result<u8> {
    let interrupt = interrupt::flag();
    let limits = Limits { interrupt: Some(&interrupt), ..Limits::default() };
    let problem = patience::load(&args.puzzle, &limits)?;
    if let (Some(_), Err(why)) = (args.parts, Split::serves(&problem)) {
        bail!("this puzzle can't be cut into parts: of what is cut {why}");
    }
    if !args.answer.messages.quiet {
        warnings::of_problem(&problem);
    }
    let probing =
        Probing { probes: args.probes, seed: args.seed, processor: machine::PROCESSOR_TIME };
    let mut estimates = match estimate(&problem, &probing, &limits) {
        ControlFlow::Continue(estimates) => estimates,
        ControlFlow::Break(_) => return Ok(exit::INTERRUPTED),
    };
    if let Some(of) = args.parts {
        match parts(&problem, of, &probing, &limits) {
            ControlFlow::Continue(parts) => estimates.parts = Some(parts),
            ControlFlow::Break(_) => return Ok(exit::INTERRUPTED),
        }
    }
    let mut out = io::stdout().lock();
    match args.answer.format.as_str() {
        "json" => {
            let estimates = report::WithAssumed::new(&estimates, &problem);
            writeln!(out, "{}", serde_json::to_string(&estimates)?)?;
        }
        _ => out.write_all(report::estimate::text(&estimates).as_bytes())?,
    }
    out.flush()?;
    if !args.answer.messages.quiet {
        warnings::assumed(&problem);
    }
    Ok(exit::FOUND)
}
