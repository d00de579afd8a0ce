//! Lanes, which run the jobs of requests: a few jobs at a time, each on its own thread; others
//! queue.
//!
//! Short jobs have a separate lane, so that a hint does not wait for long searches. The queue is
//! bounded, and a job is interrupted when its client disconnects.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use edgematch::enumerate::Limits;
use edgematch::runtime::scheduler::STACK;
use futures_util::stream;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use super::refusal::error;
use crate::refusal::{Reason, Refusal, Result};
use crate::request::Asker;

/// The maximum number of jobs that may queue in a lane.
const MOST_QUEUED: usize = 32;

/// The number of lines that a job may be ahead of its client before it blocks.
const LINES_AHEAD: usize = 64;

/// The time after which the client of a queued job is told that it is waiting.
const SILENT_WAIT: Duration = Duration::from_millis(200);

/// A line of a response.
enum ResponseLine {
    Text(String),
    Error(Refusal),
}

/// Runs jobs, a fixed number at a time.
pub(super) struct Lane {
    /// Permits for jobs that run.
    running: Arc<Semaphore>,
    /// Permits for jobs that run or are queued.
    admitted: Arc<Semaphore>,
    /// The number of threads of a job.
    threads: usize,
    /// The time limit of a job.
    time_limit: Duration,
}

impl Lane {
    /// Creates a lane for `jobs` jobs at a time, each with this many threads and this much time.
    pub fn new(jobs: usize, threads: usize, time_limit: Duration) -> Self {
        Lane {
            running: Arc::new(Semaphore::new(jobs)),
            admitted: Arc::new(Semaphore::new(jobs + MOST_QUEUED)),
            threads,
            time_limit,
        }
    }

    /// Queues a job and streams its lines as the response. If the job fails before its first line,
    /// the response is an error; afterwards the error is the last line. If the queue is full, the
    /// response is an error at once.
    pub async fn answer(
        &self,
        job: impl FnOnce(&JobAsker) -> Result<()> + Send + 'static,
    ) -> Response {
        let Ok(admitted) = Arc::clone(&self.admitted).try_acquire_owned() else {
            let message = "too many requests are waiting: try again later";
            return error(StatusCode::SERVICE_UNAVAILABLE, message);
        };
        let (sender, receiver) = mpsc::channel(LINES_AHEAD);
        let lines = Lines { receiver, stop: Arc::default() };
        let asker = JobAsker {
            lines: sender.clone(),
            stop: Arc::clone(&lines.stop),
            threads: self.threads,
            time_limit: self.time_limit,
        };
        let running = Arc::clone(&self.running);
        tokio::spawn(async move {
            // Without a permit, the client has disconnected.
            let Some(permit) = permit(running, &sender).await else {
                return;
            };
            if let Err(refusal) = run_on_thread(job, asker, (permit, admitted)).await {
                let _ = sender.send(ResponseLine::Error(refusal)).await;
            }
        });
        lines.into_response().await
    }
}

/// Waits for a permit to run; after [`SILENT_WAIT`], sends a line that says so to the client.
/// `None` if the client disconnects.
async fn permit(
    running: Arc<Semaphore>,
    client: &mpsc::Sender<ResponseLine>,
) -> Option<OwnedSemaphorePermit> {
    let mut next = pin!(running.acquire_owned());
    if let Ok(permit) = tokio::time::timeout(SILENT_WAIT, &mut next).await {
        return permit.ok();
    }
    let line = json!({"type": "waiting"}).to_string() + "\n";
    client.send(ResponseLine::Text(line)).await.ok()?;
    tokio::select! {
        permit = next => permit.ok(),
        () = client.closed() => None,
    }
}

/// Runs a job on a new thread, which holds its permits until the job has ended. It is an error if
/// no thread can be started or the job panics.
async fn run_on_thread(
    job: impl FnOnce(&JobAsker) -> Result<()> + Send + 'static,
    asker: JobAsker,
    permits: impl Send + 'static,
) -> Result<()> {
    let (end, ended) = oneshot::channel();
    let work = move || {
        let _until_done = permits;
        // If the client has disconnected, nobody receives the result.
        let _ = end.send(job(&asker));
    };
    if thread::Builder::new().stack_size(STACK).spawn(work).is_err() {
        return Err(Refusal::new(Reason::Busy, "no thread could be started: try again later"));
    }
    // If the thread ends without a result, it panicked.
    ended.await.map_err(|_| Refusal::new(Reason::Failed, "internal error: please report it"))?
}

/// The client of a job: sends lines to it and provides the limits.
pub(super) struct JobAsker {
    lines: mpsc::Sender<ResponseLine>,
    stop: Arc<AtomicBool>,
    threads: usize,
    time_limit: Duration,
}

impl Asker for JobAsker {
    fn send_line(&self, line: String) {
        // If the client has disconnected, `stop` is set and the job ends soon.
        let _ = self.lines.blocking_send(ResponseLine::Text(line));
    }

    fn limits(&self) -> Limits<'_> {
        Limits {
            time: Some(self.time_limit),
            interrupt: Some(&self.stop),
            threads: self.threads,
            ..Limits::default()
        }
    }
}

/// The lines of a job on their way to the client. Dropping them stops the job.
struct Lines {
    receiver: mpsc::Receiver<ResponseLine>,
    stop: Arc<AtomicBool>,
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Lines {
    /// The response; waits for the first line, which decides its status.
    async fn into_response(mut self) -> Response {
        match self.receiver.recv().await {
            Some(ResponseLine::Text(first)) => self.streamed(first),
            Some(ResponseLine::Error(refusal)) => refusal.into_response(),
            None => error(StatusCode::INTERNAL_SERVER_ERROR, "the job ended without an answer"),
        }
    }

    /// A streamed response that begins with this line.
    fn streamed(self, first: String) -> Response {
        let body = stream::unfold((Some(first), self), |(first, mut lines)| async move {
            let text = match first {
                Some(first) => first,
                None => match lines.receiver.recv().await? {
                    ResponseLine::Text(text) => text,
                    ResponseLine::Error(refusal) => refusal.line(),
                },
            };
            Some((Ok::<_, Infallible>(Bytes::from(text)), (None, lines)))
        });
        let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
        (kind, Body::from_stream(body)).into_response()
    }
}
