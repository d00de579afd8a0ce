//! Runs work that does not poll for limits, such as reading files and decoding pictures, under the
//! limits of the command.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use edgematch::enumerate::{Limits, StopReason};
use edgematch::runtime::scheduler;
use thiserror::Error;

use crate::args::{Loaded, PuzzleFile};

/// The time between two checks of the limits.
const PERIOD: Duration = Duration::from_millis(10);

/// A limit was reached before the command had anything to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{}, before {what}", stop.to_string())]
pub struct LimitError {
    /// The limit.
    pub stop: StopReason,
    what: &'static str,
}

impl LimitError {
    /// Creates the error `{stop}, before {what}`; `what` is a clause such as "the puzzle was read".
    pub fn new(stop: StopReason, what: &'static str) -> LimitError {
        LimitError { stop, what }
    }
}

/// Runs `work` on another thread and returns its result. If a limit is reached first, the thread is
/// abandoned and the command must end; `what` completes the error, see [`LimitError::new`].
///
/// A thread is needed because a blocked read of standard input or a pipe cannot be woken, and
/// because the decoders of other crates cannot be cancelled. The work must not print: it may
/// continue until the process ends. Without a thread, the work is done here, without limits.
///
/// # Errors
/// The limit that was reached.
///
/// # Panics
/// If the work panics.
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
            // After a limit was reached, the receiver is gone.
            let _ = give.send(work());
        }
    });
    let Ok(worker) = worker else {
        // No thread could be started: work without limits.
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

/// Takes the value out of a mutex, even a poisoned one; `None` if it was taken before.
fn take<T>(place: &Mutex<Option<T>>) -> Option<T> {
    place.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Reads a puzzle and its constraints under limits.
///
/// # Errors
/// A `LoadError`, or a [`LimitError`] if a limit was reached first.
pub fn load(puzzle: &PuzzleFile, limits: &Limits<'_>) -> anyhow::Result<Loaded> {
    let puzzle = puzzle.clone();
    Ok(under(limits, "the puzzle was read", move || puzzle.load())??)
}
