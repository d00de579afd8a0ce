//! Runs work on a separate thread while Python waits without the GIL and handles Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use edgematch::runtime::scheduler;
use pyo3::prelude::*;

use crate::SearchError;

/// The interval between checks for signals.
const PERIOD: Duration = Duration::from_millis(50);

/// The state shared by a run, the Python functions that it calls, and the waiting thread.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    exception: Mutex<Option<PyErr>>,
}

impl Signals {
    /// Requests the end of the run.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns true if the end of the run was requested.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Ends the run because a function raised an exception; the first one is kept.
    pub fn fail(&self, exception: PyErr) {
        self.exception().get_or_insert(exception);
        self.stop();
    }

    /// Raises the exception of a function, if there is one.
    pub fn raise(&self) -> PyResult<()> {
        self.exception().take().map_or(Ok(()), Err)
    }

    fn exception(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.exception.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Work on another thread; dropping this requests its end.
pub struct Background<T> {
    answers: Mutex<Receiver<T>>,
    signals: Arc<Signals>,
}

impl<T: Send + 'static> Background<T> {
    /// Starts work that sends its answers, at most one ahead, and polls the flag.
    pub fn start(
        signals: Arc<Signals>,
        work: impl FnOnce(&SyncSender<T>, &AtomicBool) + Send + 'static,
    ) -> PyResult<Background<T>> {
        let (sender, answers) = sync_channel(1);
        let flags = Arc::clone(&signals);
        scheduler::start(move || work(&sender, &flags.stop))
            .map_err(|error| SearchError::new_err(format!("no thread can be started: {error}")))?;
        Ok(Background { answers: Mutex::new(answers), signals })
    }

    /// Waits for the next answer; `None` if there are no more.
    pub fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        loop {
            let wait = || {
                let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
                answers.recv_timeout(PERIOD)
            };
            match py.detach(wait) {
                Ok(answer) => return Ok(Some(answer)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(interrupted) = py.check_signals() {
                        self.signals.stop();
                        return Err(interrupted);
                    }
                }
            }
        }
    }

    /// Raises the exception of a function, if there is one.
    pub fn raise(&self) -> PyResult<()> {
        self.signals.raise()
    }

    /// Waits for the only answer; raises the exception of a function, if there is one.
    pub fn only(&self, py: Python<'_>) -> PyResult<T> {
        let answer = self.next(py)?;
        self.raise()?;
        answer.ok_or_else(|| SearchError::new_err("the search ended without an answer"))
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.signals.stop();
    }
}
