//! Long work in a thread of its own, while this one asks the host whether to go on.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use crate::engine::{Failure, Host, Work};

/// How long the host is not asked whether to go on.
pub(super) const SLICE: Duration = Duration::from_millis(50);

/// Runs a job; `None` where the host asked to stop before it was done. The job is handed a flag
/// that says when nobody wants its result any more; a job that does not look ends by itself.
///
/// # Errors
/// Where the job panicked.
pub(super) fn run<T: Send + 'static>(
    job: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    host: &mut dyn Host,
    work: &Work,
) -> Result<Option<T>, Failure> {
    let unwanted = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let flag = Arc::clone(&unwanted);
    std::thread::spawn(move || {
        // The receiver is gone where the result is unwanted.
        let _ = sender.send(job(&flag));
    });
    loop {
        match receiver.recv_timeout(SLICE) {
            Ok(result) => return Ok(Some(result)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Solver {
                    round: work.solves,
                    message: "its thread ended without an answer".into(),
                });
            }
        }
        if let ControlFlow::Break(()) = host.poll(work) {
            unwanted.store(true, Ordering::Relaxed);
            return Ok(None);
        }
    }
}
