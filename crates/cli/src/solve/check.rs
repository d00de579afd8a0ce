//! `edgematch check`: checks arrangements against every rule of the puzzle.

use std::io::{self, Write};

use anyhow::bail;
use edgematch::engine::counted;
use edgematch::enumerate::solution::check;
use edgematch::load;

use crate::args::{Check, Loaded, inputs, refuse_two_readers};
use crate::common::{exit, say, warnings, write_line};

/// Runs the command; returns the exit code: whether all arrangements are solutions.
///
/// # Errors
/// If the input is invalid or has no arrangement, or standard output cannot be written.
pub fn run(args: &Check) -> anyhow::Result<u8> {
    refuse_two_readers(args.puzzle.inputs().chain(inputs("the solution", &args.solution)))?;
    let Loaded { problem, text, .. } = args.puzzle.load()?;
    warnings::of_text(&args.puzzle, &text, &problem, (args.warnings.strict, args.quiet))?;
    let arrangements = match &args.solution {
        Some(path) => Some(args.answer.read(path, &problem, load::read_solutions)?),
        None => load::own_arrangements(&text, &problem)?,
    };
    let Some(arrangements) = arrangements else {
        bail!("no arrangement: name a file with one (only a viewer's link has its own)");
    };
    let verdicts: Vec<String> = arrangements
        .iter()
        .map(|arrangement| match check(&problem, arrangement) {
            Ok(()) => "fits".into(),
            Err(violation) => format!("does not fit: {}", violation.describe(&problem)),
        })
        .collect();
    if !args.quiet {
        let mut out = io::stdout().lock();
        for (index, verdict) in verdicts.iter().enumerate() {
            write_line(&mut out, &format!("arrangement {}: {verdict}", index + 1))?;
        }
        out.flush()?;
    }
    let fitting = verdicts.iter().filter(|verdict| *verdict == "fits").count();
    if verdicts.len() > 1 && !args.quiet {
        let all = counted(verdicts.len(), "arrangement", "arrangements");
        say(&format!("{all}, {fitting} fit"));
    }
    warnings::assumed(&problem, args.quiet);
    if fitting == verdicts.len() { Ok(exit::FOUND) } else { Ok(exit::NONE) }
}
