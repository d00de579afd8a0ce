//! Work on a thread of its own, while Python waits without its lock and hears Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use edgematch::runtime::scheduler;
use pyo3::prelude::*;

use crate::SearchError;

/// How often it is looked whether somebody interrupts.
const PERIOD: Duration = Duration::from_millis(50);

/// What a run, the functions that it calls and the thread that waits for it tell one another.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    exception: Mutex<Option<PyErr>>,
}

impl Signals {
    /// Asks the run to end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns true if the run was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Ends the run because a function raised this; the first exception counts.
    pub fn fail(&self, exception: PyErr) {
        self.exception().get_or_insert(exception);
        self.stop();
    }

    /// Raises what a function has raised.
    pub fn raise(&self) -> PyResult<()> {
        self.exception().take().map_or(Ok(()), Err)
    }

    fn exception(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.exception.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Work under way; it is asked to end when this is dropped.
pub struct Background<T> {
    answers: Mutex<Receiver<T>>,
    signals: Arc<Signals>,
}

impl<T: Send + 'static> Background<T> {
    /// Starts work that sends its answers, at most one ahead, and looks at the flag.
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

    /// The next answer; `None` where there are no more.
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

    /// Raises what a function has raised.
    pub fn raise(&self) -> PyResult<()> {
        self.signals.raise()
    }

    /// The only answer; raises what a function has raised.
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
