//! Running jobs for requests: a few at once, each on a thread of its own.
//!
//! Further requests wait in a queue of fixed length. A job ends as soon as its page goes away.

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
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::refusal::error;
use crate::refusal::{Reason, Refusal};
use crate::request::Asker;

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

/// What ends a job before it is done.
#[derive(Debug, Default)]
pub(super) struct Signal {
    is_up: AtomicBool,
    /// Whether the job looks at it.
    is_heeded: AtomicBool,
}

impl Signal {
    /// Ends the job.
    pub fn raise(&self) {
        self.is_up.store(true, Ordering::Relaxed);
    }

    /// Whether a job can have been ended by this.
    pub fn is_heeded(&self) -> bool {
        self.is_heeded.load(Ordering::Relaxed)
    }
}

/// What a job talks to.
pub(super) struct Teller {
    say: Box<dyn Fn(String) + Send>,
    stop: Arc<Signal>,
    threads: usize,
    time_limit: Duration,
}

impl Teller {
    /// One whose lines are heard at once; it waits while nobody takes them.
    pub fn to(
        lines: mpsc::Sender<Line>,
        stop: Arc<Signal>,
        threads: usize,
        time_limit: Duration,
    ) -> Self {
        // Who does not listen any more has stopped the job.
        let say = move |text| drop(lines.blocking_send(Line::Text(text)));
        Teller {
            say: Box::new(say),
            stop,
            threads,
            time_limit,
        }
    }

    /// One whose lines are collected.
    pub fn collecting(
        lines: mpsc::UnboundedSender<String>,
        stop: Arc<Signal>,
        threads: usize,
        time_limit: Duration,
    ) -> Self {
        Teller {
            say: Box::new(move |text| drop(lines.send(text))),
            stop,
            threads,
            time_limit,
        }
    }
}

impl Asker for Teller {
    fn say(&self, line: String) {
        (self.say)(line);
    }

    /// They are looked at from now on.
    fn limits(&self) -> Limits<'_> {
        self.stop.is_heeded.store(true, Ordering::Relaxed);
        Limits {
            time: Some(self.time_limit),
            interrupt: Some(&self.stop.is_up),
            threads: self.threads,
            ..Limits::default()
        }
    }
}

/// What is said, for who listens; the job stops with it.
pub(super) struct Lines {
    lines: mpsc::Receiver<Line>,
    stop: Arc<Signal>,
}

impl Lines {
    /// With what lines are sent by.
    pub fn channel() -> (mpsc::Sender<Line>, Self) {
        let (sender, lines) = mpsc::channel(ROOM);
        let stop = Arc::default();
        (sender, Lines { lines, stop })
    }

    /// Is raised when nobody listens any more.
    pub fn stop(&self) -> Arc<Signal> {
        Arc::clone(&self.stop)
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

/// Runs a job on a thread of its own; `held` is kept until it has ended.
pub(super) async fn run_on_thread<J>(
    job: Arc<J>,
    teller: Teller,
    held: impl Send + 'static,
) -> Result<(), Refusal>
where
    J: Fn(&Teller) -> Result<(), Refusal> + Send + Sync + ?Sized + 'static,
{
    let (end, ended) = oneshot::channel();
    let work = move || {
        let _until_done = held;
        // Whoever asked may be gone.
        let _ = end.send(job(&teller));
    };
    match thread::Builder::new().stack_size(STACK).spawn(work) {
        Err(_) => Err(Refusal::new(
            Reason::Busy,
            "no thread could be started: try again later",
        )),
        // It panicked where it does not tell its end.
        Ok(_) => ended.await.unwrap_or_else(|_| {
            Err(Refusal::new(
                Reason::Failed,
                "internal error: please report it",
            ))
        }),
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
        job: impl Fn(&Teller) -> Result<(), Refusal> + Send + Sync + 'static,
    ) -> Response {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            let message = "too many requests are waiting: try again later";
            return error(StatusCode::SERVICE_UNAVAILABLE, message);
        };
        let (sender, lines) = Lines::channel();
        let teller = Teller::to(sender.clone(), lines.stop(), self.threads, self.time_limit);
        let running = Arc::clone(&self.running);
        tokio::spawn(async move {
            let permit = tokio::select! {
                permit = running.acquire_owned() => permit,
                () = sender.closed() => return,
            };
            if let Err(problem) = run_on_thread(Arc::new(job), teller, (permit, place)).await {
                let _ = sender.send(Line::Error(problem)).await;
            }
        });
        respond(lines).await
    }
}

/// The answer, once its first line is there.
pub(super) async fn respond(mut lines: Lines) -> Response {
    match lines.lines.recv().await {
        Some(Line::Text(first)) => streamed(first, lines),
        Some(Line::Error(problem)) => problem.into_response(),
        None => error(StatusCode::INTERNAL_SERVER_ERROR, "nothing to say"),
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
