//! `edgematch check`: does an arrangement obey every rule of the puzzle?

use std::io::{self, Write};

use edgematch::load;
use edgematch::solution::check;

use super::args::{Check, refuse_two_readers};
use super::exit;

/// Runs the command; gives the exit code.
pub fn run(args: &Check) -> anyhow::Result<u8> {
    let solution = ("the solution", args.solution.as_path());
    refuse_two_readers(args.puzzle.read().chain([solution]))?;
    let problem = args.puzzle.load()?;
    let bytes = load::read_bytes(&args.solution)?;
    let file = args.solution.display().to_string();
    let arrangements = load::read_solutions(&bytes, &file, &problem)?;
    let verdicts: Vec<String> = arrangements
        .iter()
        .map(|arrangement| match check(&problem, arrangement) {
            Ok(()) => "fits".into(),
            Err(misfit) => format!("does not fit: {}", misfit.describe(&problem)),
        })
        .collect();
    if !args.quiet {
        let mut out = io::stdout().lock();
        for (index, verdict) in verdicts.iter().enumerate() {
            writeln!(out, "arrangement {}: {verdict}", index + 1)?;
        }
        out.flush()?;
    }
    match verdicts.iter().all(|v| v == "fits") {
        true => Ok(exit::FOUND),
        false => Ok(exit::NONE),
    }
}
