//! How a command ends: exit codes and the last words on standard error.

use std::io;
use std::process::ExitCode;

use edgematch::enumerate::{Outcome, Stop, Verdict};
use edgematch::load::LoadError;

use super::patience::TooSoon;
use super::talk::say;

/// Complete, or the asked number of solutions found; the arrangement fits.
pub const FOUND: u8 = 0;
/// Complete: there is none; the arrangement does not fit.
pub const NONE: u8 = 1;
/// Bad usage, bad puzzle, bad file, output that cannot be written.
pub const BAD_INPUT: u8 = 2;
/// Stopped early by a limit: there may be more.
pub const STOPPED: u8 = 3;
/// Engines disagree, or a solver failed.
pub const FAILED: u8 = 4;
/// Interrupted.
pub const INTERRUPTED: u8 = 130;

/// The exit code of a run.
pub fn of_outcome(outcome: &Outcome) -> u8 {
    match outcome.verdict {
        Verdict::All if outcome.tally.distinct == 0 => NONE,
        Verdict::All | Verdict::Stopped(Stop::Enough) => FOUND,
        Verdict::Stopped(Stop::Time(_) | Stop::Nodes(_) | Stop::Memory(_)) => STOPPED,
        Verdict::Stopped(Stop::Interrupted) => INTERRUPTED,
        Verdict::Failed(_) => FAILED,
    }
}

/// The exit code of what a limit ended.
pub fn of_stop(stop: Stop) -> u8 {
    match stop {
        Stop::Interrupted => INTERRUPTED,
        _ => STOPPED,
    }
}

/// Turns a command's result into an exit code; says on standard error what went wrong. A reader
/// that closed the pipe has all it wanted.
pub fn code(result: anyhow::Result<u8>) -> ExitCode {
    let code = match result {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => FOUND,
        Err(error) => failed(&error),
    };
    ExitCode::from(code)
}

/// Says what went wrong.
fn failed(error: &anyhow::Error) -> u8 {
    if let Some(early) = error.downcast_ref::<TooSoon>() {
        say(&early.to_string());
        return of_stop(early.stop);
    }
    match error.downcast_ref::<LoadError>() {
        Some(error) => say(&format!("error: {}", error.render())),
        // Errors of files have the file's name around them.
        None if error.is::<io::Error>() && error.chain().count() == 1 => {
            say(&format!("error: standard output can't be written: {error}"));
        }
        None => say(&format!("error: {error:#}")),
    }
    BAD_INPUT
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|e| e.downcast_ref::<io::Error>());
    causes.any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
