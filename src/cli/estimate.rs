//! `edgematch estimate`: how long each engine would take.

use std::io::{self, Write};
use std::ops::ControlFlow;

use edgematch::enumerate::Limits;
use edgematch::estimate::estimate;
use edgematch::report;

use super::args::Estimate;
use super::solve::warn;
use super::{exit, interrupt};

/// Runs the command; gives the exit code.
pub fn run(args: &Estimate) -> anyhow::Result<u8> {
    let problem = args.puzzle.load()?;
    if !args.answer.quiet {
        warn(&problem);
    }
    let interrupt = interrupt::flag();
    let limits = Limits {
        interrupt: Some(&interrupt),
        ..Limits::default()
    };
    let estimates = match estimate(&problem, args.probes, args.seed, &limits) {
        ControlFlow::Continue(estimates) => estimates,
        ControlFlow::Break(_) => return Ok(exit::INTERRUPTED),
    };
    let mut out = io::stdout().lock();
    match args.answer.format.as_str() {
        "json" => writeln!(out, "{}", serde_json::to_string(&estimates)?)?,
        _ => out.write_all(report::estimate::text(&estimates).as_bytes())?,
    }
    out.flush()?;
    Ok(exit::FOUND)
}
