//! Running searches for requests: a few at once, each on a thread of its own.
//!
//! Further requests wait in a queue of fixed length. A search ends as soon as its page goes away.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use edgematch::enumerate::Limits;
use edgematch::scheduler::STACK;
use futures_util::stream;
use serde::Serialize;
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::refusal::{Refusal, error};

/// Jobs that wait for one that runs.
const MOST_WAITING: usize = 32;

/// Lines that wait for whoever listens.
const ROOM: usize = 64;

/// Runs jobs.
pub(super) struct JobRunner {
    running: Arc<Semaphore>,
    /// Jobs that run or wait.
    places: Arc<Semaphore>,
    threads: usize,
    time_limit: Duration,
}

/// What a job says.
pub(super) enum Line {
    Text(String),
    Error(Refusal),
}

/// What a job talks to.
pub(super) struct Teller {
    lines: mpsc::Sender<Line>,
    stop: Arc<AtomicBool>,
    threads: usize,
    time_limit: Duration,
}

impl Teller {
    /// Says something; waits while nobody takes it.
    pub fn say(&self, what: &impl Serialize) {
        let text = serde_json::to_string(what).unwrap_or_default() + "\n";
        // Who does not listen any more has stopped the job.
        let _ = self.lines.blocking_send(Line::Text(text));
    }

    /// The limits of the job.
    pub fn limits(&self) -> Limits<'_> {
        Limits {
            time: Some(self.time_limit),
            interrupt: Some(&self.stop),
            threads: self.threads,
            ..Limits::default()
        }
    }
}

/// What is said, for who listens; the job stops with it.
struct Lines {
    lines: mpsc::Receiver<Line>,
    stop: Arc<AtomicBool>,
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl JobRunner {
    pub fn new(jobs: usize, threads: usize, time_limit: Duration) -> Self {
        JobRunner {
            running: Arc::new(Semaphore::new(jobs)),
            places: Arc::new(Semaphore::new(jobs + MOST_WAITING)),
            threads,
            time_limit,
        }
    }

    /// Answers by what a job says, a line of JSON each time; by an error alone where that comes
    /// first.
    pub async fn answer(
        &self,
        job: impl FnOnce(&Teller) -> Result<(), Refusal> + Send + 'static,
    ) -> Response {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            let message = "too many searches are waiting: try again later";
            return error(StatusCode::SERVICE_UNAVAILABLE, message);
        };
        let (sender, receiver) = mpsc::channel(ROOM);
        let mut lines = Lines {
            lines: receiver,
            stop: Arc::default(),
        };
        let teller = Teller {
            lines: sender.clone(),
            stop: Arc::clone(&lines.stop),
            threads: self.threads,
            time_limit: self.time_limit,
        };
        let running = Arc::clone(&self.running);
        tokio::spawn(async move {
            let permit = tokio::select! {
                permit = running.acquire_owned() => permit,
                () = sender.closed() => return,
            };
            let (end, ended) = oneshot::channel();
            let work = move || {
                let _until_done = (permit, place);
                // Whoever asked may be gone.
                let _ = end.send(job(&teller));
            };
            let started = thread::Builder::new().stack_size(STACK).spawn(work);
            let failed = match (started, ended.await) {
                (Err(_), _) => Refusal::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "no thread could be started: try again later",
                ),
                (Ok(_), Ok(Ok(()))) => return,
                (Ok(_), Ok(Err(problem))) => problem,
                // It panicked.
                (Ok(_), Err(_)) => Refusal::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "internal error: please report it",
                ),
            };
            let _ = sender.send(Line::Error(failed)).await;
        });
        match lines.lines.recv().await {
            Some(Line::Text(first)) => streamed(first, lines),
            Some(Line::Error(problem)) => problem.into_response(),
            None => error(StatusCode::INTERNAL_SERVER_ERROR, "nothing to say"),
        }
    }
}

/// The lines as the body of an answer.
fn streamed(first: String, lines: Lines) -> Response {
    let body = stream::unfold((Some(first), lines), |(first, mut lines)| async move {
        let text = match first {
            Some(first) => first,
            None => match lines.lines.recv().await? {
                Line::Text(text) => text,
                Line::Error(problem) => problem.line(),
            },
        };
        Some((Ok::<_, Infallible>(Bytes::from(text)), (None, lines)))
    });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    (kind, Body::from_stream(body)).into_response()
}
