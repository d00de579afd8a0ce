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

/// State shared by a run, the Python functions that it calls, and the waiting thread: a request to
/// stop, and the first exception of a function.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    exception: Mutex<Option<PyErr>>,
}

impl Signals {
    /// Requests that the run stop.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns true if the run was requested to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Records the exception of a function, unless there is an earlier one, and stops the run.
    pub fn fail(&self, exception: PyErr) {
        self.exception().get_or_insert(exception);
        self.stop();
    }

    /// Takes the exception of a function and raises it, if there is one.
    pub fn raise(&self) -> PyResult<()> {
        self.exception().take().map_or(Ok(()), Err)
    }

    /// Locks the exception that stops the search, if there is one.
    fn exception(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.exception.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Receives answers of type `T` from work on another thread. Dropping it requests that the work
/// stop.
pub struct Background<T> {
    answers: Mutex<Receiver<T>>,
    signals: Arc<Signals>,
}

impl<T: Send + 'static> Background<T> {
    /// Starts the work, which sends answers to the channel and should poll the flag. It can be at
    /// most one answer ahead: sending another blocks.
    ///
    /// # Errors
    /// If no thread can be started.
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

    /// Waits for the next answer; `None` if the work has ended. Releases the GIL meanwhile.
    ///
    /// # Errors
    /// If Python is interrupted (Ctrl-C), which also stops the work.
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

    /// Takes the exception of a function and raises it, if there is one.
    pub fn raise(&self) -> PyResult<()> {
        self.signals.raise()
    }

    /// Requests that the work stop.
    pub fn stop(&self) {
        self.signals.stop();
    }

    /// Waits for the single answer of the work.
    ///
    /// # Errors
    /// If a Python function raised an exception, Python is interrupted, or the work ends without an
    /// answer.
    pub fn wait(&self, py: Python<'_>) -> PyResult<T> {
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
