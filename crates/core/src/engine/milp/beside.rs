//! Runs long work on a separate thread while the caller keeps polling.
//!
//! Building a model and the calls of a solver cannot be interrupted. If the run stops, the caller
//! abandons them.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::End;
use crate::runtime::limits::Flow;
use crate::runtime::scheduler;

/// The interval between two polls, and the time limit of a first attempt to solve a model.
pub(super) const SLICE: Duration = Duration::from_millis(50);

/// Runs a job on a new thread, calls `go_on` every [`SLICE`], and returns the job's result. The job
/// receives a flag that is set when its result is no longer needed; it may ignore the flag. On
/// platforms without threads, the job runs on the calling thread and `go_on` is not called.
///
/// # Errors
/// If `go_on` breaks before the job is done, the job panics, or no thread can be started.
pub(super) fn run<T: Send + 'static>(
    job: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    go_on: &mut dyn FnMut() -> Flow,
) -> Result<T, End> {
    if !scheduler::HAS_THREADS {
        return Ok(job(&AtomicBool::new(false)));
    }
    let unwanted = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let flag = Arc::clone(&unwanted);
    let started = scheduler::start(move || {
        // The receiver is dropped if the result is no longer needed.
        let _ = sender.send(job(&flag));
    });
    if let Err(error) = started {
        let message = format!("no thread could be started: {error}");
        return Err(End::NoAnswer(message));
    }
    loop {
        match receiver.recv_timeout(SLICE) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let message = "its thread ended without an answer".into();
                return Err(End::NoAnswer(message));
            }
        }
        if let ControlFlow::Break(()) = go_on() {
            unwanted.store(true, Ordering::Relaxed);
            return Err(End::Stopped);
        }
    }
}
