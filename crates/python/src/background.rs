//! Work on a thread of its own, while Python waits without its lock and hears Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use edgematch::scheduler;
use pyo3::prelude::*;

use crate::SearchError;

/// How often it is looked whether somebody interrupts.
const PERIOD: Duration = Duration::from_millis(50);

/// Work under way; it is asked to end when this is dropped.
pub struct Background<T> {
    answers: Mutex<Receiver<T>>,
    stop: Arc<AtomicBool>,
}

impl<T: Send + 'static> Background<T> {
    /// Starts work that sends its answers, at most one ahead, and looks at the flag.
    pub fn start(
        work: impl FnOnce(&SyncSender<T>, &AtomicBool) + Send + 'static,
    ) -> PyResult<Background<T>> {
        let (sender, answers) = sync_channel(1);
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        scheduler::start(move || work(&sender, &flag))
            .map_err(|error| SearchError::new_err(format!("no thread can be started: {error}")))?;
        Ok(Background {
            answers: Mutex::new(answers),
            stop,
        })
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
                        self.stop.store(true, Ordering::Relaxed);
                        return Err(interrupted);
                    }
                }
            }
        }
    }

    /// The only answer.
    pub fn only(&self, py: Python<'_>) -> PyResult<T> {
        let answer = self.next(py)?;
        answer.ok_or_else(|| SearchError::new_err("the search ended without an answer"))
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
