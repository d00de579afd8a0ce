//! Long work on a thread of its own, while the caller keeps asking whether to go on.
//!
//! Building a model and the calls of a solver cannot be interrupted; where nobody wants their
//! result any more, the caller stops waiting for it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::{End, LeafError};
use crate::runtime::limits::Flow;
use crate::runtime::scheduler;

/// How long nobody is asked whether to go on.
pub(super) const SLICE: Duration = Duration::from_millis(50);

/// Runs a job. It is handed a flag that says when nobody wants its result any more; a job that does
/// not look ends by itself. Where there are no threads this one does the job, and asks nobody.
///
/// # Errors
/// Where `go_on` said stop before it was done, the job panicked, or no thread could be started.
pub(super) fn run<T: Send + 'static>(
    job: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    go_on: &mut dyn FnMut() -> Flow,
) -> Result<T, End> {
    if !scheduler::ARE_THERE {
        return Ok(job(&AtomicBool::new(false)));
    }
    let unwanted = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let flag = Arc::clone(&unwanted);
    let started = scheduler::start(move || {
        // The receiver is gone where the result is unwanted.
        let _ = sender.send(job(&flag));
    });
    if let Err(error) = started {
        let message = format!("no thread could be started: {error}");
        return Err(End::Failed(LeafError::NoAnswer(message)));
    }
    loop {
        match receiver.recv_timeout(SLICE) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let message = "its thread ended without an answer".into();
                return Err(End::Failed(LeafError::NoAnswer(message)));
            }
        }
        if let ControlFlow::Break(()) = go_on() {
            unwanted.store(true, Ordering::Relaxed);
            return Err(End::Stopped);
        }
    }
}
