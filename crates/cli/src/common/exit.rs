//! Exit codes, and the last message on standard error.
//!
//! The result of every command passes through [`code`], so all commands treat a closed pipe, a full
//! disk and an interrupt alike.

use std::io;
use std::process::ExitCode;

use edgematch::enumerate::{Outcome, RunStatus, StopReason};
use edgematch::load::{LoadError, Remedy};
use edgematch_batch::Group;
use serde_json::json;

use super::patience::LimitError;
use super::talk::{print, say, say_of_file};
use crate::args::AnswerFormat;

/// Complete with solutions, or the requested number of solutions was found; the arrangement fits.
pub const FOUND: u8 = 0;
/// Complete: there is no solution; the arrangement does not fit.
pub const NONE: u8 = 1;
/// Bad usage, bad puzzle, bad file, or output that cannot be written.
pub const BAD_INPUT: u8 = 2;
/// Stopped early by a limit: there may be more.
pub const STOPPED: u8 = 3;
/// Engines disagree, or a solver failed.
pub const FAILED: u8 = 4;
/// Interrupted by a signal.
pub const INTERRUPTED: u8 = 130;

/// The exit code of a search with this outcome.
pub fn of_outcome(outcome: &Outcome) -> u8 {
    of_status(&outcome.status, outcome.tally.listed() > 0)
}

/// The exit code of a run with this status; `has_found` tells whether it found a solution.
pub fn of_status(status: &RunStatus, has_found: bool) -> u8 {
    match status {
        RunStatus::Complete if !has_found => NONE,
        RunStatus::Complete | RunStatus::Stopped(StopReason::Enough) => FOUND,
        RunStatus::Stopped(stop) => of_stop(*stop),
        RunStatus::Unsupported(_) => BAD_INPUT,
        RunStatus::Failed(_) => FAILED,
    }
}

/// The exit code that `batch` stores for a run in this group. It is 0 even if there is no solution
/// or the engine does not support the board, because nothing went wrong.
pub fn of_group(group: Group) -> u8 {
    match group {
        Group::Complete | Group::NoSolution | Group::Enough | Group::Unsupported => FOUND,
        Group::Stopped => STOPPED,
        Group::Bad => BAD_INPUT,
        Group::Failed => FAILED,
    }
}

/// The exit code of a run that was stopped: 130 if interrupted, otherwise 3.
pub fn of_stop(stop: StopReason) -> u8 {
    match stop {
        StopReason::Interrupted => INTERRUPTED,
        _ => STOPPED,
    }
}

/// Converts a command's result to an exit code and prints an error on standard error. A closed
/// output pipe counts as success: the reader has all it wanted.
pub fn code(result: anyhow::Result<u8>) -> ExitCode {
    let code = match result {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => FOUND,
        Err(error) => report_error(&error),
    };
    ExitCode::from(code)
}

/// Prints an error on standard error and returns its exit code.
pub fn report_error(error: &anyhow::Error) -> u8 {
    if let Some(early) = error.downcast_ref::<LimitError>() {
        say(&early.to_string());
        return of_stop(early.stop);
    }
    match error.downcast_ref::<LoadError>() {
        Some(error) => say_of_file("error", &advised(error)),
        // Errors of other files have a context with the file's name.
        None if error.is::<io::Error>() && error.chain().count() == 1 => {
            say(&format!("error: standard output can't be written: {error}"));
        }
        None => say(&format!("error: {error:#}")),
    }
    BAD_INPUT
}

/// The error with its remedy written as an option or command of this program.
pub fn advised(error: &LoadError) -> LoadError {
    let advice = error.remedy.map(|remedy| match remedy {
        Remedy::Size => ": `--size 4x5`".to_owned(),
        Remedy::Model => ": `--model puzzle.cnf`".to_owned(),
        Remedy::Photograph => format!(": `edgematch read {} -o cards`", error.file),
        Remedy::EachPuzzle => {
            format!("; to solve all of them: edgematch batch {} --results runs.sqlite", error.file)
        }
    });
    let help = error.help.clone().map(|help| help + advice.as_deref().unwrap_or_default());
    LoadError { help, remedy: None, ..error.clone() }
}

/// Returns true if a cause of the error is a write to a pipe that its reader closed.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|e| e.downcast_ref::<io::Error>());
    causes.any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints why there is no answer, `{what}: {status}` with `what` such as "not explained", on
/// standard error, and as JSON on standard output if that is the format. Returns the exit code of a
/// run with this status that found nothing.
pub fn give_up(format: AnswerFormat, what: &str, status: &RunStatus) -> anyhow::Result<u8> {
    let why = status.to_string();
    if format == AnswerFormat::Json {
        print(format!("{}\n", json!({"type": "error", "message": why})))?;
    }
    say(&format!("{what}: {why}"));
    Ok(of_status(status, false))
}
