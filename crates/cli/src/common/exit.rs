//! Exit codes, and the last message on standard error.
//!
//! Every command ends here, so that a closed pipe, a full disk and an interrupt mean the same
//! everywhere.

use std::io;
use std::process::ExitCode;

use edgematch::enumerate::{Outcome, RunStatus, StopReason};
use edgematch::load::{LoadError, Remedy};
use edgematch_batch::Group;
use serde_json::json;

use super::patience::LimitError;
use super::talk::{print, say, say_of_file};
use crate::args::AnswerFormat;

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
    of_status(&outcome.status, outcome.tally.distinct > 0)
}

/// The exit code of a run that has found something or nothing.
pub fn of_status(status: &RunStatus, has_found: bool) -> u8 {
    match status {
        RunStatus::Complete if !has_found => NONE,
        RunStatus::Complete | RunStatus::Stopped(StopReason::Enough) => FOUND,
        RunStatus::Stopped(stop) => of_stop(*stop),
        RunStatus::Unsupported(_) => BAD_INPUT,
        RunStatus::Failed(_) => FAILED,
    }
}

/// The exit code that results keep of a run in this group. It is 0 if there is no solution, or the
/// engine does not serve the board: neither says anything against the puzzle.
pub fn of_group(group: Group) -> u8 {
    match group {
        Group::Complete | Group::NoSolution | Group::Enough | Group::Unsupported => FOUND,
        Group::Stopped => STOPPED,
        Group::Bad => BAD_INPUT,
        Group::Failed => FAILED,
    }
}

/// The exit code of what a limit ended.
pub fn of_stop(stop: StopReason) -> u8 {
    match stop {
        StopReason::Interrupted => INTERRUPTED,
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

/// Says what went wrong; gives the exit code.
pub fn failed(error: &anyhow::Error) -> u8 {
    if let Some(early) = error.downcast_ref::<LimitError>() {
        say(&early.to_string());
        return of_stop(early.stop);
    }
    match error.downcast_ref::<LoadError>() {
        Some(error) => say_of_file("error", &advised(error)),
        // Errors of files have the file's name around them.
        None if error.is::<io::Error>() && error.chain().count() == 1 => {
            say(&format!("error: standard output can't be written: {error}"));
        }
        None => say(&format!("error: {error:#}")),
    }
    BAD_INPUT
}

/// The error with the options of this command line that help.
pub fn advised(error: &LoadError) -> LoadError {
    let advice = error.remedy.map(|remedy| match remedy {
        Remedy::Size => ": `--size 4x5`".to_owned(),
        Remedy::Model => ": `--model puzzle.cnf`".to_owned(),
        Remedy::Photograph => format!(": `edgematch read {} -o cards`", error.file),
        Remedy::EachPuzzle => format!("; for all of them: edgematch batch {}", error.file),
    });
    let help = error.help.clone().map(|help| help + advice.as_deref().unwrap_or_default());
    LoadError { help, remedy: None, ..error.clone() }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|e| e.downcast_ref::<io::Error>());
    causes.any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Says why there is no answer, `not explained: …`, and in JSON where that was asked for; gives the
/// exit code.
pub fn give_up(format: AnswerFormat, what: &str, status: &RunStatus) -> anyhow::Result<u8> {
    let why = status.to_string();
    if format == AnswerFormat::Json {
        print(format!("{}\n", json!({"type": "error", "message": why})))?;
    }
    say(&format!("{what}: {why}"));
    Ok(of_status(status, false))
}
