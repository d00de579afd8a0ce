//! Work that cannot be interrupted, under the limits of the command: reading files, decoding
//! pictures.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use edgematch::enumerate::{Limits, StopReason};
use edgematch::runtime::scheduler;
use thiserror::Error;

use crate::args::{Loaded, PuzzleFile};

/// How often it is looked whether a limit is reached.
const PERIOD: Duration = Duration::from_millis(10);

/// A limit was reached before there was anything to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{}, before {what}", stop.to_string())]
pub struct LimitError {
    /// Which limit.
    pub stop: StopReason,
    what: &'static str,
}

impl LimitError {
    /// `what` says what was not reached, such as `the puzzle was read`.
    pub fn new(stop: StopReason, what: &'static str) -> LimitError {
        LimitError { stop, what }
    }
}

/// Does some work on another thread. If a limit is reached first, the thread is abandoned and the
/// command has to end; `what` says what was then not reached, such as `the puzzle was read`.
///
/// A thread is needed because nothing wakes a read of standard input or of a pipe, and because the
/// decoders of other crates cannot be asked to stop. The work must not print: it may go on until
/// the process ends.
///
/// # Errors
/// Which limit was reached.
pub fn under<T: Send + 'static>(
    limits: &Limits<'_>,
    what: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, LimitError> {
    let token = limits.token();
    let (give, done) = channel();
    let work = Arc::new(Mutex::new(Some(work)));
    let waiting = Arc::clone(&work);
    let worker = scheduler::start(move || {
        if let Some(work) = take(&waiting) {
            // Where a limit was reached nobody wants the result.
            let _ = give.send(work());
        }
    });
    let Ok(worker) = worker else {
        // Without a thread it can't be interrupted, but it can be done.
        return Ok(take(&work).expect("no thread has taken it")());
    };
    loop {
        match done.recv_timeout(PERIOD) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("it ends with a result or a panic"),
            },
        }
        if token.poll().is_break() || token.may_take(0).is_break() {
            let stop = token.stop_reason().unwrap_or(StopReason::Interrupted);
            return Err(LimitError::new(stop, what));
        }
    }
}

fn take<T>(place: &Mutex<Option<T>>) -> Option<T> {
    place.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Reads a puzzle with all its constraints.
///
/// # Errors
/// What is wrong with it, or which limit was reached.
pub fn load(puzzle: &PuzzleFile, limits: &Limits<'_>) -> anyhow::Result<Loaded> {
    let puzzle = puzzle.clone();
    Ok(under(limits, "the puzzle was read", move || puzzle.load())??)
}
